"""Bring a picture into the shape the other steps want: moderate size, enough light, and known scale where a
calibration gives it; and into another light and size for a second look."""

from dataclasses import dataclass, field, replace
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.frame import Pixels
from dicereader.tray.calibration import Calibration

Floats = NDArray[np.float64]

MODERATE_PX = 1_400_000
"""Pictures with more pixels are reduced to this many at first: a die of 25 pixels is found there, one of 400 needs no
more detail."""

DIE_PX = 48.0
"""A die's edge in the rectified picture, where the camera gives that much."""

SMALLEST_DIE_PX = 20.0

BRIGHT = 128.0
"""A picture of which less than a thousandth is so bright, in grey levels, was taken in too little light."""

BURNT = 252
"""What is brighter than this, in grey levels, is burnt out: light has taken away what was seen there."""

MOST_GAIN = 5.0
"""A picture is brightened by no more than this: then noise is all there is."""

LIFT = 0.7
"""The exponent by which the dark parts of a picture are made brighter: a quarter of white becomes three eighths."""

LOWER = 3.0
"""The exponent by which the bright parts of a picture are pulled apart: between 230 and 245 of 255 lie 39 levels then
in place of 15."""

EVEN, TILES = 4.0, 8
"""Light and shade are evened by a histogram of each of so many tiles across and along, in which no level counts for
more than so many times the mean."""

HALF_AN_OCTAVE = 2.0**0.5
"""Between two levels of the pyramid: where the detector found a die at one end of its sizes it is in their middle."""

LARGEST_ENLARGED_PX = 1_700_000
"""No picture is enlarged beyond so many pixels: it would take more memory than a small computer has to spare."""

LEVELS = 5
"""Each level of the pyramid has half the width of the one before."""


@dataclass(frozen=True, eq=False)
class View:
    """A picture ready for reading.

    `levels` holds the picture at full, half, quarter ... size, each (height, width, 3) BGR uint8. `to_picture` is the
    3x3 homography from pixels of level 0 to pixels of the picture as given. `die_px` is the edge of a level die's top
    face in pixels of level 0, None where nobody knows it. `eye` is where the camera stands: the point right below it
    and its height over the dice's tops, in pixels of level 0, None where nobody knows it. `gain` is how much brighter
    the levels are than the picture.
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
    def reduced(self) -> float:
        """How many pixels of the picture as given one of level 0 is wide, where nobody knows the dice's size."""
        return float(self.to_picture[0, 0])

    def in_picture(self, points: Floats) -> Floats:
        """Points of level 0, shape (..., 2), as points of the picture."""
        flat = np.asarray(points, np.float64).reshape(-1, 1, 2)
        if not flat.size:
            return points
        return cast(Floats, cv2.perspectiveTransform(flat, self.to_picture).reshape(np.shape(points)))


def rectify(pixels: Pixels, calibration: Calibration | None = None, most_px: int = MODERATE_PX) -> View:
    """The view of a picture: with a calibration the plane of the dice's tops seen squarely, else the picture itself,
    reduced to `most_px` pixels where it has more, and brightened where it is dim.

    With a calibration a level die is a square of known edge wherever it lies, and all outside the walls is cut away.
    """
    return _whole(pixels, most_px) if calibration is None else _tops(pixels, calibration)


def _whole(pixels: Pixels, most_px: int) -> View:
    height, width = pixels.shape[:2]
    shrink = min(1.0, (most_px / (height * width)) ** 0.5)
    if shrink < 1.0:
        size = max(1, round(width * shrink)), max(1, round(height * shrink))
        pixels = cast(Pixels, cv2.resize(pixels, size, interpolation=cv2.INTER_AREA))
    back = _scaling(width / pixels.shape[1], height / pixels.shape[0])
    gain = _gain(pixels)
    return replace(view_of(_brightened(pixels, gain), back, None), gain=gain)


def _brightened(pixels: Pixels, gain: float) -> Pixels:
    """A picture so many times as bright, ending at white."""
    return cast(Pixels, cv2.convertScaleAbs(pixels, alpha=gain)) if gain > 1 else pixels


