"""The lamp over the simulated tray: brightness and colour of surfaces, and the shadows of dice."""

import math

import cv2
import numpy as np

from dicereader.data.arrays import Floats, Values
from dicereader.sources.synthetic.camera import bounds_around, corners, pixel_of, polygon_mask
from dicereader.sources.synthetic.world import Lighting, Pose
from dicereader.tray.calibration import Calibration

AMBIENT, KEY = 0.46, 0.62
"""Brightness of a level surface from light of all directions, and from the lamp straight above."""


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


def die_shadow(camera: Calibration, pose: Pose, light: Lighting) -> tuple[int, int, Values] | None:
    """Return column, row and a picture (height, width) of the light that is left by a die's shadow; None outside."""
    points = corners(pose, camera.tray.die_mm)
    low = max(0.0, float(points[:, 2].min()))
    lamp = towards_lamp(light)
    flat = points[:, :2] - lamp[:2] / lamp[2] * points[:, 2:]
    thrown = _on_floor(camera, flat)
    beneath = _on_floor(camera, points[:, :2])
    soft, contact = 1.6 + low * 0.16, 2.6 + low * 0.12
    margin = int(3 * max(soft, contact)) + 2
    left, top, right, bottom = bounds_around(camera, np.concatenate([thrown, beneath]), margin)
    if right <= left or bottom <= top:
        return None
    size = bottom - top, right - left
    light_left = 1 - _blurred(thrown, (left, top), size, soft) * np.float32(lamp_fraction(light) * 0.92)
    touch = np.float32(0.55 * np.exp(-low / 7.0))
    return left, top, light_left * (1 - _blurred(beneath, (left, top), size, contact) * touch)


def _on_floor(camera: Calibration, flat: Floats) -> Values:
    hull = cv2.convexHull(flat.astype(np.float32))
    there = np.asarray(hull, np.float64).reshape(-1, 2)
    return pixel_of(camera, np.column_stack([there, np.zeros(len(there))]))


def _blurred(hull: Values, at: tuple[int, int], size: tuple[int, int], soft: float) -> Values:
    mask = polygon_mask(size, hull - np.array(at, np.float32))
    # A stack blur of this size is close to a Gaussian one, and equally fast at any size.
    reach = 2 * round(2.2 * soft) + 1
    return np.asarray(cv2.stackBlur(mask, (reach, reach)), np.float32) / np.float32(255)
