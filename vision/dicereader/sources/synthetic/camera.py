"""The simulated camera and its lamp: the pose of a hand-made mount, projection, brightness and shadows of dice."""

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.data.arrays import Floats, Values
from dicereader.data.frame import Pixels
from dicereader.sources.synthetic.world import Lighting, Pose, Quaternion
from dicereader.tray.calibration import Calibration, focal_px, tag_corners_mm
from dicereader.tray.geometry import Tray

WIDTH_PX, HEIGHT_PX = 960, 720
CAMERA_HEIGHT_MM = 345.0
FOV_DEG = 66.0
"""Field of view in degrees across the picture. It is not a known module's, so that a calibration must measure it."""

PHONE_PX = 1280, 960
PROPPED_DEG = 25.0
"""How far a propped phone's line of sight is from the vertical, in degrees."""

LONGEST_SHADOW_PX = 260
"""Pixels at which a longer shadow, of a die far off the tray, is cut off."""

AMBIENT, KEY = 0.46, 0.62
"""Brightness of a level surface from light of all directions, and from the lamp straight above."""


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
    right, bottom = (
        min(camera.width_px, right, left + LONGEST_SHADOW_PX),
        min(camera.height_px, bottom, top + LONGEST_SHADOW_PX),
    )
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
