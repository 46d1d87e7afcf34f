"""Votes: several readings of one tray at rest, which of them hold, and whether the dice lay still meanwhile."""

import itertools
from collections.abc import Sequence
from dataclasses import replace

from dicereader.frame import Frame
from dicereader.live.episode import lie_apart, turn_deg
from dicereader.reading import DiceReading, Doubt, ReadDie, matched, same_dice

Vote = tuple[Frame, DiceReading]

STILL_DICE = 0.02
"""A die whose pose changes by more than this share of its edge from vote to vote is moving."""

STILL_DEG = 2.0
"""One that turns by more than this from each vote to the next, always the same way, spins; one turn may be misread."""


def largest_group(votes: Sequence[Vote]) -> list[Vote]:
    """The votes for the tray that most are for."""
    groups = [[vote for vote in votes if same_dice(vote[1], one[1])] for one in votes]
    return max(groups, key=len)


def best(group: Sequence[Vote]) -> Vote:
    """The vote to go by: of the readings that are as sure as most of them are, the one with the surest weakest die."""
    sure = 2 * sum(reading.sure for _, reading in group) > len(group)
    like_most = [vote for vote in group if vote[1].sure == sure]
    return max(like_most, key=lambda vote: min((die.confidence for die in vote[1].dice), default=1.0))


def doubted(reading: DiceReading, dice: Sequence[int] = ()) -> DiceReading:
    """The reading, not sure any more: the faces of these dice are in doubt, or of all of it where none is named."""
    if not dice:
        return replace(reading, sure=False, doubts=_with(reading.doubts, Doubt.FACE))
    marked = (
        replace(die, doubts=_with(die.doubts, Doubt.FACE)) if i in dice else die for i, die in enumerate(reading.dice)
    )
    return replace(reading, dice=tuple(marked), sure=False)


def disputed(reading: DiceReading, votes: Sequence[Vote]) -> DiceReading:
    """The reading, in doubt for the votes against it: the dice that others tell otherwise, or how many there are."""
    found: set[int] = set()
    for _, other in votes:
        places = matched(reading.dice, other.dice)
        if None in places or len(places) != len(other.dice):
            return replace(reading, sure=False, doubts=_with(reading.doubts, Doubt.COUNT))
        pairs = enumerate(zip(reading.dice, places, strict=True))
        found |= {i for i, (die, j) in pairs if j is not None and die.face != other.dice[j].face}
    return doubted(reading, sorted(found))


def lay_still(votes: Sequence[Vote]) -> bool:
    """Whether no die moved or spun while these votes for one tray were taken."""
    ordered = [reading for _, reading in sorted(votes, key=lambda vote: vote[0].at_s)]
    turns: list[dict[int, float]] = []
    first = ordered[0]
    for before, now in itertools.pairwise(ordered):
        steps = {}
        origin = matched(now.dice, first.dice)
        for die, j, k in zip(now.dice, matched(now.dice, before.dice), origin, strict=True):
            if j is None or k is None:
                continue
            if _outlined(die, before.dice[j]) and lie_apart(die, before.dice[j]) > STILL_DICE:
                return False
            steps[k] = _turned_deg(before.dice[j], die)
        turns.append(steps)
    spun = (k for k in turns[0] if all(abs(step.get(k, 0.0)) > STILL_DEG for step in turns)) if len(turns) > 1 else ()
    return not any(len({step[k] > 0 for step in turns}) == 1 for k in spun)


def _outlined(*dice: ReadDie) -> bool:
    return all(len(die.outline) == 4 for die in dice)


def _turned_deg(before: ReadDie, now: ReadDie) -> float:
    """How far a square top has turned, from -45 to 45 degrees; 0 where an outline is not known."""
    if not _outlined(before, now):
        return 0.0
    return (turn_deg(now) - turn_deg(before) + 45.0) % 90.0 - 45.0


def _with(doubts: tuple[Doubt, ...], doubt: Doubt) -> tuple[Doubt, ...]:
    return doubts if doubt in doubts else (*doubts, doubt)
