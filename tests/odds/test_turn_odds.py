"""The odds of one turn: chances of a farkle, and the best mean."""

from functools import cache

import brute_force
import numpy as np
import pytest
from samples import sampled

from farkle import RuleSet, catalogue, find_rule_set
from farkle.odds.turn.listing import list_rolls
from farkle.odds.turn.mean import best_turn
from farkle.odds.turn.solver import TurnEnds, TurnSolver

KEYS = [rules.key for rules in catalogue()]


@pytest.mark.parametrize("key", KEYS)
def test_the_chance_of_a_farkle_is_that_of_the_brute_force_scorer_and_all_chances_make_one(key: str) -> None:
    counted, listing = brute_force.counts(key)["farkles"], list_rolls(find_rule_set(key))
    for size, (farkles, classes) in enumerate(zip(counted, listing.classes[1:], strict=True), start=1):
        assert listing.farkle[size] == pytest.approx(farkles / 6**size, abs=1e-15)
        assert sum(each.chance for each in classes) + listing.farkle[size] == pytest.approx(1, abs=1e-12)


def plain_best_turn(key: str, most: int, **options: object) -> tuple[float, dict[int, list[float]]]:
    """Return the best mean and what a throw is worth by dice and points, from each roll one by one.

    With `most` points a turn is banked.
    """
    rolls = brute_force.selections(key, options)
    step = 1 if "cribbage" in key else 50

    @cache
    def go_on(size: int, points: int) -> float:
        return float(points) if points >= most else max(float(points), throw(size, points))

    @cache
    def throw(size: int, points: int) -> float:
        total = 0.0
        for roll, kept in rolls.items():
            if len(roll) == size and kept:
                best = max(go_on(size - len(dice) or 6, points + max(each) // step) for dice, each in kept.items())
                total += brute_force.ways(roll) / 6**size * best
        return total

    for points in range(most, -1, -1):
        for size in range(1, 7):
            go_on(size, points)
    return throw(6, 0) * step, {size: [throw(size, p) for p in range(most)] for size in range(1, 7)}


def test_the_best_mean_turn_is_that_of_a_plain_recursion() -> None:
    mean, worth = plain_best_turn("farkle-cribbage", 210)
    best = best_turn(find_rule_set("farkle-cribbage"))
    assert best.mean == pytest.approx(mean, abs=1e-9)
    for size, values in worth.items():
        better = [points for points, value in enumerate(values) if value > points + 1e-9]
        assert best.bank_from[size] == better[-1] + 1


RULES = (
    *(find_rule_set(key) for key in KEYS),
    find_rule_set("classic").with_settings({"too_hot": True}),
    find_rule_set("classic").with_settings({"n_dice": 5, "forced_hot": "any"}),
    find_rule_set("zilch-online").with_settings({"troublesome_twos": True}),
    find_rule_set("farkle-cribbage").with_settings({"nobody_loses": True}),
)


@pytest.mark.parametrize(
    "rules", sampled(RULES, RULES[0], *RULES[-4:]), ids=lambda rules: f"{rules.key} {rules.settings() or ''}"
)
def test_the_best_turn_is_that_of_a_turn_with_a_far_end(rules: RuleSet) -> None:
    listing = list_rolls(rules)
    solver = TurnSolver(listing, long_run=True)
    end = 2000
    bank = np.arange(end + solver.most, dtype=float)
    bank[: listing.terms.minimum] = -1.0
    far = solver.solve(TurnEnds(bank[:, None], np.zeros(1), end))
    assert best_turn(rules).mean == pytest.approx(far.start[0] * listing.terms.step, rel=1e-11)
