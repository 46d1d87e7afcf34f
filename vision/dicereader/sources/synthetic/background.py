"""The empty tray in its light: table, felt, walls, rail and tags, drawn once for a table and a light."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from dicereader.sources.synthetic.camera import (
    AMBIENT,
    KEY,
    Floats,
    bgr,
    lamp_colour,
    pixel_of,
    shade,
    towards_lamp,
)
from dicereader.sources.synthetic.textures import PX_PER_MM, felt, planks, tag, wood
from dicereader.tray.calibration import TAG_PLATE_MM, Calibration
from dicereader.tray.geometry import Tray
from dicereader.world import Light, Look

FINER = 2  # drawn this many times finer and averaged: smooth edges
TABLE_MM = -14.0  # the table's top, below the tray's floor
WOOD_TOP, WOOD_SIDE = 1.06, 0.86


@dataclass(frozen=True, eq=False)
class EmptyTray:
    """The tray without dice, as float32 BGR of shape (height, width, 3) before the sensor, and what falls on it.

    `falloff` (height, width) is how the lamp's pool and the lens darken the picture towards its edges; `floor`
    (height, width) is 1 where the felt is seen, less on the walls: there a die's shadow lies differently.
    """

    picture: Floats
    falloff: Floats
    floor: Floats


@lru_cache(maxsize=2)
def empty_tray(camera: Calibration, light: Light, look: Look, seed: int) -> EmptyTray:
    """Draw the empty tray of the table `seed`; the last ones drawn are kept. Not to be written to."""
    rng = np.random.default_rng([seed, 2])
    tray = camera.tray
    canvas = _Canvas(camera)
    half, out, high = tray.half_mm, tray.half_mm + tray.wall_mm, tray.wall_height_mm
    side = 480.0
    ground = planks(rng, side, bgr((74, 52, 38))) * shade(light, (0, 0, 1))
    tray_shadow = _cast(side, [(-out, -out, out, out, high - TABLE_MM)], light, 9.0, len(ground))
    ground *= (1 - 0.75 * tray_shadow)[..., None]
    canvas.lay(_level(-side / 2, -side / 2, side / 2, side / 2, TABLE_MM), ground)
    canvas.lay(_level(-half, -half, half, half, 0.0), _floor(rng, tray, light, look))
    timber = bgr(look.wood)
    _rail(canvas, rng, tray, light, timber * 1.08)
    for quarter in range(4):
        canvas.lay(*_inside(quarter, rng, tray, light, timber))
    for quarter in range(4):
        canvas.lay(*_top(quarter, rng, tray, light, timber))
    for number in range(4):
        _tag(canvas, number, tray, light, timber)
    picture = canvas.picture() * lamp_colour(light)
    falloff = _falloff(camera)
    return EmptyTray(picture * falloff[..., None], falloff, _floor_mask(camera))


class _Canvas:
    """A finer picture on which flat pieces are laid, far ones first."""

    def __init__(self, camera: Calibration) -> None:
        self._camera = camera
        self._size = camera.width_px * FINER, camera.height_px * FINER
        self._pixels = np.zeros((self._size[1], self._size[0], 3), np.float32)

    def lay(self, corners_mm: Floats, texture: Floats, outline_mm: Floats | None = None) -> None:
        """A texture whose corners (clockwise from the top left) lie at four points, cut to a convex outline."""
        corners = self._finer(corners_mm)
        outline = corners if outline_mm is None else self._finer(outline_mm)
        left, top = np.maximum(np.floor(outline.min(0)).astype(int) - 2, 0)
        right, bottom = np.minimum(np.ceil(outline.max(0)).astype(int) + 3, self._size)
        rows, columns = texture.shape[:2]
        there = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32) - 0.5
        turned = cv2.getPerspectiveTransform(there, corners - np.array([left, top], np.float32))
        size = int(right - left), int(bottom - top)
        piece = cv2.warpPerspective(texture, turned, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        mask = np.zeros((size[1], size[0]), np.uint8)
        points = np.round((outline - np.array([left, top])) * 16).astype(np.int32)
        cv2.fillConvexPoly(mask, points, 255.0, cv2.LINE_AA, 4)
        cover = (mask.astype(np.float32) / 255)[..., None]
        below = self._pixels[top:bottom, left:right]
        below += (piece - below) * cover

    def picture(self) -> Floats:
        """The picture at the camera's own size."""
        size = self._camera.width_px, self._camera.height_px
        return np.asarray(cv2.resize(self._pixels, size, interpolation=cv2.INTER_AREA), np.float32)

    def _finer(self, points_mm: Floats) -> Floats:
        return (pixel_of(self._camera, points_mm) + 0.5) * FINER - 0.5


