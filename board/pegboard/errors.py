"""The errors of the board, each a `PegboardError`, and the texts of what libraries and processes do."""

import signal


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


def ending(status: int | None) -> str:
    """Return how a process with this exit status ended, such as `SIGKILL` or `status 1`.

    Python has no names for the real-time signals between the first and the last.
    """
    if status is None or status >= 0:
        return f"status {status}"
    try:
        return signal.Signals(-status).name
    except ValueError:
        return f"signal {-status}"


def one_line(error: BaseException) -> str:
    """Return the text of any error as one line, or the name of its type if it has no text."""
    return " ".join(str(error).split()) or type(error).__name__
