"""What can go wrong in the eye; every error of this package is a `DiceReaderError`."""


class DiceReaderError(Exception):
    """Base of all errors of `dicereader`."""


class PictureError(DiceReaderError, ValueError):
    """A picture cannot be read: broken, too small, too large, or of a kind that is no picture."""


class SourceError(DiceReaderError, OSError):
    """A source of frames cannot be opened or has stopped giving frames."""


class CalibrationError(DiceReaderError, ValueError):
    """A calibration does not fit: tags missing, points in no quadrilateral, a broken file."""


class MessageError(DiceReaderError, ValueError):
    """What came over the eye's socket is no message of ours."""


class PatienceError(DiceReaderError, ValueError):
    """A time or a number of frames that the eye cannot wait for."""


class WorldError(DiceReaderError, ValueError):
    """A simulated tray that cannot be: no keys, times that go back, a face that no die has."""
