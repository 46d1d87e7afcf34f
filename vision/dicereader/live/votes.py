"""Vote on several readings of one tray at rest, and check that the dice were still during the vote."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

from dicereader.data.frame import Frame
from dicereader.live.episode import turned_deg
from dicereader.reading import DiceReading, Doubt, ReadDie, match_places, same_dice

Vote = tuple[Frame, DiceReading]

STILL_DICE = 0.02
"""Distance in edges of a die from vote to vote above which a die moves."""

STILL_DEG = 2.0
"""Degrees that a die turns from each vote to the next, always the same way, when it spins."""


def largest_group(votes: Sequence[Vote]) -> list[Vote]:
    """Return the largest group of votes with the same dice."""
    groups = [[vote for vote in votes if same_dice(vote[1], one[1])] for one in votes]
    return max(groups, key=len)


def best(group: Sequence[Vote]) -> Vote:
    """Return the vote with the highest confidence of its weakest die, among those as sure as most of the group."""
    sure = 2 * sum(reading.sure for _, reading in group) > len(group)
    like_most = [vote for vote in group if vote[1].sure == sure]
    return max(like_most, key=lambda vote: min((die.confidence for die in vote[1].dice), default=1.0))


def doubted(reading: DiceReading, dice: Sequence[int] = ()) -> DiceReading:
    """Return the reading with the faces of these dice in doubt, or of the whole picture if no die is named."""
    if not dice:
        return replace(reading, sure=False, doubts=_with(reading.doubts, Doubt.FACE))
    marked = (
        replace(die, doubts=_with(die.doubts, Doubt.FACE)) if i in dice else die for i, die in enumerate(reading.dice)
    )
    return replace(reading, dice=tuple(marked), sure=False)


def disputed(reading: DiceReading, votes: Sequence[Vote]) -> DiceReading:
    """Return the reading with doubts where other votes differ: in faces, or in the number of dice."""
    found: set[int] = set()
    for _, other in votes:
        places = match_places(reading.dice, other.dice)
        if None in places or len(places) != len(other.dice):
            return replace(reading, sure=False, doubts=_with(reading.doubts, Doubt.COUNT))
        pairs = enumerate(zip(reading.dice, places, strict=True))
        found |= {i for i, (die, j) in pairs if j is not None and die.face != other.dice[j].face}
    return doubted(reading, sorted(found))


def were_still(votes: Sequence[Vote]) -> bool:
    """Return whether no die moved or spun during these votes for the same dice."""
    first, *later = [reading for _, reading in sorted(votes, key=lambda vote: vote[0].at_s)]
    paths = [[die] for die in first.dice]  # each die of the first reading as it is in one reading after the other
    for reading in later:
        for path, j in zip(paths, match_places(first.dice, reading.dice), strict=True):
            if j is not None:
                path.append(reading.dice[j])
    return all(map(_is_still, paths))


def _is_still(path: Sequence[ReadDie]) -> bool:
    """Return whether one die neither moved from reading to reading nor turned the same way each time."""
    steps = list(itertools.pairwise(die for die in path if len(die.outline) == 4))
    if any(_top_distance(before, now) > STILL_DICE for before, now in steps):
        return False
    turns = [turned_deg(before, now) for before, now in steps]
    return len(turns) < 2 or not (min(turns) > STILL_DEG or max(turns) < -STILL_DEG)  # one turn may be a misreading


def _top_distance(a: ReadDie, b: ReadDie) -> float:
    """Return the distance of the middles of two outlined tops, in edges of a die."""
    (ax, ay), (bx, by) = (
        (sum(xs) / 4, sum(ys) / 4) for xs, ys in (zip(*o, strict=True) for o in (a.outline, b.outline))
    )
    return math.hypot(ax - bx, ay - by) / max(1.0, math.dist(a.outline[0], a.outline[1]))


def _with(doubts: tuple[Doubt, ...], doubt: Doubt) -> tuple[Doubt, ...]:
    return doubts if doubt in doubts else (*doubts, doubt)
