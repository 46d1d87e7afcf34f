"""The way of one thrown die: out of the hand, over the rail, a few bounces, a roll, and to rest on a given face."""

import math
import random
from dataclasses import dataclass

from dicereader.tray.geometry import Tray
from dicereader.world import DieKey, Pose, Quaternion, multiply, turn

Point = tuple[float, float, float]

RATE = 60.0
"""Keys a second."""

_SLOWING = 2.2  # the way left is (1 - share of the time) to this power
_BOUNCES = ((0.0, 0.30, 0.0), (0.30, 0.54, 13.0), (0.54, 0.70, 4.0), (0.70, 0.80, 1.2))


@dataclass(frozen=True)
class Toss:
    """One die's flight and roll: from where and when, to its pose at rest, with what spin."""

    start_s: float
    length_s: float
    start: Point
    rest: Pose
    roll_rad: float  # turned around the level axis across its way, from release to rest
    spin_rad: float  # turned around the vertical
    off_far_wall: bool

    def keys(self, tray: Tray) -> list[DieKey]:
        """The die's keys from its release to its rest, the rest's pose exact."""
        count = max(2, math.ceil(self.length_s * RATE))
        shares = [i / count for i in range(count)]
        keys = [DieKey(round(self.start_s + s * self.length_s, 4), self._pose(s, tray)) for s in shares]
        return [*keys, DieKey(round(self.start_s + self.length_s, 4), self.rest)]

    def _pose(self, share: float, tray: Tray) -> Pose:
        left = (1 - share) ** _SLOWING
        x0, y0, z0 = self.start
        wall = tray.half_mm - tray.die_mm * 0.75
        y1 = 2 * wall - self.rest.y_mm if self.off_far_wall else self.rest.y_mm
        x, y = self.rest.x_mm + (x0 - self.rest.x_mm) * left, y1 + (y0 - y1) * left
        if y > wall:
            y = 2 * wall - y
        across = (-(y1 - y0), self.rest.x_mm - x0, 0.0)
        q = multiply(turn(across, -self.roll_rad * left), self.rest.q)
        q = multiply(turn((0, 0, 1), -self.spin_rad * left), q)
        z = reach_down(q, tray.die_mm) + self._lift(share, z0) + self._over_rail(share, y, tray)
        return Pose(round(x, 3), round(y, 3), round(z, 3), _rounded(q))

    def _lift(self, share: float, z0: float) -> float:
        for begin, end, high in _BOUNCES:
            if begin <= share < end:
                part = (share - begin) / (end - begin)
                return z0 * (1 - part * part) if begin == 0.0 else 4 * high * part * (1 - part)
        return 0.0

    def _over_rail(self, share: float, y: float, tray: Tray) -> float:
        high = tray.rail_height_mm + 4
        return high * math.exp(-(((y - tray.rail_y_mm) / 20.0) ** 2)) * (1 - share**6)


def toss(rng: random.Random, start_s: float, start: Point, rest: Pose) -> Toss:
    """A toss by chance, that ends at `rest` about half a second later."""
    return Toss(
        start_s=start_s,
        length_s=rng.uniform(0.50, 0.60),
        start=start,
        rest=rest,
        roll_rad=rng.uniform(8.0, 14.0),
        spin_rad=rng.gauss(0.0, 2.5),
        off_far_wall=rest.y_mm > 0 and rng.random() < 0.35,
    )


def hop(rng: random.Random, start_s: float, start: Point, rest: Pose, tray: Tray) -> list[DieKey]:
    """The keys of a die that rolls into the throw area and hops back over the rail, to rest on the shelf."""
    near = tray.rail_y_mm + tray.die_mm * 2.2
    turned = multiply(turn((1, 0.3, 0), rng.uniform(1.2, 2.4)), rest.q)
    before = Pose(rest.x_mm + rng.uniform(-12, 12), near, reach_down(turned, tray.die_mm), _rounded(turned))
    keys = toss(rng, start_s, start, before).keys(tray)
    leaves_s, high = keys[-1].t_s, tray.rail_height_mm + tray.die_mm
    steps = 14
    for n in range(1, steps):
        share = n / steps
        q = multiply(turn((1, 0.3, 0), -2.0 * math.pi * share), turned)
        x, y = (a + (b - a) * share for a, b in ((before.x_mm, rest.x_mm), (before.y_mm, rest.y_mm)))
        z = reach_down(q, tray.die_mm) + 4 * high * share * (1 - share)
        keys.append(DieKey(round(leaves_s + 0.24 * share, 4), Pose(round(x, 3), round(y, 3), round(z, 3), _rounded(q))))
    return [*keys, DieKey(round(leaves_s + 0.26, 4), rest)]


def spin(rng: random.Random, start_s: float, start: Point, rest: Pose, spin_s: float, tray: Tray) -> list[DieKey]:
    """The keys of a die that ends its way spinning on a corner for `spin_s` seconds, and then falls flat."""
    yaw, edge = rng.uniform(0, 2 * math.pi), tray.die_mm
    keys = toss(rng, start_s, start, on_corner(rest.x_mm, rest.y_mm, edge, yaw)).keys(tray)
    begins_s, steps = keys[-1].t_s, math.ceil(spin_s * RATE)
    for n in range(1, steps + 1):
        share = n / steps
        turned = yaw + spin_s * (26.0 * share - 6.0 * share * share)  # it slows down from 26 to 14 radians a second
        keys.append(DieKey(round(begins_s + spin_s * share, 4), on_corner(rest.x_mm, rest.y_mm, edge, turned)))
    return [*keys, DieKey(round(begins_s + spin_s + 0.14, 4), rest)]


def on_corner(x: float, y: float, edge: float, yaw: float) -> Pose:
    """A die that stands on a corner, as one that spins does."""
    standing = turn((1, -1, 0), math.acos(1 / math.sqrt(3)) - 0.06)
    q = multiply(turn((0, 0, 1), yaw), standing)
    return Pose(round(x, 3), round(y, 3), round(reach_down(q, edge), 3), _rounded(q))


def reach_down(q: Quaternion, edge_mm: float) -> float:
    """How high a die's middle is above its lowest corner when it is turned like this."""
    w, x, y, z = q
    up = (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
    return edge_mm / 2 * sum(abs(part) for part in up)


def _rounded(q: Quaternion) -> Quaternion:
    w, x, y, z = (round(part, 5) for part in q)
    return w, x, y, z
