"""What became of each die between two settled readings."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from dicereader.reading import (
    SAME_PLACE,
    SURE,
    Box,
    DiceReading,
    Doubt,
    Episode,
    Fate,
    ReadDie,
    Zone,
    distance_in_dice,
    is_sure,
    matched,
)

SAME_LIE = 0.1
SAME_TURN_DEG = 8.0
"""Where something moved, a die that stayed lies within this of where it lay, and as it was turned; by chance a thrown
die comes to rest so once in some ten thousand throws."""

SHELF_TURN_DEG = 15.0
"""On the shelf hardly a thrown die comes to rest. Where no hand has taken the one before, it is enough that the place
is the same, and the turn within this: a lamp or a push of the tray changes what is seen there most."""

NUDGED_WITHIN = 4.0
"""A die that is pushed on goes no farther than this, in edges of a die."""

COVERED_WITHIN = 1.0
"""A die that lay under another is found this near to where that one lay, in edges of a die."""

MOVED_SHARE = 0.08
"""A die's box with motion on less than this share of it saw at most a neighbour's shadow."""


AS_ONE_LEAST = 3
AS_ONE_NEAR = 1.0
AS_ONE_WITHIN = 0.2
AS_ONE_TURN_DEG = 10.0
"""So many dice that all lie as before but for one small push and turn, each within this share of its edge, were moved
with their tray: no throw gives them back so."""


def pushed_as_one(now: Sequence[ReadDie], before: Sequence[ReadDie]) -> tuple[int, ...] | None:
    """For each die now, the index of the die before that it is, where all lie as before but for one push and turn."""
    if len(now) != len(before) or len(now) < AS_ONE_LEAST:
        return None
    for first in now:
        if first.face == before[0].face and distance_in_dice(first, before[0]) <= NUDGED_WITHIN:
            (x, y), (u, v) = before[0].box.centre, first.box.centre
            pairs = _shifted(now, before, u - x, v - y)
            if pairs is not None and _rigid([(before[j], die) for die, j in zip(now, pairs, strict=True)]):
                return pairs
    return None


def _shifted(now: Sequence[ReadDie], before: Sequence[ReadDie], x: float, y: float) -> tuple[int, ...] | None:
    """For each die now, which of those before it is, all about as far away; None where there is not one for each."""
    found: list[int] = []
    for die in now:
        u, v = die.box.centre
        far = {
            j: math.hypot(old.box.centre[0] + x - u, old.box.centre[1] + y - v) / math.sqrt(die.box.w * die.box.h)
            for j, old in enumerate(before)
            if old.face == die.face and j not in found
        }
        nearest = min(far, key=lambda j: far[j], default=None)
        if nearest is None or far[nearest] > AS_ONE_NEAR:
            return None
        found.append(nearest)
    return tuple(found)


def _rigid(pairs: Sequence[tuple[ReadDie, ReadDie]]) -> bool:
    """Whether one push and a small turn bring each first die to its second."""
    old = [die.box.centre for die, _ in pairs]
    new = [die.box.centre for _, die in pairs]
    (ox, oy), (nx, ny) = (
        (sum(x for x, _ in each) / len(each), sum(y for _, y in each) / len(each)) for each in (old, new)
    )
    turned = math.atan2(
        sum((x - ox) * (v - ny) - (y - oy) * (u - nx) for (x, y), (u, v) in zip(old, new, strict=True)),
        sum((x - ox) * (u - nx) + (y - oy) * (v - ny) for (x, y), (u, v) in zip(old, new, strict=True)),
    )
    cos, sin = math.cos(turned), math.sin(turned)
    within = AS_ONE_WITHIN * math.sqrt(max(1.0, pairs[0][0].box.w * pairs[0][0].box.h))
    return abs(math.degrees(turned)) <= AS_ONE_TURN_DEG and all(
        math.hypot((x - ox) * cos - (y - oy) * sin - (u - nx), (x - ox) * sin + (y - oy) * cos - (v - ny)) <= within
        for (x, y), (u, v) in zip(old, new, strict=True)
    )


class Traces(Protocol):
    """What is known of a box, in pixels of the picture, since the reading before."""

    def traced(self, box: Box) -> float:
        """The share of the box where something moved with no hand near, 0 to 1."""
        ...

    def taken(self, box: Box) -> bool:
        """Whether a hand that has been there left it other than it was at the reading before."""
        ...


def episode_between(
    before: DiceReading,
    now: DiceReading,
    hand: bool,
    traces: Traces,
    hopped: Sequence[int] = (),
    expected: Sequence[int] = (),
) -> tuple[Episode, tuple[int, ...]]:
    """The episode, and the indices of dice about which it is in doubt.

    A die with the face and place of before stayed; where something moved it must lie exactly as before, since a thrown
    die may come near. Of the others those that something moved under came to rest by themselves; the rest were still
    when the hand left. With no motion and no hand a die cannot have come: it is taken as placed, and the table looks
    at it. Where a hand was in, a die that has left its place though no hand took it was struck by another, so that one
    fewer was thrown; but not where that makes an `expected` number of thrown dice another. `hopped` are those dice of
    before that lay on the shelf by themselves. Dice that have all been pushed as one lie on a tray that was bumped. One
    more die, where a hand has taken another, had lain under that.
    """
    fates: list[Fate] = []
    was: list[int | None] = []
    doubtful: list[int] = []
    for i, (die, j) in enumerate(zip(now.dice, matched(now.dice, before.dice), strict=True)):
        moved = traces.traced(die.box) >= MOVED_SHARE
        alike = j is not None and die.face == before.dice[j].face
        if j is not None and alike and (not moved or _lies_as(die, before.dice[j], traces)):
            fates.append(Fate.STAYED)
            was.append(j)
        elif j is not None and not alike and not moved and not hand:
            fates.append(Fate.STAYED)
            was.append(j)
            doubtful.append(i)
        else:
            fates.append(Fate.THROWN if moved else Fate.PLACED)
            was.append(None)
    if Fate.THROWN in fates and (pushed := pushed_as_one(now.dice, before.dice)) is not None:
        nudged = tuple(fate if fate is Fate.STAYED else Fate.NUDGED for fate in fates)
        still = tuple(i for i, die in enumerate(now.dice) if pushed[i] in hopped and die.zone is Zone.SHELF)
        return Episode(False, hand, nudged, pushed, hopped=still), ()
    gone = [j for j in range(len(before.dice)) if j not in was]
    taken = [j for j in gone if traces.taken(before.dice[j].box)]
    for i in _uncovered(now, before, fates, taken):
        fates[i] = Fate.PLACED
    if hand:
        struck, thrown = [j for j in gone if j not in taken], fates.count(Fate.THROWN)
        if thrown not in expected or thrown - len(struck) in expected:
            for j in struck:
                doubtful += _push(now, before, j, fates, was, Fate.THROWN)
    for j in taken:
        _push(now, before, j, fates, was, Fate.PLACED)
    scooped = tuple(j for j in taken if j not in was)
    landed = (
        i
        for i, (die, fate) in enumerate(zip(now.dice, fates, strict=True))
        if die.zone is Zone.SHELF and (fate is Fate.THROWN or (fate is Fate.STAYED and was[i] in hopped))
    )
    return Episode(False, hand, tuple(fates), tuple(was), scooped, tuple(landed)), tuple(doubtful)


def _uncovered(now: DiceReading, before: DiceReading, fates: Sequence[Fate], taken: Sequence[int]) -> list[int]:
    """The dice told as thrown that had lain under others which a hand has taken, where so many more dice are seen.

    They may drop as the hand lifts what lay on them; that is no throw.
    """
    thrown = [i for i, fate in enumerate(fates) if fate is Fate.THROWN]
    under = [i for i in thrown if any(distance_in_dice(now.dice[i], before.dice[j]) < COVERED_WITHIN for j in taken)]
    return under if under == thrown and len(under) <= len(now.dice) - len(before.dice) else []


def _push(
    now: DiceReading, before: DiceReading, j: int, fates: list[Fate], was: list[int | None], taken_for: Fate
) -> list[int]:
    """Find the die that lay at place `j` among those `taken_for` thrown or placed: it was nudged. What is in doubt.

    By a hand it keeps its face; a die that was struck may have been turned over, and then which it is, is a guess.
    """
    old = before.dice[j]
    here = [i for i, fate in enumerate(fates) if fate is taken_for and was[i] is None]
    here = [i for i in here if distance_in_dice(now.dice[i], old) <= NUDGED_WITHIN and now.dice[i].zone == old.zone]
    same = [i for i in here if now.dice[i].face == old.face]
    if not same and taken_for is Fate.PLACED:
        return []
    nearest = min(same or here, key=lambda i: distance_in_dice(now.dice[i], old), default=None)
    if nearest is None:
        return []
    fates[nearest], was[nearest] = Fate.NUDGED, j
    return [] if same else [nearest]


def _lies_as(now: ReadDie, before: ReadDie, traces: Traces) -> bool:
    """Whether a die lies exactly as another did: where, and as far as their outlines are known, how turned."""
    aside = now.zone is before.zone is Zone.SHELF and not traces.taken(before.box)
    if distance_in_dice(now, before) > (SAME_PLACE if aside else SAME_LIE):
        return False
    if len(now.outline) != 4 or len(before.outline) != 4:
        return True
    between = (turn_deg(now) - turn_deg(before)) % 90
    return min(between, 90 - between) <= (SHELF_TURN_DEG if aside else SAME_TURN_DEG)


def turn_deg(die: ReadDie) -> float:
    """How a square top is turned in the picture, 0 to 90 degrees, from its diagonal; its outline must be known."""
    (ax, ay), _, (bx, by), _ = die.outline
    return math.degrees(math.atan2(by - ay, bx - ax)) % 90


def lie_apart(a: ReadDie, b: ReadDie) -> float:
    """How far the middles of two outlined tops are from each other, in edges of a die."""
    (ax, ay), (bx, by) = (_middle(die) for die in (a, b))
    (x, y), (u, v) = a.outline[0], a.outline[1]
    return math.hypot(ax - bx, ay - by) / max(1.0, math.hypot(u - x, v - y))


def _middle(die: ReadDie) -> tuple[float, float]:
    return sum(x for x, _ in die.outline) / len(die.outline), sum(y for _, y in die.outline) / len(die.outline)


def shelved(reading: DiceReading, episode: Episode) -> DiceReading:
    """The reading without doubts whether dice lie level that hands have set aside: on the shelf only a face counts."""
    dice = tuple(
        replace(die, doubts=tuple(doubt for doubt in die.doubts if doubt is not Doubt.COCKED))
        if die.zone is Zone.SHELF and fate is not Fate.THROWN and i not in episode.hopped and die.confidence >= SURE
        else die
        for i, (die, fate) in enumerate(zip(reading.dice, episode.fates, strict=True))
    )
    return replace(reading, dice=dice, sure=is_sure(dice, reading.doubts)) if dice != reading.dice else reading
