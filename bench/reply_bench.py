"""Measure what the rule of three sides loses: the exact best reply to two sides that keep it, in a short basic game.

`python bench/reply_bench.py`; it takes most of an hour. `--target 13` takes a minute. Every state between two turns is
looked at, so the numbers are exact but for the cut of leads beyond `LEADS`, and have no interval.
"""

import argparse
import sys
import time
from itertools import product

import numpy as np

from farkle import find_rule_set
from farkle.odds.game.duel import Duel, duel_of
from farkle.odds.game.solve import solve
from farkle.odds.game.table import Standings, Table
from farkle.odds.game.turn_odds import TurnOdds
from farkle.odds.turn.listing import Floats, Numbers
from farkle.odds.turn.solver import TurnEnds, TurnValues

SEATS = 3
LEADS = 60
"""The leads over the target that are kept apart; a longer one is taken for this one."""

ENOUGH = 1e-12
_AT_ONCE = 256


def pair(mine: int, theirs: int, *, second: bool = False, left: int | None = None) -> Standings:
    """Return the standing of the side to move against one other."""
    none = np.zeros(1, np.int64)
    return Standings(int(second), np.array([mine]), np.array([theirs]), none, none, left)


class Outcomes:
    """How a turn ends in which each throw is answered by the best choice: chances by points, where 0 is a farkle."""

    def __init__(self, duel: Duel) -> None:
        self._duel, self._solver = duel, duel.turns
        self._options = []
        for classes in duel.listing.classes:
            rows = [sorted({(each.left, each.points) for each in row.options}) for row in classes]
            widest = max(map(len, rows), default=1)
            table = np.array([row + row[:1] * (widest - len(row)) for row in rows] or np.zeros((0, 1, 2)), np.int64)
            self._options.append((table[:, :, 0], table[:, :, 1], np.array([row.chance for row in classes])))

    def of(self, turn: TurnValues) -> Floats:
        """Return the chances of the points of one turn, (points,)."""
        solver, dice = self._solver, self._duel.listing.dice
        go_on, throw, bank = turn.go_on[:, :, 0], turn.throw[:, :, 0], turn.ends.bank[:, 0]
        limit, total = throw.shape[1], go_on.shape[1]
        arrived = np.zeros((solver.places, total))
        arrived[dice, 0] = 1.0
        ended = np.zeros(total)
        high = limit + solver.least[dice]
        for low in range(solver.least[dice], high, solver.block):
            for size in range(dice, 0, -1):
                first = max(0, low - solver.least[size])
                last = min(limit, low + solver.block - solver.least[size])
                if first >= last or not (here := arrived[size, first:last]).any():
                    continue
                points = np.arange(first, last)
                go = np.where(bank[first:last] >= throw[size, first:last], 0.0, here)
                ended[first:last] += here - go
                ended[0] += solver.missed[size] * go.sum()
                place, gain, chances = self._options[size]
                at = place[:, :, None] * total + gain[:, :, None] + points  # (classes, options, points)
                chosen = go_on.reshape(-1)[at].argmax(axis=1)[:, None]
                goal = np.take_along_axis(at, chosen, axis=1)[:, 0]
                arrived += np.bincount(goal.reshape(-1), (chances[:, None] * go).reshape(-1), arrived.size).reshape(
                    arrived.shape
                )
                arrived[size, first:last] = 0.0
        ended[limit:] += arrived[:, limit:].sum(axis=0)
        return ended


