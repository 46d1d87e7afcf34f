"""The empty tray in its light: table, felt, walls, rail and tags, drawn once for a table and a light."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from dicereader.data.arrays import Values
from dicereader.sources.synthetic.camera import pixel_of, polygon_mask
from dicereader.sources.synthetic.lamp import AMBIENT, KEY, bgr, lamp_colour, shade, towards_lamp
from dicereader.sources.synthetic.sheet import sheet_texture
from dicereader.sources.synthetic.world import Lighting, TableColours
from dicereader.tray.calibration import Calibration
from dicereader.tray.geometry import TAG_PLATE_MM, Tray
from dicereader.tray.tags import DICTIONARY

Random = np.random.Generator

FINER = 2  # scale at which the picture is drawn, and then averaged for smooth edges
TABLE_MM = -14.0  # the table's top, below the tray's floor
WOOD_TOP, WOOD_SIDE = 1.06, 0.86
PX_PER_MM = 4.0  # of the textures


@dataclass(frozen=True, eq=False)
class EmptyTray:
    """The tray without dice: `picture` is float32 BGR of shape (height, width, 3), before the sensor's noise.

    `falloff` (height, width) is the darkening by lamp and lens towards the picture's edges; `floor` (height, width)
    is 1 on the felt and less on the walls, where a die's shadow falls elsewhere.
    """

    picture: Values
    falloff: Values
    floor: Values


@lru_cache(maxsize=2)
def empty_tray(camera: Calibration, light: Lighting, colours: TableColours, seed: int) -> EmptyTray:
    """Return the empty tray of the table `seed`, which must not be changed: the last ones drawn are cached."""
    rng, canvas = np.random.default_rng([seed, 2]), _Canvas(camera)
    if camera.tray.paper:
        _draw_sheet(canvas, camera, rng, light, colours)
    else:
        _draw_walled(canvas, camera.tray, rng, light, colours)
    falloff = _falloff(camera)
    picture = canvas.picture() * lamp_colour(light) * falloff[..., None]
    floor = np.ones(falloff.shape, np.float32) if camera.tray.paper else _floor_mask(camera)
    return EmptyTray(np.asarray(picture, np.float32), falloff, floor)


def _draw_walled(canvas: "_Canvas", tray: Tray, rng: Random, light: Lighting, colours: TableColours) -> None:
    """Draw a tray with walls on a wooden table."""
    half, out, high = tray.half_mm, tray.half_mm + tray.wall_mm, tray.wall_height_mm
    side = 480.0
    ground = _planks(rng, side, bgr((74, 52, 38))) * shade(light, (0, 0, 1))
    tray_shadow = _cast(side, [(-out, -out, out, out, high - TABLE_MM)], light, 9.0, len(ground))
    ground *= (1 - 0.75 * tray_shadow)[..., None]
    canvas.draw(_level(-side / 2, -side / 2, side / 2, side / 2, TABLE_MM), ground)
    canvas.draw(_level(-half, -half, half, half, 0.0), _floor(rng, tray, light, colours))
    timber = bgr(colours.wood)
    _rail(canvas, rng, tray, light, timber * 1.08)
    for quarter in range(4):
        canvas.draw(*_inside(quarter, rng, tray, light, timber))
    for quarter in range(4):
        canvas.draw(*_top(quarter, rng, tray, light, timber))
    for number in range(4):
        _tag(canvas, number, tray, light, timber)


def _draw_sheet(canvas: "_Canvas", camera: Calibration, rng: Random, light: Lighting, colours: TableColours) -> None:
    """Draw a printed sheet on a wooden table."""
    lit, far = shade(light, (0, 0, 1)), 1500.0
    bottom = camera.height_px - 1.0
    near = min(camera.place(x, bottom, 0.0)[1] for x in (0.0, camera.width_px - 1.0)) - 20.0
    canvas.draw(_level(-far, near, far, far, -0.2), _planks(rng, 800.0, bgr((120, 88, 62))) * lit)
    texture, (wide, deep) = sheet_texture(camera.tray, colours.sheet)
    canvas.draw(_level(-wide, -deep, wide, deep, 0.0), texture * lit)


class _Canvas:
    """A larger picture on which flat pieces are drawn, the farthest first."""

    def __init__(self, camera: Calibration) -> None:
        self._camera = camera
        self._size = camera.width_px * FINER, camera.height_px * FINER
        self._pixels = np.zeros((self._size[1], self._size[0], 3), np.float32)

    def draw(self, corners_mm: Values, texture: Values, outline_mm: Values | None = None) -> None:
        """Draw a texture with its corners (clockwise from the top left) at four points, clipped to a convex outline."""
        corners = self._finer(corners_mm)
        outline = corners if outline_mm is None else self._finer(outline_mm)
        left, top = np.maximum(np.floor(outline.min(0)).astype(int) - 2, 0)
        right, bottom = np.minimum(np.ceil(outline.max(0)).astype(int) + 3, self._size)
        rows, columns = texture.shape[:2]
        there = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32) - 0.5
        turned = cv2.getPerspectiveTransform(there, corners - np.array([left, top], np.float32))
        size = int(right - left), int(bottom - top)
        piece = cv2.warpPerspective(texture, turned, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        mask = polygon_mask((size[1], size[0]), outline - np.array([left, top]))
        cover = (mask.astype(np.float32) / 255)[..., None]
        below = self._pixels[top:bottom, left:right]
        below += (piece - below) * cover

    def picture(self) -> Values:
        """Return the picture at the camera's own size."""
        size = self._camera.width_px, self._camera.height_px
        return np.asarray(cv2.resize(self._pixels, size, interpolation=cv2.INTER_AREA), np.float32)

    def _finer(self, points_mm: Values) -> Values:
        return (pixel_of(self._camera, points_mm) + 0.5) * FINER - 0.5


