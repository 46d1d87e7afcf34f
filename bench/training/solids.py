"""Draw one die by ray tracing: a cube with rounded edges and corners, hollow pips and mirrored lamps.

A clear die shows its far side. Lengths are in die edges, in the die's own axes unless stated otherwise. Colours are
blue, green, red from 0 to 255.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from looks import Look, pip_r, places
from numpy.typing import NDArray

Floats = NDArray[np.float32]

NORMALS = {1: (0, 0, 1), 6: (0, 0, -1), 2: (1, 0, 0), 5: (-1, 0, 0), 3: (0, 1, 0), 4: (0, -1, 0)}

STEPS = 20
"""Steps of a ray towards the body. A ray that is then farther away than a hundredth of an edge misses it."""

SAMPLES_ACROSS = 110
"""The least number of rays across a die, with at most `MOST_PER_PX` in a pixel."""

MOST_PER_PX = 3
GLASS = 1 / 1.5


@dataclass(frozen=True, eq=False)
class SceneLights:
    """The lights of a table: the share `ambient` (0 to 1) from everywhere, and the rest from the direction `sun`.

    Polished dice mirror `lamps`: their directions (n, 3), widths as an angle (n,) and brightness (n,).
    """

    ambient: float
    sun: Floats
    lamps: Floats
    widths: Floats
    powers: Floats


def lights(rng: np.random.Generator) -> SceneLights:
    """Return the lights of one table. The lamp that casts the shadows is also the first mirrored one."""
    n = int(rng.integers(1, 4))
    lamps = np.concatenate([rng.normal(0, 0.5, (n, 2)), np.ones((n, 1))], 1)
    lamps /= np.linalg.norm(lamps, axis=1, keepdims=True)
    return SceneLights(
        float(rng.uniform(0.35, 0.75)),
        lamps[0].astype(np.float32),
        lamps.astype(np.float32),
        np.exp(rng.uniform(np.log(0.05), np.log(0.5), n)).astype(np.float32),
        rng.uniform(0.2, 1.0, n).astype(np.float32),
    )


def draw(
    canvas: NDArray[np.uint8],
    look: Look,
    eye: Floats,
    rays: Floats,
    spot: Floats,
    turn: Floats,
    shine: SceneLights,
) -> None:
    """Draw a die over a canvas (height, width, 3).

    `rays` (rows, columns, 3) are directions from the camera at `eye`, of as many pixels or a whole multiple of them;
    `spot` is the die's middle on the table and `turn` its axes, both of the table as `eye` and `rays`.
    """
    rows, columns = rays.shape[:2]
    start = ((eye - spot) @ turn).astype(np.float32)
    along = rays.reshape(-1, 3) @ turn.astype(np.float32)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    met, at = _meet(look, start, along)
    seen = np.repeat(np.repeat(canvas, rows // canvas.shape[0], 0), columns // canvas.shape[1], 1)
    seen = seen.reshape(-1, 3).astype(np.float32)
    seen[met] = _shaded(look, at[met], along[met], spot, turn, shine, seen[met])
    size = canvas.shape[1::-1]
    small = cv2.resize(seen.reshape(rows, columns, 3), size, interpolation=cv2.INTER_AREA)
    np.copyto(canvas, np.clip(small, 0, 255).astype(np.uint8))


def _distance(look: Look, at: Floats) -> tuple[Floats, Floats]:
    """Return the distance of points (3, n) from the body, and from the ball that cuts its corners off."""
    over = np.abs(at) - (0.5 - look.rounding)
    outside = np.sqrt((np.maximum(over, 0) ** 2).sum(0))
    cube = outside + np.minimum(over.max(0), 0) - look.rounding
    ball = np.sqrt((at**2).sum(0)) - look.ball_r
    return np.maximum(cube, ball), ball


def _meet(look: Look, start: Floats, along: Floats) -> tuple[NDArray[np.bool_], Floats]:
    """Return which rays (n, 3) meet the body, and the points (n, 3) where they do."""
    nearest = -(along @ start)
    apart = start @ start - nearest**2
    met = apart < look.ball_r**2
    way = np.ascontiguousarray(along[met].T)  # sums over three long rows are faster than over n short ones
    there = start[:, None] + (nearest[met] - np.sqrt(look.ball_r**2 - apart[met])) * way
    for _ in range(STEPS):
        there += _distance(look, there)[0] * way
    at = np.zeros_like(along)
    at[met] = there.T
    met[met] = (_distance(look, there)[0] < 0.01) & (np.abs(there).max(0) < 0.52)
    return met, at


def _outward(look: Look, at: Floats) -> Floats:
    """Return the body's normal at points of its surface."""
    over = np.maximum(np.abs(at) - (0.5 - look.rounding), 0)
    over += 1e-4 * (np.abs(at) >= np.abs(at).max(1, keepdims=True))
    normal = np.sign(at) * over
    distance, ball = _distance(look, at.T)
    normal = np.where((ball >= distance - 1e-3)[:, None], at, normal)
    return np.asarray(normal / np.linalg.norm(normal, axis=1, keepdims=True), np.float32)


