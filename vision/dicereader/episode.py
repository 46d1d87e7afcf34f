"""What became of each die between two settled readings."""

import math
from collections.abc import Callable, Sequence

from dicereader.reading import Box, DiceReading, Episode, Fate, ReadDie

SAME_PLACE = 0.25
"""A die found within this share of its edge of where one lay before never moved, if it shows the same face."""

SAME_LIE = 0.1
SAME_TURN_DEG = 8.0
"""Where something moved, a die that stayed lies within this of where it lay, and as it was turned; by chance a thrown
die comes to rest so once in some ten thousand throws."""

MOVED_SHARE = 0.08
"""A die's box with motion on less than this share of it saw at most a neighbour's shadow."""


def matched(now: Sequence[ReadDie], before: Sequence[ReadDie]) -> list[int | None]:
    """For each die now, the index of the die before that lay in the same place, whatever its face."""
    pairs = sorted(
        (_apart(die, old), i, j)
        for i, die in enumerate(now)
        for j, old in enumerate(before)
        if _apart(die, old) <= SAME_PLACE
    )
    places: list[int | None] = [None] * len(now)
    taken: set[int] = set()
    for _, i, j in pairs:
        if places[i] is None and j not in taken:
            places[i] = j
            taken.add(j)
    return places


def same_dice(a: DiceReading, b: DiceReading) -> bool:
    """Whether two readings show the same faces in the same places."""
    if len(a.dice) != len(b.dice):
        return False
    places = matched(a.dice, b.dice)
    return all(j is not None and die.face == b.dice[j].face for die, j in zip(a.dice, places, strict=True))


def episode_between(
    before: DiceReading, now: DiceReading, hand: bool, traced: Callable[[Box], float]
) -> tuple[Episode, tuple[int, ...]]:
    """The episode, and the indices of dice that show another face though nothing moved where they lie.

    `traced` gives the share of a box where something moved with no hand near. A die with the face and place of before
    stayed; where something moved it must lie exactly as before, since a thrown die may come near. Of the others those
    that something moved under came to rest by themselves; the rest were still when the hand left. With no motion and
    no hand a die cannot have come: it is taken as placed, and the table looks at it.
    """
    fates: list[Fate] = []
    was: list[int | None] = []
    disputed: list[int] = []
    for i, (die, j) in enumerate(zip(now.dice, matched(now.dice, before.dice), strict=True)):
        moved = traced(die.box) >= MOVED_SHARE
        alike = j is not None and die.face == before.dice[j].face
        if j is not None and alike and (not moved or _lies_as(die, before.dice[j])):
            fates.append(Fate.STAYED)
            was.append(j)
        elif j is not None and not alike and not moved and not hand:
            fates.append(Fate.STAYED)
            was.append(j)
            disputed.append(i)
        else:
            fates.append(Fate.THROWN if moved else Fate.PLACED)
            was.append(None)
    return Episode(first=False, hand=hand, fates=tuple(fates), was=tuple(was)), tuple(disputed)


def _apart(a: ReadDie, b: ReadDie) -> float:
    """How far two dice are from each other, in edges of a die."""
    (ax, ay), (bx, by) = a.box.centre, b.box.centre
    edge = math.sqrt(max(1.0, (a.box.w * a.box.h + b.box.w * b.box.h) / 2))
    return math.hypot(ax - bx, ay - by) / edge


def _lies_as(now: ReadDie, before: ReadDie) -> bool:
    """Whether a die lies exactly as another did: where, and as far as their outlines are known, how turned."""
    if _apart(now, before) > SAME_LIE:
        return False
    if len(now.outline) != 4 or len(before.outline) != 4:
        return True
    between = (_turn_deg(now) - _turn_deg(before)) % 90
    return min(between, 90 - between) <= SAME_TURN_DEG


def _turn_deg(die: ReadDie) -> float:
    """How a square top is turned in the picture, 0 to 90 degrees, from its diagonal."""
    (ax, ay), _, (bx, by), _ = die.outline
    return math.degrees(math.atan2(by - ay, bx - ax)) % 90
