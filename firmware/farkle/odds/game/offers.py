"""Piggyback: what throwing the dice that a bank leaves over is worth to the other side.

A bank leaves its points and the dice left over. The other side throws these dice with these points, or begins a fresh
turn, whichever is better. So the worth of a bank depends on the dice left.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from farkle.odds.game.duel import Duel
from farkle.odds.turn.listing import Floats, Numbers
from farkle.odds.turn.solver import TurnValues

Worths = NDArray[Any]
"""Chances, as float64 or, where there are many, as float32."""


def offers_shape(duel: Duel) -> tuple[int, int, int, int, int]:
    """Return the shape of `Offers.values`."""
    roles, streaks, _, places, _ = duel.shape
    return roles, streaks, places, places * (places - 1) // 2, duel.terms.offered


def no_offers(duel: Duel) -> Worths:
    """Return the worths of all offers before any was found: no offer is taken."""
    return np.zeros(offers_shape(duel), np.float32 if duel.offers_error else np.float64)


@dataclass(frozen=True)
class Offers:
    """What throwing the dice left over is worth to the side to move, in every state that a bank leads to.

    The other side has banked, so it has no farkles in a row, and has at least as many steps as it left.

    Attributes:
        duel: the game.
        values: the chances, by role, my farkles in a row, my place, their place with the steps left, and dice less one;
            0 where a fresh turn is better.
    """

    duel: Duel
    values: Worths

    def worth(self, role: int, my_farkles: Numbers, mine: Numbers, theirs: Numbers, points: Numbers) -> Floats:
        """Return the worth of offers, by dice less one; scores in steps and the points are broadcast together."""
        _, streaks, places, pairs, dice = self.values.shape
        low = self.duel.terms.lowest
        theirs = theirs - low
        left = np.clip(points, 1, np.maximum(theirs, 1))
        pair = np.maximum(theirs * (theirs - 1) // 2 + left - 1, 0)
        row = ((role * streaks + my_farkles) * places + mine - low) * pairs + pair
        found: Floats = np.moveaxis(self.values.reshape(-1, dice).take(row, axis=0), -1, 0).astype(float)
        return found

    def keep(self, role: int, my_farkles: Numbers, mine: Numbers, theirs: Numbers, turns: TurnValues) -> None:
        """Keep the worths of some states by the values of their turns; scores are places."""
        dice = self.duel.terms.offered
        for state, (farkles, my_place, place) in enumerate(zip(my_farkles, mine, theirs, strict=True)):
            first = place * (place - 1) // 2
            found = turns.throw[1 : dice + 1, 1 : place + 1, state].T
            self.values[role, farkles, my_place, first : first + place] = found * (found > turns.start[state])


def bank_by_dice(bank: Floats, offers: Floats, places: int) -> Floats:
    """Return what banking is worth by place (`TurnSolver.place`), points and standing.

    Args:
        bank: what banking is worth where no dice are left over, (points, standings).
        offers: what throwing the dice left over is worth to the other side, (dice less one, points, standings).
        places: the number of places.
    """
    found = np.empty((places, *bank.shape))
    found[:] = bank
    np.minimum(bank, 1.0 - offers, out=found[1 : len(offers) + 1])
    return found
