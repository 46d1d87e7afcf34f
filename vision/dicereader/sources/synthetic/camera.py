"""The simulated camera: the pose of a hand-made mount, projection, and the sensor's noise."""

import math
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.data.arrays import Floats, Values
from dicereader.data.frame import Pixels
from dicereader.sources.synthetic.world import Pose, Quaternion
from dicereader.tray.calibration import Calibration, focal_px, tag_corners_mm
from dicereader.tray.geometry import Tray

WIDTH_PX, HEIGHT_PX = 960, 720
CAMERA_HEIGHT_MM = 345.0
FOV_DEG = 66.0
"""Field of view in degrees across the picture. It is not a known module's, so that a calibration must measure it."""

PHONE_PX = 1280, 960
PROPPED_DEG = 25.0
"""How far a propped phone's line of sight is from the vertical, in degrees."""

READ_NOISE, SHOT_NOISE = 1.3, 2.6
"""Standard deviations of the noise in grey levels: of a black pixel, and what light adds to that of a white one."""

_SPARE = 64
"""Pixels by which the stored noise is larger than a picture: each frame takes another part of it."""


def camera_for(seed: int, tray: Tray) -> Calibration:
    """Return the camera of the table `seed`: over the tray's middle, a little off, a little askew, all tags in view.

    Over paper it is a propped phone's, which looks aslant from the players' side.
    """
    rng = np.random.default_rng([seed, 1])
    if tray.paper:
        return camera_aslant(rng, tray, PROPPED_DEG, FOV_DEG)
    place = np.array([*rng.uniform(-9, 9, 2), CAMERA_HEIGHT_MM + rng.uniform(-3, 5)])
    looks_at = np.array([*rng.uniform(-2, 2, 2), tray.wall_height_mm / 2])
    return _looking(place, looks_at, math.radians(rng.uniform(-0.9, 0.9)), tray, (WIDTH_PX, HEIGHT_PX), FOV_DEG)


def camera_aslant(
    rng: np.random.Generator, tray: Tray, aslant_deg: float, fov_deg: float, size: tuple[int, int] = PHONE_PX
) -> Calibration:
    """Return a camera on the players' side that looks aslant, as near as its picture shows all tags.

    Args:
        rng: draws how far it is off, and how much askew.
        tray: the tray.
        aslant_deg: the angle between the line of sight and the vertical, in degrees.
        fov_deg: the field of view across the picture in degrees.
        size: width and height of the picture in pixels.
    """
    slant, off = math.radians(aslant_deg + rng.uniform(-1.5, 1.5)), math.radians(rng.normal(0, 5))
    side = np.array([math.sin(slant) * math.sin(off), -math.sin(slant) * math.cos(off), math.cos(slant)])
    looks_at, roll = np.array([*rng.uniform(-6, 6, 2), tray.tags_z_mm]), math.radians(rng.normal(0, 2.5))
    fills = rng.uniform(0.86, 0.96)
    plates = np.concatenate([tag_corners_mm(tray, tag) for tag in range(4)])
    plates[:, :2] += np.sign(plates[:, :2]) * tray.tag_border_mm
    near, far = 100.0, 3000.0
    for _ in range(40):
        middle = (near + far) / 2
        camera = _looking(looks_at + middle * side, looks_at, roll, tray, size, fov_deg)
        reach = np.abs(pixel_of(camera, plates) - (np.array(size) - 1) / 2) / (np.array(size) / 2)
        near, far = (middle, far) if reach.max() > fills else (near, middle)
    return _looking(looks_at + far * side, looks_at, roll, tray, size, fov_deg)


def _looking(
    place: Floats, looks_at: Floats, roll: float, tray: Tray, size: tuple[int, int], fov_deg: float
) -> Calibration:
    """Return a camera at a place that looks at a point, turned by `roll` radians."""
    into = (looks_at - place) / np.linalg.norm(looks_at - place)
    right = np.array([math.cos(roll), math.sin(roll), 0.0])
    right -= into * (right @ into)
    right /= np.linalg.norm(right)
    turned = np.array([right, np.cross(into, right), into])
    rows: Any = tuple(tuple(row) for row in turned.tolist())
    x, y, z = place.tolist()
    return Calibration(*size, focal_px(size[0], fov_deg), rows, (x, y, z), tray)


def pixel_of(camera: Calibration, points_mm: NDArray[Any]) -> Values:
    """Return the pixels (n, 2) at which points (n, 3) of the tray in millimetres are seen."""
    return np.asarray(camera.pixels_of(np.asarray(points_mm, np.float64)), np.float32)


Bounds = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels; right and bottom are exclusive."""


def bounds_around(camera: Calibration, points: Values, margin: int) -> Bounds:
    """Return the part of the camera's picture that has pixels (n, 2), and a margin of pixels around them."""
    ends = np.array([np.floor(points.min(0)) - margin, np.ceil(points.max(0)) + margin])
    (left, top), (right, bottom) = np.clip(ends, 0, (camera.width_px, camera.height_px)).astype(int).tolist()
    return left, top, right, bottom


def polygon_mask(size: tuple[int, int], points: NDArray[Any]) -> Pixels:
    """Return an antialiased mask (height, width) of a convex polygon with corners (n, 2) in pixels."""
    mask = np.zeros(size, np.uint8)
    cv2.fillConvexPoly(mask, np.round(points * 16).astype(np.int32), 255.0, cv2.LINE_AA, 4)
    return mask


def matrix(q: Quaternion) -> Floats:
    """Return a rotation as the 3x3 matrix from the die's axes to the tray's."""
    w, x, y, z = np.array(q) / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def corners(pose: Pose, edge_mm: float) -> Floats:
    """Return the eight corners of a die, in tray millimetres, shape (8, 3)."""
    signs = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]) * (edge_mm / 2)
    return np.asarray(signs @ matrix(pose.q).T + np.array([pose.x_mm, pose.y_mm, pose.z_mm]), np.float64)


class Sensor:
    """Sensor noise from a store: different for each frame, and stronger in brighter pixels, as shot noise is."""

    def __init__(self, size: tuple[int, int], seed: int) -> None:
        self._size = size
        self._rng = np.random.default_rng([seed, 3])
        self._above, self._below = _stored_noise(size, seed)
        level = np.arange(256)
        strength = np.sqrt(READ_NOISE**2 + SHOT_NOISE**2 * level / 255)
        self._strength = np.round(strength * 40).astype(np.uint8)

    def expose(self, picture: Pixels) -> Pixels:
        """Return the picture with this frame's noise."""
        width, height = self._size
        x, y = (int(v) for v in self._rng.integers(0, _SPARE, 2))
        strength = cv2.LUT(picture, self._strength)
        above = cv2.multiply(self._above[y : y + height, x : x + width], strength, scale=1 / 1600)
        below = cv2.multiply(self._below[y : y + height, x : x + width], strength, scale=1 / 1600)
        return np.asarray(cv2.subtract(cv2.add(picture, above), below), np.uint8)


@lru_cache(maxsize=2)
def _stored_noise(size: tuple[int, int], seed: int) -> tuple[Pixels, Pixels]:
    """Return noise above 0 and below 0, both (height, width, 3), for pictures of a size (width, height)."""
    shape = (size[1] + _SPARE, size[0] + _SPARE, 3)
    grain = np.random.default_rng([seed, 4]).normal(size=shape).astype(np.float32) * 40
    return np.clip(grain, 0, 255).astype(np.uint8), np.clip(-grain, 0, 255).astype(np.uint8)
