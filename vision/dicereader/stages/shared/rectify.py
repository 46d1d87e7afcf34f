"""Make the view of a picture: moderate size, enough brightness, a pyramid."""

from dataclasses import dataclass, field, replace
from typing import cast

import cv2
import numpy as np

from dicereader.data.arrays import Floats
from dicereader.data.frame import Pixels

MODERATE_PX = 1_400_000
"""Pixels to which larger pictures are reduced at first: enough for dice of 25 pixels."""

BRIGHT = 128.0
"""Grey level that the brightest thousandth of a picture must reach; a dimmer picture is brightened."""

MOST_GAIN = 5.0
"""Factor by which a dim picture is brightened at most: beyond it there is only noise."""

LEVELS, LEAST_HALVED_PX = 7, 32
"""Levels of the pyramid, each half as wide as the one before, at most; and the pixels across or along of a level that
is halved. A die that fills a view of 1,400 x 1,000 pixels is 16 pixels wide in the last one."""

FRAMED_PX = 100
"""Pixels along the shorter side that are enough for a die that fills the picture."""


@dataclass(frozen=True, eq=False)
class PictureView:
    """A picture ready for reading.

    `levels` holds the picture at full, half, quarter ... size, each (height, width, 3) BGR uint8. `to_picture` is the
    3x3 homography from pixels of level 0 to pixels of the original picture. `gain` is the factor by which the levels
    were brightened. `frame` is the width in pixels of the frame around the picture in level 0.
    """

    levels: tuple[Pixels, ...]
    to_picture: Floats
    gain: float = field(default=1.0, kw_only=True)
    frame: int = field(default=0, kw_only=True)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of level 0."""
        return int(self.levels[0].shape[1]), int(self.levels[0].shape[0])

    @property
    def reduction(self) -> float:
        """Pixels of the original picture per pixel of level 0, in an uncalibrated view."""
        return float(self.to_picture[0, 0])

    def in_picture(self, points: Floats) -> Floats:
        """Return points of level 0, shape (..., 2), as points of the original picture."""
        flat = np.asarray(points, np.float64).reshape(-1, 1, 2)
        if not flat.size:
            return points
        return cast(Floats, cv2.perspectiveTransform(flat, self.to_picture).reshape(np.shape(points)))


def rectify(pixels: Pixels, most_px: int = MODERATE_PX) -> PictureView:
    """Return the view of a picture: reduced to `most_px` pixels if it has more, and brightened if it is dim."""
    height, width = pixels.shape[:2]
    shrink = min(1.0, (most_px / (height * width)) ** 0.5)
    if shrink < 1.0:
        whole = min(int(1 / shrink), height, width)  # OpenCV is ten times as fast at whole factors as at others
        height, width = height // whole * whole, width // whole * whole
        size = max(1, round(width * shrink)), max(1, round(height * shrink))
        pixels = pixels[:height, :width]
        for each in ((width // whole, height // whole), size):
            pixels = cast(Pixels, cv2.resize(pixels, each, interpolation=cv2.INTER_AREA))
    back = scaling(width / pixels.shape[1], height / pixels.shape[0])
    bright = float(np.quantile(pixels[::8, ::8].max(2), 0.999))
    gain = min(MOST_GAIN, max(1.0, BRIGHT / max(bright, 1.0)))
    if gain > 1:
        pixels = cast(Pixels, cv2.convertScaleAbs(pixels, alpha=gain))
    return replace(view_of(pixels, back), gain=gain)


def framed(view: PictureView) -> PictureView:
    """Return a coarse view in a frame of the colour of its edge, as wide as half of the picture.

    In it a die is found that the picture shows with hardly anything of the ground.
    """
    level, picture = next((n, each) for n, each in enumerate(view.levels) if min(each.shape[:2]) < FRAMED_PX)
    edge = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
    wide = min(picture.shape[:2]) // 2
    sides = wide, wide, wide, wide
    around = cv2.copyMakeBorder(picture, *sides, cv2.BORDER_CONSTANT, value=np.median(edge, 0).tolist())
    shift = np.array([[1.0, 0.0, -wide], [0.0, 1.0, -wide], [0.0, 0.0, 1.0]])
    to_picture = view.to_picture @ scaling(2**level, 2**level) @ shift
    return replace(view_of(cast(Pixels, around), to_picture), gain=view.gain, frame=wide)


def scaling(x: float, y: float) -> Floats:
    """Return the homography to a picture that is `x` times as wide and `y` times as high; pixels are squares."""
    return np.array([[x, 0.0, (x - 1) / 2], [0.0, y, (y - 1) / 2], [0.0, 0.0, 1.0]])


def view_of(pixels: Pixels, to_picture: Floats) -> PictureView:
    """Return the view of a picture with its pyramid."""
    levels = [pixels]
    while len(levels) < LEVELS and min(levels[-1].shape[:2]) >= LEAST_HALVED_PX:
        h, w = levels[-1].shape[:2]
        # An even size keeps (x + 0.5) / 2 - 0.5 exact from level to level.
        even = levels[-1][: h // 2 * 2, : w // 2 * 2]
        levels.append(cast(Pixels, cv2.resize(even, (w // 2, h // 2), interpolation=cv2.INTER_AREA)))
    return PictureView(tuple(levels), to_picture)
