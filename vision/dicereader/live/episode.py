"""Find out what happened to each die between two settled readings."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

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
    distance_in_edges,
    match_places,
    reading_of,
)

SAME_POSE = 0.1
SAME_TURN_DEG = 8.0
"""Distance in edges of a die, and turn in degrees, within which a die has not moved although something did near it. A
thrown die comes to rest so by chance once in about ten thousand throws."""

SHELF_TURN_DEG = 15.0
"""The same turn on the shelf, with `SAME_PLACE` as the distance: a thrown die hardly ever comes to rest there, and a
lamp or a push of the tray changes the view of the shelf most."""

NUDGED_WITHIN = 4.0
"""The largest distance, in edges of a die, that a pushed die moves."""

COVERED_WITHIN = 1.0
"""Distance in edges of a die between a die and the one that was on it."""

MOVED_FRACTION = 0.08
"""Fraction of a die's box with motion below which only a neighbour's shadow moved there."""

TOGETHER_LEAST = 3
TOGETHER_NEAR = 1.0
TOGETHER_WITHIN = 0.2
TOGETHER_TURN_DEG = 10.0
"""At least this many dice, paired within the first distance, have moved with their tray if one small push and turn
brings each within the second distance (both in edges of a die): no throw does."""


class Traces(Protocol):
    """What is known of a box, in pixels of the picture, since the reading before."""

    def traced(self, box: Box) -> float:
        """Return the fraction of the box where something moved with no hand near, 0 to 1."""

    def taken(self, box: Box) -> bool:
        """Return whether a hand that has been there changed it from how it was at the reading before."""


def pushed_together(now: Sequence[ReadDie], before: Sequence[ReadDie]) -> tuple[int, ...] | None:
    """Return for each die the index of the same die before, if one push and turn moved all of them, else None."""
    if len(now) != len(before) or len(now) < TOGETHER_LEAST:
        return None
    for first in now:
        if first.face == before[0].face and distance_in_edges(first, before[0]) <= NUDGED_WITHIN:
            (x, y), (u, v) = before[0].top.centre, first.top.centre
            pairs = _paired(now, before, u - x, v - y)
            if pairs is not None and _rigid([(before[j], die) for die, j in zip(now, pairs, strict=True)]):
                return pairs
    return None


def _paired(now: Sequence[ReadDie], before: Sequence[ReadDie], x: float, y: float) -> tuple[int, ...] | None:
    """Return for each die the index of the nearest die before with its face, all moved by about (x, y) pixels."""
    found: list[int] = []
    for die in now:
        u, v = die.top.centre
        gaps = {
            j: math.hypot(old.top.centre[0] + x - u, old.top.centre[1] + y - v) / math.sqrt(die.top.w * die.top.h)
            for j, old in enumerate(before)
            if old.face == die.face and j not in found
        }
        nearest = min(gaps, key=lambda j: gaps[j], default=None)
        if nearest is None or gaps[nearest] > TOGETHER_NEAR:
            return None
        found.append(nearest)
    return tuple(found)


def _rigid(pairs: Sequence[tuple[ReadDie, ReadDie]]) -> bool:
    """Return whether one push and a small turn bring each first die to its second (least squares)."""
    old, new = (np.array([complex(*die.top.centre) for die in each]) for each in zip(*pairs, strict=True))
    old, new = old - old.mean(), new - new.mean()
    turn = np.angle(np.sum(new * old.conj()))
    within = TOGETHER_WITHIN * math.sqrt(max(1.0, pairs[0][0].top.w * pairs[0][0].top.h))
    off = np.abs(old * np.exp(1j * turn) - new)
    return bool(abs(math.degrees(turn)) <= TOGETHER_TURN_DEG and (off <= within).all())


def episode_between(
    before: DiceReading,
    now: DiceReading,
    hand: bool,
    traces: Traces,
    hopped: Sequence[int] = (),
    expected: Sequence[int] = (),
    *,
    slow: bool = False,
) -> tuple[Episode, tuple[int, ...]]:
    """Return the episode, and the indices of the dice about which it is in doubt.

    A die with the same face and place stayed; if something moved there its pose must be the same too, because a thrown
    die may come to rest near. Of the others, those with motion under them were thrown; the rest were still when the
    hand left. A die that came with no motion and no hand counts as placed.

    If a hand was in, a die that has left its place without the hand taking it was struck by another, so one fewer was
    thrown, unless that makes the number of thrown dice an unexpected one. Dice that were all pushed together are on a
    tray that was bumped. A die that appears where a hand took another was under that one.

    Args:
        before: the reading before.
        now: the reading now.
        hand: whether a hand was seen.
        traces: where something moved, and what a hand took.
        hopped: the dice of `before` that came to the shelf by themselves.
        expected: the expected numbers of thrown dice.
        slow: whether a hand may have laid a die on the shelf between two frames; then none hopped there.
    """
    fates: list[Fate] = []
    same: list[int | None] = []  # for each die its index in the reading before, if it is the same
    doubtful: list[int] = []
    for i, (die, j) in enumerate(zip(now.dice, match_places(now.dice, before.dice), strict=True)):
        moved = traces.traced(die.top) >= MOVED_FRACTION
        same_face = j is not None and die.face == before.dice[j].face
        untouched = not moved and (same_face or not hand)
        if j is not None and (untouched or (same_face and _same_pose(die, before.dice[j], traces))):
            fates.append(Fate.STAYED)
            same.append(j)
            if not same_face:
                doubtful.append(i)
        else:
            by_hand = slow and die.zone is Zone.SHELF
            fates.append(Fate.THROWN if moved and not by_hand else Fate.PLACED)
            same.append(None)
    if Fate.THROWN in fates and (pushed := pushed_together(now.dice, before.dice)) is not None:
        nudged = tuple(fate if fate is Fate.STAYED else Fate.NUDGED for fate in fates)
        still = tuple(i for i, die in enumerate(now.dice) if pushed[i] in hopped and die.zone is Zone.SHELF)
        return Episode(False, hand, nudged, still), ()
    gone = [j for j in range(len(before.dice)) if j not in same]
    removed = [j for j in gone if traces.taken(before.dice[j].top)]
    for i in _uncovered(now, before, fates, removed):
        fates[i] = Fate.PLACED
    if hand:
        struck, thrown = [j for j in gone if j not in removed], fates.count(Fate.THROWN)
        if thrown not in expected or thrown - len(struck) in expected:
            for j in struck:
                doubtful += _nudge(now, before, j, fates, same, Fate.THROWN)
    for j in removed:
        _nudge(now, before, j, fates, same, Fate.PLACED)
    landed = (
        i
        for i, (die, fate) in enumerate(zip(now.dice, fates, strict=True))
        if die.zone is Zone.SHELF and (fate is Fate.THROWN or (fate is Fate.STAYED and same[i] in hopped))
    )
    return Episode(False, hand, tuple(fates), tuple(landed)), tuple(doubtful)


def _uncovered(now: DiceReading, before: DiceReading, fates: Sequence[Fate], removed: Sequence[int]) -> list[int]:
    """Return the thrown dice that were under dice a hand has removed, if as many more dice are seen.

    They may drop as the hand lifts the dice on them; that is no throw.
    """
    thrown = [i for i, fate in enumerate(fates) if fate is Fate.THROWN]
    under = [i for i in thrown if any(distance_in_edges(now.dice[i], before.dice[j]) < COVERED_WITHIN for j in removed)]
    return under if under == thrown and len(under) <= len(now.dice) - len(before.dice) else []


def _nudge(
    now: DiceReading, before: DiceReading, j: int, fates: list[Fate], same: list[int | None], fate: Fate
) -> list[int]:
    """Find die `j` of before among the dice with this fate, thrown or placed, and mark it as nudged.

    Return the dice in doubt. A die nudged by a hand keeps its face; a die that was struck may have been turned over,
    and which of the dice it is then is a guess.
    """
    old = before.dice[j]
    free = [i for i, die in enumerate(now.dice) if fates[i] is fate and same[i] is None and die.zone == old.zone]
    near = [i for i in free if distance_in_edges(now.dice[i], old) <= NUDGED_WITHIN]
    same_face = [i for i in near if now.dice[i].face == old.face]
    if not same_face and (fate is Fate.PLACED or not near):
        return []
    nearest = min(same_face or near, key=lambda i: distance_in_edges(now.dice[i], old))
    fates[nearest], same[nearest] = Fate.NUDGED, j
    return [] if same_face else [nearest]


def _same_pose(now: ReadDie, before: ReadDie, traces: Traces) -> bool:
    """Return whether two dice have the same place and, if both outlines are known, the same turn."""
    aside = now.zone is before.zone is Zone.SHELF and not traces.taken(before.top)
    if distance_in_edges(now, before) > (SAME_PLACE if aside else SAME_POSE):
        return False
    if len(now.outline) != 4 or len(before.outline) != 4:
        return True
    return abs(turned_deg(before, now)) <= (SHELF_TURN_DEG if aside else SAME_TURN_DEG)


def turned_deg(before: ReadDie, now: ReadDie) -> float:
    """Return by how much a square top turned in the picture, -45 to 45 degrees, from a diagonal of each outline."""
    first, second = (math.atan2(by - ay, bx - ax) for (ax, ay), _, (bx, by), _ in (before.outline, now.outline))
    return (math.degrees(second - first) + 45) % 90 - 45


def without_shelf_doubts(reading: DiceReading, episode: Episode) -> DiceReading:
    """Return the reading without doubts about the pose of dice that hands have set aside: only their faces count."""
    dice = tuple(
        replace(die, doubts=tuple(doubt for doubt in die.doubts if doubt is not Doubt.COCKED))
        if die.zone is Zone.SHELF and fate is not Fate.THROWN and i not in episode.hopped and die.confidence >= SURE
        else die
        for i, (die, fate) in enumerate(zip(reading.dice, episode.fates, strict=True))
    )
    return replace(reading, dice=dice, sure=reading_of(dice, reading.doubts).sure) if dice != reading.dice else reading
