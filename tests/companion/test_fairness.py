"""Fairness: fair dice pass, loaded dice are found, and the smallest detectable bias is computed correctly."""

import random
from collections import Counter

import pytest

from companion.games.statistics import LEVEL, DiceStatistics, chi_square_of, fairness_of, findable_share, upper_tail
from companion.words import english


def thrown(chance: random.Random, dice: int, six: float = 1 / 6) -> DiceStatistics:
    """Return the counts of each face of this many dice, of which a share `six` shows a six."""
    weights = [*[(1 - six) / 5] * 5, six]
    counts = Counter(chance.choices(range(1, 7), weights, k=dice))
    return DiceStatistics(tuple(counts[face] for face in range(1, 7)), dice // 6)


# Abramowitz and Stegun, Handbook of Mathematical Functions, table 26.8: five degrees of freedom.
@pytest.mark.parametrize(("tail", "value"), [(0.5, 4.35146), (0.1, 9.23635), (0.05, 11.0705), (0.01, 15.0863)])
def test_the_tail_of_chi_square_agrees_with_the_printed_table(tail: float, value: float) -> None:
    assert upper_tail(value) == pytest.approx(tail, abs=1e-5)
    assert upper_tail(0.0) == 1.0


def test_the_smallest_detectable_bias_is_found_four_times_in_five() -> None:
    chance = random.Random(7)
    share = findable_share(900)
    assert share is not None
    found = sum(upper_tail(chi_square_of(thrown(chance, 900, share).counts)) < LEVEL for _ in range(500))
    assert 370 <= found <= 430  # three and a half standard deviations around 400
    uneven = sum(upper_tail(chi_square_of(thrown(chance, 600).counts)) < LEVEL for _ in range(500))
    assert 10 <= uneven <= 40  # and fair dice once in twenty: three standard deviations around 25
    shares = [findable_share(dice) or 1.0 for dice in (60, 600, 6000)]
    assert shares == sorted(shares, reverse=True)


def test_a_handful_of_dice_says_nothing() -> None:
    found = fairness_of(DiceStatistics((5, 0, 0, 0, 0, 0), 1))
    assert (found.p, found.findable) == (None, None)
    assert fairness_of(DiceStatistics((5,) * 6, 5)).p == 1.0
    assert english().text(found.verdict) == "Too few dice to say anything: expected at least 30, got 5."


def test_loaded_dice_are_called_uneven() -> None:
    found = fairness_of(thrown(random.Random(1), 2000, 0.25))
    assert found.p is not None
    assert found.p < 1e-6
    assert english().text(found.verdict).startswith("These dice are uneven: fair dice look at least as uneven in ")
    found = fairness_of(DiceStatistics((100,) * 6, 100, corrected=3, unsure=2))
    assert found.misread == pytest.approx((0.005, 0.0017, 0.0146), abs=1e-4)  # the eye's own error beside it
