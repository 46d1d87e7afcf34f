"""Numbers that others have published for games of the same rules."""

import numpy as np
import pytest

from farkle import find_rule_set
from farkle.odds.game.duel import duel_of
from farkle.odds.game.solve import solve
from farkle.odds.turn.mean import best_turn, long_run_solver
from farkle.odds.turn.solver import FORBIDDEN, TurnEnds

LIFT = 1000.0
"""Points are lifted by this, so that a penalty is worth more than what is refused."""


def mean_with_penalty(key: str) -> float:
    """Return the mean points of a turn in the long run, where three farkles in a row cost points.

    A state is the farkles in a row. Each turn is played for its points and for what the state after it is worth, until
    these worths no longer change (relative value iteration).
    """
    rules = find_rule_set(key)
    best = best_turn(rules)
    solver, step = long_run_solver(rules), best.listing.terms.step
    limit = best.throw.shape[1]
    more = best.throw[-1, -1] - (limit - 1)  # six dice that never farkle gain this much from the limit on
    points = np.arange(limit + solver.most, dtype=float)
    bank = np.repeat(points[:, None] + LIFT, 3, axis=1)
    bank[: best.listing.terms.steps(rules.switches.min_bank)] = FORBIDDEN
    hot = bank[limit:] + more
    worth, mean = np.zeros(3), 0.0
    for _ in range(100):
        farkle = np.array([worth[1], worth[2], -rules.farkles_cost / step])
        found = solver.solve(TurnEnds(bank, farkle + LIFT, limit), hot=(hot, hot)).start - LIFT
        mean = float(found[0])
        worth = found - mean
    return mean * step


def test_the_best_mean_of_zilch_is_that_of_busche() -> None:
    # M. Busche, "Maximizing Expected Scores in the Game of Zilch", 2010: 620.855 points a turn.
    assert mean_with_penalty("zilch-online") == pytest.approx(620.855, abs=5e-4)


@pytest.mark.exhaustive
def test_who_begins_wins_as_often_as_the_solver_of_another_project_says() -> None:
    # github.com/domsleee/farkle: 53.3 % for the side that begins. Its game ends at 10,000 points at once; four to six
    # of a kind are 1,000 to 3,000, a straight 2,500 and three pairs 1,500.
    rules = find_rule_set("packet-farkle").with_settings(
        {
            "endgame": "immediate",
            "target": 10000,
            "straight": 2500,
            "three_pairs": 1500,
            "two_triplets": 0,
            "farkle3_penalty": 0,
            "opening_min": 0,
        }
    )
    assert round(float(solve(duel_of(rules)).values[0, 0, 0, 0, 0]), 3) == 0.533