def _level(left: float, near: float, right: float, far: float, z: float) -> Values:
    return np.array([[left, far, z], [right, far, z], [right, near, z], [left, near, z]], np.float32)


def _turned(points: list[tuple[float, float, float]], quarter: int) -> Values:
    """Return points of the far wall (+y) turned by quarters clockwise."""
    turns = ((1, 0, 0, 1), (0, 1, -1, 0), (-1, 0, 0, -1), (0, -1, 1, 0))[quarter]
    return np.array([[x * turns[0] + y * turns[1], x * turns[2] + y * turns[3], z] for x, y, z in points], np.float32)


def _normal(quarter: int) -> tuple[float, float, float]:
    x, y, z = _turned([(0.0, -1.0, 0.0)], quarter)[0]
    return float(x), float(y), float(z)


def _inside(quarter: int, rng: Random, tray: Tray, light: Lighting, timber: Values) -> tuple[Values, Values]:
    half, high = tray.half_mm, tray.wall_height_mm
    texture = _wood(rng, tray.inner_mm, high, timber * WOOD_SIDE) * shade(light, _normal(quarter))
    rows = np.linspace(1.0, 0.62, texture.shape[0], dtype=np.float32)
    texture = texture * rows[:, None, None]
    points = [(-half, half, high), (half, half, high), (half, half, 0.0), (-half, half, 0.0)]
    return _turned(points, quarter), texture


def _top(quarter: int, rng: Random, tray: Tray, light: Lighting, timber: Values) -> tuple[Values, Values, Values]:
    half, out, high = tray.half_mm, tray.half_mm + tray.wall_mm, tray.wall_height_mm
    texture = _wood(rng, 2 * out, tray.wall_mm, timber * WOOD_TOP) * shade(light, (0, 0, 1))
    edge = max(2, round(PX_PER_MM * 0.8))  # eased edges catch the light, or lose it
    inner, outer = shade(light, _normal(quarter)), shade(light, _normal((quarter + 2) % 4))
    texture[-edge:] *= 0.80 + 0.38 * inner
    texture[:edge] *= 0.80 + 0.38 * outer
    points = [(-out, out, high), (out, out, high), (out, half, high), (-out, half, high)]
    mitred = [(-out, out, high), (out, out, high), (half, half, high), (-half, half, high)]
    return _turned(points, quarter), texture, _turned(mitred, quarter)


def _rail(canvas: _Canvas, rng: Random, tray: Tray, light: Lighting, timber: Values) -> None:
    half, high, thick = tray.half_mm, tray.rail_height_mm, tray.rail_mm
    far, near = tray.rail_y_mm + thick / 2, tray.rail_y_mm - thick / 2
    for y, facing in ((near, -1.0), (far, 1.0)):
        face = _wood(rng, tray.inner_mm, high, timber * WOOD_SIDE) * shade(light, (0, facing, 0)) * 0.85
        canvas.draw(np.array([[-half, y, high], [half, y, high], [half, y, 0], [-half, y, 0]], np.float32), face)
    top = _wood(rng, tray.inner_mm, thick, timber * 1.2) * shade(light, (0, 0, 1))
    canvas.draw(_level(-half, near, half, far, high), top)


def _tag(canvas: _Canvas, number: int, tray: Tray, light: Lighting, timber: Values) -> None:
    x, y = tray.tag_centre_mm(number)
    z = tray.wall_height_mm + TAG_PLATE_MM
    reach = tray.tag_mm / 2 + tray.tag_border_mm
    plate = np.ones((8, 8, 3), np.float32) * timber * 0.75
    canvas.draw(_level(x - reach - 1, y - reach - 1, x + reach + 1, y + reach + 1, z - TAG_PLATE_MM / 2), plate)
    printed = _tag_texture(number, tray.tag_mm, tray.tag_border_mm) * shade(light, (0, 0, 1))
    canvas.draw(_level(x - reach, y - reach, x + reach, y + reach, z), printed)


