"""The errors of the board; each is a `PegboardError`."""


class PegboardError(Exception):
    """Base of all errors of `pegboard`."""


class TrackError(PegboardError, ValueError):
    """A track that is too short or too long."""


class LayoutError(PegboardError, ValueError):
    """An invalid layout: a missing hole, an LED used twice, a broken file."""


class ViewError(PegboardError, ValueError):
    """A board view that cannot be shown: a peg off the track, too many lights."""


class FrameError(PegboardError, ValueError):
    """An LED frame of the wrong length, or with a value out of range."""


class UnknownDriverError(PegboardError, LookupError):
    """A name that is not in the table of drivers."""


class DriverError(PegboardError, OSError):
    """A driver that cannot be opened, or has lost its device."""


class NoDeviceError(DriverError):
    """A missing or unavailable device. The other devices can go on without it."""
