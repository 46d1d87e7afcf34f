"""A camera frame: the picture, when it was taken, and its number."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dicereader.errors import PictureError

Pixels = NDArray[np.uint8]
"""A picture of shape (height, width, 3), blue-green-red (BGR) as in OpenCV."""

LARGEST_PX, SMALLEST_PX = 20_000_000, 16
"""Pixels of a picture at most, and of its shorter side at least."""

SATURATED = 252
"""Grey level above which a pixel is overexposed: its colour is lost."""


def check_pixels(pixels: object) -> None:
    """Check that a value is `Pixels`, an array that needs no conversion.

    Raises:
        PictureError: if it has another type or shape.
    """
    wanted = "pixels of shape (height, width, 3) and type uint8"
    if not isinstance(pixels, np.ndarray):
        raise PictureError(f"expected {wanted}, got {type(pixels).__name__}")
    if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8:
        raise PictureError(f"expected {wanted}, got {pixels.shape} of {pixels.dtype}")


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture and when it was taken.

    `pixels` has shape (height, width, 3) in BGR order; `at_s` is in seconds on the source's monotonic clock;
    `number` counts the source's frames from 0. `still` marks a photograph: one settled reading with no motion before
    it. `name` is the photograph's name, empty for a live source. `small` is a small grey copy of shape
    (height, width), if the camera gives one.
    """

    pixels: Pixels
    at_s: float
    number: int
    still: bool = False
    name: str = ""
    small: Pixels | None = None

    def __post_init__(self) -> None:
        check_pixels(self.pixels)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return int(self.pixels.shape[1]), int(self.pixels.shape[0])
