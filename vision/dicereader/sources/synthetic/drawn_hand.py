"""Draw a player's right hand from above: modelled once as hills of fingers, palm and sleeve, then placed."""

import math
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import cv2
import numpy as np

from dicereader.data.arrays import Values
from dicereader.data.frame import Pixels
from dicereader.sources.synthetic.camera import bounds_around, pixel_of
from dicereader.sources.synthetic.lamp import AMBIENT, KEY, bgr, lamp_colour, lamp_fraction, towards_lamp
from dicereader.sources.synthetic.world import Lighting
from dicereader.tray.calibration import Calibration

Palm = tuple[float, float, float]
"""The palm's x, y and height in millimetres."""

_PX_PER_MM = 2.0
_WIDE_MM, _AHEAD_MM, _BEHIND_MM = 150, 105, 520
_HAND = tomllib.loads(files("dicereader.sources.synthetic").joinpath("hand_shape.toml").read_text(encoding="utf-8"))


def draw_hand(
    picture: Pixels, camera: Calibration, palm: Palm, smear_px: float, light: Lighting, from_deg: float = 0.0
) -> None:
    """Draw the hand and its shadow over a picture, in place.

    Args:
        picture: the picture.
        camera: the camera.
        palm: the place of the palm.
        smear_px: pixels by which the hand moves during the exposure.
        light: the lamp.
        from_deg: the arm's direction, in degrees from the players' side.
    """
    lamp = towards_lamp(light)
    skin, cover = _sprite(round(float(lamp[0]), 3), round(float(lamp[1]), 3), round(float(lamp[2]), 3))
    x, y, high = palm
    shift = -lamp[:2] / lamp[2] * high
    ground = _placed(camera, (x + float(shift[0]), y + float(shift[1]), 0.0), from_deg)
    _shade(picture, cover, ground, soft_px=2.0 + high * 0.16, light=light)
    there = _placed(camera, palm, from_deg)
    wide, long = _WIDE_MM * _PX_PER_MM, (_AHEAD_MM + _BEHIND_MM) * _PX_PER_MM
    ends = np.array([[0, 0, 1], [wide, 0, 1], [wide, long, 1], [0, long, 1]]) @ there.T
    left, top, right, bottom = bounds_around(camera, ends, 17)
    if right <= left or bottom <= top:
        return
    there[:, 2] -= (left, top)
    size = right - left, bottom - top
    colour = cv2.warpAffine(skin, there, size, flags=cv2.INTER_LINEAR)
    seen = cv2.warpAffine(cover, there, size, flags=cv2.INTER_LINEAR)
    smear = min(31, 2 * round(smear_px / 2) + 1)
    if smear > 1:
        colour, seen = cv2.blur(colour, (1, smear)), cv2.blur(seen, (1, smear))
    below = picture[top:bottom, left:right]
    kept = cv2.multiply(below, cv2.merge([cv2.bitwise_not(seen)] * 3), scale=1 / 255)
    tinted = cv2.transform(colour, np.diag(lamp_colour(light)))
    cv2.add(kept, tinted, dst=below)


def _placed(camera: Calibration, palm: Palm, from_deg: float) -> Values:
    """Return the affine matrix (2, 3) from the sprite to the picture, with the arm pointing back to its shoulder."""
    x, y, z = palm
    middle = pixel_of(camera, np.array([[x, y, z]]))[0]
    scale = camera.focal_px / (camera.position_mm[2] - z) / _PX_PER_MM
    beside = x * math.cos(math.radians(from_deg)) + y * math.sin(math.radians(from_deg))
    back = math.radians(from_deg) + math.atan2(beside * 0.35 - beside, 420.0)
    cos, sin = math.cos(back) * scale, math.sin(back) * scale
    origin = np.array([_WIDE_MM / 2 * _PX_PER_MM, _AHEAD_MM * _PX_PER_MM])
    turned = np.array([[cos, sin], [-sin, cos]])
    return np.asarray(np.column_stack([turned, middle - turned @ origin]), np.float32)


