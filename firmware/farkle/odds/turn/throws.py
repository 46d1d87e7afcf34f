"""The classes of rolls of one number of dice, with what each may lead to, as arrays that a whole turn is found with."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from farkle.odds.turn.listing import Floats, Numbers

Pair = tuple[int, int]
"""A choice: the place of what follows it (`TurnSolver.place`), and the steps that it brings."""


@dataclass(frozen=True)
class RankedThrow:
    """The classes of one number of dice: chances, and for each rank of choice the places and the steps of a class.

    Classes with more options come first, so each level covers the first classes only.
    """

    chances: Floats
    levels: tuple[tuple[Numbers, Numbers], ...]

    def mean(self, worth: Floats) -> Floats:
        """Return the mean over all classes of the best choice of each, by what each place is worth alone.

        Args:
            worth: what follows is worth, (places, standings).
        """
        if not self.levels:
            return np.zeros(worth.shape[1])
        best = worth[self.levels[0][0]]
        for places, _ in self.levels[1:]:
            part = best[: len(places)]
            np.maximum(part, worth[places], out=part)
        found: Floats = self.chances @ best
        return found


def rank_throw(classes: Iterable[tuple[float, set[Pair]]]) -> RankedThrow:
    """Return the classes of one number of dice, from the chance and the choices of each."""
    merged: dict[tuple[Pair, ...], float] = {}
    for chance, pairs in classes:
        options = tuple(sorted(pairs))
        merged[options] = merged.get(options, 0.0) + chance
    ordered = sorted(merged.items(), key=lambda item: -len(item[0]))
    levels = []
    for rank in range(len(ordered[0][0]) if ordered else 0):
        chosen = [options[rank] for options, _ in ordered if len(options) > rank]
        levels.append((np.array([p for p, _ in chosen]), np.array([q for _, q in chosen])))
    return RankedThrow(np.array([chance for _, chance in ordered]), tuple(levels))
