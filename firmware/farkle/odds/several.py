"""The odds of three to twelve sides, by a rule from the chances of two: an estimate.

The chance of a side comes from its chances against each other side alone, as if the rest were not there: `together`.
The leader and the next one weigh most. The side to move plays its turn so that this chance becomes greatest.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from farkle.odds.answers import MomentOdds
from farkle.odds.final_turn import TurnOdds
from farkle.odds.listing import Floats
from farkle.odds.questions import OddsQuestion
from farkle.odds.standings import Table
from farkle.odds.turns import FORBIDDEN
from farkle.odds.win_odds import ChoiceOdds
from farkle.rules.dice import Faces

MOST_SIDES = 12
"""The most sides of a game."""

SMALLEST = 1e-12
"""A chance that counts as none."""


def error_of(sides: int) -> float:
    """Return about how far off the chance before a turn may be.

    With three sides it is the greatest error in any state of the basic game to 31 holes (`bench/reply_bench.py`); with
    more it is a guess.
    """
    return 0.0 if sides == 2 else 0.06 if sides == 3 else 0.1


def together(chances: Sequence[Floats | float]) -> Floats:
    """Return the chance to win against all of some sides, from the chance against each alone.

    If each side has a strength, and one of two wins as often as its share of both strengths, this is its share of all.
    """
    against: Floats = np.array([np.maximum(each, SMALLEST) for each in chances], dtype=float)
    found: Floats = 1.0 / (1.0 + (1.0 / against - 1.0).sum(axis=0))
    return found


class SeveralOdds(MomentOdds):
    """One standing of several sides with its turn.

    Args:
        table: the table of the game of two sides.
        questions: what the side to move asks about each other side; they differ in that side alone.
    """

    def __init__(self, table: Table, questions: Sequence[OddsQuestion]) -> None:
        leader = max(questions, key=lambda each: each.theirs)
        super().__init__(table, leader)
        self._pairs = [MomentOdds(table, each) for each in questions]
        self._leader = questions.index(leader)
        self._after_swap: SeveralOdds | None = None

    @property
    def exact(self) -> bool:
        """Whether the answer is that of the game itself."""
        return len(self._pairs) == 1 and super().exact

    def begin(self) -> float:
        """Return the chance to win before the turn's first throw."""
        if len(self._pairs) == 1:
            return super().begin()
        return float(self._solved(0).values.start[0])

    def _solve(self) -> TurnOdds:
        if len(self._pairs) == 1:
            return super()._solve()
        turns = self.duel.turns
        ends = [each.ends(self._longest) for each in self._pairs]
        total = max(bank.shape[-1] for bank, _ in ends)
        banks = np.array([_longer(bank, total) for bank, _ in ends])
        bank = np.where((banks == FORBIDDEN).any(axis=0), FORBIDDEN, together(list(banks)))[..., None]
        farkle = together([each for _, each in ends]).reshape(1)
        limit = total - turns.most
        hot = None
        if turns.forced and bank.ndim == 2:
            must = np.broadcast_to(turns.must_throw(farkle, bank[-1]), (turns.most, 1))
            hot = bank[limit:], must
        swap = None
        if self.duel.may_swap and not self.question.swapped and self.mine < self.theirs:
            found = self._swapped().turn(self._longest).values.go_on[turns.swapped_place]
            swap = np.pad(found, ((0, max(0, total - len(found))), (0, 0)), mode="edge")[:total]
        return TurnOdds(turns.solve(bank, farkle, limit, swap, hot), bank[..., 0], float(farkle[0]))

    def turn(self, longest: int) -> TurnOdds:
        """Return the values of the turn to these steps at least."""
        return self._solved((longest - 1) * self.duel.listing.step)

    def _swapped(self) -> "SeveralOdds":
        """Return the standing after a swap with the leader."""
        if self._after_swap is None:
            own, best = self.question.mine, self.question.theirs
            asked = [
                replace(each.question, mine=best, theirs=own if place == self._leader else each.question.theirs)
                for place, each in enumerate(self._pairs)
            ]
            self._after_swap = SeveralOdds(self.table, [replace(each, swapped=True) for each in asked])
        return self._after_swap

    def _swap(self, dice: Faces, points: int) -> ChoiceOdds:
        if len(self._pairs) == 1:
            return super()._swap(dice, points)
        must = self.duel.turns.swapped_place > self.duel.listing.dice
        after = self._swapped()
        bank = after.bank(points, self.duel.listing.dice, must_throw=must)
        return ChoiceOdds(dice, 0, "swap", bank, after.throw(points, self.duel.listing.dice))


def _longer(bank: Floats, total: int) -> Floats:
    """Return what banking is worth to more points, which are worth as much as the last ones."""
    return np.pad(bank, ((0, 0),) * (bank.ndim - 1) + ((0, total - bank.shape[-1]),), mode="edge")
