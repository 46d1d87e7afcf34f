"""What can go wrong on the board; every error of this package is a `PegboardError`."""


class PegboardError(Exception):
    """Base of all errors of `pegboard`."""


class TrackError(PegboardError, ValueError):
    """A hole, a track or a lane that no board has."""


class LayoutError(PegboardError, ValueError):
    """A layout that does not fit: a hole missing, an LED named twice, a broken file."""


class ViewError(PegboardError, ValueError):
    """A board view that cannot be shown: a peg off the track, too many lights."""


class FrameError(PegboardError, ValueError):
    """An LED frame of the wrong length or with a value that is no byte."""


class UnknownDriverError(PegboardError, LookupError):
    """A driver's name that is not in the table of drivers."""


class DriverError(PegboardError, OSError):
    """A driver cannot be opened, or has lost what it drives."""


class NoDeviceError(DriverError):
    """What a driver drives is not there, or not to be had; whatever else there is can go on without it."""
