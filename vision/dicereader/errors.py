"""The errors of `dicereader`, all a `DiceReaderError`, and the check of a number that a caller gives."""

from numbers import Integral, Real
from typing import Any


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


def check_number(
    value: Any, least: float, most: float, wanted: str, error: type[DiceReaderError], *, whole: bool = False
) -> None:
    """Check that a value of any type is a number from `least` to `most`, and with `whole` a whole one.

    Args:
        value: the value.
        least: the smallest number.
        most: the largest number.
        wanted: what the error says was expected.
        error: the type of the error, which reaches the caller if it is not.
        whole: whether only whole numbers are accepted.
    """
    kind: Any = Integral if whole else Real
    if not isinstance(value, kind) or isinstance(value, bool) or not least <= value <= most:
        raise error(f"expected {wanted}, got {quoted(value)}")


def quoted(value: object) -> str:
    """Return a value as an error quotes it: on one line, of at most 80 characters."""
    return " ".join(repr(value).split())[:80]
