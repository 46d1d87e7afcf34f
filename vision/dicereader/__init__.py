"""Read dice: a picture in, a dice reading out.

    from dicereader import read

    reading = read("tray.jpg")
    if reading.sure:
        print(reading.faces)  # (5, 1, 3, 3, 6, 2)

A `Reader` has settings, reads many pictures, and is shared by threads. Both take files and numpy arrays: BGR, or
`order="rgb"`, grey, with alpha, of 8 or 16 bit or floats from 0 to 1.

The names of `__all__` are stable; docs/dicereader.md describes them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dicereader.errors import CalibrationError, DiceReaderError, PictureError, ReadingError, SettingError
from dicereader.reading import Box, DiceReading, Doubt, ReadDie, Zone

if TYPE_CHECKING:
    from dicereader.data.frame import Order, Pixels
    from dicereader.reader import Picture, Reader
    from dicereader.tray.calibration import Calibration, load_calibration

__all__ = [
    "Box",
    "Calibration",
    "CalibrationError",
    "DiceReaderError",
    "DiceReading",
    "Doubt",
    "PictureError",
    "ReadDie",
    "Reader",
    "ReadingError",
    "SettingError",
    "Zone",
    "__version__",
    "load_calibration",
    "read",
]

__version__ = "0.1.0"

_LATER = {
    "Calibration": "dicereader.tray.calibration",
    "Reader": "dicereader.reader",
    "load_calibration": "dicereader.tray.calibration",
}
"""The modules of the names that load numpy or OpenCV, on their first use."""


def read(
    picture: "Picture",
    *,
    calibration: "Calibration | None" = None,
    empty: "Pixels | None" = None,
    expect: int | None = None,
    order: "Order" = "bgr",
) -> DiceReading:
    """Return the dice of a picture, as a `Reader` with these settings reads it. The first call loads OpenCV."""
    from dicereader.reader import Reader

    return Reader(calibration, empty).read(picture, expect=expect, order=order)


def __getattr__(name: str) -> Any:
    """Return one of the names that load numpy or OpenCV.

    Raises:
        AttributeError: for a name that the package does not have.
    """
    if name not in _LATER:
        raise AttributeError(f"module 'dicereader' has no attribute {name!r}; it offers {', '.join(__all__)}")
    return getattr(import_module(_LATER[name]), name)
