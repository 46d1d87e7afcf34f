"""The turn of one side in many standings at once: what a bank, a farkle and a swap lead to."""

from dataclasses import dataclass

import numpy as np

from farkle.odds.duel import Bools, Duel
from farkle.odds.final_turn import SMALLEST, FinalTurn
from farkle.odds.last_turns import LastStandings, LastTurns
from farkle.odds.listing import Floats, Numbers
from farkle.odds.offers import Offers, bank_by_dice
from farkle.odds.turns import FORBIDDEN, TurnValues


@dataclass(frozen=True)
class Standings:
    """Turns that are about to begin, all in one role.

    Attributes:
        role: the number of the role of the side to move.
        mine: its scores in steps, (standings,).
        theirs: the other side's scores in steps, below the target, (standings,).
        my_farkles: the farkles in a row of the side to move, (standings,).
        their_farkles: the other side's, (standings,).
    """

    role: int
    mine: Numbers
    theirs: Numbers
    my_farkles: Numbers
    their_farkles: Numbers


@dataclass(frozen=True)
class After:
    """What the turns of some standings lead to, and the number of points to examine.

    `bank` is by points and standing, or by dice left, points and standing where dice left over are offered.
    """

    bank: Floats
    farkle: Floats
    limit: int
    hot: tuple[Floats, Floats] | None


