"""Throws by chance, many at once: the class of each roll of a listing, looked up by the roll's number."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from farkle.odds.listing import Listing, Numbers, RollClass


@dataclass(frozen=True)
class Throws:
    """The rolls of one to six dice, each as likely as the next of its number of dice, and their classes.

    The classes of all numbers of dice are numbered one after the other. Two more numbers are
    those of rolls that score nothing (`farkle`), and of those for which Nobody Loses pays (`paid`).
    """

    listing: Listing

    @cached_property
    def classes(self) -> tuple[RollClass, ...]:
        """All classes, fewer dice first."""
        return tuple(each for row in self.listing.classes for each in row)

    @property
    def farkle(self) -> int:
        """The number of the rolls that score nothing."""
        return len(self.classes)

    @property
    def paid(self) -> int:
        """The number of the rolls of all dice that score nothing, without four 2s where these are a farkle."""
        return len(self.classes) + 1

    @cached_property
    def bombs(self) -> NDArray[np.bool_]:
        """Whether a class is a Bomb, by its number."""
        return np.array([any(option.bomb for option in each.options) for each in self.classes])

    @cached_property
    def ones(self) -> NDArray[np.bool_]:
        """Whether a class is the six 1s that win at once, by its number."""
        return np.array([each.six_ones for each in self.classes])

    @cached_property
    def _places(self) -> tuple[Numbers, Numbers, Numbers]:
        """The number of rolls and the place of the first one, by number of dice, and the class of each roll."""
        counts = np.array([6**size if size else 0 for size in range(self.listing.dice + 1)])
        found, first = [], 0
        for size, row in enumerate(self.listing.classes):
            if not size:
                continue
            paid = round(self.listing.paid * counts[size]) if size == self.listing.dice else 0
            of_class = [round(each.chance * counts[size]) for each in row]
            farkles = counts[size] - sum(of_class) - paid
            numbers = [*range(first, first + len(row)), self.farkle, self.paid]
            found.append(np.repeat(np.array(numbers), [*of_class, farkles, paid]))
            first += len(row)
        places = np.concatenate([[0], np.cumsum(counts)[:-1]])
        places, counts = np.append(places, places[-1]), np.append(counts, counts[-1])  # all dice that must be thrown
        return counts, places, np.concatenate(found)

    def throw(self, chance: np.random.Generator, places: Numbers) -> Numbers:
        """Return the classes of throws from these places (`TurnSolver.place`)."""
        counts, firsts, classes = self._places
        rolls = (chance.random(len(places)) * counts.take(places)).astype(np.int64)
        rolls += firsts.take(places)
        return classes.take(rolls)
