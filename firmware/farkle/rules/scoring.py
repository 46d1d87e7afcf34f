"""Scores: the best exact split of dice into combinations, and every total a player may declare for the dice.

A selection scores only if all its dice can be split into combinations, each die used once. There are 923 sorted rolls
of one to six dice, so a table remembers each answer and every later question is a lookup.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations as choices

from farkle.rules.combinations import Combination
from farkle.rules.dice import Faces


@dataclass(frozen=True, slots=True)
class Selection:
    """Dice that may be kept together.

    `points` are the most points the dice can score, `totals` every total that may be declared, highest first, and
    `parts` the combinations of the best total. `dice` are in the order of the parts, highest score first.
    """

    dice: Faces
    points: int
    totals: tuple[int, ...]
    parts: tuple[Combination, ...]


Splits = dict[int, tuple[Combination, ...]]
"""Every total that some dice can score, with one split that makes it."""


class ScoreTable:
    """The scores of one table of combinations, each computed on first use."""

    def __init__(self, combinations: Iterable[Combination]) -> None:
        self.combinations = tuple(combinations)
        # A split must use the first die of a sorted roll, so starting there finds each split once.
        self._by_first: dict[int, list[Combination]] = {face: [] for face in range(1, 7)}
        for each in self.combinations:
            self._by_first[each.dice[0]].append(each)
        self._splits: dict[Faces, Splits] = {(): {0: ()}}
        self._whole: dict[Faces, Selection | None] = {}
        self._selections: dict[Faces, tuple[Selection, ...]] = {}

    def score(self, dice: Faces) -> Selection | None:
        """Return the selection of all these dice, in any order, or None if not all of them can be used."""
        key = tuple(sorted(dice))
        if key not in self._whole:
            splits = self._split(key)
            self._whole[key] = _best(splits) if key and splits else None
        return self._whole[key]

    def selections(self, roll: Faces) -> tuple[Selection, ...]:
        """Return each distinct multiset of dice of the roll that scores, best first; empty if the roll farkles.

        Of two selections with equal points the one with fewer dice comes first: it leaves more dice to throw.
        """
        key = tuple(sorted(roll))
        known = self._selections.get(key)
        if known is None:
            found = [each for dice in _sub_multisets(key) if (each := self.score(dice)) is not None]
            found.sort(key=lambda selection: (-selection.points, len(selection.dice), selection.dice))
            known = self._selections[key] = tuple(found)
        return known

    def count_ones(self, dice: Faces, points: int) -> tuple[int, int]:
        """Return the number of 1s in combinations of 1s alone when the dice score `points`, and their points."""
        ones, worth = 0, 0
        for part in self._split(tuple(sorted(dice))).get(points, ()):
            if set(part.dice) == {1}:
                ones, worth = ones + len(part.dice), worth + part.points
        return ones, worth

    def _split(self, dice: Faces) -> Splits:
        """Return every total of the sorted dice, each with the split that has the fewest parts."""
        found = self._splits.get(dice)
        if found is not None:
            return found
        found = {}
        for combination in self._by_first[dice[0]]:
            rest = _without(dice, combination.dice)
            if rest is None:
                continue
            for total, parts in self._split(rest).items():
                whole = total + combination.points
                if whole not in found or len(parts) + 1 < len(found[whole]):
                    found[whole] = (combination, *parts)
        self._splits[dice] = found
        return found


def _best(splits: Splits) -> Selection:
    totals = tuple(sorted(splits, reverse=True))
    parts = sorted(splits[totals[0]], key=lambda part: (-part.points, -len(part.dice), part.dice))
    return Selection(tuple(face for part in parts for face in part.dice), totals[0], totals, tuple(parts))


def _without(dice: Faces, part: Faces) -> Faces | None:
    """Return the sorted dice without those of a sorted part, or None if the dice do not contain the part."""
    left: list[int] = []
    found = 0
    for face in dice:
        if found < len(part) and face == part[found]:
            found += 1
        else:
            left.append(face)
    return tuple(left) if found == len(part) else None


@cache
def _sub_multisets(dice: Faces) -> frozenset[Faces]:
    """Return every distinct multiset of one or more of the sorted dice; the same for every rule set."""
    return frozenset(part for size in range(1, len(dice) + 1) for part in choices(dice, size))
