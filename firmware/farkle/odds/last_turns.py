"""The last turns of a game of two teams: the turns that follow after a side has reached the target.

Their number is known, so the chances with some turns left follow from those with one turn less, and the last turn from
the scores. Scores have no end here. Only their difference counts, except where a penalty stops at the start or a side
is off the board: so the lower score is kept apart, too, as far as that can happen.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from farkle.odds.duel import Duel
from farkle.odds.final_turn import SMALLEST, FinalTurn, TurnOdds
from farkle.odds.listing import Floats, Numbers
from farkle.odds.turns import FORBIDDEN, TurnValues

_AT_ONCE = 64

Report = Callable[[float], None]
"""Takes the share of the work that is done, from 0 to 1."""


@dataclass(frozen=True)
class LastStandings:
    """Last turns that are about to begin: scores in steps, and farkles in a row; the side to move is mine."""

    mine: Numbers
    theirs: Numbers
    my_farkles: Numbers
    their_farkles: Numbers

    def swapped(self) -> "LastStandings":
        """Return the standings after the pegs were swapped."""
        return LastStandings(self.theirs, self.mine, self.my_farkles, self.their_farkles)


@dataclass(frozen=True)
class LastTurns:
    """The chance to win of the side to move in the last turns.

    Attributes:
        duel: the game.
        tie: what a level score is worth to the side that has the last turn.
        values: the chances, by turns left less one, my and their farkles in a row, the lower score, and my lead from
            the most behind.
    """

    duel: Duel
    tie: float
    values: Floats

    @property
    def in_a_row(self) -> bool:
        """Whether one side has all these turns."""
        return self.duel.rules.ending == "one_more_turn"

    @property
    def far(self) -> int:
        """The lead from which on nothing changes."""
        return int(self.values.shape[-1]) // 2

    def chance(self, left: int, at: LastStandings) -> Floats:
        """Return the chance of the side to move with some turns left; the arrays are broadcast together."""
        _, streaks, _, lowers, leads = self.values.shape
        lower = np.clip(np.minimum(at.mine, at.theirs), 0, lowers - 1)
        lead = np.clip(at.mine - at.theirs, -self.far, self.far) + self.far
        place = (((left - 1) * streaks + at.my_farkles) * streaks + at.their_farkles) * lowers + lower
        found: Floats = self.values.reshape(-1).take(place * leads + lead)
        return found

    def turn(
        self, left: int, at: LastStandings, *, swapped: bool = False, longest: int = 0
    ) -> tuple[TurnValues, Floats, Floats]:
        """Return the values of turns, what banking is worth by points, and what a farkle is worth.

        Args:
            left: the turns that are left with this one.
            at: the standings; after a swap, as they are then.
            swapped: whether the pegs were swapped in this turn, so that any points may be banked.
            longest: the least number of points to examine.
        """
        duel, solver = self.duel, self.duel.turns
        farkle = self._farkle(left, at, swapped=swapped)
        bank = self._bank(left, at, swapped=swapped)
        limit = max(self._limit(left, at, bank, farkle), longest, 1)
        total = limit + solver.most
        bank = np.concatenate([bank[:total], np.repeat(bank[-1:], max(0, total - len(bank)), axis=0)])
        swap = None
        if duel.may_swap and not swapped and (at.mine < at.theirs).any():
            values, _, _ = self.turn(left, at.swapped(), swapped=True, longest=limit)
            swap = np.where(at.mine < at.theirs, values.go_on[solver.swapped_place, :total], FORBIDDEN)
        hot = None
        if solver.forced:
            must = np.broadcast_to(solver.must_throw(farkle, bank[-1]), (solver.most, len(farkle)))
            hot = bank[limit:], must
        return solver.solve(bank, farkle, limit, swap, hot), bank, farkle

    def one_turn(self, left: int, at: LastStandings, *, swapped: bool, longest: int) -> TurnOdds:
        """Return the values of one standing's turn."""
        values, bank, farkle = self.turn(left, at, swapped=swapped, longest=longest)
        return TurnOdds(values, bank[:, 0], float(farkle[0]))

    def by_gap(self, left: int) -> Floats:
        """Return the greatest chance of the side to move by the steps that it misses, whatever else the standing is."""
        found: Floats = self.values[left - 1].max(axis=(0, 1, 2))[self.far :: -1]
        return found

    def _after(self, left: int, mine: Numbers, theirs: Numbers, my_farkles: Numbers, their_farkles: Numbers) -> Floats:
        """Return the chance of the side to move after its turn, with these scores and farkles in a row."""
        if left == 1:
            return np.where(mine > theirs, 1.0, np.where(mine == theirs, self.tie, 0.0))
        if self.in_a_row:
            return self.chance(left - 1, LastStandings(mine, theirs, my_farkles, their_farkles))
        return 1.0 - self.chance(left - 1, LastStandings(theirs, mine, their_farkles, my_farkles))

    def _farkle(self, left: int, at: LastStandings, *, swapped: bool) -> Floats:
        undone = swapped and self.duel.rules.switches.bomb_swap == "undone_on_farkle"
        mine, theirs = (at.theirs, at.mine) if undone else (at.mine, at.theirs)
        mine, farkles, third = self.duel.farkled(mine, at.my_farkles)
        found = self._after(left, mine, theirs, farkles, at.their_farkles)
        return np.where(third, 0.0, found) if self.duel.rules.switches.three_strikes_out else found

    def _bank(self, left: int, at: LastStandings, *, swapped: bool) -> Floats:
        """Return what banking is worth by points, until it does not change any more."""
        duel = self.duel
        most = self.far + int((at.theirs - at.mine).max()) + 1 if left > 1 else int((at.theirs - at.mine).max()) + 2
        points = np.arange(max(most, duel.minimum, duel.opening, 1) + 1)[:, None]
        bank = self._after(left, at.mine + points, at.theirs, np.zeros_like(at.mine), at.their_farkles)
        if not swapped:
            least = np.full(len(at.mine), duel.minimum)
            if duel.opening:
                least[at.mine == 0] = duel.opening
            bank[points < least] = FORBIDDEN
        return bank

    def _limit(self, left: int, at: LastStandings, bank: Floats, farkle: Floats) -> int:
        """Return the number of points from which on nothing is better than banking.

        A throw is worth at most f F + (1 - f) B, where f is the chance of a farkle, F what it is worth, and B the most
        that any points are worth.
        """
        solver = self.duel.turns
        if left == 1:
            most = np.ones_like(farkle)
        elif self.in_a_row:
            most = self.values[left - 2, 0].max(axis=(1, 2))[at.their_farkles]
        else:
            most = 1.0 - self.values[left - 2, :, 0].min(axis=(1, 2))[at.their_farkles]
        least = 0.0 if solver.forced else min(solver.missed[1:])
        enough = most - bank <= np.maximum(SMALLEST, least * (most - farkle))
        open_yet = np.flatnonzero(~enough.all(axis=1))
        return int(open_yet[-1]) + 1 if len(open_yet) else 1


