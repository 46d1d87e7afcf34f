"""How simulated dice lie and stand: level, against a wall, on each other; and the gap between two."""

import math
import random

from companion.simulation.trajectory import reach_down
from dicereader.tray.geometry import Tray
from dicereader.world import Pose, multiply, turn, upright

Flat = tuple[float, float]


def level(x: float, y: float, edge: float, face: int, yaw: float) -> Pose:
    """A die that lies level at a point of the floor."""
    w, i, j, k = (round(part, 6) for part in upright(face, yaw))
    return Pose(round(x, 3), round(y, 3), edge / 2, (w, i, j, k))


def leaning(rng: random.Random, x: float, tray: Tray, face: int) -> Pose:
    """A die that leans on the far wall, by 22 to 40 degrees."""
    tilt = math.radians(rng.uniform(22.0, 40.0))
    q = multiply(turn((1, 0, 0), tilt), upright(face, rng.choice((0, 1, 2, 3)) * math.pi / 2))
    deep = tray.die_mm / 2 * (math.cos(tilt) + math.sin(tilt))
    return Pose(round(x, 3), round(tray.half_mm - deep - 0.2, 3), round(reach_down(q, tray.die_mm), 3), q)


def stacked(rng: random.Random, below: Pose, edge: float, face: int) -> Pose:
    """A die that lies on another."""
    x, y = below.x_mm + rng.uniform(-3, 3), below.y_mm + rng.uniform(-3, 3)
    lying = level(x, y, edge, face, rng.uniform(0, 2 * math.pi))
    return Pose(lying.x_mm, lying.y_mm, 1.5 * edge, lying.q)


def apart(one: Pose, other: Pose, edge: float) -> float:
    """The gap in millimetres between two level dice along the best separating side; below 0 they overlap."""
    a, a_sides = _footprint(one, edge)
    b, b_sides = _footprint(other, edge)
    gaps = []
    for dx, dy in (*a_sides, *b_sides):
        p, q = [x * dx + y * dy for x, y in a], [x * dx + y * dy for x, y in b]
        gaps.append(max(min(q) - max(p), min(p) - max(q)))
    return max(gaps)


def _footprint(pose: Pose, edge: float) -> tuple[list[Flat], list[Flat]]:
    """A level die's corners on the floor, and the directions of its sides."""
    w, x, y, z = pose.q
    # Of the die's three axes, two lie level; both give the sides' directions.
    columns = (
        (1 - 2 * (y * y + z * z), 2 * (x * y + w * z)),
        (2 * (x * y - w * z), 1 - 2 * (x * x + z * z)),
        (2 * (x * z + w * y), 2 * (y * z - w * x)),
    )
    u, v = sorted(columns, key=lambda column: math.hypot(*column))[1:]
    h = edge / 2
    signs = ((1, 1), (1, -1), (-1, -1), (-1, 1))
    return [(pose.x_mm + h * (a * u[0] + b * v[0]), pose.y_mm + h * (a * u[1] + b * v[1])) for a, b in signs], [u, v]
