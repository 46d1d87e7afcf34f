"""Read dice: a camera frame in, a dice reading out.

    from dicereader import read

    reading = read("tray.jpg")  # or pixels: a numpy array (height, width, 3), blue-green-red, uint8
    if reading.sure:
        print(reading.faces)  # (5, 1, 3, 3, 6, 2)

`read` takes `calibration` (see `dicereader.tray.calibration`) and `expect`, the expected number of dice.
"""

import os
from functools import partial
from typing import TYPE_CHECKING

from dicereader.reading import Box, DiceReading, Doubt, ReadDie, Zone

if TYPE_CHECKING:
    from pathlib import Path

    from dicereader.frame import Pixels
    from dicereader.tray.calibration import Calibration

# Must be set before OpenCV is imported: a small file must not decode to gigabytes.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", "20000000")

__all__ = ["Box", "DiceReading", "Doubt", "ReadDie", "Zone", "read"]


def read(
    picture: "Path | str | Pixels", *, calibration: "Calibration | None" = None, expect: int | None = None
) -> DiceReading:
    """Return the dice of a picture. The first call loads OpenCV.

    Args:
        picture: a file, or pixels of shape (height, width, 3), BGR uint8.
        calibration: the camera over the tray; it gives the size, place and zone of the dice.
        expect: the expected number of dice; another count is a doubt.
    """
    from dicereader.reader import read_file, read_pixels

    reading = partial(read_pixels, calibration=calibration, expect=expect)
    return read_file(picture, reading)[1] if isinstance(picture, str | os.PathLike) else reading(picture)
