"""The simulated camera and its lamp: the pose of a hand-made mount, projection, and how bright surfaces are."""

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.data.arrays import Floats, Values
from dicereader.data.frame import Pixels
from dicereader.sources.synthetic.world import Lighting
from dicereader.tray.calibration import Calibration, focal_px, tag_corners_mm
from dicereader.tray.geometry import Tray

WIDTH_PX, HEIGHT_PX = 960, 720
CAMERA_HEIGHT_MM = 345.0
FOV_DEG = 66.0
"""Field of view in degrees across the picture. It is not a known module's, so that a calibration must measure it."""

PHONE_PX = 1280, 960
PROPPED_DEG = 25.0
"""How far a propped phone's line of sight is from the vertical, in degrees."""

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
