"""Draw dice as the camera sees them: rays on a rounded cube with drilled pips, antialiased, blurred when they move."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from dicereader.data.arrays import Ints, Values
from dicereader.sources.synthetic.camera import Bounds, bounds_around, corners, matrix, pixel_of
from dicereader.sources.synthetic.lamp import AMBIENT, KEY, bgr, lamp_colour, towards_lamp
from dicereader.sources.synthetic.world import NORMALS, Lighting, Pose, TableColours
from dicereader.tray.calibration import Calibration

Point = tuple[float, float, float]

ROUND = 0.095  # radius of the rounded edges, as a fraction of the die's edge
PIP_RADIUS = 0.098
PIP_REACH = 0.255  # distance of a corner pip from the face's middle, along an edge
SOFT_MM = 0.28  # softness of an outline: about half a pixel
MOST_SMEAR_PX = 15
_TEXELS = 160

_LAYOUTS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass(frozen=True, eq=False)
class Patch:
    """A small picture to draw over a larger one at column `left`, row `top`.

    `colour` has shape (height, width, 3), BGR 0-255, already multiplied by `cover` of shape (height, width, 1), 0-1.
    """

    left: int
    top: int
    colour: Values
    cover: Values


def _axes(face: int) -> tuple[Point, Point]:
    """Return the two directions of a face's pip grid, in the die's axes."""
    x, y, z = NORMALS[face]
    u = (y, z, x)
    v = (y * u[2] - z * u[1], z * u[0] - x * u[2], x * u[1] - y * u[0])
    return u, v


@cache
def _atlas() -> tuple[Values, Values]:
    """Return for faces 1-6 the colouring of each texel by pips, and the tilt of its hollow along u and v."""
    at = (np.arange(_TEXELS, dtype=np.float32) + 0.5) / _TEXELS - 0.5
    u, v = np.meshgrid(at, at, indexing="ij")
    paint = np.zeros((6, _TEXELS, _TEXELS), np.float32)
    tilt = np.zeros((6, _TEXELS, _TEXELS, 2), np.float32)
    for face, pips in _LAYOUTS.items():
        for a, b in pips:
            du, dv = u - a * PIP_REACH, v - b * PIP_REACH
            away = np.hypot(du, dv) / PIP_RADIUS
            inside = np.clip((1.0 - away) / 0.16 + 0.5, 0, 1)
            paint[face - 1] = np.maximum(paint[face - 1], inside)
            tilt[face - 1, ..., 0] -= np.where(away < 1.1, du / PIP_RADIUS * 0.75, 0)
            tilt[face - 1, ..., 1] -= np.where(away < 1.1, dv / PIP_RADIUS * 0.75, 0)
    return paint.reshape(6, -1), tilt.reshape(6, -1, 2)


_U = np.array([_axes(face)[0] for face in range(1, 7)], np.float32)
_V = np.array([_axes(face)[1] for face in range(1, 7)], np.float32)
# The face, less 1, by the axis along which a point is farthest out, and its sign.
_FACE_OF = np.array([[3, 2], [1, 4], [5, 0]])

_FINE = tuple(((i % 3 - 1) / 3, (i // 3 - 1) / 3) for i in range(9))
_COARSE = ((-0.25, -0.25), (0.25, 0.0), (0.0, 0.25))


@dataclass(frozen=True, eq=False)
class _View:
    """One picture of one pose: a ray through each pixel of a box, offset by a fraction of a pixel."""

    pose: Pose
    box: Bounds
    offset: tuple[float, float]


def die_patches(
    camera: Calibration,
    dice: Sequence[Sequence[Pose]],
    light: Lighting,
    colours: TableColours,
    falloff: Sequence[float],
) -> list[Patch]:
    """Return pictures of dice.

    Args:
        camera: the camera.
        dice: for each die one pose if it is still, or a few at equal steps of the exposure if it moves.
        light: the lamp.
        colours: the colours of dice and pips.
        falloff: the brightness of the picture at each die's place.
    """
    if not dice:
        return []
    views: list[list[_View]] = []
    for poses in dice:
        boxes = [bounds_around(camera, pixel_of(camera, corners(pose, camera.tray.die_mm)), 2) for pose in poses]
        if len(poses) == 1:
            views.append([_View(poses[0], boxes[0], offset) for offset in _FINE])
        else:
            views.append([_View(*each) for each in zip(poses, boxes, _COARSE, strict=False)])
    pictures = iter(_seen(camera, [one for each in views for one in each], light, colours))
    colour = lamp_colour(light)
    patches = []
    for poses, each, bright in zip(dice, views, falloff, strict=True):
        left, top, sums = _summed([(one.box, next(pictures)) for one in each])
        if len(poses) > 1:
            left, top, sums = _smeared(camera, poses, left, top, sums)
        patches.append(Patch(left, top, sums[..., :3] * (colour * np.float32(bright)), sums[..., 3:]))
    return patches


def _summed(parts: list[tuple[Bounds, Values]]) -> tuple[int, int, Values]:
    left, top = min(box[0] for box, _ in parts), min(box[1] for box, _ in parts)
    right, bottom = max(box[2] for box, _ in parts), max(box[3] for box, _ in parts)
    sums = np.zeros((bottom - top, right - left, 4), np.float32)
    for (x0, y0, x1, y1), seen in parts:
        sums[y0 - top : y1 - top, x0 - left : x1 - left] += seen
    return left, top, sums / np.float32(len(parts))


def _smeared(camera: Calibration, poses: Sequence[Pose], left: int, top: int, sums: Values) -> tuple[int, int, Values]:
    """Return the sums with the steps between a moving die's poses filled: a blur along its way, one step long."""
    ends = pixel_of(camera, np.array([[p.x_mm, p.y_mm, p.z_mm] for p in (poses[0], poses[-1])]))
    dx, dy = (float(v) for v in (ends[1] - ends[0]) / (len(poses) - 1))
    length = min(math.hypot(dx, dy), MOST_SMEAR_PX)
    if length < 1 or not sums.size:
        return left, top, sums
    reach = math.ceil(length / 2)
    line = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    x, y = dx / math.hypot(dx, dy) * length / 2, dy / math.hypot(dx, dy) * length / 2
    a, b = (round((reach - x) * 16), round((reach - y) * 16)), (round((reach + x) * 16), round((reach + y) * 16))
    cv2.line(line, a, b, 1.0, 1, cv2.LINE_AA, 4)
    line /= max(1e-6, float(line.sum()))
    wide = cv2.copyMakeBorder(sums, reach, reach, reach, reach, cv2.BORDER_CONSTANT)
    blurred = np.asarray(cv2.filter2D(wide, -1, line, borderType=cv2.BORDER_CONSTANT), np.float32)
    # Cut off what is outside the picture.
    x0, y0 = max(0, reach - left), max(0, reach - top)
    x1 = min(blurred.shape[1], camera.width_px - left + reach)
    y1 = min(blurred.shape[0], camera.height_px - top + reach)
    return left - reach + x0, top - reach + y0, blurred[y0:y1, x0:x1]


