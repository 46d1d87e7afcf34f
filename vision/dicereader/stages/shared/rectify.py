"""Rectify a picture: moderate size, enough brightness, the plane of the dice's tops if a calibration tells it."""

from dataclasses import dataclass, field, replace
from typing import cast

import cv2
import numpy as np

from dicereader.data.arrays import Floats
from dicereader.data.frame import Pixels
from dicereader.tray.calibration import Calibration

MODERATE_PX = 1_400_000
"""Pixels to which larger pictures are reduced at first: enough for dice of 25 pixels."""

DIE_PX = 48.0
"""Pixels of a die's edge in a calibrated view, if the camera resolves that many."""

SMALLEST_DIE_PX = 20.0
"""Pixels of a die's edge in a calibrated view at least."""

BRIGHT = 128.0
"""Grey level that the brightest thousandth of a picture must reach; a dimmer picture is brightened."""

MOST_GAIN = 5.0
"""Factor by which a dim picture is brightened at most: beyond it there is only noise."""

LEVELS = 5
"""Levels of the pyramid, each half as wide as the one before."""


@dataclass(frozen=True, eq=False)
class PictureView:
    """A picture ready for reading.

    `levels` holds the picture at full, half, quarter ... size, each (height, width, 3) BGR uint8. `to_picture` is the
    3x3 homography from pixels of level 0 to pixels of the original picture. `die_px` is the edge of a level die's top
    face in pixels of level 0, None if unknown. `eye` is the camera's position: the point below it and its height over
    the dice's tops, in pixels of level 0, None if unknown. `gain` is the factor by which the levels were brightened.
    """

    levels: tuple[Pixels, ...]
    to_picture: Floats
    die_px: float | None
    eye: tuple[float, float, float] | None = None
    gain: float = field(default=1.0, kw_only=True)

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


def rectify(pixels: Pixels, calibration: Calibration | None = None, most_px: int = MODERATE_PX) -> PictureView:
    """Return the view of a picture.

    With a calibration the view is the plane of the dice's tops seen from straight above: a level die is a square of
    known edge, and everything outside the walls is cut away. Without one it is the whole picture, reduced to
    `most_px` pixels if it has more and brightened if it is dim.
    """
    if calibration is not None:
        edge, scale, to_picture, eye = tops_plane(calibration, DIE_PX, 0.0)
        size = round(2 * calibration.tray.half_mm * scale), round(2 * calibration.tray.half_depth_mm * scale)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        warped = cv2.warpPerspective(pixels, to_picture, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        return replace(view_of(cast(Pixels, warped), to_picture, edge), eye=eye)
    height, width = pixels.shape[:2]
    shrink = min(1.0, (most_px / (height * width)) ** 0.5)
    if shrink < 1.0:
        size = max(1, round(width * shrink)), max(1, round(height * shrink))
        pixels = cast(Pixels, cv2.resize(pixels, size, interpolation=cv2.INTER_AREA))
    back = scaling(width / pixels.shape[1], height / pixels.shape[0])
    bright = float(np.quantile(pixels[::8, ::8].max(2), 0.999))
    gain = min(MOST_GAIN, max(1.0, BRIGHT / max(bright, 1.0)))
    if gain > 1:
        pixels = cast(Pixels, cv2.convertScaleAbs(pixels, alpha=gain))
    return replace(view_of(pixels, back, None), gain=gain)


def tops_plane(
    calibration: Calibration, largest_px: float, margin_mm: float
) -> tuple[float, float, Floats, tuple[float, float, float]]:
    """Return how the plane of the dice's tops is drawn, with a margin beyond the walls.

    Args:
        calibration: the camera over the tray.
        largest_px: the most pixels that a die's edge may have.
        margin_mm: how far the plane reaches beyond the inner walls.

    Returns:
        A die's edge in pixels, pixels per millimetre, the homography to the picture, and the camera's place (`eye`).
    """
    tray = calibration.tray
    centre = calibration.project(0.0, 0.0, tray.die_mm)
    edge = min(largest_px, max(SMALLEST_DIE_PX, calibration.die_px(*centre)))
    scale = edge / tray.die_mm
    left, far = -tray.half_mm - margin_mm, tray.half_depth_mm + margin_mm
    # Row 0 is the far wall (+y), column 0 the left one (-x).
    to_tray = np.array([[1 / scale, 0.0, left], [0.0, -1 / scale, far], [0.0, 0.0, 1.0]])
    x, y, z = calibration.position_mm
    eye = (x - left) * scale, (far - y) * scale, (z - tray.die_mm) * scale
    return edge, scale, calibration.at_height(tray.die_mm) @ to_tray, eye


def scaling(x: float, y: float) -> Floats:
    """Return the homography to a picture that is `x` times as wide and `y` times as high; pixels are squares."""
    return np.array([[x, 0.0, (x - 1) / 2], [0.0, y, (y - 1) / 2], [0.0, 0.0, 1.0]])


def view_of(pixels: Pixels, to_picture: Floats, die_px: float | None) -> PictureView:
    """Return the view of a picture with its pyramid."""
    levels = [pixels]
    while len(levels) < LEVELS and min(levels[-1].shape[:2]) >= 48:
        h, w = levels[-1].shape[:2]
        # An even size keeps (x + 0.5) / 2 - 0.5 exact from level to level.
        even = levels[-1][: h // 2 * 2, : w // 2 * 2]
        levels.append(cast(Pixels, cv2.resize(even, (w // 2, h // 2), interpolation=cv2.INTER_AREA)))
    return PictureView(tuple(levels), to_picture, die_px)
