"""A turn of one side against the others: what banking, throwing and each selection of a roll are worth.

Three to twelve sides are an estimate, by a rule from the chances of two. The chance of a side comes from its chances
against each other side alone, as if the rest were not there: `together`. The leader and the next one weigh most. The
side to move plays its turn so that this chance becomes greatest.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from farkle.odds.game.table import Standings, Table
from farkle.odds.turn.listing import Floats, RollOption
from farkle.odds.turn.solver import FORBIDDEN, TurnEnds, TurnValues
from farkle.rules.dice import Faces
from farkle.rules.selections import legal_selections

SMALLEST = 1e-12
"""A chance that counts as none."""


@dataclass(frozen=True)
class ChoiceOdds:
    """A selection, and what banking and throwing after it are worth; None where the rules refuse it.

    `choice` names the meaning that is chosen where a selection has several.
    """

    dice: Faces
    points: int
    choice: str | None
    bank: float | None
    throw: float | None

    @property
    def worth(self) -> float:
        """The worth of the better of both."""
        return max(each for each in (self.bank, self.throw) if each is not None)


def together(chances: Sequence[Floats | float]) -> Floats:
    """Return the chance to win against all of some sides, from the chance against each alone.

    If each side has a strength, and one of two wins as often as its share of both strengths, this is its share of all.
    """
    against: Floats = np.array([np.maximum(each, SMALLEST) for each in chances], dtype=float)
    found: Floats = 1.0 / (1.0 + (1.0 / against - 1.0).sum(axis=0))
    return found


class TurnOdds:
    """The turn of the side to move; its values are found when they are needed first. Points are those of the game.

    Args:
        table: the table of the game of two sides.
        pairs: the standing against each other side, of one turn each; they differ in that side alone.
    """

    def __init__(self, table: Table, pairs: Sequence[Standings]) -> None:
        self._table, self._pairs = table, tuple(pairs)
        self._turns, self._terms = table.duel.turns, table.duel.terms
        self._leader = max(self._pairs, key=lambda each: int(each.theirs[0]))
        self._values: TurnValues | None = None

    def begin(self) -> float:
        """Return the chance to win before the turn's first throw."""
        return self._table.begin(self._leader) if len(self._pairs) == 1 else float(self.values(0).start[0])

    def bank(self, points: int, dice: int) -> float | None:
        """Return what banking is worth with these dice left, or None where the points are too few."""
        return self.values(points).bank(dice, points // self._terms.step)

    def throw(self, points: int, dice: int) -> float:
        """Return what throwing is worth."""
        return float(self.values(points).throw[dice, points // self._terms.step, 0])

    def selections(self, points: int, roll: Faces) -> Iterator[ChoiceOdds]:
        """Yield what the selections of a roll are worth; lower totals of the same dice where they are worth more."""
        rules, after = self._terms.rules, len(roll)
        self.values(points)
        for each in legal_selections(rules, roll):
            left = (after - len(each.dice)) or self._terms.dice
            hot, first = len(each.dice) == after, after == self._terms.dice
            must = self._turns.place(RollOption(left, 0, hot and first, hot and not first)) > self._terms.dice
            bomb = self.may_swap and rules.is_bomb(each.dice)
            totals = each.totals if rules.lower_total_can_win else each.totals[:1]
            best, *lower = (
                ChoiceOdds(
                    each.dice,
                    total,
                    "points" if bomb else None,
                    None if must else self.bank(points + total, left),
                    self.throw(points + total, left),
                )
                for total in totals
            )
            yield best
            yield from (some for some in lower if some.worth > best.worth)
            if bomb:
                yield self.swap(each.dice, points)

    @property
    def may_swap(self) -> bool:
        """Whether a Bomb may swap the pegs with the leader."""
        at = self._leader
        return self._terms.may_swap and not at.swapped and bool(at.mine < at.theirs)

    def swap(self, dice: Faces, points: int) -> ChoiceOdds:
        """Return the swap of a Bomb as a choice; it forgoes the Bomb's points."""
        after, left = self._after_swap, self._terms.dice
        bank = None if self._terms.must_single else after.bank(points, left)
        return ChoiceOdds(dice, 0, "swap", bank, after.throw(points, left))

    @cached_property
    def _after_swap(self) -> "TurnOdds":
        """The moment after a swap with the leader."""
        mine = self._leader.theirs
        others = (replace(each, mine=mine, swapped=True) for each in self._pairs if each is not self._leader)
        return TurnOdds(self._table, (self._leader.after_swap(), *others))

    def values(self, points: int) -> TurnValues:
        """Return the values of the turn, to these points at least."""
        steps = points // self._terms.step
        if self._values is None or steps >= self._values.ends.limit:
            self._values = self._solved(steps + self._turns.most + 1)
        return self._values

    def _solved(self, longest: int) -> TurnValues:
        if len(self._pairs) == 1:
            return self._table.solve(self._leader, longest)
        ends = [self._table.ends(each, longest) for each in self._pairs]
        total = max(each.bank.shape[-2] for each in ends)
        pads = [((0, 0),) * (each.bank.ndim - 2) + ((0, total - each.bank.shape[-2]), (0, 0)) for each in ends]
        banks = [np.pad(each.bank, pad, mode="edge") for each, pad in zip(ends, pads, strict=True)]
        bank = np.where((np.array(banks) == FORBIDDEN).any(axis=0), FORBIDDEN, together(banks))
        joined = TurnEnds(bank, together([each.farkle for each in ends]), total - self._turns.most)
        swap = None
        if self.may_swap:
            swap = self._turns.swap_worth(self._after_swap.values((longest - 1) * self._terms.step), total)
        return self._turns.solve(joined, swap)