def _seen(camera: Calibration, views: Sequence[_View], light: Lighting, colours: TableColours) -> list[Values]:
    """Return for each view colour times cover, and cover: (rows, columns, 4). All rays are traced in one batch."""
    ways, starts, ups, lamps = [], [], [], []
    to_tray = np.array(camera.rotation).T
    for one in views:
        turned = matrix(one.pose.q).T
        ways.append((turned @ to_tray).astype(np.float32) @ _rays(camera, one.box, one.offset))
        starts.append(turned @ (np.array(camera.position_mm) - [one.pose.x_mm, one.pose.y_mm, one.pose.z_mm]))
        ups.append([*turned[:, 2], one.pose.z_mm])
        lamps.append(turned @ towards_lamp(light))
    counts = [way.shape[1] for way in ways]
    owner = np.repeat(np.arange(len(views)), counts)
    into = np.concatenate(ways, axis=1)
    into /= np.sqrt(np.einsum("ij,ij->j", into, into))
    hit, points, outwards, cover = _meet(into, np.array(starts, np.float32).T[:, owner], camera.tray.die_mm)
    picture = np.zeros((into.shape[1], 4), np.float32)
    whose = owner[hit]
    up, lamp = np.array(ups, np.float32)[whose], np.array(lamps, np.float32)[whose]
    colour = _colour(_Surface(points, outwards, into[:, hit], up, lamp), camera.tray.die_mm, colours)
    picture[hit, :3] = colour * cover[:, None]
    picture[hit, 3] = cover
    pieces = np.split(picture, np.cumsum(counts)[:-1])
    sizes = [(y1 - y0, x1 - x0) for x0, y0, x1, y1 in (one.box for one in views)]
    return [piece.reshape(*size, 4) for piece, size in zip(pieces, sizes, strict=True)]


