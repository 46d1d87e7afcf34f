"""The simulated camera and its lamp: the pose of a hand-made mount, projection, and how bright surfaces are."""

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.data.arrays import Values
from dicereader.data.frame import Pixels
from dicereader.sources.synthetic.world import Lighting
from dicereader.tray.calibration import Calibration, focal_px
from dicereader.tray.geometry import Tray

WIDTH_PX, HEIGHT_PX = 960, 720
CAMERA_HEIGHT_MM = 345.0
FOV_DEG = 66.0
"""Field of view in degrees across the picture. It is not a known module's, so that a calibration must measure it."""

AMBIENT, KEY = 0.46, 0.62
"""Brightness of a level surface from light of all directions, and from the lamp straight above."""


def camera_for(seed: int, tray: Tray) -> Calibration:
    """Return the camera of the table `seed`: over the tray's middle, a little off, a little askew, all tags in view."""
    rng = np.random.default_rng([seed, 1])
    place = np.array([*rng.uniform(-9, 9, 2), CAMERA_HEIGHT_MM + rng.uniform(-3, 5)])
    looks_at = np.array([*rng.uniform(-2, 2, 2), tray.wall_height_mm / 2])
    roll = math.radians(rng.uniform(-0.9, 0.9))
    into = (looks_at - place) / np.linalg.norm(looks_at - place)
    right = np.array([math.cos(roll), math.sin(roll), 0.0])
    right -= into * (right @ into)
    right /= np.linalg.norm(right)
    turned = np.array([right, np.cross(into, right), into])
    rows: Any = tuple(tuple(row) for row in turned.tolist())
    x, y, z = place.tolist()
    return Calibration(WIDTH_PX, HEIGHT_PX, focal_px(WIDTH_PX, FOV_DEG), rows, (x, y, z), tray)


def pixel_of(camera: Calibration, points_mm: NDArray[Any]) -> Values:
    """Return the pixels (n, 2) at which points (n, 3) of the tray in millimetres are seen."""
    seen = (np.asarray(points_mm, np.float64) - np.array(camera.position_mm)) @ np.array(camera.rotation).T
    middle = np.array([(camera.width_px - 1) / 2, (camera.height_px - 1) / 2])
    return np.asarray(seen[:, :2] / seen[:, 2:] * camera.focal_px + middle, np.float32)


def polygon_mask(size: tuple[int, int], points: NDArray[Any]) -> Pixels:
    """Return an antialiased mask (height, width) of a convex polygon with corners (n, 2) in pixels."""
    mask = np.zeros(size, np.uint8)
    cv2.fillConvexPoly(mask, np.round(points * 16).astype(np.int32), 255.0, cv2.LINE_AA, 4)
    return mask


def towards_lamp(light: Lighting) -> Values:
    """Return the unit vector from the tray to the lamp, shape (3,)."""
    azimuth, elevation = math.radians(light.azimuth_deg), math.radians(min(89.0, max(15.0, light.elevation_deg)))
    flat = math.cos(elevation)
    return np.array([flat * math.cos(azimuth), flat * math.sin(azimuth), math.sin(elevation)], np.float32)


def lamp_colour(light: Lighting) -> Values:
    """Return the factors of blue, green and red in the lamp's light after the white balance, shape (3,)."""
    warm = min(1.0, max(0.0, light.warmth))
    return np.array([1.0 - 0.30 * warm, 1.0 - 0.09 * warm, 1.0 + 0.02 * warm], np.float32) * np.float32(light.level)


def lamp_fraction(light: Lighting) -> float:
    """Return the fraction of a level surface's light that comes from the lamp."""
    lamp = KEY * float(towards_lamp(light)[2])
    return lamp / (AMBIENT + lamp)


def shade(light: Lighting, normal: tuple[float, float, float]) -> float:
    """Return the brightness of a matt surface with this normal; a level one under the lamp has about 1."""
    return AMBIENT + KEY * max(0.0, float(towards_lamp(light) @ np.array(normal, np.float32)))


def bgr(colour: tuple[int, int, int]) -> Values:
    """Return red, green, blue as blue, green, red, shape (3,)."""
    return np.array(colour[::-1], np.float32)
