"""One movement of a hand: it puts dice aside, scoops up others, and takes them to where it throws them. Pure."""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from companion.simulation.throw import FloorPoint
from dicereader.sources.synthetic.world import DieKey, HandKey, Pose

AWAY_MM = -310.0
"""Where a palm is out of the picture, on the players' side."""

_EDGE_MM = -250.0
"""Where the fingertips of a palm that is held high are about to enter the picture."""

RELEASE_MM = -196.0
"""Where a palm releases dice, on the players' side, so that they fly over the shelf."""

NEAR_RELEASE_MM = -116.0
"""The same of a hand that has just put dice aside: none flies over them, which would look as if they were thrown."""

SWEEP_S = 0.24
"""The time of the way from the start to the release, in seconds; the dwell where dice are put aside comes to it."""

DWELL_S = 0.04
"""How long the hand dwells over dice that it has put aside: a frame of the eye must show it there."""

_BEHIND_MM = 20.0  # a palm is this far behind the die under it, as seen from the players
_CARRIED_MM = 28.0  # the middle of a die under the palm: above the rail
_AWAY_HIGH_MM, _LOW_MM = 70.0, 55.0


@dataclass
class Sweep:
    """The keys of the hand, and of each die that it moves, from the start to the release."""

    hand: list[HandKey]
    dice: dict[int, list[DieKey]] = field(default_factory=dict)

    @property
    def end_s(self) -> float:
        """When the hand reaches the place of the release."""
        return self.hand[-1].t_s


@dataclass(frozen=True)
class _PalmStop:
    """A place of the palm. There it takes the `die` up, or lays it down in the pose `laid`."""

    palm: FloorPoint
    die: int | None = None
    laid: Pose | None = None
    least_s: float = 0.015


def sweep(
    poses: Sequence[Pose], thrown: Iterable[int], aside: Mapping[int, Pose], palm: FloorPoint, way_s: float = SWEEP_S
) -> Sweep:
    """Return the movement of a hand that lays dice aside, takes up those to be thrown, and is ready to release them.

    Args:
        poses: Where all dice lie.
        thrown: The dice to take up.
        aside: The poses in pockets of the dice to put aside.
        palm: Where the hand releases the dice.
        way_s: The time of the way.
    """
    stops = _stops(poses, thrown, aside, palm)
    speed = sum(math.dist(a.palm, b.palm) for a, b in itertools.pairwise(stops)) / way_s
    made = Sweep([HandKey(0.0, *stops[0].palm, _AWAY_HIGH_MM)])
    carried: list[int] = []
    for before, stop in itertools.pairwise(stops):
        t_s = round(made.end_s + max(stop.least_s, math.dist(before.palm, stop.palm) / speed), 4)
        made.hand.append(HandKey(t_s, *stop.palm, _LOW_MM))
        for place, die in enumerate(carried):
            here = stop.laid if die == stop.die and stop.laid is not None else None
            turned = aside[die].q if die in aside else poses[die].q
            made.dice[die].append(DieKey(t_s, here or _under(stop.palm, place, turned)))
        if stop.die is not None and stop.laid is None:
            carried.append(stop.die)
            made.dice[stop.die] = [DieKey(t_s, poses[stop.die])]
        elif stop.die is not None:
            carried.remove(stop.die)
    return made


def _stops(
    poses: Sequence[Pose], thrown: Iterable[int], aside: Mapping[int, Pose], palm: FloorPoint
) -> list[_PalmStop]:
    """Return the way of the palm, which goes through each group of dice from its nearer side to the other."""
    start_x = 0.6 * next((poses[die].x_mm for die in (*aside, *thrown)), 0.0)
    stops = [_PalmStop((start_x, _EDGE_MM))]
    if aside:
        stops += _along(stops[-1], [_PalmStop(_behind(poses[die]), die) for die in aside])
        laid = _along(stops[-1], [_PalmStop(_behind(pose), die, pose) for die, pose in aside.items()])
        stops += [
            _PalmStop(laid[0].palm),
            *laid,
            _PalmStop(laid[-1].palm, least_s=DWELL_S),
        ]  # over the rail first, then down
    stops += _along(stops[-1], [_PalmStop(_behind(poses[die]), die) for die in thrown])
    return [*stops, _PalmStop(palm)]


def _along(before: _PalmStop, stops: Iterable[_PalmStop]) -> list[_PalmStop]:
    """Return the stops from left to right, or from right to left if the palm comes from there."""
    ordered = sorted(stops, key=lambda stop: stop.palm[0])
    return min(ordered, ordered[::-1], key=lambda way: [math.dist(before.palm, stop.palm) for stop in way[:1]])


def _behind(pose: Pose) -> FloorPoint:
    return pose.x_mm, pose.y_mm - _BEHIND_MM


def _under(palm: FloorPoint, place: int, turned: tuple[float, float, float, float]) -> Pose:
    """Return the pose of a carried die: two rows of three under the palm."""
    return Pose(palm[0] + (place % 3 - 1) * 17.0, palm[1] + place // 3 * 18.0 - 6.0, _CARRIED_MM, turned)