def _rays(camera: Calibration, box: Bounds, offset: tuple[float, float]) -> Values:
    x0, y0, x1, y1 = box
    x = (np.arange(x0, x1, dtype=np.float32) + offset[0] - (camera.width_px - 1) / 2) / camera.focal_px
    y = (np.arange(y0, y1, dtype=np.float32) + offset[1] - (camera.height_px - 1) / 2) / camera.focal_px
    rays = np.ones((3, len(y), len(x)), np.float32)
    rays[0], rays[1] = x[None, :], y[:, None]
    return rays.reshape(3, -1)


def _meet(into: Values, start: Values, edge: float) -> tuple[Ints, Values, Values, Values]:
    """Return which rays (3, n) meet a rounded cube around 0, the points and normals there, and the cover."""
    half, radius = edge / 2, edge * ROUND
    reach = np.float32(half + SOFT_MM)
    with np.errstate(divide="ignore", over="ignore"):
        slope = 1 / into
    slope = np.clip(slope, -1e6, 1e6)
    middle, width = start * slope, reach * np.abs(slope)
    hit = np.flatnonzero((-middle - width).max(0) < (-middle + width).min(0))
    ways = into[:, hit]
    points = start[:, hit] + ways * (-middle[:, hit] - width[:, hit]).max(0)
    core = np.float32(half - radius)
    # The slabs give the sharp cube; a few steps by the distance to the rounded one (sphere tracing) follow.
    for _ in range(3):
        beyond = np.maximum(np.abs(points) - core, 0)
        points += ways * (np.sqrt(np.einsum("ij,ij->j", beyond, beyond)) - np.float32(radius))
    beyond = np.maximum(np.abs(points) - core, 0)
    length = np.sqrt(np.einsum("ij,ij->j", beyond, beyond))
    cover = np.clip(1 - (length - np.float32(radius)) / np.float32(SOFT_MM), 0, 1)
    return hit, points, np.copysign(beyond / np.maximum(length, np.float32(1e-6)), points), cover


@dataclass(frozen=True, eq=False)
class _Surface:
    """Points of dice in the die's axes: places, normals and rays (3, n), the vertical with the height, the lamp."""

    points: Values
    outwards: Values
    ways: Values
    up: Values  # (n, 4): the vertical, and the height of the die's middle
    lamp: Values  # (n, 3)


def _colour(at: _Surface, edge: float, colours: TableColours) -> Values:
    """Return the colours (n, 3) of points of the dice's surfaces."""
    axis = np.abs(at.points).argmax(0)
    along = np.take_along_axis(at.points, axis[None, :], 0)[0]
    face = _FACE_OF[axis, (along > 0).astype(np.intp)]
    u_axis, v_axis = _U[face], _V[face]
    u = np.einsum("ij,ji->i", u_axis, at.points) * np.float32(_TEXELS / edge) + np.float32(_TEXELS / 2)
    v = np.einsum("ij,ji->i", v_axis, at.points) * np.float32(_TEXELS / edge) + np.float32(_TEXELS / 2)
    last = _TEXELS - 1
    texel = np.clip(u, 0, last).astype(np.intp) * _TEXELS + np.clip(v, 0, last).astype(np.intp)
    paint, tilt = _atlas()
    pip, lean = paint[face, texel], tilt[face, texel]
    normal = at.outwards.T + u_axis * lean[:, :1] + v_axis * lean[:, 1:]
    normal /= np.sqrt(np.einsum("ij,ij->i", normal, normal))[:, None]
    height = np.einsum("ji,ij->i", at.points, at.up[:, :3]) + at.up[:, 3]
    level = np.einsum("ij,ij->i", normal, at.up[:, :3])
    # Surfaces that point sideways see less of the room's light, and even less close to the felt.
    sky = (np.float32(0.84) + np.float32(0.16) * level) * np.clip(0.74 + height * np.float32(0.26 / edge / 0.6), 0, 1)
    lit = np.float32(AMBIENT) * sky + np.float32(KEY) * np.clip(np.einsum("ij,ij->i", normal, at.lamp), 0, None)
    half_way = at.lamp - at.ways.T
    half_way /= np.sqrt(np.einsum("ij,ij->i", half_way, half_way))[:, None]
    shine = np.clip(np.einsum("ij,ij->i", normal, half_way), 0, 1)
    for _ in range(5):  # to the power of 32
        shine = shine * shine
    body = bgr(colours.die) + (bgr(colours.pip) - bgr(colours.die)) * pip[:, None]
    colour: Values = body * lit[:, None] + (shine * (26 - np.float32(14) * pip))[:, None]
    return colour
