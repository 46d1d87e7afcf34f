"""View the plane of the dice's tops with a calibrated camera, and project level dice into it.

The plane is drawn at half size first, and at full size only where objects are.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.data.arrays import Bools, Floats
from dicereader.data.frame import Pixels
from dicereader.stages.known.bodies import Mask, Window
from dicereader.stages.shared.rectify import PictureView
from dicereader.tray.calibration import Calibration
from dicereader.tray.geometry import Tray

EDGE_PX = 40.0
"""Pixels of a die's edge in the plane, if the camera resolves that many."""

MARGIN_MM = 6.0
"""Millimetres beyond the walls that the plane shows: dice that lean on the walls rise above the dice's tops."""

ON_PAPER = 1.5
"""The same beyond a sheet of paper, in edges of a die: at 45 degrees a die is seen as far beside its top."""


@dataclass(frozen=True, eq=False)
class TopPlane(PictureView):
    """A view with two levels; level 0 is filled only in the window that `sharpened` gives.

    `edge` is a level die's edge in pixels of level 0. `eye` is the camera's place: the point below it and its height
    over the dice's tops, in pixels of level 0. `scale` is pixels of level 0 per millimetre; `floor` the window of level
    1 in which the tray's floor is seen; `corner_mm` is the point of the tray (x, y) that its upper left corner shows.
    """

    edge: float = 0.0
    eye: tuple[float, float, float] = (0.0, 0.0, 1.0)
    scale: float = 1.0
    floor: Window = (0, 0, 0, 0)
    corner_mm: tuple[float, float] = (0.0, 0.0)

    @property
    def below(self) -> tuple[float, float]:
        """The point below the camera."""
        return self.eye[:2]

    @property
    def height(self) -> float:
        """The camera's height over the dice's tops, in pixels of level 0."""
        return self.eye[2]

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return the point of the tray, in millimetres at the height of the tops, that a point of level 0 shows."""
        return x / self.scale + self.corner_mm[0], self.corner_mm[1] - y / self.scale


def find_plane(pixels: Pixels, calibration: Calibration) -> TopPlane:
    """Return the plane with only its level 1, half as large as level 0, filled."""
    tray = calibration.tray
    edge = min(EDGE_PX, calibration.die_px(*calibration.project(0.0, 0.0, tray.die_mm)))
    scale = edge / tray.die_mm
    margin = ON_PAPER * tray.die_mm if tray.paper else MARGIN_MM
    wide, deep = tray.half_mm + margin, tray.half_depth_mm + margin
    # Row 0 is beyond the far wall (+y), column 0 beyond the left one (-x).
    to_tray = np.array([[1 / scale, 0.0, -wide], [0.0, -1 / scale, deep], [0.0, 0.0, 1.0]])
    to_picture = calibration.at_height(tray.die_mm) @ to_tray
    x, y, z = calibration.position_mm
    eye = (x + wide) * scale, (deep - y) * scale, (z - tray.die_mm) * scale
    columns, rows = round(wide * scale), round(deep * scale)
    small = _remapped(pixels, to_picture @ _HALVED, (rows, columns))
    blank = np.zeros((2 * rows, 2 * columns, 3), np.uint8)
    plane = TopPlane((blank, small), to_picture, edge, eye, scale, corner_mm=(-wide, deep))
    if tray.paper:  # without walls
        return replace(plane, floor=(0, 0, columns, rows))
    shrink = eye[2] / (eye[2] + edge)
    corners = [
        (value + (way * half * scale + reach * scale - value) * shrink) / 2
        for value, half, reach in ((eye[0], tray.half_mm, wide), (eye[1], tray.half_depth_mm, deep))
        for way in (-1, 1)
    ]
    left, right, top, bottom = (round(value) for value in corners)
    return replace(plane, floor=(left, top, right - left, bottom - top))


def sharpened(pixels: Pixels, plane: TopPlane, window: Window) -> TopPlane:
    """Return the plane with level 0 filled in a window of it."""
    left, top, width, height = window
    large = plane.levels[0].copy()
    part = np.s_[top : top + height, left : left + width]
    large[part] = _remapped(pixels, plane.to_picture, plane.levels[0].shape[:2], part)
    return replace(plane, levels=(large, plane.levels[1]))


_HALVED = np.array([[2.0, 0.0, 0.5], [0.0, 2.0, 0.5], [0.0, 0.0, 1.0]])
"""Homography from pixels of level 1 to pixels of level 0."""


def _remapped(
    pixels: Pixels, to_picture: Floats, size: tuple[int, ...], part: tuple[slice, ...] = (slice(None), slice(None))
) -> Pixels:
    """Return part of a picture of a size (height, width) that a homography maps to `pixels`."""
    whole, fraction = _maps(tuple(to_picture.ravel().tolist()), *size)
    found = cv2.remap(pixels, whole[part], fraction[part], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return cast(Pixels, found)


@lru_cache(maxsize=4)
def _maps(to_picture: tuple[float, ...], height: int, width: int) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Return OpenCV's remap tables of a homography; every picture of a tray needs the same."""
    grid = np.stack([*np.meshgrid(np.arange(width), np.arange(height)), np.ones((height, width))], -1)
    x, y, z = np.moveaxis(grid @ np.array(to_picture).reshape(3, 3).T, -1, 0)
    whole, fraction = cv2.convertMaps((x / z).astype(np.float32), (y / z).astype(np.float32), cv2.CV_16SC2)
    return cast(NDArray[np.int16], whole), cast(NDArray[np.uint16], fraction)