def lifted(view: View) -> View:
    """The same with its dark parts brighter."""
    return _toned(view, LIFT)


def lowered(view: View) -> View:
    """The same with its bright parts pulled apart, and its dark ones nearly black: pips that a lamp has made pale."""
    return _toned(view, LOWER)


def _toned(view: View, exponent: float) -> View:
    curve = np.rint(255 * (np.arange(256) / 255) ** exponent).astype(np.uint8)
    return replace(view, levels=tuple(cast(Pixels, cv2.LUT(level, curve)) for level in view.levels))


def evened(view: View) -> View:
    """The same with as much contrast everywhere, as far as there is any: dice of the ground's colour."""
    parts = cv2.cvtColor(view.levels[0], cv2.COLOR_BGR2YCrCb)
    light = np.ascontiguousarray(parts[..., 0])
    parts[..., 0] = cv2.createCLAHE(EVEN, (TILES, TILES)).apply(light)
    seen = cast(Pixels, cv2.cvtColor(parts, cv2.COLOR_YCrCb2BGR))
    return replace(view_of(seen, view.to_picture, None), gain=view.gain)


def enlarged(view: View) -> View:
    """The same, larger by half an octave where there is room for it; nobody knows the dice's size."""
    width, height = view.size
    by = min(HALF_AN_OCTAVE, max(1.0, (LARGEST_ENLARGED_PX / (width * height)) ** 0.5))
    size = round(width * by), round(height * by)
    larger = cast(Pixels, cv2.resize(view.levels[0], size, interpolation=cv2.INTER_CUBIC))
    back = _scaling(width / size[0], height / size[1])
    return replace(view_of(larger, view.to_picture @ back, None), gain=view.gain)


def _gain(pixels: Pixels) -> float:
    """By how much a picture must be brightened so that its brightest thousandth is bright; 1 where it need not be."""
    bright = float(np.quantile(pixels[::8, ::8].max(2), 0.999))
    return min(MOST_GAIN, max(1.0, BRIGHT / max(bright, 1.0)))


def _scaling(x: float, y: float) -> Floats:
    """The homography to a picture that is so many times as wide and high; pixels are squares, not points."""
    return np.array([[x, 0.0, (x - 1) / 2], [0.0, y, (y - 1) / 2], [0.0, 0.0, 1.0]])


def _tops(pixels: Pixels, calibration: Calibration) -> View:
    tray = calibration.tray
    tops = calibration.at_height(tray.die_mm)
    centre = calibration.project(0.0, 0.0, tray.die_mm)
    edge = min(DIE_PX, max(SMALLEST_DIE_PX, calibration.die_px(*centre)))
    scale = edge / tray.die_mm
    side = round(tray.inner_mm * scale)
    # Row 0 of the view is the far wall (+y), column 0 the left one (-x).
    to_tray = np.array([[1 / scale, 0.0, -tray.half_mm], [0.0, -1 / scale, tray.half_mm], [0.0, 0.0, 1.0]])
    to_picture = tops @ to_tray
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    warped = cv2.warpPerspective(pixels, to_picture, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    x, y, z = calibration.position_mm
    eye = (x + tray.half_mm) * scale, (tray.half_mm - y) * scale, (z - tray.die_mm) * scale
    return replace(view_of(cast(Pixels, warped), to_picture, edge), eye=eye)


def view_of(pixels: Pixels, to_picture: Floats, die_px: float | None) -> View:
    """The view of a picture in its pyramid."""
    levels = [pixels]
    while len(levels) < LEVELS and min(levels[-1].shape[:2]) >= 48:
        h, w = levels[-1].shape[:2]
        # An even size keeps (x + 0.5) / 2 - 0.5 exact from level to level.
        whole = levels[-1][: h // 2 * 2, : w // 2 * 2]
        levels.append(cast(Pixels, cv2.resize(whole, (w // 2, h // 2), interpolation=cv2.INTER_AREA)))
    return View(tuple(levels), to_picture, die_px)
