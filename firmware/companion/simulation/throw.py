"""One throw of several simulated dice: their rests and trajectories, with the fewest clashes of several tries."""

import math
import random
from collections.abc import Callable, Sequence

from companion.simulation.poses import FloorPoint, free_poses
from companion.simulation.trajectory import Point, toss
from dicereader.sources.synthetic.world import DieKey, Pose
from dicereader.tray.geometry import Tray

Flights = list[list[DieKey]]
Toss = Callable[[], tuple[Flights, list[Pose]]]
"""Makes one throw: the keys of each die from its release, and the poses at rest."""

TOSSES = 8


def toss_dice(
    rng: random.Random, tray: Tray, faces: Sequence[int], resting: Sequence[Pose], release_s: float, palm: FloorPoint
) -> tuple[Flights, list[Pose]]:
    """Return the flights and rests of dice that a hand releases at `palm`; `resting` dice stay where they are."""
    rests = free_poses(rng, tray, faces, resting)
    flights = [toss(rng, *released(rng, n, release_s, palm), rest, tray) for n, rest in enumerate(rests)]
    return flights, rests


def released(rng: random.Random, number: int, release_s: float, palm: FloorPoint) -> tuple[float, Point]:
    """Return when and where the die of this number in the hand is released."""
    at_s = round(release_s + rng.uniform(0.0, 0.03), 4)
    beside = (number % 3 - 1) * 18 + rng.uniform(-3, 3)
    return at_s, (palm[0] + beside, palm[1] + 50.0 + number // 3 * 18, 50.0 + number // 3 * 4)


def least_clashing(make: Toss, resting: Sequence[Pose], edge: float) -> tuple[Flights, list[Pose]]:
    """Return the throw, of `TOSSES` tries, whose dice least pass through each other or through dice at rest."""
    throws = []
    for _ in range(TOSSES):
        flights, rests = make()
        throws.append((_clashes(flights, resting, edge), flights, rests))
        if not throws[-1][0]:
            break
    _, flights, rests = min(throws, key=lambda throw: throw[0])
    return flights, rests


def _clashes(flights: Flights, resting: Sequence[Pose], edge: float) -> int:
    """Count, in the latter part of a throw, the keys at which two middles are nearer than a die's edge."""
    count = 0
    for n, keys in enumerate(flights):
        late = keys[len(keys) // 3 :]
        others = [[DieKey(key.t_s, pose) for key in late] for pose in resting] + flights[:n]
        for flight in others:
            for key in late:
                near = min(flight, key=lambda other: abs(other.t_s - key.t_s)).pose
                p, q = (key.pose.x_mm, key.pose.y_mm, key.pose.z_mm), (near.x_mm, near.y_mm, near.z_mm)
                count += math.dist(p, q) < edge
    return count
