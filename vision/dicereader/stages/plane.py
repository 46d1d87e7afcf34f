"""The plane of the dice's tops as a known camera sees it: small first, then sharp where something lies."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.frame import Pixels
from dicereader.stages.bodies import Window
from dicereader.stages.rectify import Floats, View
from dicereader.tray.calibration import Calibration

TAG_MM = 2.0
"""How far a tag's border may reach over the inner walls, as it is seen."""

EDGE_PX = 40.0
"""A die's edge in the plane's picture, where the camera gives that much."""

SMALLEST_EDGE_PX = 20.0

BEHIND_RAIL_MM = 6.0
"""How much of the plane the rail's own side may take, seen from where the camera is."""

MARGIN_MM = 6.0
"""So far beyond the walls the plane is looked at: dice that lean on them rise above the dice's tops."""


@dataclass(frozen=True, eq=False)
class Plane(View):
    """A view of two levels in which `die_px` and `eye` are known; level 0 is filled only where it was asked for.

    `scale` is pixels of level 0 a millimetre; `floor` the window of level 1 in which the tray's floor is seen,
    `rail` the rows of level 1, first and one past the last, in which the rail may hide what lies behind it;
    `half_mm` is half of what the plane shows.
    """

    scale: float = 1.0
    floor: Window = (0, 0, 0, 0)
    rail: tuple[int, int] = (0, 0)
    half_mm: float = 0.0

    @property
    def edge(self) -> float:
        """A level die's edge in pixels of level 0."""
        return self.die_px or 0.0

    def place(self, x: float, y: float) -> tuple[float, float]:
        """The point of the tray, in millimetres at the height of the tops, that is seen at a point of level 0."""
        return x / self.scale - self.half_mm, self.half_mm - y / self.scale

    @property
    def below(self) -> tuple[float, float]:
        """The point right below the camera."""
        return (self.eye or (0.0, 0.0, 1.0))[:2]

    @property
    def height(self) -> float:
        """How high the camera is over the dice's tops, in pixels of level 0."""
        return (self.eye or (0.0, 0.0, 1.0))[2]


def find_plane(pixels: Pixels, calibration: Calibration) -> Plane:
    """The plane with its level 1 alone, half as large as level 0."""
    tray = calibration.tray
    centre = calibration.project(0.0, 0.0, tray.die_mm)
    edge = min(EDGE_PX, max(SMALLEST_EDGE_PX, calibration.die_px(*centre)))
    scale = edge / tray.die_mm
    half = tray.half_mm + MARGIN_MM
    side = round(half * scale) * 2
    # Row 0 is the far wall (+y), column 0 the left one (-x).
    to_tray = np.array([[1 / scale, 0.0, -half], [0.0, -1 / scale, half], [0.0, 0.0, 1.0]])
    to_picture = calibration.at_height(tray.die_mm) @ to_tray
    x, y, z = calibration.position_mm
    eye = (x + half) * scale, (half - y) * scale, (z - tray.die_mm) * scale
    small = _seen(pixels, to_picture @ _HALVED, (side // 2, side // 2))
    drawn = eye[2] / (eye[2] + edge)
    corners = [
        (value + (way * tray.half_mm * scale + half * scale - value) * drawn) / 2
        for value in eye[:2]
        for way in (-1, 1)
    ]
    left, right, top, bottom = (round(value) for value in corners)
    far, near = (tray.rail_y_mm + way for way in (tray.rail_mm / 2 + BEHIND_RAIL_MM, -tray.rail_mm / 2 - 1.0))
    rail = round((half - far) * scale / 2), round((half - near) * scale / 2)
    blank = np.zeros((side, side, 3), np.uint8)
    floor = left, top, right - left, bottom - top
    return Plane((blank, small), to_picture, edge, eye, scale, floor, rail, half)


def sharp(pixels: Pixels, plane: Plane, window: Window) -> Plane:
    """The plane with level 0 filled in a window of it."""
    left, top, width, height = window
    large = plane.levels[0].copy()
    part = np.s_[top : top + height, left : left + width]
    large[part] = _seen(pixels, plane.to_picture, plane.levels[0].shape[:2], part)
    return replace(plane, levels=(large, plane.levels[1]))


_HALVED = np.array([[2.0, 0.0, 0.5], [0.0, 2.0, 0.5], [0.0, 0.0, 1.0]])
"""From pixels of level 1 to pixels of level 0."""


def _seen(
    pixels: Pixels, to_picture: Floats, size: tuple[int, ...], part: tuple[slice, ...] = (slice(None), slice(None))
) -> Pixels:
    """Part of a picture of that height and width whose pixels a homography brings to those of `pixels`."""
    spots, between = _maps(tuple(to_picture.ravel().tolist()), *size)
    seen = cv2.remap(pixels, spots[part], between[part], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return cast(Pixels, seen)


@lru_cache(maxsize=4)
def _maps(to_picture: tuple[float, ...], height: int, width: int) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Where each pixel is seen, as OpenCV wants it: every picture of a table needs the same."""
    grid = np.stack([*np.meshgrid(np.arange(width), np.arange(height)), np.ones((height, width))], -1)
    x, y, z = np.moveaxis(grid @ np.array(to_picture).reshape(3, 3).T, -1, 0)
    spots, between = cv2.convertMaps((x / z).astype(np.float32), (y / z).astype(np.float32), cv2.CV_16SC2)
    return cast(NDArray[np.int16], spots), cast(NDArray[np.uint16], between)


def blank_corners(plane: Plane, mask: NDArray[np.uint8]) -> None:
    """Take the plane's four corners out of a mask of level 1: tags and plates are there, and no die can be."""
    side = round((MARGIN_MM + TAG_MM) * plane.scale / 2)
    for rows in (slice(None, side), slice(-side, None)):
        for columns in (slice(None, side), slice(-side, None)):
            mask[rows, columns] = 0


def window_of(mask: NDArray[np.uint8], margin: int) -> Window:
    """The window of level 0 that holds all of a mask of level 1, even, with a margin; of no size where it is empty."""
    x, y, w, h = cv2.boundingRect(mask)
    if w == 0:
        return 0, 0, 0, 0
    left, top = max(2 * x - margin, 0) // 2 * 2, max(2 * y - margin, 0) // 2 * 2
    right = min(2 * (x + w) + margin, 2 * mask.shape[1]) // 2 * 2
    bottom = min(2 * (y + h) + margin, 2 * mask.shape[0]) // 2 * 2
    return left, top, right - left, bottom - top
