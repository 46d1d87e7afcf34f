"""The shape of a die: which faces lie where, and its surface as a mesh with rounded edges and hollow pips."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from traced.dice import DieLook

Floats = NDArray[np.float64]

WESTERN = {1: (0, 0, 1), 6: (0, 0, -1), 2: (1, 0, 0), 5: (-1, 0, 0), 3: (0, 1, 0), 4: (0, -1, 0)}
"""The faces' outward normals: seen from their common corner 1, 2, 3 run counterclockwise."""

ATLAS = {1: (0, 0), 2: (1, 0), 3: (2, 0), 4: (0, 1), 5: (1, 1), 6: (2, 1)}
"""The column and row of each face in the picture of the paint (3 by 2 cells)."""


@dataclass(frozen=True, eq=False)
class FaceAxes:
    """A face's axes, in those of the die: outwards, and the two that its pips are placed along."""

    normal: Floats
    along: Floats
    across: Floats


def frame(look: DieLook, face: int) -> FaceAxes:
    """Return a face's axes. On eastern dice the two and the five have changed places."""
    normal = np.array(WESTERN[{2: 5, 5: 2}.get(face, face) if look.eastern else face], float)
    along = np.roll(normal, 1)
    across = np.cross(normal, along)
    return FaceAxes(normal, across, -along) if look.turned[face - 1] else FaceAxes(normal, along, across)


def upright(look: DieLook, face: int) -> Floats:
    """Return the die's axes on the table (columns) when it lies with a face up and its pips along x."""
    axes = frame(look, face)
    return np.stack([axes.along, axes.across, axes.normal])


def upper(look: DieLook, turn: Floats) -> int:
    """Return the face that points up most, for a die whose axes on the table are the columns of `turn`."""
    return max(WESTERN, key=lambda face: float((turn @ frame(look, face).normal)[2]))


@dataclass(frozen=True, eq=False)
class Mesh:
    """A closed surface: points (n, 3), squares of four points (m, 4), and their corners in the atlas (m, 4, 2)."""

    points: Floats
    squares: NDArray[np.int32]
    uv: NDArray[np.float32]


def mesh(look: DieLook, cells: int) -> Mesh:
    """Return the surface of a die with edges of length 1, with so many squares along each edge."""
    line = np.linspace(-0.5, 0.5, cells + 1)
    t, s = np.meshgrid(line, line, indexing="ij")
    points, squares, uv = [], [], []
    i, j = np.meshgrid(np.arange(cells), np.arange(cells))
    first = (j * (cells + 1) + i).ravel()
    corners = np.stack([first, first + 1, first + cells + 2, first + cells + 1], 1)
    for face, (column, row) in ATLAS.items():
        axes = frame(look, face)
        flat = axes.normal * 0.5 + s[..., None] * axes.along + t[..., None] * axes.across
        sunk = flat - hollow(look, face, s, t)[..., None] * axes.normal
        squares.append(corners + len(points) * (cells + 1) ** 2)
        points.append(np.concatenate([flat, sunk], -1).reshape(-1, 6))
        place = np.stack([(column + s + 0.5) / 3, (row + t + 0.5) / 2], -1).reshape(-1, 2)
        uv.append(place[corners])
    both = np.concatenate(points)
    lattice = np.rint((both[:, :3] + 0.5) * cells).astype(np.int64)
    _, kept, again = np.unique(lattice, axis=0, return_index=True, return_inverse=True)
    flat, sunk = both[kept, :3], both[kept, 3:]
    index = again.reshape(-1)[np.concatenate(squares)]
    return Mesh(rounded(look, flat) + (sunk - flat), index.astype(np.int32), np.concatenate(uv).astype(np.float32))


def rounded(look: DieLook, points: Floats) -> Floats:
    """Return points of a cube's surface on the body with rounded edges and cut corners."""
    inner = np.clip(points, look.rounding - 0.5, 0.5 - look.rounding)
    out = points - inner
    far = np.linalg.norm(out, axis=1, keepdims=True)
    points = inner + look.rounding * out / np.maximum(far, 1e-9)
    far = np.linalg.norm(points, axis=1, keepdims=True)
    return points * np.minimum(1.0, look.ball_r / far)


def hollow(look: DieLook, face: int, s: Floats, t: Floats) -> Floats:
    """Return how deep a face's pips are at places (s, t) along and across it."""
    deep = np.zeros_like(s)
    if look.depth == 0 or look.numerals or (look.logo and look.logo[0] == face):
        return deep
    r = look.radius(face)
    for x, y in look.places(face):
        away = np.hypot(s - x, t - y) / r
        if look.pips == "drilled":
            one = look.depth * np.sqrt(np.clip(1 - away**2, 0, 1))
        else:
            one = look.depth * np.clip((1.08 - away) / 0.16, 0, 1)
        deep = np.maximum(deep, one)
    return deep


def outline_points(look: DieLook) -> Floats:
    """Return points (n, 3) of a die's rounded edges and corners, whose hull in a picture is the die's outline."""
    line = np.linspace(-0.5, 0.5, 9)
    grid = np.stack(np.meshgrid(line, line, line), -1).reshape(-1, 3)
    return rounded(look, grid[np.abs(grid).max(1) > 0.499])