def has_last_turns(duel: Duel) -> bool:
    """Return whether the last turns of a game are more than one, so that they have a table of their own."""
    return duel.several > 1 and not duel.has_rounds


def last_turns(duel: Duel, finals: tuple[FinalTurn, ...], report: Report) -> tuple[LastTurns, LastTurns]:
    """Return the last turns after a win of the side that begins the round, and after one of the other side.

    Args:
        duel: a game of teams with several players.
        finals: its last turns if there is one alone, which say how far a side can come.
        report: is called with the share that is done.
    """
    switches = duel.rules.switches
    in_a_row = duel.rules.ending == "one_more_turn"
    count = duel.several if in_a_row else 2 * duel.several - 1
    far = int((0.9 + 0.1 * duel.several) * max(len(each.on_board) for each in finals))
    if switches.tie == "extra_round":
        same = _extra_rounds(duel, far)
        return same, same
    first, second = (0.0, 0.0 if in_a_row else 1.0) if switches.tie == "trigger" else (0.5, 0.5)
    if first == second:
        same = _solved(duel, far, count, first, report)
        return same, same
    after_first = _solved(duel, far, count, first, lambda share: report(share / 2))
    return after_first, _solved(duel, far, count, second, lambda share: report((1.0 + share) / 2))


def _extra_rounds(duel: Duel, far: int) -> LastTurns:
    """Return the last turns where equal scores play another round, with those of such a round."""
    begins, before = 0.5, 2.0
    while True:
        found = _solved(duel, far, 2 * duel.several, 1.0 - begins, lambda _: None)
        begins, before = float(found.values[-1, 0, 0, -1, far]), begins
        if abs(begins - before) < SMALLEST:
            return found