def _level(left: float, near: float, right: float, far: float, z: float) -> Floats:
    return np.array([[left, far, z], [right, far, z], [right, near, z], [left, near, z]], np.float32)


def _turned(points: list[tuple[float, float, float]], quarter: int) -> Floats:
    """Points given for the far wall (+y), for the wall `quarter` turns clockwise from it."""
    turns = ((1, 0, 0, 1), (0, 1, -1, 0), (-1, 0, 0, -1), (0, -1, 1, 0))[quarter]
    return np.array([[x * turns[0] + y * turns[1], x * turns[2] + y * turns[3], z] for x, y, z in points], np.float32)


def _normal(quarter: int) -> tuple[float, float, float]:
    x, y, z = _turned([(0.0, -1.0, 0.0)], quarter)[0]
    return float(x), float(y), float(z)


def _inside(quarter: int, rng: np.random.Generator, tray: Tray, light: Light, timber: Floats) -> tuple[Floats, Floats]:
    half, high = tray.half_mm, tray.wall_height_mm
    texture = wood(rng, tray.inner_mm, high, timber * WOOD_SIDE) * shade(light, _normal(quarter))
    rows = np.linspace(1.0, 0.62, texture.shape[0], dtype=np.float32)
    texture = texture * rows[:, None, None]
    points = [(-half, half, high), (half, half, high), (half, half, 0.0), (-half, half, 0.0)]
    return _turned(points, quarter), texture


def _top(
    quarter: int, rng: np.random.Generator, tray: Tray, light: Light, timber: Floats
) -> tuple[Floats, Floats, Floats]:
    half, out, high = tray.half_mm, tray.half_mm + tray.wall_mm, tray.wall_height_mm
    texture = wood(rng, 2 * out, tray.wall_mm, timber * WOOD_TOP) * shade(light, (0, 0, 1))
    edge = max(2, round(PX_PER_MM * 0.8))  # eased edges catch the light, or lose it
    inner, outer = shade(light, _normal(quarter)), shade(light, _normal((quarter + 2) % 4))
    texture[-edge:] *= 0.80 + 0.38 * inner
    texture[:edge] *= 0.80 + 0.38 * outer
    points = [(-out, out, high), (out, out, high), (out, half, high), (-out, half, high)]
    mitred = [(-out, out, high), (out, out, high), (half, half, high), (-half, half, high)]
    return _turned(points, quarter), texture, _turned(mitred, quarter)


def _rail(canvas: _Canvas, rng: np.random.Generator, tray: Tray, light: Light, timber: Floats) -> None:
    half, high, thick = tray.half_mm, tray.rail_height_mm, tray.rail_mm
    far, near = tray.rail_y_mm + thick / 2, tray.rail_y_mm - thick / 2
    for y, facing in ((near, -1.0), (far, 1.0)):
        face = wood(rng, tray.inner_mm, high, timber * WOOD_SIDE) * shade(light, (0, facing, 0)) * 0.85
        canvas.lay(np.array([[-half, y, high], [half, y, high], [half, y, 0], [-half, y, 0]], np.float32), face)
    top = wood(rng, tray.inner_mm, thick, timber * 1.2) * shade(light, (0, 0, 1))
    canvas.lay(_level(-half, near, half, far, high), top)


def _tag(canvas: _Canvas, number: int, tray: Tray, light: Light, timber: Floats) -> None:
    x, y = tray.tag_centre_mm(number)
    z = tray.wall_height_mm + TAG_PLATE_MM
    reach = tray.tag_mm / 2 + tray.tag_border_mm
    plate = np.ones((8, 8, 3), np.float32) * timber * 0.75
    canvas.lay(_level(x - reach - 1, y - reach - 1, x + reach + 1, y + reach + 1, z - TAG_PLATE_MM / 2), plate)
    printed = tag(number, tray.tag_mm, tray.tag_border_mm) * shade(light, (0, 0, 1))
    canvas.lay(_level(x - reach, y - reach, x + reach, y + reach, z), printed)


