"""The simulated player who plays each turn for the greatest chance to win against the best other side."""

from collections.abc import Sequence

import numpy as np

from farkle.odds.duel import OddsError
from farkle.odds.final_turn import last_turn, turn_before_last
from farkle.odds.listing import Floats, Numbers
from farkle.odds.players import Flags, SeatTurns
from farkle.odds.standings import Standings, Table
from farkle.odds.throws import Throws
from farkle.odds.turns import FORBIDDEN, TurnValues
from farkle.rules.ruleset import RuleSet

MOST_BYTES = 256 * 1024**2
"""The memory in bytes for the turns that are kept; one of a game to 121 holes takes about three kilobytes."""

_AT_ONCE = 64
_STEPS = 2**16 - 2
"""The steps in which the values of a turn are kept, from its least to its greatest; 0 is kept for what is refused."""


def check_best_win(rules: RuleSet) -> None:
    """Check that `best-win` can play a rule set, before its game is solved.

    Raises:
        OddsError: if the game is one of rounds.
    """
    if rules.ending == "rounds":
        raise OddsError("expected a game to a number of points for best-win, got one of rounds")


class BestPlayer:
    """A player by a table of two sides. The turns of a state are solved when it is met first, and kept.

    Args:
        table: the table of the game.
        most_bytes: the memory for these turns. If it is full, all are forgotten.

    Raises:
        OddsError: if the game is one of rounds.
    """

    def __init__(self, table: Table, most_bytes: int = MOST_BYTES) -> None:
        duel = table.duel
        check_best_win(duel.rules)
        self._table, self._turns_of = table, duel.turns
        self._dice = duel.listing.dice
        self._most = duel.target + duel.turns.most
        self._total = self._most + duel.turns.most
        roles, streaks, _, places, _ = duel.shape
        self._shape = (2, roles, streaks, streaks, places, places)
        self._first_last = int(np.prod(self._shape))
        self._gaps = 2 * self._total + 1
        self._done = self._first_last + 2 * roles * 2 * self._gaps
        self._number = np.full(self._done + 1, -1, np.int64)
        self._count = 0
        self._options, self._counts, self._places = self._list_options()
        self._worth = np.zeros((0, len(self._places) * self._total), np.uint16)
        self._banks = np.zeros((0, -(-(self._dice + 2) * self._most // 8)), np.uint8)
        self._most_states = most_bytes // (self._worth.shape[1] * 2 + self._banks.shape[1])
        self._rows: Numbers = np.zeros(0, np.int64)
        self._now: SeatTurns | None = None

    def _list_options(self) -> tuple[Numbers, Numbers, Numbers]:
        """Return what each class may lead to.

        Returns:
            For each rank the column and the gain of each class's option, packed; the options of each class; and the
            place of each column.
        """
        rows = []
        for each in Throws(self._table.duel.listing).classes:
            found = {(self._turns_of.place(option), option.points) for option in each.options}
            if any(option.bomb for option in each.options):
                found.add((self._turns_of.swap_place, 0))
            rows.append(sorted(found))
        places = sorted({place for row in rows for place, _ in row})
        packed = [[places.index(place) * self._total + gain for place, gain in row] for row in rows]
        counts = np.array([len(row) for row in rows])
        padded = [row + [0] * (int(counts.max()) - len(row)) for row in packed]
        return np.array(padded).T.copy(), counts, np.array(places)

    def begin(self, turns: SeatTurns) -> None:
        """Prepare for these turns."""
        self._now = turns
        keys = self._keys(turns, np.arange(len(turns.mine)))
        needed = np.unique(keys)
        missing = needed[self._number[needed] < 0]
        if self._count + len(missing) > self._most_states:
            self._number[:], self._count, missing = -1, 0, needed
        self._solve(missing)
        self._rows = self._number[keys]

    def keep(self, rows: Numbers, classes: Numbers, points: Numbers) -> tuple[Numbers, Numbers]:
        """Return where the best options lead, and what they bring."""
        base = self._rows.take(rows) * self._worth.shape[1] + np.minimum(points, self._most - 1)
        flat = self._worth.reshape(-1)
        chosen = self._options[0].take(classes)
        best = flat.take(base + chosen)
        some = np.arange(len(rows))
        counts = self._counts.take(classes)
        for rank in range(1, len(self._options)):
            some = some[counts.take(some) > rank]
            if not len(some):
                break
            option = self._options[rank].take(classes.take(some))
            value = flat.take(base.take(some) + option)
            better = value > best.take(some)
            which = some[better]
            chosen[which], best[which] = option[better], value[better]
        return self._places.take(chosen // self._total), chosen % self._total

    def swap(self, rows: Numbers) -> None:
        """Take note that the pegs were swapped in these turns."""
        assert self._now is not None
        keys = self._keys(self._now, rows)
        needed = np.unique(keys)
        self._solve(needed[self._number[needed] < 0])
        self._rows[rows] = self._number[keys]

    def bank(self, rows: Numbers, places: Numbers, points: Numbers) -> Flags:
        """Return whether these turns are banked, if they may be."""
        bit = places * self._most + np.minimum(points, self._most - 1)
        packed = self._banks.reshape(-1).take(self._rows.take(rows) * self._banks.shape[1] + bit // 8)
        found: Flags = (packed >> (7 - bit % 8) & 1).astype(bool)
        return found

    def _keys(self, turns: SeatTurns, rows: Numbers) -> Numbers:
        """Return the numbers of the states of these turns."""
        duel, step = self._table.duel, 1
        roles, streaks = self._shape[1], self._shape[2]
        mine, theirs, to_end = turns.mine[rows], turns.theirs[rows], turns.to_end[rows]
        role = np.where(turns.second[rows], 1, 0) if roles == 2 else np.zeros_like(mine)
        places = [np.clip(each, duel.lowest, duel.target - step) - duel.lowest for each in (mine, theirs)]
        farkles = [np.minimum(each[rows], streaks - 1) for each in (turns.my_farkles, turns.their_farkles)]
        swapped = turns.swapped[rows].astype(np.int64)
        open_end: Numbers = np.ravel_multi_index((swapped, role, *farkles, *places), self._shape)
        gap = np.clip(theirs - mine, -self._total, self._total) + self._total
        off = (mine == 0).astype(np.int64) * bool(duel.opening)
        last = self._first_last + (((to_end - 1) * roles + role) * 2 + off) * self._gaps + gap
        last = np.where((turns.swapped[rows]) | ((to_end == 1) & (theirs < mine)), self._done, last)
        return np.where(to_end == 0, open_end, last)

    def _solve(self, keys: Numbers) -> None:
        """Solve the turns of these states, and keep them."""
        if self._count + len(keys) > len(self._worth):
            more = max(self._count + len(keys), 2 * len(self._worth))
            self._worth = np.concatenate(
                [self._worth, np.zeros_like(self._worth, shape=(more - len(self._worth), self._worth.shape[1]))]
            )
            self._banks = np.concatenate(
                [self._banks, np.zeros_like(self._banks, shape=(more - len(self._banks), self._banks.shape[1]))]
            )
        opened = keys[keys < self._first_last]
        swapped, role, my_farkles, their_farkles, mine, theirs = np.unravel_index(opened, self._shape)
        low = self._table.duel.lowest
        for kind in range(2):
            for number in range(self._shape[1]):
                some = np.flatnonzero((swapped == kind) & (role == number))
                some = some[np.argsort(mine[some], kind="stable")]
                for first in range(0, len(some), _AT_ONCE):
                    part = some[first : first + _AT_ONCE]
                    at = Standings(number, mine[part] + low, theirs[part] + low, my_farkles[part], their_farkles[part])
                    values, after = self._table.solve(at, swapped=bool(kind))
                    self._keep(opened[part], values, after.bank)
        for key in keys[keys >= self._first_last].tolist():
            self._solve_last(key)

    def _solve_last(self, key: int) -> None:
        """Solve one of the last turns; where it is won already, it is banked as soon as it may be."""
        duel = self._table.duel
        if key == self._done:
            self._banks[self._count] = 255
            self._worth[self._count] = 0.0
            self._number[key] = self._count
            self._count += 1
            return
        rest, gap = divmod(key - self._first_last, self._gaps)
        rest, off = divmod(rest, 2)
        two, role = divmod(rest, self._shape[1])
        gap -= self._total
        least = duel.opening if off else duel.minimum
        if two:
            answer = self._table.finals[duel.all_roles[role].follows].on_board
            found = turn_before_last(duel, answer, gap, least, self._most)
        else:
            found = last_turn(duel, gap, least, self._table.finals[role].tie, self._most, gap)
        self._keep([key], found.values, found.bank[:, None])

    def _keep(self, keys: "Numbers | Sequence[int]", values: TurnValues, bank: Floats) -> None:
        """Keep the solved turns of some states."""
        first, count = self._count, len(keys)
        limit = values.throw.shape[1]
        worth = values.go_on[self._places, : self._total]
        worth = np.pad(worth, ((0, 0), (0, self._total - worth.shape[1]), (0, 0)), mode="edge").reshape(-1, count)
        refused = worth == FORBIDDEN
        low, high = np.where(refused, 1.0, worth).min(axis=0), worth.max(axis=0)
        steps = 1.0 + (worth - low) * (_STEPS / np.maximum(high - low, 1e-9))
        self._worth[first : first + count] = np.where(refused, 0.0, np.rint(steps)).T
        banks = np.zeros((self._dice + 2, self._most, count), bool)
        some = min(limit, self._most)
        banks[1:-1, :some] = bank[:some] >= values.throw[1:, :some]
        banks[1:-1, some:] = True
        self._banks[first : first + count] = np.packbits(banks.reshape(-1, count), axis=0).T
        self._number[keys] = np.arange(first, first + count)
        self._count += count