def _solved(duel: Duel, far: int, count: int, tie: float, report: Report) -> LastTurns:
    """Return the chances of some last turns, the last one first."""
    in_a_row = duel.rules.ending == "one_more_turn"
    found = LastTurns(duel, tie, np.zeros(_shape(duel, far, count)))
    for left in range(1, count + 1):
        ours, others = (left, 0) if in_a_row else (-(-left // 2), left // 2)
        layer = found.values[left - 1]
        for farkles in np.ndindex(duel.streaks, duel.streaks):
            mine, theirs = _decisive(duel, ours, farkles[0]), _decisive(duel, others, farkles[1])
            if farkles == (mine, theirs):
                _fill(found, left, farkles, max(_most_lost(duel, ours, mine), _most_lost(duel, others, theirs)))
            else:  # found before, with fewer farkles
                layer[farkles] = layer[mine, theirs]
            report((left - 1 + (farkles[0] * duel.streaks + farkles[1] + 1) / duel.streaks**2) / count)
    return found


def _fill(found: LastTurns, left: int, farkles: tuple[int, int], lost: int) -> None:
    """Find the chances of all scores with these turns left and farkles in a row, and at most so many steps to lose."""
    layer = found.values[left - 1][farkles]
    lowers = min(len(layer), max(lost, int(found.duel.opening > 0)) + 1)
    lead, lower = np.divmod(np.arange((2 * found.far + 1) * lowers), lowers)
    for first in range(0, len(lead), _AT_ONCE):
        leads, lows = lead[first : first + _AT_ONCE] - found.far, lower[first : first + _AT_ONCE]
        ours, others = (np.full(len(leads), each) for each in farkles)
        at = LastStandings(lows + np.maximum(leads, 0), lows + np.maximum(-leads, 0), ours, others)
        layer[lows, leads + found.far] = found.turn(left, at)[0].start
    layer[lowers:] = layer[lowers - 1]


def _shape(duel: Duel, far: int, count: int) -> tuple[int, int, int, int, int]:
    """Return the shape of the chances of some last turns."""
    turns = -(-count // 2) if duel.rules.ending != "one_more_turn" else count
    floor = duel.rules.switches.penalty_floor == "start"
    lowest = max(_most_lost(duel, turns, farkles) for farkles in range(duel.streaks)) if floor else 0
    return count, duel.streaks, duel.streaks, max(lowest, int(duel.opening > 0)) + 1, 2 * far + 1


def _most_lost(duel: Duel, turns: int, farkles: int) -> int:
    """Return the most steps that a side can lose in some turns, with these farkles in a row before them."""
    lost, counts = 0, np.array([farkles])
    for _ in range(turns):
        _, counts, third = duel.farkled(np.zeros(1, int), counts)
        lost += duel.costs[0] + duel.costs[1] * int(third[0])
    return lost


def _decisive(duel: Duel, turns: int, farkles: int) -> int:
    """Return the farkles in a row that stand for these: none where there are too few turns for a third one."""
    return farkles if duel.streaks > 1 and farkles + turns >= 3 else 0
