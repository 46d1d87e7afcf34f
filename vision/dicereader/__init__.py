"""Read dice: a picture in, a dice reading out.

    from dicereader import read

    reading = read("tray.jpg")
    if reading.sure:
        print(reading.faces)  # (5, 1, 3, 3, 6, 2)

A `Reader` has settings, reads many pictures, and is shared by threads. Both take files and numpy arrays: BGR, or
`order="rgb"`, grey, with alpha, of 8 or 16 bit or floats from 0 to 1 (see `dicereader.data.pixels`).
"""

from typing import TYPE_CHECKING, Any

from dicereader.reading import Box, DiceReading, Doubt, ReadDie, Zone

if TYPE_CHECKING:
    from dicereader.data.frame import Pixels
    from dicereader.data.pixels import Order
    from dicereader.reader import Picture, Reader
    from dicereader.tray.calibration import Calibration

__all__ = ["Box", "DiceReading", "Doubt", "ReadDie", "Reader", "Zone", "read"]


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
    """Return `Reader`, which loads OpenCV, on its first use.

    Raises:
        AttributeError: for any other name.
    """
    if name != "Reader":
        raise AttributeError(f"expected a name of {__all__}, got {name!r}")
    from dicereader.reader import Reader

    return Reader