def _shade(picture: Pixels, cover: Pixels, placed: Values, soft_px: float, light: Lighting) -> None:
    height, width = picture.shape[:2]
    # At a quarter of the size: so soft a shadow has no detail.
    small = cv2.warpAffine(cover, placed / 4, (width // 4, height // 4), flags=cv2.INTER_AREA)
    rows = np.flatnonzero(small.any(axis=1))
    if not len(rows):
        return
    reach = 2 * round(2.2 * soft_px / 4) + 1
    top = max(0, int(rows[0]) - reach)
    soft = cv2.stackBlur(small, (reach, reach))[top:]
    left_over = cv2.convertScaleAbs(soft, alpha=-lamp_fraction(light) * 0.85, beta=255.0)
    below = picture[4 * top :]
    large = cv2.resize(left_over, (width, below.shape[0]), interpolation=cv2.INTER_LINEAR)
    cv2.multiply(below, cv2.merge([large] * 3), dst=below, scale=1 / 255)


@cache
def _sprite(lx: float, ly: float, lz: float) -> tuple[Pixels, Pixels]:
    """Return colour times cover (rows, columns, 3) and cover (rows, columns) of the hand, lit from (lx, ly, lz)."""
    columns, rows = round(_WIDE_MM * _PX_PER_MM), round((_AHEAD_MM + _BEHIND_MM) * _PX_PER_MM)
    x = (np.arange(columns, dtype=np.float32) + 0.5)[None, :] / _PX_PER_MM - _WIDE_MM / 2
    y = _AHEAD_MM - (np.arange(rows, dtype=np.float32) + 0.5)[:, None] / _PX_PER_MM
    flesh = sum((np.exp(_hill(x, y, hill) * np.float32(0.55)) - 1 for hill in _HAND["hills"]), np.zeros(1, np.float32))
    height = np.log1p(flesh) / np.float32(0.55)
    cloth = _hill(x, y, _HAND["arm"])
    near_cuff = np.exp(-np.abs(y - _HAND["cuff_mm"]) / 90)
    cloth = np.where(cloth > 0, cloth + 5 + 1.4 * np.sin(y / 9 + x / 30) * near_cuff, 0)
    sleeve = cloth > 0
    height = np.where(sleeve, np.maximum(height, cloth), height)
    smooth = cv2.GaussianBlur(height.astype(np.float32), (0, 0), 2.2)
    dy, dx = np.gradient(smooth * _PX_PER_MM)
    normal = np.stack([-dx, dy, np.full_like(dx, 1.6)])
    normal /= np.sqrt((normal**2).sum(0))
    lit = AMBIENT * (0.7 + 0.3 * normal[2]) + KEY * np.clip(normal[0] * lx + normal[1] * ly + normal[2] * lz, 0, None)
    rng = np.random.default_rng(7)
    mottle = cv2.resize(rng.normal(size=(rows // 24, columns // 24)).astype(np.float32), (columns, rows))
    skin = bgr(_HAND["skin"]) * (1 + np.float32(0.025) * mottle[..., None] * np.array([1.4, 1.2, 0.4], np.float32))
    for nx, ny, size in _HAND["nails"]:
        nail = np.clip(1.5 - np.hypot((x - nx) / size, (y - ny) / (size * 1.25)) * 1.5, 0, 1)[..., None]
        skin = skin + (bgr((240, 205, 190)) - skin) * nail * 0.7
    fabric = bgr(_HAND["sleeve"]) * (1 + np.float32(0.05) * rng.normal(size=(rows, columns, 1)).astype(np.float32))
    colour = np.where(sleeve[..., None], fabric, skin) * lit[..., None]
    cover = cv2.GaussianBlur((height > 1.0).astype(np.float32), (0, 0), 0.9)
    together = np.clip(colour * cover[..., None], 0, 255)
    return np.asarray(together, np.uint8), np.asarray(cover * 255, np.uint8)


def _hill(x: Values, y: Values, hill: Sequence[float]) -> Values:
    """Return the height of a rounded ridge at each point, 0 outside it."""
    x0, y0, x1, y1, r0, r1, steep = hill
    wx, wy = x1 - x0, y1 - y0
    along = np.clip(((x - x0) * wx + (y - y0) * wy) / (wx * wx + wy * wy), 0, 1)
    away2 = (x - x0 - along * wx) ** 2 + (y - y0 - along * wy) ** 2
    radius = r0 + (r1 - r0) * along
    return np.asarray(np.sqrt(np.clip(radius**2 - away2, 0, None)) * steep, np.float32)
