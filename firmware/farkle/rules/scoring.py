"""Scores: the best exact split of dice into combinations, and every total a player may declare for them.

A selection scores only where all its dice can be split into combinations, each die used once. There are 923 sorted
rolls of one to six dice, so a table remembers each answer and every later question is a lookup.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations as choices

from farkle.rules.combinations import Combination
from farkle.rules.dice import Faces, is_part, without


@dataclass(frozen=True)
class Score:
    """What a selection is worth: its most points, the parts that make them, and all totals, highest first."""

    points: int
    parts: tuple[Combination, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True)
class Selection:
    """Dice that may be kept together: the most points they can be given, all totals, and the parts of the best.

    `dice` stand in the order of the parts, the worthiest first.
    """

    dice: Faces
    points: int
    totals: tuple[int, ...]
    parts: tuple[Combination, ...]


class ScoreTable:
    """All scores of one table of combinations, each worked out when first asked for."""

    def __init__(self, combinations: Iterable[Combination]) -> None:
        self._combinations = tuple(combinations)
        self._splits: dict[Faces, dict[int, tuple[Combination, ...]]] = {(): {0: ()}}
        self._scores: dict[Faces, Score | None] = {}
        self._selections: dict[Faces, tuple[Selection, ...]] = {}

    def score(self, dice: Faces) -> Score | None:
        """The score of a selection, None where its dice cannot all be used. The order of the dice does not matter."""
        key = tuple(sorted(dice))
        if key not in self._scores:
            splits = self._split(key)
            self._scores[key] = self._best(splits) if key and splits else None
        return self._scores[key]

    def selections(self, roll: Faces) -> tuple[Selection, ...]:
        """Each distinct multiset of dice of the roll that scores, best first; empty where the roll farkles.

        Of two with equal points the one with fewer dice comes first: it leaves more to throw.
        """
        key = tuple(sorted(roll))
        if key not in self._selections:
            found: list[Selection] = []
            for size in range(1, len(key) + 1):
                for dice in sorted(set(choices(key, size))):
                    worth = self.score(dice)
                    if worth is not None:
                        shown = tuple(face for part in worth.parts for face in part.dice)
                        found.append(Selection(shown, worth.points, worth.totals, worth.parts))
            found.sort(key=lambda selection: (-selection.points, len(selection.dice), selection.dice))
            self._selections[key] = tuple(found)
        return self._selections[key]

    @staticmethod
    def _best(splits: dict[int, tuple[Combination, ...]]) -> Score:
        totals = tuple(sorted(splits, reverse=True))
        parts = sorted(splits[totals[0]], key=lambda part: (-part.points, -len(part.dice), part.dice))
        return Score(totals[0], tuple(parts), totals)

    def _split(self, dice: Faces) -> dict[int, tuple[Combination, ...]]:
        """Every total of the sorted dice, with one split that makes it: of several, the one with the fewest parts."""
        found = self._splits.get(dice)
        if found is not None:
            return found
        found = {}
        for combination in self._combinations:
            # The first die must be used by some part: asking for it finds each split once, not in every order.
            if combination.dice[0] != dice[0] or not is_part(combination.dice, dice):
                continue
            for total, parts in self._split(without(dice, combination.dice)).items():
                whole = total + combination.points
                if whole not in found or len(parts) + 1 < len(found[whole]):
                    found[whole] = (combination, *parts)
        self._splits[dice] = found
        return found