def _floor(rng: Random, tray: Tray, light: Lighting, colours: TableColours) -> Values:
    texture = _felt(rng, tray.inner_mm, bgr(colours.felt))
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
    return np.asarray(texture * tone, np.float32)


Cuboid = tuple[float, float, float, float, float]
"""Left, near, right, far and height of an object on the floor, in millimetres."""


def _cast(side_mm: float, boxes: list[Cuboid], light: Lighting, soft_mm: float, n: int) -> Values:
    """Return the fraction of the lamp's light that boxes hide from a level square, shape (n, n)."""
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


def _falloff(camera: Calibration) -> Values:
    y, x = np.mgrid[0 : camera.height_px, 0 : camera.width_px].astype(np.float32)
    middle = camera.width_px / 2, camera.height_px * 0.47
    away = ((x - middle[0]) ** 2 + (y - middle[1]) ** 2) / (camera.width_px / 2) ** 2
    return np.asarray(0.72 + 0.33 * np.exp(-away * 0.75), np.float32)


def _floor_mask(camera: Calibration) -> Values:
    half = camera.tray.half_mm
    points = pixel_of(camera, _level(-half, -half, half, half, 0.0))
    mask = polygon_mask((camera.height_px, camera.width_px), points)
    soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), 1.5), np.float32)
    return np.float32(0.25) + soft * np.float32(0.75 / 255)


def _noise(rng: Random, shape: tuple[int, int], grain: tuple[float, float]) -> Values:
    """Return smooth noise of mean 0 and deviation 1 with spots of `grain` (rows, columns) pixels."""
    rows, columns = (max(2, round(n / g)) for n, g in zip(shape, grain, strict=True))
    small = rng.normal(size=(rows, columns)).astype(np.float32)
    large = cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return np.asarray((large - large.mean()) / max(1e-6, float(large.std())), np.float32)


def _px(length_mm: float) -> int:
    return max(4, round(length_mm * PX_PER_MM))


def _felt(rng: Random, side_mm: float, colour: Values) -> Values:
    """Return a square of matt felt: fibres, a soft mottle, the pile brushed a little one way."""
    n = _px(side_mm)
    fibre = _noise(rng, (n, n), (1.6, 2.2)) * 0.050 + _noise(rng, (n, n), (5, 3)) * 0.030
    mottle = _noise(rng, (n, n), (60, 45)) * 0.022 + _noise(rng, (n, n), (300, 260)) * 0.030
    strands = (_noise(rng, (n, n), (1.2, 9)) > 2.1).astype(np.float32) * 0.16
    tone = np.asarray(1.0 + fibre + mottle + cv2.GaussianBlur(strands, (0, 0), 0.8), np.float32)
    return tone[..., None] * colour


def _wood(rng: Random, length_mm: float, width_mm: float, colour: Values) -> Values:
    """Return a board of oiled wood with its grain along the columns."""
    shape = _px(width_mm), _px(length_mm)
    rows = np.linspace(0, width_mm, shape[0], dtype=np.float32)[:, None]
    wander = _noise(rng, shape, (shape[0] / 1.5, 420)) * 2.2
    rings = np.sin((rows + wander) * rng.uniform(1.5, 2.2)) * 0.055
    grain = _noise(rng, shape, (1.6, 90)) * 0.045 + _noise(rng, shape, (4, 260)) * 0.06
    pores = (_noise(rng, shape, (1.2, 26)) > 2.2).astype(np.float32) * -0.18
    tone = (1.0 + rings + grain + pores)[..., None]
    # Dark grain is redder than light grain.
    return np.asarray(colour * tone ** np.array([1.25, 1.1, 0.95], np.float32), np.float32)


def _planks(rng: Random, side_mm: float, colour: Values) -> Values:
    """Return the table under the tray: planks along the columns with dark seams, at half the resolution."""
    boards: list[Values] = []
    side = _px(side_mm / 2)
    while sum(map(len, boards)) < side:
        width = float(rng.uniform(85, 120))
        board = _wood(rng, side_mm / 2, width / 2, colour * np.float32(rng.uniform(0.85, 1.12)))
        board[:2] *= 0.4
        board[-1:] *= 0.7
        boards.append(board)
    return np.concatenate(boards)[:side]


def _tag_texture(number: int, size_mm: float, border_mm: float) -> Values:
    """Return the printed tag `number` (ArUco 4x4_50) with its white border, on paper."""
    marker = cv2.aruco.generateImageMarker(DICTIONARY, number, 240)
    border = round(240 * border_mm / size_mm)
    printed = cv2.copyMakeBorder(marker, border, border, border, border, cv2.BORDER_CONSTANT, value=255.0)
    tone = 26.0 + np.asarray(printed, np.float32) * ((232.0 - 26.0) / 255.0)
    return np.repeat(tone[..., None], 3, axis=2) * np.array([0.97, 1.0, 1.0], np.float32)
