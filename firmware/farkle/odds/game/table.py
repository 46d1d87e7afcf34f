"""The table of a game of two sides: what each state between two turns is worth, and what the turns after it lead to.

With Piggyback a bank leaves its points and the dice left over. The other side throws these dice with these points, or
begins a fresh turn, whichever is better. So the worth of a bank depends on the dice left.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from farkle.odds.game.duel import Bools, Duel
from farkle.odds.game.ending import SMALLEST, FinalTurn, closing_ends, no_answer
from farkle.odds.turn.listing import Floats, Numbers
from farkle.odds.turn.solver import FORBIDDEN, TurnEnds, TurnValues


@dataclass(frozen=True)
class Standings:
    """Turns that are about to begin, all in one role, or that have gone on with a swap of the pegs.

    Attributes:
        role: the number of the role of the side to move.
        mine: its scores in steps, (standings,); after a swap, as they are then.
        theirs: the other side's scores in steps, (standings,), below the target unless the turns left are known.
        my_farkles: the farkles in a row of the side to move, (standings,).
        their_farkles: the other side's, (standings,).
        left: the turns left of both sides with this one; None if the end is open.
        swapped: whether the pegs were swapped in this turn, so that any points may be banked.
    """

    role: int
    mine: Numbers
    theirs: Numbers
    my_farkles: Numbers
    their_farkles: Numbers
    left: int | None = None
    swapped: bool = False

    def after_swap(self) -> "Standings":
        """Return the standings after the pegs were swapped."""
        return replace(self, mine=self.theirs, theirs=self.mine, swapped=True)


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


@dataclass(frozen=True, eq=False)
class Table:
    """The chance to win of the side to move, in every state between two turns of a game of two sides.

    Attributes:
        duel: the game.
        values: the chances, of the shape `Duel.shape`; in a game of rounds those by the turns left, of the shape
            `rounds_shape`.
        finals: the last turn, by role of the side that answers.
        offers: the worth of dice left over; None where no offer counts.
    """

    duel: Duel
    values: Floats
    finals: tuple[FinalTurn, ...]
    offers: Offers | None = None

    def begin(self, at: Standings) -> float:
        """Return the chance to win of the first standing's side to move, whose turn is about to begin."""
        if at.left is None:
            return float(self._lookup(at.role, at.my_farkles, at.their_farkles, at.mine, at.theirs)[0])
        gap = int(at.theirs[0] - at.mine[0])
        if self.duel.terms.rounds:
            far = self.values.shape[1] // 2
            return float(self.values[at.left - 1, min(max(gap, -far), far) + far])
        if at.left == 1:
            final = self.finals[at.role]
            chances = final.off_board if self.duel.terms.opening and at.mine[0] == 0 else final.on_board
            return float(chances[min(gap, len(chances) - 1)]) if gap >= 0 else 1.0
        return float(self.solve(at).start[0])

    def solve(self, at: Standings, longest: int = 0) -> TurnValues:
        """Return the values of the turns that begin in some standings, to these points at least."""
        duel, ends = self.duel, self.ends(at, longest)
        swap = None
        if duel.terms.may_swap and not at.swapped and (at.mine < at.theirs).any():
            total = ends.bank.shape[-2]
            swap = np.ones((total, 1))  # it passes the other side, whose last turn is over
            if at.left != 1:
                swap = duel.turns.swap_worth(self.solve(at.after_swap()), total)
            swap = np.where(at.mine < at.theirs, swap, FORBIDDEN)
        return duel.turns.solve(ends, swap)

    def ends(self, at: Standings, longest: int = 0) -> TurnEnds:
        """Return what the ends of turns are worth, to these points at least."""
        return self._open(at, longest) if at.left is None else self._closing(at, at.left, longest)

    def _closing(self, at: Standings, left: int, longest: int) -> TurnEnds:
        """Return what the ends of turns are worth where the number of turns left is known."""
        terms, level = self.duel.terms, 0
        if left == 1:
            answer = no_answer(self.finals[at.role].tie)
        elif terms.rounds:
            answer = self.values[left - 2]
            level = len(answer) // 2
        else:
            final = self.finals[self.duel.all_roles[at.role].follows]
            answer = final.off_board if terms.opening and at.theirs[0] == 0 else final.on_board
        gaps, least = at.theirs - at.mine, self._least(at)
        farkled = -gaps if at.swapped and terms.swap_undone else gaps
        limit = max(len(answer) - level + int(gaps.max()), int(least.max()), longest, 1)
        return closing_ends(self.duel.turns, answer, level, gaps, least, limit, farkled)

    def _open(self, at: Standings, longest: int) -> TurnEnds:
        """Return what the ends of turns are worth where nobody has reached the target."""
        duel, terms, role = self.duel, self.duel.terms, self.duel.all_roles[at.role]
        farkle = self._farkle(at)
        limit = max(self._limit(at, farkle), longest)
        if self.offers is not None and role.answered:
            limit += self.finals[role.follows].reach()
        points = np.arange(limit + duel.turns.most)[:, None]
        ended = at.mine + points >= terms.target
        score = np.minimum(at.mine + points, terms.target - 1)
        theirs = self._bumped(score, np.broadcast_to(at.theirs, score.shape))
        bank = 1.0 - self._lookup(role.follows, at.their_farkles, np.zeros_like(at.mine), theirs, score)
        if role.answered:
            final = self.finals[role.follows]
            gaps = np.clip(at.mine + points - at.theirs, 0, len(final.on_board) - 1)
            answer = final.on_board[gaps]
            if terms.opening and not at.theirs.all():
                answer = np.where(at.theirs == 0, final.off_board[gaps], answer)
            bank = np.where(ended, 1.0 - answer, bank)
        else:
            bank[ended] = 1.0
        bank[points < self._least(at)] = FORBIDDEN
        if self.offers is not None:
            bank = bank_by_dice(bank, self._offered(at, theirs, points, ended), duel.turns.swap_place)
        return TurnEnds(bank, farkle, limit)

    def _least(self, at: Standings) -> Numbers:
        """Return the least steps that may be banked, (standings,)."""
        terms = self.duel.terms
        least = np.full(len(at.mine), 0 if at.swapped else terms.minimum)
        return np.where(at.mine == 0, terms.opening, least) if terms.opening and not at.swapped else least

    def _offered(self, at: Standings, theirs: Numbers, points: Numbers, ended: Bools) -> Floats:
        """Return the worth to the other side of the dice left over, (dice less one, points, standings)."""
        assert self.offers is not None
        terms, role = self.duel.terms, self.duel.all_roles[at.role]
        score = np.minimum(at.mine + points, terms.target - 1)
        found = self.offers.worth(role.follows, at.their_farkles, theirs, score, points)
        answer: Floats | float = 0.0
        if role.answered:
            least = np.where(at.theirs == 0, terms.opening or terms.minimum, terms.minimum)
            answer = self.finals[role.follows].offers(at.mine - at.theirs, least - points)
        found = np.where(ended, answer, found)
        found[:, 0] = 0.0  # no points, no offer
        return found

    def _lookup(self, role: int, my_farkles: Numbers, their_farkles: Numbers, mine: Numbers, theirs: Numbers) -> Floats:
        """Return chances from the table, for scores in steps; the arrays are broadcast together."""
        _, streaks, _, places, _ = self.duel.shape
        low = self.duel.terms.lowest
        plane = ((role * streaks + my_farkles) * streaks + their_farkles) * places**2 - low * (places + 1)
        found: Floats = self.values.reshape(-1).take(plane + mine * places + theirs)
        return found

    def _farkle(self, at: Standings) -> Floats:
        """Return what a farkle is worth, (standings,)."""
        duel, terms = self.duel, self.duel.terms
        before, theirs = (at.theirs, at.mine) if at.swapped and terms.swap_undone else (at.mine, at.theirs)
        mine, farkles, third = duel.farkled(before, at.my_farkles)
        theirs = np.where(mine == before, theirs, self._bumped(mine, theirs))
        found = 1.0 - self._lookup(duel.all_roles[at.role].follows, at.their_farkles, farkles, theirs, mine)
        return np.where(third, 0.0, found) if terms.strikes_out else found

    def _bumped(self, mine: Numbers, theirs: Numbers) -> Numbers:
        """Return the other side's scores after my peg has come to rest."""
        terms = self.duel.terms
        if not terms.back:
            return theirs
        hole = terms.hole
        hit = (mine // hole == theirs // hole) & (theirs // hole > 0) & (mine < terms.target)
        return np.where(hit, np.maximum(0, theirs - terms.back), theirs)

    def _limit(self, at: Standings, farkle: Floats) -> int:
        """Return the number of points from which on nothing is better than banking.

        A throw wins with at most 1 - f (1 - F), where f is the chance of a farkle and F what it is worth. Banking loses
        only to the other side's last turn. So banking is best as soon as that is unlikelier.
        """
        duel, terms, role = self.duel, self.duel.terms, self.duel.all_roles[at.role]
        wins = terms.target - at.mine
        if role.answered and self.offers is None:
            chances = self.finals[role.follows].on_board
            least = 0.0 if terms.must_single else min(duel.turns.missed[1:])
            risk = np.maximum(SMALLEST, least * (1.0 - farkle - chances[-1]))
            gaps = len(chances) - np.searchsorted(chances[::-1] - chances[-1], risk, side="right")
            wins = np.maximum(wins, gaps + at.theirs - at.mine)
        return max(int(wins.max()), terms.minimum, terms.opening, 1)
