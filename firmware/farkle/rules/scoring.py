"""Scores: the best exact split of dice into combinations, and every total a player may declare for them.

A selection scores only where all its dice can be split into combinations, each die used once. There are 923 sorted
rolls of one to six dice, so a table remembers each answer and every later question is a lookup.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from farkle.rules.combinations import Combination
from farkle.rules.dice import Faces


@dataclass(frozen=True, slots=True)
class Selection:
    """Dice that may be kept together: the most points they can be given, all totals, and the parts of the best.

    `dice` stand in the order of the parts, the worthiest first; `totals` are highest first.
    """

    dice: Faces
    points: int
    totals: tuple[int, ...]
    parts: tuple[Combination, ...]


Splits = dict[int, tuple[Combination, ...]]
"""Every total that some dice can be given, with one split that makes it."""


class ScoreTable:
    """All scores of one table of combinations, each worked out when first asked for."""

    def __init__(self, combinations: Iterable[Combination]) -> None:
        self.combinations = tuple(combinations)
        # The first die of a sorted roll must be used by some part: asking for it finds each split once.
        self._by_first: dict[int, list[Combination]] = {face: [] for face in range(1, 7)}
        for each in self.combinations:
            self._by_first[each.dice[0]].append(each)
        self._splits: dict[Faces, Splits] = {(): {0: ()}}
        self._whole: dict[Faces, Selection | None] = {}
        self._selections: dict[Faces, tuple[Selection, ...]] = {}

    def score(self, dice: Faces) -> Selection | None:
        """What all these dice are worth together, None where they cannot all be used; their order does not matter."""
        key = tuple(sorted(dice))
        if key not in self._whole:
            splits = self._split(key)
            self._whole[key] = _best(splits) if key and splits else None
        return self._whole[key]

    def selections(self, roll: Faces) -> tuple[Selection, ...]:
        """Each distinct multiset of dice of the roll that scores, best first; empty where the roll farkles.

        Of two with equal points the one with fewer dice comes first: it leaves more to throw.
        """
        key = tuple(sorted(roll))
        known = self._selections.get(key)
        if known is None:
            found = [each for dice in _parts_of(key) if (each := self.score(dice)) is not None]
            found.sort(key=lambda selection: (-selection.points, len(selection.dice), selection.dice))
            known = self._selections[key] = tuple(found)
        return known

    def ones(self, dice: Faces, points: int) -> tuple[int, int]:
        """How many 1s of a selection are kept by themselves at this total, and the points that these make."""
        parts = [part for part in self._split(tuple(sorted(dice))).get(points, ()) if set(part.dice) == {1}]
        return sum(len(part.dice) for part in parts), sum(part.points for part in parts)

    def _split(self, dice: Faces) -> Splits:
        """Every total of the sorted dice, with one split that makes it: of several, the one with the fewest parts."""
        found = self._splits.get(dice)
        if found is not None:
            return found
        found = {}
        for combination in self._by_first[dice[0]]:
            rest = _rest(dice, combination.dice)
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


def _rest(dice: Faces, part: Faces) -> Faces | None:
    """The sorted dice less those of a sorted part; None where they do not hold it."""
    left: list[int] = []
    wanted = 0
    for face in dice:
        if wanted < len(part) and face == part[wanted]:
            wanted += 1
        else:
            left.append(face)
    return tuple(left) if wanted == len(part) else None


@cache
def _parts_of(dice: Faces) -> tuple[Faces, ...]:
    """Every distinct multiset of some of the sorted dice: what may be tried, the same for every rule set."""
    return tuple(part for part in _taken(dice) if part)


def _taken(dice: Faces) -> Iterator[Faces]:
    if not dice:
        yield ()
        return
    face, count = dice[0], dice.count(dice[0])
    for rest in _taken(dice[count:]):
        for taken in range(count + 1):
            yield (face,) * taken + rest