class Table:
    """The chance to win of the side to move, in every state between two turns of a game of two sides.

    Attributes:
        duel: the game.
        values: the chances, of the shape `Duel.shape`; in a game of rounds those by the turns left, of the shape
            `closing_shape`.
        finals: the last turn, by role of the side that answers.
        last: of teams with several players, the last turns after a win of the side that begins the round, and after
            one of the other side; else empty.
        offers: the worth of dice left over; None where no offer counts.
    """

    def __init__(
        self,
        duel: Duel,
        values: Floats,
        finals: tuple[FinalTurn, ...],
        last: tuple[LastTurns, ...] = (),
        offers: Offers | None = None,
    ) -> None:
        self.duel, self.values, self.finals, self.last, self.offers = duel, values, finals, last, offers
        self._by_gap: dict[int, Floats] = {}

    def chance(self, role: int, mine: int, theirs: int, my_farkles: int = 0, their_farkles: int = 0) -> float:
        """Return the chance to win of a side whose turn is about to begin; scores are in steps."""
        low = self.duel.lowest
        most = self.duel.streaks - 1
        return float(self.values[role, min(my_farkles, most), min(their_farkles, most), mine - low, theirs - low])

    def after(self, at: Standings, *, swapped: bool = False, longest: int = 0) -> After:
        """Return what a bank and a farkle lead to.

        Args:
            at: the standings; after a swap, as they are then.
            swapped: whether the pegs were swapped in this turn, so that any points may be banked.
            longest: the least number of points to examine.
        """
        duel, role = self.duel, self.duel.all_roles[at.role]
        farkle = self._farkle(at, swapped=swapped)
        limit = max(self._limit(at, farkle), longest)
        if self.offers is not None and role.answered:
            limit += self.finals[role.follows].reach()
        points = np.arange(limit + duel.turns.most)[:, None]
        ended = at.mine + points >= duel.target
        score = np.minimum(at.mine + points, duel.target - 1)
        theirs = np.broadcast_to(at.theirs, score.shape)
        if duel.back:
            theirs = self._bumped(score, theirs)
        bank = 1.0 - self._lookup(role.follows, at.their_farkles, np.zeros_like(at.mine), theirs, score)
        if role.answered and self.last:
            none = np.zeros_like(at.mine)
            answered = LastStandings(theirs, at.mine + points, at.their_farkles, none)
            bank = np.where(ended, 1.0 - self.last[not role.begins].chance(role.last_turns, answered), bank)
        elif role.answered:
            final = self.finals[role.follows]
            gaps = np.clip(at.mine + points - at.theirs, 0, len(final.on_board) - 1)
            answer = final.on_board[gaps]
            if duel.opening and not at.theirs.all():
                answer = np.where(at.theirs == 0, final.off_board[gaps], answer)
            bank = np.where(ended, 1.0 - answer, bank)
        else:
            bank[ended] = 1.0
        if not swapped:
            least = np.full(len(at.mine), duel.minimum)
            if duel.opening:
                least[at.mine == 0] = duel.opening
            bank[points < least] = FORBIDDEN
        hot = None
        if self.offers is not None:
            offered = self._offered(at, theirs, points, ended)
            bank = bank_by_dice(bank, offered, duel.turns.swap_place)
        elif duel.turns.forced:
            must = duel.turns.must_throw(farkle, bank[-1])
            hot = bank[limit:], np.broadcast_to(must, (duel.turns.most, len(must)))
        return After(bank, farkle, limit, hot)

    def _offered(self, at: Standings, theirs: Numbers, points: Numbers, ended: Bools) -> Floats:
        """Return the worth to the other side of the dice left over, (dice less one, points, standings)."""
        assert self.offers is not None
        duel, role = self.duel, self.duel.all_roles[at.role]
        score = np.minimum(at.mine + points, duel.target - 1)
        found = self.offers.worth(role.follows, at.their_farkles, theirs, score, points)
        answer: Floats | float = 0.0
        if role.answered:
            least = np.where(at.theirs == 0, duel.opening or duel.minimum, duel.minimum)
            answer = self.finals[role.follows].offers(at.mine - at.theirs, least - points)
        found = np.where(ended, answer, found)
        found[:, 0] = 0.0  # no points, no offer
        return found

    def solve(self, at: Standings, *, swapped: bool = False, longest: int = 0) -> tuple[TurnValues, After]:
        """Return the values of the turns that begin in some standings."""
        after = self.after(at, swapped=swapped, longest=longest)
        swap = None
        if self.duel.may_swap and not swapped and (at.mine < at.theirs).any():
            swap = self._swap(at, after.bank.shape[-2])
        return self.duel.turns.solve(after.bank, after.farkle, after.limit, swap, after.hot), after

    def _swap(self, at: Standings, total: int) -> Floats:
        """Return what a Bomb's swap is worth by the points before it, (total, standings)."""
        swapped = Standings(at.role, at.theirs, at.mine, at.my_farkles, at.their_farkles)
        values, _ = self.solve(swapped, swapped=True)
        rows = self.duel.turns.swapped_place
        found = values.go_on[rows]
        if len(found) < total:
            found = np.concatenate([found, np.broadcast_to(found[-1], (total - len(found), found.shape[1]))])
        return np.where(at.mine < at.theirs, found[:total], FORBIDDEN)

    def _lookup(self, role: int, my_farkles: Numbers, their_farkles: Numbers, mine: Numbers, theirs: Numbers) -> Floats:
        """Return chances from the table, for scores in steps; the arrays are broadcast together."""
        _, streaks, _, places, _ = self.duel.shape
        low = self.duel.lowest
        plane = ((role * streaks + my_farkles) * streaks + their_farkles) * places**2 - low * (places + 1)
        found: Floats = self.values.reshape(-1).take(plane + mine * places + theirs)
        return found

    def _farkle(self, at: Standings, *, swapped: bool) -> Floats:
        """Return what a farkle is worth, (standings,)."""
        duel, switches = self.duel, self.duel.rules.switches
        mine, theirs = at.mine, at.theirs
        if swapped and switches.bomb_swap == "undone_on_farkle":
            mine, theirs = theirs, mine
        before = mine
        mine, farkles, third = duel.farkled(mine, at.my_farkles)
        if duel.back:
            theirs = np.where(mine == before, theirs, self._bumped(mine, theirs))
        found = 1.0 - self._lookup(duel.all_roles[at.role].follows, at.their_farkles, farkles, theirs, mine)
        return np.where(third, 0.0, found) if switches.three_strikes_out else found

    def _worst(self, role: int) -> Floats:
        """Return the other side's greatest chance after a win in this role, by the steps that it misses."""
        if role not in self._by_gap:
            after = self.duel.all_roles[role]
            chances = self.last[not after.begins].by_gap(after.last_turns)
            self._by_gap[role] = np.maximum.accumulate(chances[::-1])[::-1]
        return self._by_gap[role]

    def _bumped(self, mine: Numbers, theirs: Numbers) -> Numbers:
        """Return the other side's scores after my peg has come to rest."""
        duel = self.duel
        hole = max(1, duel.rules.hole_points // duel.listing.step)
        hit = (mine // hole == theirs // hole) & (theirs // hole > 0) & (mine < duel.target)
        return np.where(hit, np.maximum(0, theirs - duel.back), theirs)

    def _limit(self, at: Standings, farkle: Floats) -> int:
        """Return the number of points from which on nothing is better than banking.

        A throw wins with at most 1 - f (1 - F), where f is the chance of a farkle and F what it is worth. Banking loses
        only to the other side's last turn. So banking is best as soon as that is unlikelier.
        """
        duel, role = self.duel, self.duel.all_roles[at.role]
        wins = duel.target - at.mine
        if role.answered and self.offers is None:
            chances = self.finals[role.follows].on_board if not self.last else self._worst(at.role)
            least = 0.0 if duel.turns.forced else min(duel.turns.missed[1:])
            risk = np.maximum(SMALLEST, least * (1.0 - farkle - chances[-1]))
            gaps = len(chances) - np.searchsorted(chances[::-1] - chances[-1], risk, side="right")
            wins = np.maximum(wins, gaps + at.theirs - at.mine)
        return max(int(wins.max()), duel.minimum, duel.opening, 1)
