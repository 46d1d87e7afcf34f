"""The turn that banks most in the long run: its mean, and from how many points on it is banked.

A turn has no end of points, but with enough of them banking is always best. From the first number of points on all
dice but a full set are banked; from the second number on every turn is. Between both only a throw of all dice has to be
looked at.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, inf

import numpy as np

from farkle.odds.turn.listing import MOST_STEPS, Floats, Listing, list_rolls
from farkle.odds.turn.solver import FORBIDDEN, TurnEnds, TurnSolver
from farkle.rules.ruleset import RuleSet

_CLOSE = 1e-9


@dataclass(frozen=True)
class LongRunTurn:
    """The policy that banks most in the long run.

    Attributes:
        listing: what the throws lead to.
        mean: the mean points of a turn.
        bank_from: the least turn points from which banking is at least as good for ever after, by dice left; None if
            it never is.
        throw: what throwing is worth, (dice + 1, points).
    """

    listing: Listing
    mean: float
    bank_from: Mapping[int, int | None]
    throw: Floats


@dataclass(frozen=True)
class _FullThrows:
    """The classes of a throw of all dice: chances, and the most points that leave dice, or that make hot dice.

    `hot_bank` are hot dice that may be banked, `hot_must` those that must be thrown; -inf where no option makes them.
    """

    chances: Floats
    leave: Floats
    hot_bank: Floats
    hot_must: Floats


def best_turn(rules: RuleSet, solver: TurnSolver | None = None) -> LongRunTurn:
    """Return the policy that banks most in the long run; the opening and all penalties are left aside.

    Args:
        rules: the rule set.
        solver: `long_run_solver(rules)`, if it is known already.
    """
    solver = solver or long_run_solver(rules)
    listing = solver.listing
    full = _full_throws(solver)
    limit, top, tail = _limits(listing, full)
    least, step = listing.terms.minimum, listing.terms.step
    throw_all = _long_turn(listing, solver, full, limit, top, tail)
    points = np.arange(limit, limit + solver.most, dtype=float)
    must = throw_all[: solver.most]
    bank = np.arange(limit + solver.most, dtype=float)
    bank[:least] = FORBIDDEN
    hot = np.maximum(points, must)[:, None], must[:, None]
    values = solver.solve(TurnEnds(bank[:, None], np.zeros(1), limit), hot=hot)
    rows = limit + len(throw_all)
    throw = np.zeros((listing.dice + 1, rows))
    throw[:, :limit] = values.throw[:, :, 0]
    throw[-1, limit:] = throw_all
    bank_from = {}
    for size in range(1, listing.dice + 1):
        better = np.flatnonzero(throw[size] > np.arange(rows) + _CLOSE)
        first = max(least, int(better[-1]) + 1 if len(better) else 0)
        never = size == listing.dice and (listing.terms.must_several or first >= rows)
        bank_from[size] = None if never else first * step
    return LongRunTurn(listing, float(values.start[0]) * step, bank_from, throw)


def long_run_solver(rules: RuleSet) -> TurnSolver:
    """Return the solver for a rule set's turns in the long run, in the shortest steps that keep its points few."""
    listing = list_rolls(rules)
    while True:
        solver = TurnSolver(listing, win_at=None, best_only=True)
        if _limits(listing, _full_throws(solver))[1] <= MOST_STEPS:
            return solver
        listing = list_rolls(rules, listing.terms.step * 2)


def _full_throws(solver: TurnSolver) -> _FullThrows:
    listing = solver.listing
    classes = listing.classes[-1]
    rows = np.full((3, len(classes)), -inf)
    for place, each in enumerate(classes):
        for option in each.options:
            kind = 0 if not option.hot else 1 if solver.place(option) == listing.dice else 2
            rows[kind, place] = max(rows[kind, place], option.points)
    return _FullThrows(np.array([each.chance for each in classes]), *rows)


def _limits(listing: Listing, full: _FullThrows) -> tuple[int, int, tuple[float, float]]:
    """Return from how many points fewer than all dice are banked, from how many all are, and the worth of more.

    The worth of throwing all dice is then a straight line: its slope and its height at 0 points.
    """
    paid, paid_points = listing.paid_each, listing.paid_points
    missed = listing.farkle[-1] - paid
    best = np.maximum(full.leave, np.maximum(full.hot_bank, full.hot_must))
    hot = np.maximum(full.hot_bank, full.hot_must) > -inf
    gain = float(full.chances @ best) + paid * paid_points
    most = gain / max(1e-9, 1.0 - float(full.chances[hot].sum()) - paid)  # no throw of all dice gains more
    limit = listing.terms.minimum
    for size in range(1, listing.dice):
        mean = sum(each.chance * max(option.points for option in each.options) for each in listing.classes[size])
        clear = sum(each.chance for each in listing.classes[size] if any(option.hot for option in each.options))
        if listing.farkle[size]:
            limit = max(limit, ceil((mean + clear * most) / listing.farkle[size]) + 1)
        else:
            limit = MOST_STEPS
    bankable = np.maximum(full.leave, full.hot_bank)
    only = bankable == -inf
    again = float(full.chances[only].sum())
    if missed <= 0.0:
        height = most
        for _ in range(1000):
            lines = np.maximum(full.leave, np.maximum(full.hot_bank, full.hot_must) + height)
            height = float(full.chances @ lines) + paid * (paid_points + height)
        return limit, limit, (1.0, height)
    slope = (1.0 - missed - again) / (1.0 - again)
    height = float(full.chances[~only] @ bankable[~only]) + paid * paid_points
    height = (height + slope * float(full.chances[only] @ full.hot_must[only])) / (1.0 - again)
    both = ~only & (full.hot_must > -inf)
    turns = (slope * full.hot_must[both] + height - bankable[both]) / (1.0 - slope)
    top = max(height / (1.0 - slope), *turns, 0.0)
    return limit, max(limit, ceil(top) + 1), (slope, height)


def _long_turn(
    listing: Listing, solver: TurnSolver, full: _FullThrows, limit: int, top: int, tail: tuple[float, float]
) -> Floats:
    """Return what throwing all dice is worth by points, from `limit` to `top` and one throw more."""
    end = max(top, limit) + solver.most
    points = np.arange(limit, end + solver.most, dtype=float)
    worth = tail[0] * points + tail[1]
    keep = (full.leave > -inf) | (full.hot_bank > -inf) | (full.hot_must > -inf)
    gains = [row[row > -inf] for row in (full.hot_bank, full.hot_must)]
    block = int(min([float(row.min()) for row in gains if len(row)] or [solver.most]))
    paid = listing.paid_each
    if paid:
        block = min(block, listing.paid_points)
    last = top - limit
    go_on = np.maximum(points, worth)
    leave = full.leave[keep, None]
    kinds = [
        (source, np.flatnonzero(row > -inf), row[row > -inf].astype(np.int64))
        for source, row in ((go_on, full.hot_bank), (worth, full.hot_must))
    ]
    for high in range(last, 0, -block):
        low = max(0, high - block)
        some = np.arange(low, high)
        best = points[some] + leave
        for source, rows, gain in kinds:
            best[rows] = np.maximum(best[rows], source[some + gain[:, None]])
        worth[some] = full.chances @ best
        if paid:
            worth[some] += paid * go_on[some + listing.paid_points]
        go_on[some] = np.maximum(points[some], worth[some])
    return worth[: end - limit]
