"""The eye: a camera frame in, a dice reading out.

    from dicereader import read

    reading = read("tray.jpg")  # or pixels: a numpy array (height, width, 3), blue-green-red, uint8
    if reading.sure:
        print(reading.faces)  # (5, 1, 3, 3, 6, 2)

`read` takes `calibration` (see `dicereader.tray.calibration`) and `expect`, the number of dice there must be.
"""

import os
from typing import TYPE_CHECKING

from dicereader.reading import Box, DiceReading, Doubt, ReadDie, Zone

if TYPE_CHECKING:
    from pathlib import Path

    from dicereader.frame import Pixels
    from dicereader.tray.calibration import Calibration

# OpenCV reads this when it is imported first: a small file must not unfold into gigabytes.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", "20000000")

__all__ = ["Box", "DiceReading", "Doubt", "ReadDie", "Zone", "read"]


def read(
    picture: "Path | str | Pixels", *, calibration: "Calibration | None" = None, expect: int | None = None
) -> DiceReading:
    """The dice of a picture (a path, or pixels of shape (height, width, 3) BGR uint8); PictureError where it is none.

    `expect` is the number of dice there must be: another count is a doubt. OpenCV is loaded with the first call.
    """
    from dicereader import reader

    return reader.read(picture, calibration=calibration, expect=expect)
