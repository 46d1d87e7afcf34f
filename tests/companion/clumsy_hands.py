"""Simulated hands that make mistakes, for tests: throws with mishaps, and other acts than throws."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.simulation.hands import AWAY_MM, WHOLE_SWEEP_S, SimulatedHands
from companion.simulation.sweep import sweep
from companion.simulation.throw import (
    GAP_MM,
    RATE,
    TRIES,
    Flights,
    FloorPoint,
    Point,
    free_pockets,
    free_poses,
    gap,
    level,
    reach_down,
    released,
    rounded,
    toss,
)
from dicereader.errors import WorldError
from dicereader.sources.synthetic.world import (
    DieKey,
    HandKey,
    HandPath,
    Pose,
    World,
    multiply,
    turn,
)
from dicereader.tray.geometry import Tray

_BESIDE_MM = 420.0
"""The distance to the side of a die beside the tray, out of the picture."""

_ROOM_MM = 3.0

_GRIP_MM = 52.0
"""How far ahead of the palm a die is that the fingers push."""


@dataclass(frozen=True)
class Manner:
    """The manner of a throw: plain, or with mishaps. A count means that many of the thrown dice, from the first on."""

    lingers_s: float = 0.0  # the hand stays over the tray's edge after the dice have left it
    hops: int = 0  # dice that hop over the rail onto the shelf
    spin_s: float = 0.0  # one die spins on its corner before it falls
    strikes: int | None = None  # a die that was not thrown is struck and pushed on


PLAIN = Manner()


class ClumsyHands(SimulatedHands):
    """Hands whose throws may have mishaps. They also nudge, hover, and take dice away."""

    _manner = PLAIN
    _struck_s = 0.0

    def throw(self, faces: Sequence[int], dice: Sequence[int] | None = None, manner: Manner = PLAIN) -> World:
        """Throw in this manner."""
        if dice is not None and manner.strikes in dice:
            raise WorldError(f"expected a die that is not thrown to be struck, got {manner.strikes!r}")
        self._manner = manner
        try:
            return super().throw(faces, dice)
        finally:
            self._manner = PLAIN

    def _release(self, release_s: float, palm: FloorPoint) -> list[HandKey]:
        manner = self._manner
        self._struck_s = release_s + 0.22
        gone_s = release_s + 0.04
        x, y = palm
        keys = [HandKey(release_s, x, y, 66.0), HandKey(gone_s, x, y + 10.0, 66.0)]
        if manner.lingers_s:
            gone_s += manner.lingers_s
            keys.append(HandKey(gone_s, x, y + 12.0, 64.0))
        return [*keys, HandKey(gone_s + 0.12, x * 0.7, AWAY_MM, 75.0)]

    def _toss(
        self, faces: Sequence[int], resting: Sequence[Pose], release_s: float, palm: FloorPoint
    ) -> tuple[Flights, list[Pose]]:
        rng, tray, manner = self._rng, self._tray, self._manner
        pockets = zip(free_pockets(tray, resting)[: manner.hops], faces, strict=False)
        rests = [hopped(rng, tray, pocket, face) for pocket, face in pockets]
        rests += free_poses(rng, tray, faces[len(rests) :], [*resting, *rests])
        flights: Flights = []
        for n, rest in enumerate(rests):
            at_s, start = released(rng, n, release_s, palm)
            if n < manner.hops:
                flights.append(hop(rng, at_s, start, rest, tray))
            elif manner.spin_s and n == manner.hops:
                flights.append(spin(rng, at_s, start, rest, manner.spin_s, tray))
            else:
                flights.append(toss(rng, at_s, start, rest, tray))
        return flights, rests

    def _struck(self, die: int) -> list[DieKey]:
        """Return the keyframes of a die that another die strikes and pushes on. Its face stays up."""
        here, edge = self._poses[die], self._tray.die_mm
        for _ in range(TRIES):
            x, y = here.x_mm + self._rng.uniform(-22, 22), here.y_mm + self._rng.uniform(8, 26)
            goal = level(x, y, edge, self._faces[die], self._rng.uniform(0, 2 * math.pi))
            if max(abs(x), abs(y)) < self._tray.half_mm - edge and self._clear(die, goal, GAP_MM):
                self._poses[die] = goal
                return [DieKey(round(self._struck_s, 4), here), DieKey(round(self._struck_s + 0.25, 4), goal)]
        raise WorldError(f"expected room beside die {die}, to be struck, got none")

    def _clear(self, die: int, goal: Pose, least_mm: float) -> bool:
        others = [pose for i, pose in enumerate(self._poses) if i != die]
        return all(gap(goal, other, self._tray.die_mm) > least_mm for other in others)

    def unshelve(self, dice: Sequence[int]) -> World:
        """Take dice from the shelf back into the throw area."""
        self._check(dice)
        if set(dice) - set(self.shelved):
            raise WorldError(f"expected dice of the shelf, {list(self.shelved)!r}, got {list(dice)!r}")
        resting = [pose for i, pose in enumerate(self._poses) if i not in dice]
        return self._lay(dice, free_poses(self._rng, self._tray, [self._faces[i] for i in dice], resting))

    def nudge(self, die: int) -> World:
        """Reach in, and push and turn a die in the throw area a little. The same face stays up."""
        self._check([die])
        here, edge = self._poses[die], self._tray.die_mm
        near = self._tray.rail_y_mm + edge
        for _ in range(TRIES):
            way, heading = self._rng.uniform(4.0, 30.0), self._rng.uniform(0, 2 * math.pi)
            x, y = here.x_mm + way * math.cos(heading), here.y_mm + way * math.sin(heading)
            goal = level(x, y, edge, self._faces[die], self._rng.uniform(0, 2 * math.pi))
            inside = abs(x) < self._tray.half_mm - edge and near < y < self._tray.half_mm - edge
            if inside and self._clear(die, goal, _ROOM_MM):
                return self._slide(die, goal)
        raise WorldError(f"expected room beside die {die}, to be nudged, got none")

    def _slide(self, die: int, goal: Pose) -> World:
        here = self._poses[die]
        paths = [[DieKey(0.0, pose)] for pose in self._poses]
        x, y = here.x_mm, here.y_mm - _GRIP_MM
        hand = [HandKey(0.0, x * 0.7, AWAY_MM, 60.0), HandKey(0.25, x, y, 32.0), HandKey(0.32, x, y, 32.0)]
        hand += [HandKey(0.55, goal.x_mm, goal.y_mm - _GRIP_MM, 32.0), HandKey(0.62, goal.x_mm, goal.y_mm - _GRIP_MM)]
        hand.append(HandKey(0.85, goal.x_mm * 0.8, AWAY_MM, 60.0))
        paths[die] += [DieKey(0.32, here), DieKey(0.55, goal)]
        self._poses[die] = goal
        return self._world(paths, hand)

    def hover(self, seconds: float = 0.8, from_deg: float = 0.0) -> World:
        """Hold a hand over the tray as if it pointed at something. It touches nothing."""
        x, y = self._rng.uniform(-50, 50), self._rng.uniform(-90, 0)
        turned = math.radians(from_deg)
        away = AWAY_MM * -math.sin(turned), AWAY_MM * math.cos(turned)
        keys = (
            HandKey(0.0, *away, 80.0),
            HandKey(0.25, x, y, 70.0),
            HandKey(0.25 + seconds, x + self._rng.uniform(-15, 15), y, 75.0),
            HandKey(0.5 + seconds, *away, 80.0),
        )
        return replace(self.still(), hand=HandPath(keys, from_deg))

    def take_away(self, dice: Sequence[int]) -> World:
        """Take dice out of the tray and lay them beside it, outside the picture."""
        self._check(dice)
        if any(abs(self._poses[i].x_mm) >= _BESIDE_MM for i in dice):
            raise WorldError(f"expected dice that lie in the tray, got {list(dice)!r}")
        goals = [level(_BESIDE_MM + 25.0 * (i + 1), AWAY_MM, self._tray.die_mm, self._faces[i], 0.0) for i in dice]
        movement = sweep(self._poses, dice, {}, (self._poses[dice[0]].x_mm * 0.7, AWAY_MM), WHOLE_SWEEP_S)
        paths = self._paths(movement, dict(zip(dice, goals, strict=True)))
        for i, goal in zip(dice, goals, strict=True):
            paths[i].append(DieKey(round(movement.end_s + 0.1, 4), goal))
        return self._world(paths, movement.hand)

    @property
    def beside(self) -> tuple[int, ...]:
        """Return the dice beside the tray."""
        return tuple(i for i, pose in enumerate(self._poses) if pose.x_mm > self._tray.half_mm)

    @property
    def shelved(self) -> tuple[int, ...]:
        """Return the dice on the shelf."""
        return tuple(i for i in super().shelved if i not in self.beside)

    @property
    def rolled(self) -> tuple[int, ...]:
        """Return the dice in the throw area."""
        return tuple(i for i in range(len(self._poses)) if i not in self.shelved and i not in self.beside)

    def _world(self, paths: list[list[DieKey]], hand: list[HandKey] | None) -> World:
        if hand and self._manner.strikes is not None:
            paths[self._manner.strikes] += self._struck(self._manner.strikes)
        return super()._world(paths, hand)


def hopped(rng: random.Random, tray: Tray, pocket: int, face: int) -> Pose:
    """Return the pose of a die that came to rest on the shelf by itself, so it may lie askew."""
    x, y = tray.pocket_centre_mm(pocket)
    return level(x + rng.uniform(-6, 6), y + rng.uniform(-3, 3), tray.die_mm, face, rng.uniform(0, 2 * math.pi))


def hop(rng: random.Random, start_s: float, start: Point, rest: Pose, tray: Tray) -> list[DieKey]:
    """Return the keyframes of a die that rolls into the throw area, hops back over the rail and rests on the shelf."""
    near = tray.rail_y_mm + tray.die_mm * 2.2
    turned = multiply(turn((1, 0.3, 0), rng.uniform(1.2, 2.4)), rest.q)
    before = rounded(rest.x_mm + rng.uniform(-12, 12), near, 0.0, turned)
    before = replace(before, y_mm=near, z_mm=reach_down(turned, tray.die_mm))
    keys = toss(rng, start_s, start, before, tray)
    leaves_s, high = keys[-1].t_s, tray.rail_height_mm + tray.die_mm
    steps = 14
    for n in range(1, steps):
        share = n / steps
        q = multiply(turn((1, 0.3, 0), -2.0 * math.pi * share), turned)
        x, y = (a + (b - a) * share for a, b in ((before.x_mm, rest.x_mm), (before.y_mm, rest.y_mm)))
        z = reach_down(q, tray.die_mm) + 4 * high * share * (1 - share)
        keys.append(DieKey(round(leaves_s + 0.24 * share, 4), rounded(x, y, z, q)))
    return [*keys, DieKey(round(leaves_s + 0.26, 4), rest)]


def spin(rng: random.Random, start_s: float, start: Point, rest: Pose, spin_s: float, tray: Tray) -> list[DieKey]:
    """Return the keyframes of a die that at last spins on a corner for `spin_s` seconds and then falls flat."""
    yaw, edge = rng.uniform(0, 2 * math.pi), tray.die_mm
    keys = toss(rng, start_s, start, on_corner(rest.x_mm, rest.y_mm, edge, yaw), tray)
    begins_s, steps = keys[-1].t_s, math.ceil(spin_s * RATE)
    for n in range(1, steps + 1):
        share = n / steps
        turned = yaw + spin_s * (26.0 * share - 6.0 * share * share)  # it slows down from 26 to 14 radians a second
        keys.append(DieKey(round(begins_s + spin_s * share, 4), on_corner(rest.x_mm, rest.y_mm, edge, turned)))
    return [*keys, DieKey(round(begins_s + spin_s + 0.14, 4), rest)]


def on_corner(x: float, y: float, edge: float, yaw: float) -> Pose:
    """Return the pose of a die that stands on a corner, as a spinning die does."""
    standing = turn((1, -1, 0), math.acos(1 / math.sqrt(3)) - 0.06)
    q = multiply(turn((0, 0, 1), yaw), standing)
    return rounded(x, y, reach_down(q, edge), q)
