"""The errors of `dicereader`; all are a `DiceReaderError`."""


class DiceReaderError(Exception):
    """Base of all errors of `dicereader`."""


class PictureError(DiceReaderError, ValueError):
    """A picture cannot be read: broken, too small, too large, or not a picture."""


class SettingError(DiceReaderError, ValueError):
    """A setting of a reader, or an argument beside the picture, has the wrong type or is out of range."""


class ReadingError(DiceReaderError, ValueError):
    """A reading, an episode or an observation is impossible: a face that no die has, a fate without a die."""


class SourceError(DiceReaderError, OSError):
    """A frame source cannot be opened or has stopped giving frames."""


class CalibrationError(DiceReaderError, ValueError):
    """A calibration cannot be made or loaded: missing tags, points that are not a quadrilateral, a broken file."""


class FormatError(DiceReaderError, ValueError):
    """A value of a message or a file does not have the expected type or range."""


class MessageError(FormatError):
    """Bytes on the eye's socket are not a valid message."""


class TimingError(DiceReaderError, ValueError):
    """A setting of the settle detection is out of range."""


class WorldError(DiceReaderError, ValueError):
    """A simulated tray is impossible: no keys, times that go back, a face that no die has."""


def quoted(value: object) -> str:
    """Return a value as an error quotes it: on one line, of at most 80 characters."""
    return " ".join(repr(value).split())[:80]