def beside_plain(plane: TopPlane, tray: Tray) -> Mask:
    """Return where the floor that level 1 shows is not a sheet's plain ground: beyond it, and on tags; 255 there."""
    found = np.full(plane.levels[1].shape[:2], 255, np.uint8)
    _fill(found, plane, (-tray.half_mm, -tray.half_depth_mm, tray.half_mm, tray.half_depth_mm), 0)
    plate = tray.plate_mm / 2
    for x, y in (tray.tag_centre_mm(tag) for tag in range(4)):
        _fill(found, plane, (x - plate, y - plate, x + plate, y + plate), 255)
    return found


def _fill(mask: Mask, plane: TopPlane, floor_mm: tuple[float, float, float, float], value: int) -> None:
    """Fill a rectangle of the floor (left, near, right, far) in a mask of level 1."""
    left, near, right, far = floor_mm
    corners = np.array([(left, far), (right, far), (right, near), (left, near)])
    tops = (corners - np.array(plane.corner_mm)) * np.array([plane.scale, -plane.scale])
    cv2.fillConvexPoly(mask, np.rint((at_base(plane, tops) - 0.5) / 2).astype(np.int32), value)


def window_of(mask: Mask, margin: int) -> Window:
    """Return the even window of level 0 that holds a mask of level 1 with a margin; of size 0 if the mask is empty."""
    x, y, w, h = cv2.boundingRect(mask)
    if w == 0:
        return 0, 0, 0, 0
    left, top = max(2 * x - margin, 0) // 2 * 2, max(2 * y - margin, 0) // 2 * 2
    right = min(2 * (x + w) + margin, 2 * mask.shape[1]) // 2 * 2
    bottom = min(2 * (y + h) + margin, 2 * mask.shape[0]) // 2 * 2
    return left, top, right - left, bottom - top


def points_on(centre: Floats, turn: Floats, places: Floats) -> Floats:
    """Return places (k, 2) of faces, in pixels from their middles, as points of level 0, shape (n, k, 2)."""
    cos, sin = np.cos(turn)[:, None], np.sin(turn)[:, None]
    x, y = places.T
    return np.asarray(np.stack([x * cos - y * sin, x * sin + y * cos], 2) + centre[:, None], np.float64)


def at_base(plane: TopPlane, points: Floats) -> Floats:
    """Return where points (..., 2) of the tops' plane are seen if they are a die's edge lower.

    A lower plane is the same plane, shrunk towards the point below the camera.
    """
    below = np.array(plane.below)
    return np.asarray(below + (points - below) * (plane.height / (plane.height + plane.edge)), np.float64)


def in_squares(points: Floats, centre: Floats, turn: Floats, half: float) -> Bools:
    """Return which points (n, k, 2) are in squares with middles (n, 2), turns (n,) and half an edge, shape (n, k)."""
    away = points - centre[:, None]
    cos, sin = np.cos(turn)[:, None], np.sin(turn)[:, None]
    along = np.abs(away[..., 0] * cos + away[..., 1] * sin)
    across = np.abs(away[..., 1] * cos - away[..., 0] * sin)
    return np.asarray(np.maximum(along, across) <= half, np.bool_)
