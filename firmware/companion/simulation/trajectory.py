"""The trajectory of one thrown die: out of the hand, over the rail, a few bounces, a roll, and to rest on a face."""

import math
import random

from dicereader.sources.synthetic.world import DieKey, Pose, Quaternion, multiply, turn
from dicereader.tray.geometry import Tray

Point = tuple[float, float, float]

RATE = 60.0
"""Keys a second."""

_SLOWING = 2.2  # the way left is (1 - share of the time) to this power
_BOUNCES = ((0.0, 0.30, 0.0), (0.30, 0.54, 13.0), (0.54, 0.70, 4.0), (0.70, 0.80, 1.2))  # begin, end, height in mm


def toss(rng: random.Random, start_s: float, start: Point, rest: Pose, tray: Tray) -> list[DieKey]:
    """Return the keys of a die from its release at `start` to its rest, which it reaches about half a second later."""
    length_s = rng.uniform(0.50, 0.60)
    roll_rad = rng.uniform(8.0, 14.0)  # around the level axis across the way, from release to rest
    spin_rad = rng.gauss(0.0, 2.5)  # around the vertical
    wall = tray.half_mm - tray.die_mm * 0.75
    off_far_wall = rest.y_mm > 0 and rng.random() < 0.35
    end_y = 2 * wall - rest.y_mm if off_far_wall else rest.y_mm  # where the way would end without the wall
    across = (-(end_y - start[1]), rest.x_mm - start[0], 0.0)

    def pose(share: float) -> Pose:
        left = (1 - share) ** _SLOWING
        x, y = rest.x_mm + (start[0] - rest.x_mm) * left, end_y + (start[1] - end_y) * left
        if y > wall:
            y = 2 * wall - y
        q = multiply(turn((0, 0, 1), -spin_rad * left), multiply(turn(across, -roll_rad * left), rest.q))
        over_rail = (tray.rail_height_mm + 4) * math.exp(-(((y - tray.rail_y_mm) / 20.0) ** 2)) * (1 - share**6)
        return rounded(x, y, reach_down(q, tray.die_mm) + _height(share, start[2]) + over_rail, q)

    count = max(2, math.ceil(length_s * RATE))
    keys = [DieKey(round(start_s + i / count * length_s, 4), pose(i / count)) for i in range(count)]
    return [*keys, DieKey(round(start_s + length_s, 4), rest)]


def _height(share: float, start_mm: float) -> float:
    """Return the height in mm above the rolling die after this share of the time: a fall, then bounces."""
    for begin, end, high in _BOUNCES:
        if begin <= share < end:
            part = (share - begin) / (end - begin)
            return start_mm * (1 - part * part) if begin == 0.0 else 4 * high * part * (1 - part)
    return 0.0


def reach_down(q: Quaternion, edge_mm: float) -> float:
    """Return the height in mm of a die's middle above its lowest corner in this orientation."""
    w, x, y, z = q
    up = (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
    return edge_mm / 2 * sum(abs(part) for part in up)


def rounded(x: float, y: float, z: float, q: Quaternion) -> Pose:
    """Return a pose rounded to micrometres, its orientation to five digits."""
    w, i, j, k = (round(part, 5) for part in q)
    return Pose(round(x, 3), round(y, 3), round(z, 3), (w, i, j, k))