def _pips(look: Look, at: Floats) -> tuple[Floats, Floats, NDArray[np.bool_], Floats]:
    """Return the offset of points on the surface from the nearest pip's middle, in the pip's radii.

    The result is the offset as a vector (n, 3) and as a length, whether that pip is the one of a one, and the share of
    paint that the pip has lost.
    """
    off, length = np.zeros_like(at), np.full(len(at), 9.0, np.float32)
    one, worn = np.zeros(len(at), bool), np.zeros(len(at), np.float32)
    facing = np.abs(at).argmax(1)
    for face, normal in NORMALS.items():
        axis = int(np.abs(normal).argmax())
        there = np.flatnonzero((facing == axis) & (at[:, axis] * sum(normal) > 0))
        if not len(there):
            continue
        side = np.roll(np.array(normal, np.float32), 1)
        other = np.cross(np.array(normal, np.float32), side)
        radius = pip_r(look, face)
        for n, (i, j) in enumerate(places(look, face)):
            apart = (at[there] - (i * side + j * other)) / radius
            apart[:, axis] = 0
            how_far = np.linalg.norm(apart, axis=1)
            if face == 1 and look.one_points:
                how_far *= 1 - 0.35 * np.cos(look.one_points * np.arctan2(apart @ other, apart @ side))
            nearer = how_far < length[there]
            off[there[nearer]], length[there[nearer]] = apart[nearer], how_far[nearer]
            worn[there[nearer]] = look.worn[face - 1, n]
        one[there] = face == 1
    return off, length, one, worn


def _painted(look: Look, at: Floats, inside: NDArray[np.bool_], one: NDArray[np.bool_], worn: Floats) -> Floats:
    """Return the colour of points on the surface."""
    colour = np.tile(np.array(look.body, np.float32), (len(at), 1))
    if look.vein:
        bend = 1.5 * np.sin(at @ look.grain[3:6].T).sum(1)
        vein = np.sin(at @ look.grain[:3].T + bend[:, None]).sum(1, keepdims=True)
        colour += np.clip(0.5 + look.vein * vein, 0, 1) * (np.array(look.swirl, np.float32) - colour)
    if look.flecks is not None:
        part = tuple(np.clip((at + 0.5) * len(look.flecks), 0, len(look.flecks) - 1).astype(np.intp).T)
        colour += look.flecks[part][:, None] * (np.array(look.swirl, np.float32) - colour)
    paint = np.where(one[:, None], np.array(look.one, np.float32), np.array(look.pip, np.float32))
    colour += (inside * (1 - worn))[:, None] * (paint - colour)
    return colour


def _shaded(
    look: Look,
    at: Floats,
    along: Floats,
    spot: Floats,
    turn: Floats,
    shine: SceneLights,
    behind: Floats,
) -> Floats:
    """Return the visible colours of points of the surface along rays. `behind` are the colours of the ground there."""
    off, length, one, worn = _pips(look, at)
    inside = length < 1
    colour = _painted(look, at, inside, one, worn)
    normal = _outward(look, at)
    hollow = normal - look.hollow * off * inside[:, None]
    hollow /= np.linalg.norm(hollow, axis=1, keepdims=True)
    # From here on vectors are in the table's axes.
    to_table = turn.T.astype(np.float32)
    up, height = hollow @ to_table, (at @ to_table)[:, 2] + spot[2]
    open_sky = (0.6 + 0.4 * up[:, 2]) * (0.55 + 0.45 * np.clip(height, 0, 1))
    # A hollow's wall on the lamp's side is in the shadow of its rim.
    in_hollow = np.where(inside, look.hollow * np.clip(length, 0, 1), 0)
    lit = np.maximum(up @ shine.sun, 0) * (1 - 0.5 * in_hollow)
    seen = colour * (shine.ambient * open_sky + (1 - shine.ambient) * lit)[:, None]
    if look.clear:
        seen += look.clear * (_through(look, at, along, normal, behind) - seen) * (~inside)[:, None]
    facing = np.maximum(-(along * hollow).sum(1), 0)
    back = (along + 2 * facing[:, None] * hollow) @ to_table
    mirrored = 0.25 + 0.75 * (1 - facing) ** 3
    wide = np.hypot(shine.widths, look.rough)
    lamps = np.exp((back @ shine.lamps.T - 1) / wide**2) * shine.powers
    glow = look.polish * mirrored * (lamps.sum(1) + 0.15 * np.maximum(back[:, 2], 0))
    return np.asarray(seen + (255 - np.minimum(seen, 255)) * np.clip(glow, 0, 1)[:, None], np.float32)


def _through(look: Look, at: Floats, along: Floats, normal: Floats, behind: Floats) -> Floats:
    """Return the colours seen through a clear die: where a refracted ray leaves it, a far pip or the ground, tinted."""
    cos = -(along * normal).sum(1)
    root = np.sqrt(np.maximum(1 - GLASS**2 * (1 - cos**2), 0))
    inner = GLASS * along + (GLASS * cos - root)[:, None] * normal
    inner = np.where(np.abs(inner) < 1e-4, 1e-4, inner)
    way = ((0.5 * np.sign(inner) - at) / inner).min(1)
    leaves = np.clip(at + np.maximum(way, 0)[:, None] * inner, -0.5, 0.5).astype(np.float32)
    _, length, one, _ = _pips(look, leaves)
    tint = np.array(look.body, np.float32) / 255
    ground = 0.5 * behind * tint + 0.5 * np.array(look.body, np.float32)
    far = np.where(one[:, None], np.array(look.one, np.float32), np.array(look.pip, np.float32))
    dimmed = 0.5 * ground + 0.5 * far * (0.3 + 0.7 * tint)
    return np.asarray(np.where((length < 1)[:, None], dimmed, ground), np.float32)
