"""The table of a game of two sides: what each state between two turns is worth, and what the turns after it lead to."""

from dataclasses import dataclass, replace

import numpy as np

from farkle.odds.game.duel import Bools, Duel
from farkle.odds.game.ending import SMALLEST, FinalTurn, closing_ends, no_answer
from farkle.odds.game.offers import Offers, bank_by_dice
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
