"""The turn that banks most in the long run: its mean, and from how many points on it is banked.

A turn has no end of points, but with enough of them banking is always best. From there on the worth of a throw of all
dice, which may be forced, is a straight line.
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


def best_turn(rules: RuleSet) -> LongRunTurn:
    """Return the policy that banks most in the long run; the opening and all penalties are left aside."""
    solver = long_run_solver(rules)
    listing = solver.listing
    limit, slope, height = _tail(solver)
    least, step = listing.terms.minimum, listing.terms.step
    points = np.arange(limit + solver.most, dtype=float)[:, None]
    bank = np.where(points < least, FORBIDDEN, points)
    must = slope * points[limit:] + height
    values = solver.solve(TurnEnds(bank, np.zeros(1), limit), hot=(np.maximum(bank[limit:], must), must))
    throw = values.throw[:, :, 0]
    bank_from = {}
    for size in range(1, listing.dice + 1):
        better = np.flatnonzero(throw[size] > np.arange(limit) + _CLOSE)
        first = max(least, int(better[-1]) + 1 if len(better) else 0)
        never = size == listing.dice and (listing.terms.must_several or slope == 1.0)
        bank_from[size] = None if never else first * step
    return LongRunTurn(listing, float(values.start[0]) * step, bank_from, throw)


def long_run_solver(rules: RuleSet) -> TurnSolver:
    """Return the solver for a rule set's turns in the long run, in the shortest steps that keep its points few."""
    listing = list_rolls(rules)
    while True:
        solver = TurnSolver(listing, long_run=True)
        if _tail(solver)[0] <= MOST_STEPS:
            return solver
        listing = list_rolls(rules, listing.terms.step * 2)


def _tail(solver: TurnSolver) -> tuple[int, float, float]:
    """Return the points from which every turn is banked, and what throwing all dice is worth from there on.

    The worth is a straight line, its slope and its height at 0 points.
    """
    listing = solver.listing
    classes = listing.classes[-1]
    chances = np.array([each.chance for each in classes])
    leave, hot_bank, hot_must = np.full((3, len(classes)), -inf)  # the most points that leave dice, or make them hot
    for place, each in enumerate(classes):
        for option in each.options:
            rows = leave if not option.hot else hot_bank if solver.place(option) == listing.dice else hot_must
            rows[place] = max(rows[place], option.points)
    paid, paid_points = listing.paid_each, listing.paid_points
    missed = listing.farkle[-1] - paid
    hot = np.maximum(hot_bank, hot_must)
    gain = float(chances @ np.maximum(leave, hot)) + paid * paid_points
    most = gain / max(1e-9, 1.0 - float(chances[hot > -inf].sum()) - paid)  # no throw of all dice gains more
    limit = listing.terms.minimum
    for size in range(1, listing.dice):
        mean = sum(each.chance * max(option.points for option in each.options) for each in listing.classes[size])
        clear = sum(each.chance for each in listing.classes[size] if any(option.hot for option in each.options))
        if listing.farkle[size]:
            limit = max(limit, ceil((mean + clear * most) / listing.farkle[size]) + 1)
        else:
            limit = MOST_STEPS
    if missed <= 0.0:
        height = most
        for _ in range(1000):
            height = float(chances @ np.maximum(leave, hot + height)) + paid * (paid_points + height)
        return limit, 1.0, height
    bankable = np.maximum(leave, hot_bank)
    only = bankable == -inf
    again = float(chances[only].sum())
    slope = (1.0 - missed - again) / (1.0 - again)
    height = float(chances[~only] @ bankable[~only]) + paid * paid_points
    height = (height + slope * float(chances[only] @ hot_must[only])) / (1.0 - again)
    both = ~only & (hot_must > -inf)
    turns = (slope * hot_must[both] + height - bankable[both]) / (1.0 - slope)
    top = max(height / (1.0 - slope), *turns, 0.0)
    return max(limit, ceil(top) + 1), slope, height
