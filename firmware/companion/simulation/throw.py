"""Throws of simulated dice: how they go, where the dice come to rest, and on which ways. Pure, from a random source."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from companion.simulation.poses import Flat, apart, leaning, level, stacked
from companion.simulation.trajectory import Point, hop, spin, toss
from dicereader.tray.geometry import Tray
from dicereader.world import DieKey, Pose

GAP_MM = 2.5
"""At least so much is between two dice at rest."""

_TRIES = 60


@dataclass(frozen=True)
class Manner:
    """How a throw goes: as it should, or with a mishap. Numbers are of thrown dice, the first of them first."""

    lingers_s: float = 0.0  # the hand stays over the tray's edge so long after the dice have left it
    later_s: float = 0.0  # the latter half of the dice leaves the hand so much later
    hops: int = 0  # so many dice hop over the rail onto the shelf
    leans: int = 0  # so many come to rest against the far wall
    stacks: int = 0  # so many come to rest on another
    spin_s: float = 0.0  # one die spins on its corner so long before it falls
    strikes: int | None = None  # a die that was not thrown is struck and pushed on


AS_IT_SHOULD = Manner()


def best_flights(
    rng: random.Random, tray: Tray, faces: Sequence[int], lying: list[Pose], release_s: float, x: float, manner: Manner
) -> tuple[list[list[DieKey]], list[Pose]]:
    """Of several throws the one whose dice least run through each other or through those that lie there."""
    best: tuple[int, list[list[DieKey]], list[Pose]] | None = None
    for _ in range(8):
        rests = _rests(rng, tray, faces, lying, manner)
        flights = []
        for n, rest in enumerate(rests):
            later = manner.later_s if 2 * n >= len(rests) else 0.0
            at = round(release_s + later + rng.uniform(0.0, 0.03), 4)
            start = x + (n % 3 - 1) * 18 + rng.uniform(-3, 3), -146.0 + n // 3 * 18, 50.0 + n // 3 * 4
            flights.append(_flight(rng, tray, n, at, start, rest, manner))
        clashes = _clashes(flights, lying, tray.die_mm)
        if best is None or clashes < best[0]:
            best = clashes, flights, rests
        if not clashes:
            break
    assert best is not None
    return best[1], best[2]


def _rests(rng: random.Random, tray: Tray, faces: Sequence[int], lying: list[Pose], manner: Manner) -> list[Pose]:
    """Where thrown dice come to rest: in the throw area, or where a mishap takes them."""
    edge = tray.die_mm
    free = [p for p in range(tray.pockets) if is_free(tray.pocket_centre_mm(p), lying, edge)]
    rests = [_hopped(rng, tray, p, face) for p, face in zip(free[: manner.hops], faces, strict=False)]
    middles = rng.sample((-90.0, -55.0, -20.0, 20.0, 55.0, 90.0), min(6, manner.leans))
    rests += [leaning(rng, x, tray, face) for x, face in zip(middles, faces[len(rests) :], strict=False)]
    on_others = min(manner.stacks, max(0, len(faces) - len(rests) - 1))
    rests += places(rng, tray, faces[len(rests) : len(faces) - on_others], [*lying, *rests])
    rests += [stacked(rng, rests[-1], edge, face) for face in faces[len(rests) :]]
    return rests


def _flight(
    rng: random.Random, tray: Tray, n: int, at_s: float, start: Point, rest: Pose, manner: Manner
) -> list[DieKey]:
    if n < manner.hops:
        return hop(rng, at_s, start, rest, tray)
    if manner.spin_s and n == manner.hops + manner.leans:
        return spin(rng, at_s, start, rest, manner.spin_s, tray)
    return toss(rng, at_s, start, rest).keys(tray)


def places(rng: random.Random, tray: Tray, faces: Sequence[int], lying: Sequence[Pose]) -> list[Pose]:
    """Poses at rest in the throw area, by chance, none over another."""
    edge = tray.die_mm
    margin = edge * 0.75 + 1
    far, near = tray.half_mm - margin, tray.rail_y_mm + tray.rail_mm / 2 + margin + 4
    middle = rng.uniform(-35, 35), rng.uniform(-10, 45)
    poses: list[Pose] = []
    spread = 42.0
    while len(poses) < len(faces):
        for _ in range(_TRIES):
            x = min(far, max(-far, rng.gauss(middle[0], spread)))
            y = min(far, max(near, rng.gauss(middle[1], spread)))
            pose = level(x, y, edge, faces[len(poses)], rng.uniform(0, 2 * math.pi))
            if all(apart(pose, other, edge) > GAP_MM for other in (*lying, *poses)):
                poses.append(pose)
                break
        else:
            spread += 10  # crowded: look farther
    return poses


def pocketed(rng: random.Random, tray: Tray, pocket: int, face: int) -> Pose:
    """A die that a hand has put into a pocket of the shelf."""
    x, y = tray.pocket_centre_mm(pocket)
    yaw = rng.choice((0, 1, 2, 3)) * math.pi / 2 + rng.gauss(0, 0.12)
    x, y = x + rng.uniform(-2, 2), y + rng.uniform(-2, 2)
    return level(x, y, tray.die_mm, face, yaw)


def _hopped(rng: random.Random, tray: Tray, pocket: int, face: int) -> Pose:
    """A die that came to rest on the shelf by itself: no hand has laid it straight."""
    x, y = tray.pocket_centre_mm(pocket)
    return level(x + rng.uniform(-6, 6), y + rng.uniform(-3, 3), tray.die_mm, face, rng.uniform(0, 2 * math.pi))


def is_free(at: Flat, poses: Sequence[Pose], edge: float) -> bool:
    """Whether no die lies at a point of the floor."""
    return all(math.dist(at, (pose.x_mm, pose.y_mm)) > edge * 1.2 for pose in poses)


def _clashes(flights: list[list[DieKey]], lying: list[Pose], edge: float) -> int:
    """How often, in the latter part of a throw, two middles are nearer than a die's edge."""
    count = 0
    for n, keys in enumerate(flights):
        late = keys[len(keys) // 3 :]
        others = [[DieKey(key.t_s, pose) for key in late] for pose in lying] + flights[:n]
        for flight in others:
            for key in late:
                near = min(flight, key=lambda other: abs(other.t_s - key.t_s)).pose
                p, q = (key.pose.x_mm, key.pose.y_mm, key.pose.z_mm), (near.x_mm, near.y_mm, near.z_mm)
                count += math.dist(p, q) < edge
    return count
