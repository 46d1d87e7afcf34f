"""The simulated camera: where a hand-made mount puts it, and where the lamp's light comes from."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicereader.tray.calibration import Calibration, focal_px
from dicereader.tray.geometry import Tray
from dicereader.world import Light

Floats = NDArray[np.float32]

WIDTH_PX, HEIGHT_PX = 960, 720
CAMERA_HEIGHT_MM = 345.0

AMBIENT, KEY = 0.46, 0.62
"""Shares of the light that comes from everywhere and of the lamp's own, for a well lit table."""


def camera_for(seed: int, tray: Tray) -> Calibration:
    """The camera of the table `seed`: over the tray's middle, a little off, a little askew, all tags in view."""
    rng = np.random.default_rng([seed, 1])
    place = np.array([*rng.uniform(-9, 9, 2), CAMERA_HEIGHT_MM + rng.uniform(-3, 5)])
    looks_at = np.array([*rng.uniform(-2, 2, 2), tray.wall_height_mm / 2])
    roll = math.radians(rng.uniform(-0.9, 0.9))
    into = (looks_at - place) / np.linalg.norm(looks_at - place)
    right = np.array([math.cos(roll), math.sin(roll), 0.0])
    right -= into * (right @ into)
    right /= np.linalg.norm(right)
    turned = np.array([right, np.cross(into, right), into])
    rows: Any = tuple(tuple(float(v) for v in row) for row in turned)
    x, y, z = (float(v) for v in place)
    return Calibration(WIDTH_PX, HEIGHT_PX, focal_px(WIDTH_PX), rows, (x, y, z), tray)


def towards_lamp(light: Light) -> Floats:
    """The unit vector from the tray to the lamp, shape (3,)."""
    azimuth, elevation = math.radians(light.azimuth_deg), math.radians(min(89.0, max(15.0, light.elevation_deg)))
    flat = math.cos(elevation)
    return np.array([flat * math.cos(azimuth), flat * math.sin(azimuth), math.sin(elevation)], np.float32)


def lamp_colour(light: Light) -> Floats:
    """What the lamp's warmth leaves of blue, green and red after the camera's white balance, shape (3,)."""
    warm = min(1.0, max(0.0, light.warmth))
    return np.array([1.0 - 0.30 * warm, 1.0 - 0.09 * warm, 1.0 + 0.02 * warm], np.float32) * np.float32(light.level)


def shade(light: Light, normal: tuple[float, float, float]) -> float:
    """How bright a matt surface with this normal is, 1 being about a level one under the lamp."""
    return AMBIENT + KEY * max(0.0, float(towards_lamp(light) @ np.array(normal, np.float32)))


def bgr(colour: tuple[int, int, int]) -> Floats:
    """Red, green, blue as OpenCV's blue, green, red, shape (3,)."""
    return np.array(colour[::-1], np.float32)


def pixel_of(camera: Calibration, points_mm: NDArray[Any]) -> Floats:
    """The pixels of points of the tray: (n, 3) millimetres in, (n, 2) pixels out."""
    seen = (np.asarray(points_mm, np.float64) - np.array(camera.position_mm)) @ np.array(camera.rotation).T
    middle = np.array([(camera.width_px - 1) / 2, (camera.height_px - 1) / 2])
    pixels: Floats = (seen[:, :2] / seen[:, 2:] * camera.focal_px + middle).astype(np.float32)
    return pixels