def _floor(rng: np.random.Generator, tray: Tray, light: Light, look: Look) -> Floats:
    texture = felt(rng, tray.inner_mm, bgr(look.felt))
    half, out, high = tray.half_mm, tray.half_mm + tray.wall_mm, tray.wall_height_mm
    n = texture.shape[0]
    x = np.linspace(-half, half, n, dtype=np.float32)[None, :]
    y = np.linspace(half, -half, n, dtype=np.float32)[:, None]
    boxes: list[Cuboid] = [
        (-out, half, out, out, high),
        (-out, -out, out, -half, high),
        (-out, -out, -half, out, high),
        (half, -out, out, out, high),
        (-half, tray.rail_y_mm - tray.rail_mm / 2, half, tray.rail_y_mm + tray.rail_mm / 2, tray.rail_height_mm),
    ]
    lit = 1 - 0.72 * _cast(tray.inner_mm, boxes, light, 2.6, n)
    from_wall = np.minimum(half - np.abs(x), half - np.abs(y))
    from_rail = np.abs(y - tray.rail_y_mm)
    open_sky = (1 - 0.40 * np.exp(-from_wall / 9.0)) * (1 - 0.30 * np.exp(-from_rail / 5.0))
    tone = (AMBIENT * open_sky + KEY * float(towards_lamp(light)[2]) * lit)[..., None]
    # The pockets: shallow grooves in the shelf's felt.
    shelf = y < tray.rail_y_mm
    for pocket in range(1, tray.pockets):
        at = -half + tray.inner_mm / tray.pockets * pocket
        groove = np.exp(-(((x - at) / 0.7) ** 2)) * 0.20 - np.exp(-(((x - at - 1.2) / 0.7) ** 2)) * 0.10
        tone = tone * (1 - np.where(shelf, groove, 0.0))[..., None]
    floor: Floats = (texture * tone).astype(np.float32)
    return floor


Cuboid = tuple[float, float, float, float, float]
"""Left, near, right, far and height of something that stands on the floor."""


def _cast(side_mm: float, boxes: list[Cuboid], light: Light, soft_mm: float, n: int) -> Floats:
    """How much of the lamp boxes hide from a level square, 0 to 1, shape (n, n)."""
    mask = np.zeros((n, n), np.uint8)
    lamp = towards_lamp(light)
    for left, near, right, far, high in boxes:
        slide = -lamp[:2] / lamp[2] * high
        base = np.array([[left, near], [right, near], [right, far], [left, far]], np.float32)
        hull = np.asarray(cv2.convexHull(np.concatenate([base, base + slide]).astype(np.float32)), np.float32)[:, 0]
        points = np.stack([(hull[:, 0] + side_mm / 2), (side_mm / 2 - hull[:, 1])], axis=1) * (n / side_mm)
        cv2.fillConvexPoly(mask, points.astype(np.int32), 255.0)
    # A wide blur of a quarter-size mask is the same and far quicker.
    small = cv2.resize(mask, (n // 4, n // 4), interpolation=cv2.INTER_AREA)
    soft = cv2.resize(cv2.GaussianBlur(small, (0, 0), soft_mm * n / side_mm / 4), (n, n))
    return np.asarray(soft, np.float32) / np.float32(255)


def _falloff(camera: Calibration) -> Floats:
    y, x = np.mgrid[0 : camera.height_px, 0 : camera.width_px].astype(np.float32)
    middle = camera.width_px / 2, camera.height_px * 0.47
    away = ((x - middle[0]) ** 2 + (y - middle[1]) ** 2) / (camera.width_px / 2) ** 2
    falloff: Floats = (0.72 + 0.33 * np.exp(-away * 0.75)).astype(np.float32)
    return falloff


def _floor_mask(camera: Calibration) -> Floats:
    half = camera.tray.half_mm
    mask = np.zeros((camera.height_px, camera.width_px), np.uint8)
    points = pixel_of(camera, _level(-half, -half, half, half, 0.0))
    cv2.fillConvexPoly(mask, np.round(points * 16).astype(np.int32), 255.0, cv2.LINE_AA, 4)
    soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), 1.5), np.float32)
    return np.float32(0.25) + soft * np.float32(0.75 / 255)