class ThreeSides:
    """The game of three seats; seat 0 begins each round, and the round in which a seat reaches the target is the last.

    Args:
        table: the table of two sides.
    """

    def __init__(self, table: Table) -> None:
        self.table, self.duel = table, table.duel
        self.target = self.duel.terms.target
        self.outcomes = Outcomes(self.duel)
        self._far = self.duel.turns.most + LEADS + self.target  # no turn that is looked at is longer
        self._answers()
        self.last_turns = self._rule_before_last()
        self.open_turns = self._rule_open()

    def _answers(self) -> None:
        """Find how the last turn of a round ends: it passes, levels or misses, by the gap and by the leaders."""
        length = 2 * self.target + LEADS + self._far
        self._passed = np.zeros((2, 3, length))
        for tied in range(2):
            for gap in range(1, length):
                theirs = self.target + gap
                other = theirs if tied else self.target
                asked = [pair(self.target, each, left=1) for each in (theirs, other)]
                found = self._ends(asked)
                level = found[gap] if gap < len(found) else 0.0
                passed = found[gap + 1 :].sum()
                self._passed[tied, :, gap] = passed, level, 1.0 - passed - level

    def _ends(self, pairs: list[Standings]) -> Floats:
        found = self.outcomes.of(TurnOdds(self.table, pairs).values(0))
        return np.pad(found, (0, max(0, self._far - len(found))))[: self._far]

    def _rule_before_last(self) -> Floats:
        """Return how the second seat's last turn ends by the rule, by lead of the first and both scores."""
        found = np.zeros((LEADS + 1, self.target, self.target, self._far), np.float32)
        by_gaps: dict[tuple[int, int], Floats] = {}
        for lead, mine, third in product(range(LEADS + 1), range(self.target), range(self.target)):
            gaps = self.target + lead - mine, third - mine
            if gaps not in by_gaps:
                first = pair(mine, self.target + lead, left=1)
                by_gaps[gaps] = self._ends([first, pair(mine, third, left=2)])
            found[lead, mine, third] = by_gaps[gaps]
        return found

    def _rule_open(self) -> Floats:
        """Return how a turn ends by the rule, by seat and the scores of all seats."""
        found = np.zeros((SEATS, *(self.target,) * SEATS, self._far), np.float32)
        for seat in range(SEATS):
            sys.stderr.write(f"seat {seat + 1} of {SEATS}\n")
            for scores in product(range(self.target), repeat=SEATS):
                others = [each for each in range(SEATS) if each != seat]
                one, two = (scores[each] for each in others)
                if seat != 1 and one > two:  # both others stand alike: this was found already
                    turned = list(scores)
                    turned[others[0]], turned[others[1]] = two, one
                    found[(seat, *scores)] = found[(seat, *turned)]
                    continue
                asked = [pair(scores[seat], scores[each], second=each < seat) for each in others]
                found[(seat, *scores)] = self._ends(asked)
        return found

    def answered(self, who: int, first: Numbers, second: Numbers, third: Numbers) -> Floats:
        """Return the chance of a seat before the third seat's last turn, by the scores."""
        lead = np.maximum(first, second)
        gap = np.clip(lead - third, 1, self._passed.shape[2] - 1)
        tied = (first == second).astype(int)
        passed, level, missed = np.moveaxis(self._passed[tied, :, gap], -1, 0)
        share = np.where(tied == 1, 1 / 3, 1 / 2)
        if who == SEATS - 1:
            return passed + level * share
        mine = first if who == 0 else second
        return np.where(mine == lead, missed * np.where(tied == 1, 1 / 2, 1.0) + level * share, 0.0)

    def value(self, who: int, *, replies: bool) -> Floats:
        """Return the chance of a seat before each turn, by seat to move and scores.

        Args:
            who: the seat.
            replies: whether it plays the best reply to the two others; else it keeps the rule, too.
        """
        target, far = self.target, self._far
        before_last = self._before_last(who, replies=replies)
        values = np.full((SEATS, *(target,) * SEATS), 1 / SEATS)
        for total in range(SEATS * (target - 1), -1, -1):
            every = np.array([each for each in product(range(target), repeat=SEATS) if sum(each) == total]).T
            banks = []
            for seat in range(SEATS):
                score = every[seat] + np.arange(far)[:, None]  # (points, states)
                after = [np.broadcast_to(row, score.shape) for row in every]
                inside = list(after)
                inside[seat] = np.minimum(score, target - 1)
                worth = values[(seat + 1) % SEATS][tuple(inside)]
                over = score >= target
                if seat == 0:
                    lead = np.clip(score - target, 0, LEADS)
                    ended = before_last[lead, after[1], after[2]]
                elif seat == 1:
                    ended = self.answered(who, after[0], np.maximum(score, target), after[2])
                else:
                    ended = np.full(score.shape, float(who == seat))
                banks.append(np.where(over, ended, worth))
            for _ in range(200):
                change = 0.0
                for seat in reversed(range(SEATS)):
                    farkle = values[(seat + 1) % SEATS][tuple(every)]
                    if replies and seat == who:
                        found = self._best(banks[seat], farkle)
                    else:
                        ends = self.open_turns[seat][tuple(every)].astype(float)  # (states, points)
                        found = np.einsum("sp,ps->s", ends[:, 1:], banks[seat][1:]) + ends[:, 0] * farkle
                    change = max(change, float(np.abs(found - values[seat][tuple(every)]).max()))
                    values[seat][tuple(every)] = found
                if change < ENOUGH:
                    break
        return values

    def _before_last(self, who: int, *, replies: bool) -> Floats:
        """Return the chance of a seat before the second seat's last turn, by the first one's lead and both scores."""
        target, far = self.target, self._far
        lead, mine, third = (each.reshape(-1) for each in np.indices((LEADS + 1, target, target)))
        points = np.arange(far)[:, None]
        bank = self.answered(who, target + lead + 0 * points, mine + points, third + 0 * points)
        if replies and who == 1:
            found = self._best(bank, bank[0])
        else:
            ends = self.last_turns.reshape(-1, far).astype(float)
            found = np.einsum("sp,ps->s", ends, bank)
        return found.reshape(LEADS + 1, target, target)

    def _best(self, bank: Floats, farkle: Floats) -> Floats:
        """Return what turns are worth that are played best, (states,)."""
        turns, parts = self.duel.turns, []
        limit = len(bank) - turns.most
        for first in range(0, bank.shape[1], _AT_ONCE):
            some = slice(first, first + _AT_ONCE)
            shown = bank[:, some].copy()
            shown[0] = -1.0
            parts.append(turns.solve(TurnEnds(shown, farkle[some], limit)).start)
        return np.concatenate(parts)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="What the rule of three sides loses against an exact best reply.")
    parser.add_argument("--target", type=int, default=31, help="the holes of the game")
    arguments = parser.parse_args()
    rules = find_rule_set("farkle-cribbage").with_settings({"target": arguments.target})
    began = time.perf_counter()
    table = solve(duel_of(rules))
    game = ThreeSides(table)
    ruled = [game.value(who, replies=False) for who in range(SEATS)]
    best = [game.value(who, replies=True) for who in range(SEATS)]
    total = sum(ruled)
    gains = [high - low for high, low in zip(best, ruled, strict=True)]
    write = sys.stdout.write
    write(f"basic game to {arguments.target} holes, three sides: {total.size:,} states before a turn, all looked at\n")
    write(f"the chances of the three sides make one to {np.abs(total - 1.0).max():.1e}\n")
    starts = [float(gain[0, 0, 0, 0]) for gain in gains]
    for seat, (low, gain) in enumerate(zip(ruled, starts, strict=True)):
        write(f"seat {seat + 1}: wins {low[0, 0, 0, 0]:.5f} by the rule, the best reply {gain:+.5f} more\n")
    write(f"mean gain of the best reply from the start: {np.mean(starts):+.5f}\n")
    own = np.array([[gain[who] for who in range(SEATS)][seat] for seat, gain in enumerate(gains)])
    write(f"gain of the side to move, over all states: mean {own.mean():.5f}, at most {own.max():.5f}\n")
    said = np.zeros((SEATS, *(arguments.target,) * SEATS))
    for seat in range(SEATS):
        others = [each for each in range(SEATS) if each != seat]
        for scores in product(range(arguments.target), repeat=SEATS):
            asked = [pair(scores[seat], scores[each], second=each < seat) for each in others]
            said[(seat, *scores)] = TurnOdds(table, asked).begin()
    off = said - np.array([ruled[seat][seat] for seat in range(SEATS)])
    bounds = f"mean {off.mean():+.4f}, from {off.min():+.4f} to {off.max():+.4f}"
    write(f"chance said less the one that the rule wins: {bounds}\n")
    write(f"off by more than 0.02 in {100 * (np.abs(off) > 0.02).mean():.1f} % of the states\n")
    write(f"{time.perf_counter() - began:.0f} s\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
