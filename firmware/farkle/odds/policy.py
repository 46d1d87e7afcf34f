"""A strategy as arrays for one rule set: which option it takes of each class of rolls, and whether it then banks."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from farkle.odds.duel import OddsError
from farkle.odds.listing import Floats, Numbers
from farkle.odds.mean_turn import LongRunTurn
from farkle.odds.strategies import BEST_WIN, NEVER, Strategy

_DUST = 1e-17


@dataclass(frozen=True)
class TurnPolicy:
    """What a strategy does in a turn, whatever the scores.

    Attributes:
        best: the policy that banks most, with the listing.
        chances: the chances of the classes, by number of dice.
        place: where the chosen option leads (`TurnSolver.place`), (classes, points), by number of dice.
        gained: the steps that it brings, (classes, points), by number of dice.
        bank: whether the turn is banked, (places, points).
    """

    best: LongRunTurn
    chances: tuple[Floats, ...]
    place: tuple[Numbers, ...]
    gained: tuple[Numbers, ...]
    bank: NDArray[np.bool_]

    @property
    def rows(self) -> int:
        """The number of points; with more the policy does the same as with the last."""
        return int(self.bank.shape[1])


def policy_of(strategy: Strategy, best: LongRunTurn) -> TurnPolicy:
    """Return what a strategy does in the turns of a rule set.

    Raises:
        OddsError: if that depends on the scores.
    """
    if strategy.keep == BEST_WIN:
        raise OddsError(f"expected a strategy whose turns depend on no score, got {BEST_WIN}")
    listing, solver = best.listing, best.solver
    dice, step = listing.dice, listing.step
    steps = {size: -(-points // step) for size, points in strategy.bank_from.items() if points < NEVER}
    rows = max(best.go_on.shape[1] - solver.most, *(each + 1 for each in steps.values()), 1)
    points = np.arange(rows)
    bank = np.zeros((solver.places, rows), bool)
    for size in range(1, dice + 1):
        if not strategy.bank_from:
            worth = best.throw[size, :rows]
            bank[size, : len(worth)] = points[: len(worth)] >= worth - 1e-9
            bank[size, len(worth) :] = True
        elif size in steps:
            bank[size] = points >= steps[size]
    bank[:, : max(1, listing.steps(listing.rules.switches.min_bank))] = False
    chances, places, gained = [], [], []
    for classes in listing.classes:
        options = [[(solver.place(each), each.points, each.left) for each in row.options] for row in classes]
        widest = max(map(len, options), default=1)
        table = np.array([row + row[:1] * (widest - len(row)) for row in options] or np.zeros((0, 1, 3)), np.int64)
        place, gain, left = (table[:, :, column] for column in range(3))
        if strategy.keep == "best-turn":
            seen = np.minimum(points[: best.go_on.shape[1] - solver.most], rows)
            chosen = best.go_on[place[:, :, None], gain[:, :, None] + seen].argmax(axis=1)
            chosen = np.pad(chosen, ((0, 0), (0, rows - chosen.shape[1])), mode="edge")
        else:
            many = 10**7
            kept = np.where(left == dice, dice, left)  # hot dice leave all dice
            order = gain * many + kept if strategy.keep == "points" else kept * many + gain
            chosen = np.repeat(order.argmax(axis=1)[:, None], rows, axis=1)
        chances.append(np.array([row.chance for row in classes]))
        places.append(np.take_along_axis(place, chosen, axis=1))
        gained.append(np.take_along_axis(gain, chosen, axis=1))
    return TurnPolicy(best, tuple(chances), tuple(places), tuple(gained), bank)


@dataclass(frozen=True)
class Distribution:
    """How a turn ends: the chances of its points (a farkle has none), the chance of a farkle, and the mean."""

    chances: tuple[tuple[int, float], ...]
    farkled: float
    mean: float


def distribution(policy: TurnPolicy) -> Distribution:
    """Return how a turn ends that begins with all dice and no points."""
    listing, solver = policy.best.listing, policy.best.solver
    dice = listing.dice
    total = policy.rows + solver.most * 8
    arrived = np.zeros((solver.places, total))
    arrived[dice + 1, 0] = 1.0
    banked = np.zeros(total)
    farkled, low = 0.0, 0
    paid_always = listing.rules.switches.nobody_loses_scope == "any_six"
    end = solver.least[dice]
    while True:
        for size in range(dice, 0, -1):
            first = max(0, low - solver.least[size])
            last = low + solver.block - solver.least[size]
            if last + solver.most >= total:
                more = np.zeros((solver.places, total))
                arrived = np.concatenate([arrived, more], axis=1)
                banked = np.concatenate([banked, more[0]])
                total *= 2
            if last <= first:
                continue
            here = arrived[size, first:last].copy()
            arrived[size, first:last] = 0.0
            rows = np.minimum(np.arange(first, last), policy.rows - 1)
            stop = here * policy.bank[size, rows]
            banked[first:last] += stop
            go = here - stop
            if size == dice:
                go = go + arrived[dice + 1, first:last]
                arrived[dice + 1, first:last] = 0.0
            if not go.any():
                continue
            goal = policy.place[size][:, rows] * total + policy.gained[size][:, rows] + np.arange(first, last)
            weight = policy.chances[size][:, None] * go
            arrived += np.bincount(goal.reshape(-1), weight.reshape(-1), arrived.size).reshape(arrived.shape)
            missed = listing.farkle[size]
            if size == dice and listing.paid:
                paid = go if paid_always else go * (np.arange(first, last) == 0)
                arrived[dice, first + listing.paid_points : last + listing.paid_points] += listing.paid * paid
                farkled -= listing.paid * float(paid.sum())
            farkled += missed * float(go.sum())
        low += solver.block
        if low > end and float(arrived.sum()) < _DUST:
            break
    points = np.flatnonzero(banked)
    chances = tuple((int(each) * listing.step, float(banked[each])) for each in points)
    mean = float(banked @ np.arange(len(banked))) * listing.step
    return Distribution(((0, farkled), *chances), farkled, mean)
