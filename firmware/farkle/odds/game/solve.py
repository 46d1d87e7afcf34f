"""Solves a game of two sides: finds the table in which both sides always do what is best for them.

The states of one sum of scores are found together, from the highest sum down, because points only raise it. Farkles
keep it: these states are repeated until they no longer change. Penalties lower it: then the whole is repeated.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from farkle.odds.game.duel import Duel
from farkle.odds.game.ending import final_turns, solve_rounds
from farkle.odds.game.table import Offers, Standings, Table, no_offers
from farkle.odds.turn.listing import Floats, Numbers

ACCURACY = 1e-11
"""The change of a chance at which a repetition ends."""

_AT_ONCE = 64
_MOST_ROUNDS = 200
_SWEEPS = 12.0
"""The sweeps that most games with penalties take."""


@dataclass
class SolveProgress:
    """A solution under way; it may be kept, and gone on with.

    Attributes:
        table: the table so far.
        sweep: the number of the sweep over all sums, from 0.
        total: the sum of scores that is next, counted down; -1 after the last one of a sweep.
        change: the greatest change in this sweep.
    """

    table: Table
    sweep: int = 0
    total: int = -2
    change: float = 1.0


Report = Callable[[SolveProgress | None, float], object]
"""Takes the progress so far, if it can be gone on with, and the share of the work that is done, from 0 to 1."""


def solve(duel: Duel, report: Report = lambda _now, _share: None, progress: SolveProgress | None = None) -> Table:
    """Return the table of a game.

    Args:
        duel: the game.
        report: is called after each sum of scores, or after each turn of a game of rounds.
        progress: where an earlier call was interrupted.
    """
    if duel.terms.rounds:
        finals = final_turns(duel.turns, duel.all_roles)
        return Table(duel, solve_rounds(duel.turns, finals[-1], partial(report, None)), finals)
    progress = progress or SolveProgress(_empty_table(duel))
    highest = 2 * (duel.places - 1)
    slopes = np.zeros((duel.places, duel.places))
    repeats = duel.terms.scores_fall or duel.terms.streaks > 1
    done = False
    while not done:
        if progress.total < 0:
            progress.total, progress.change = highest, 0.0
        while progress.total >= 0:
            change = _solve_sum(progress.table, progress.total, slopes, first=progress.sweep == 0)
            progress.change = max(progress.change, change)
            progress.total -= 1
            swept = progress.sweep + 1.0 - (progress.total + 1) / (highest + 1)
            report(progress, swept / max(_SWEEPS, swept + 1.0) if repeats else swept)
        progress.sweep += 1
        done = not repeats or progress.change < ACCURACY
    return progress.table


def _empty_table(duel: Duel) -> Table:
    """Return the table before anything is found, but for the last turns."""
    offers = Offers(duel, no_offers(duel)) if duel.terms.offered else None
    return Table(duel, np.full(duel.shape, 0.5), final_turns(duel.turns, duel.all_roles), offers)


def _solve_sum(table: Table, total: int, slopes: Floats, *, first: bool) -> float:
    """Find the chances of all states whose places have this sum, and return the greatest change."""
    duel = table.duel
    mine = np.arange(max(0, total - duel.places + 1), min(duel.places - 1, total) + 1)
    every = (..., mine, total - mine)
    if first:
        last = duel.places - 1
        more, most = np.minimum(mine + 1, last), np.minimum(total - mine + 1, last)
        values = table.values
        guess = values[..., more, total - mine] + values[..., mine, most] - values[..., more, most]
        table.values[every] = np.clip(guess, 0.0, 1.0)
    before = table.values[every].copy()
    if duel.terms.streaks > 1:
        for streak in range(2 * (duel.terms.streaks - 1), -1, -1):
            counts = range(max(0, streak - duel.terms.streaks + 1), min(streak, duel.terms.streaks - 1) + 1)
            for role in range(len(duel.all_roles)):
                _evaluate(table, role, [(farkles, streak - farkles) for farkles in counts], mine, total)
    else:
        _repeat(table, mine, total, slopes)
    return float(np.abs(table.values[every] - before).max())


def _repeat(table: Table, mine: Numbers, total: int, slopes: Floats) -> None:
    """Repeat the states of one sum until they no longer change.

    A farkle leads back to the same scores, so each state depends on itself: nearly in a straight line. The place where
    that line meets the diagonal is the next guess.
    """
    count = len(table.duel.all_roles)
    if count > 1:
        steps = tuple((role, mine) for role in range(count - 1, -1, -1))
    else:
        ahead = mine >= total - mine
        steps = ((0, mine[~ahead]), (0, mine[ahead]))
    scores = steps[-1][1]
    key = (0, 0, 0, scores, total - scores)
    guess = table.values[key]
    slope = slopes[np.minimum(scores + 1, len(slopes) - 1), total - scores]  # of states nearby
    earlier: tuple[Floats, Floats] | None = None
    for _ in range(_MOST_ROUNDS):
        for role, places in steps:
            _evaluate(table, role, [(0, 0)], places, total)
        found = table.values[key]
        if earlier is not None:
            run, rise = guess - earlier[0], found - earlier[1]
            slope = np.divide(rise, run, out=slope, where=np.abs(run) > 1e-9)
            slope = np.clip(slope, -0.9, 0.9)
        after = np.clip(guess + (found - guess) / (1.0 - slope), 0.0, 1.0)
        change = np.abs(after - found)
        if count > 2:  # so flat that the next guess hardly moves; but the other roles were found with this one
            change = np.maximum(change, 0.1 * np.abs(found - guess))
        ended = earlier is not None and change.max() < ACCURACY
        earlier, guess = (guess, found), after
        table.values[key] = after
        if ended:
            break
    slopes[scores, total - scores] = slope


def _evaluate(table: Table, role: int, farkles: list[tuple[int, int]], mine: Numbers, total: int) -> None:
    """Find the chances of one role for these places of mine, for each of some pairs of counts of farkles."""
    low = table.duel.terms.lowest
    cut = int(np.searchsorted(2 * mine, total)) if table.duel.terms.may_swap else 0  # those behind may swap
    width = max(1, _AT_ONCE // len(farkles))
    ours, others = np.array(farkles).T
    for part in (mine[:cut], mine[cut:]):
        for begin in range(0, len(part), width):
            some = part[begin : begin + width]
            place = np.repeat(some, len(farkles))
            my_farkles, their_farkles = np.tile(ours, len(some)), np.tile(others, len(some))
            longest = 0 if table.offers is None else total - int(some[0]) + 1
            at = Standings(role, place + low, total - place + low, my_farkles, their_farkles)
            values = table.solve(at, longest)
            if table.offers is not None:
                table.offers.keep(role, my_farkles, place, np.where(their_farkles == 0, total - place, 0), values)
            table.values[role, my_farkles, their_farkles, place, total - place] = values.start
