"""Draw the shadows of dice on the felt: the lamp's, softer with height, and the dark line where a die touches."""

import cv2
import numpy as np

from dicereader.data.arrays import Floats, Values
from dicereader.sources.synthetic.camera import lamp_fraction, pixel_of, polygon_mask, towards_lamp
from dicereader.sources.synthetic.motion import corners
from dicereader.sources.synthetic.world import Lighting, Pose
from dicereader.tray.calibration import Calibration

MOST_PX = 260  # pixels at which a longer shadow, of a die far off the tray, is cut off


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
    both = np.concatenate([thrown, beneath])
    left, top = (int(v) - margin for v in np.floor(both.min(0)))
    right, bottom = (int(v) + margin for v in np.ceil(both.max(0)))
    left, top = max(0, left), max(0, top)
    right, bottom = min(camera.width_px, right, left + MOST_PX), min(camera.height_px, bottom, top + MOST_PX)
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
