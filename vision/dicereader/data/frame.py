"""Frames and pixels: a picture, when it was taken, and arrays of other shapes and types as pixels."""

from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from dicereader.errors import PictureError, quoted

Pixels = NDArray[np.uint8]
"""A picture of shape (height, width, 3), blue-green-red (BGR) as in OpenCV."""

LARGEST_PX, SMALLEST_PX = 20_000_000, 16
"""Pixels of a picture at most, and of its shorter side at least."""

SATURATED = 252
"""Grey level above which a pixel is overexposed: its colour is lost."""

Order = Literal["bgr", "rgb"]
"""The order of an array's colour channels."""


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

    `pixels` has shape (height, width, 3) in BGR order; `at_s` is in seconds on the source's monotonic clock. `still`
    marks a photograph: one settled reading with no motion before it. `name` is the photograph's or the clip's name,
    empty for a camera, and `number` counts the frames of a clip from 0. `small` is a small grey copy of shape
    (height, width), if the camera gives one.
    """

    pixels: Pixels
    at_s: float
    still: bool = False
    name: str = ""
    number: int = 0
    small: Pixels | None = None

    def __post_init__(self) -> None:
        check_pixels(self.pixels)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return int(self.pixels.shape[1]), int(self.pixels.shape[0])

    def grey(self, size: tuple[int, int]) -> Pixels:
        """Return a small grey copy of a width and height, made of the camera's own one if that is large enough."""
        import cv2  # only where frames come: the types are known without it

        if self.small is not None and self.small.shape[1] >= size[0]:
            return np.asarray(cv2.resize(self.small, size, interpolation=cv2.INTER_AREA), np.uint8)
        small = cv2.resize(self.pixels, size, interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)


def as_pixels(picture: NDArray[Any], order: Order = "bgr") -> Pixels:
    """Return an array as pixels; one that has their shape and type already is not copied.

    Args:
        picture: grey (height, width) or (height, width, 1), colour (height, width, 3), or colour and alpha
            (height, width, 4), which is left out. Values are uint8, uint16 (0 to 65535) or floats from 0 to 1.
        order: the order of its colour channels.

    Raises:
        PictureError: if the array has another shape, type or range, or a size that `check_size` refuses.
    """
    if not isinstance(picture, np.ndarray):
        raise PictureError(f"expected a numpy array or the path of a picture, got {type(picture).__name__}")
    check_order(order)
    if picture.ndim not in (2, 3) or (picture.ndim == 3 and picture.shape[2] not in (1, 3, 4)):
        wanted = "(height, width) or (height, width, channels) with 1, 3 or 4 channels"
        raise PictureError(f"expected an array of shape {wanted}, got {picture.shape}")
    height, width = picture.shape[:2]
    check_size(width, height)
    values = _eight_bit(picture)
    channels = 1 if values.ndim == 2 else values.shape[2]
    if channels == 1:
        values = np.repeat(values.reshape(height, width, 1), 3, 2)
    elif order == "rgb":
        values = values[..., 2::-1]
    return cast(Pixels, np.ascontiguousarray(values[..., :3]))


def check_size(width: int, height: int, where: str = "") -> None:
    """Check that a picture has at least 16 x 16 and at most 20,000,000 pixels.

    Args:
        width: its width in pixels.
        height: its height.
        where: the picture in words, for errors.

    Raises:
        PictureError: if it has not.
    """
    if min(width, height) < SMALLEST_PX:
        raise PictureError(f"expected at least {SMALLEST_PX} x {SMALLEST_PX} pixels{where}, got {width} x {height}")
    if width * height > LARGEST_PX:
        raise PictureError(f"expected at most {LARGEST_PX:,} pixels{where}, got {width} x {height}")


def check_order(order: object) -> None:
    """Check that a value is an `Order`.

    Raises:
        PictureError: if it is not.
    """
    if not (isinstance(order, str) and order in ("bgr", "rgb")):
        raise PictureError(f"expected the order 'bgr' or 'rgb', got {quoted(order)}")


def _eight_bit(picture: NDArray[Any]) -> NDArray[np.uint8]:
    """Return an array's values as uint8.

    Raises:
        PictureError: if it has another type, or floats that are not from 0 to 1.
    """
    if picture.dtype == np.uint8:
        return picture
    if picture.dtype == np.uint16:
        return np.asarray(picture >> 8, np.uint8)  # as OpenCV reads files of 16 bit
    if not np.issubdtype(picture.dtype, np.floating):
        raise PictureError(f"expected values of uint8, uint16 or float, got {picture.dtype}")
    low, high = float(picture.min()), float(picture.max())
    if not (low >= 0 and high <= 1):  # also for NaN
        raise PictureError(f"expected floats from 0 to 1, got {low:g} to {high:g}")
    return np.asarray(np.rint(picture * 255), np.uint8)
