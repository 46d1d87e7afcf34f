"""A game of two sides as states: scores in steps of points, roles in the round, and farkles in a row.

The side to move is *mine*, the other *theirs*. A state between turns is a role, both counts of farkles and both scores.
Scores have places: place 0 is the lowest score that is kept apart.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from farkle.errors import FarkleError
from farkle.odds.game.ending import Role, roles_of
from farkle.odds.switches import STREAK, Terms
from farkle.odds.turn.listing import Listing, Numbers, list_rolls
from farkle.odds.turn.solver import TurnSolver
from farkle.rules.ruleset import RuleSet

Bools = NDArray[np.bool_]

MOST_PLACES = 300
"""The most scores that are kept apart; a game with more is computed in longer steps, and is an estimate."""

EXACT_OFFERS = 12_000_000
"""The most offers of dice left over that are kept with all their digits; more are kept as 32-bit numbers."""

MOST_OFFERS = 48_000_000
"""The most offers of dice left over that are kept apart; a game with more is computed in longer steps."""


class OddsError(FarkleError, ValueError):
    """A question about odds that has no answer."""


@dataclass(frozen=True)
class Duel:
    """A game of two sides of one player each. `listing` is what the throws lead to; its step is that of the scores."""

    listing: Listing

    @property
    def terms(self) -> Terms:
        """The terms of the rule set."""
        return self.listing.terms

    @cached_property
    def turns(self) -> TurnSolver:
        """The solver of this game's turns."""
        return TurnSolver(self.listing)

    @property
    def places(self) -> int:
        """The number of scores before the target that are kept apart."""
        return self.terms.target - self.terms.lowest

    @cached_property
    def all_roles(self) -> tuple[Role, ...]:
        """The roles of the game; one if all places in the round are the same."""
        return roles_of(self.terms)

    @property
    def shape(self) -> tuple[int, int, int, int, int]:
        """The shape of the values between turns: role, my farkles, their farkles, my place, their place."""
        return len(self.all_roles), self.terms.streaks, self.terms.streaks, self.places, self.places

    @property
    def offer_count(self) -> int:
        """The number of offers of dice left over."""
        return len(self.all_roles) * self.terms.streaks * self.places**2 * (self.places - 1) // 2 * self.terms.offered

    @property
    def offers_error(self) -> float:
        """How far off the chances may be because offers are kept as 32-bit numbers; 0 where they are not.

        Each bank rounds one chance by at most half of its last binary digit. A game whose scores do not fall has at
        most as many banks as the least one goes into both targets.
        """
        return 2 * self.places / self.terms.minimum * 2**-25 if self.offer_count > EXACT_OFFERS else 0.0

    @property
    def exact(self) -> bool:
        """Whether the values are those of the game itself."""
        return self.listing.natural and not self.terms.left_aside and not self.offers_error

    def farkled(self, scores: Numbers, farkles: Numbers) -> tuple[Numbers, Numbers, Bools]:
        """Return what a farkle makes of a side's scores and farkles in a row, and where it was the third one."""
        each, streak = self.terms.costs
        after = self._less(scores, each)
        if self.terms.streaks == 1:
            return after, np.zeros_like(farkles), np.zeros(np.shape(farkles), bool)
        third = farkles + 1 >= STREAK
        after = np.where(third, self._less(after, streak), after)
        return after, np.where(third, self.terms.after_streak, farkles + 1), third

    def _less(self, scores: Numbers, cost: int) -> Numbers:
        """Return scores after a penalty; one below the lowest that is kept apart counts as that."""
        if not cost:
            return scores
        kept = np.maximum(self.terms.penalty_floor, scores - cost)
        if self.terms.opening:  # off the board means 0 points
            kept = np.where(scores == 0, 0, kept)
        return np.minimum(scores, kept)


def duel_of(rules: RuleSet, step: int = 0) -> Duel:
    """Return a rule set's game of two sides, in the shortest steps that keep its scores few.

    Args:
        rules: the rule set.
        step: the points of a step; 0 chooses it.
    """
    duel = Duel(list_rolls(rules, step))
    while not (step or duel.terms.rounds) and (duel.terms.target > MOST_PLACES or duel.offer_count > MOST_OFFERS):
        duel = Duel(list_rolls(rules, duel.terms.step * 2))
    return duel
