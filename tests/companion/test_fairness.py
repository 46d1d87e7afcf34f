"""Fairness: fair dice pass, loaded dice are found, and the bias that can be found is computed correctly."""

import random
from collections import Counter

import pytest

from companion.games.fairness import (
    as_lines,
    chi_square_of,
    critical_value,
    fairness_of,
    findable_share,
    power,
    upper_tail,
)
from companion.games.statistics import DiceStatistics


def thrown(chance: random.Random, dice: int, six: float = 1 / 6) -> DiceStatistics:
    """So many dice, of which a share `six` show a six."""
    weights = [*[(1 - six) / 5] * 5, six]
    counts = Counter(chance.choices(range(1, 7), weights, k=dice))
    return DiceStatistics(tuple(counts[face] for face in range(1, 7)), dice // 6)


# Abramowitz and Stegun, Handbook of Mathematical Functions, table 26.8: five degrees of freedom.
@pytest.mark.parametrize(("tail", "value"), [(0.5, 4.35146), (0.1, 9.23635), (0.05, 11.0705), (0.01, 15.0863)])
def test_the_tail_is_that_of_the_printed_table(tail: float, value: float) -> None:
    assert upper_tail(value) == pytest.approx(tail, abs=1e-5)


# The same table: where the tail is 0.05. The power of the test mixes tails of so many degrees of freedom.
@pytest.mark.parametrize(
    ("freedom", "value"), [(1, 3.84146), (3, 7.81473), (7, 14.0671), (15, 24.9958), (25, 37.6525), (29, 42.5569)]
)
def test_the_tail_is_that_of_the_printed_table_for_other_degrees_of_freedom(freedom: int, value: float) -> None:
    assert upper_tail(value, freedom) == pytest.approx(0.05, abs=1e-5)


def test_even_degrees_of_freedom_are_refused() -> None:
    with pytest.raises(ValueError, match="expected an odd number of degrees of freedom, got 4"):
        upper_tail(1.0, 4)


def test_nothing_is_as_even_as_even() -> None:
    assert upper_tail(0.0) == 1.0


# Cohen 1988: five degrees of freedom at 0.05 need a noncentrality of 12.83 for a power of 0.80, 16.47 for 0.90.
@pytest.mark.parametrize(("noncentrality", "wanted"), [(12.83, 0.80), (16.47, 0.90), (0.0, 0.05)])
def test_the_power_is_that_of_the_printed_table(noncentrality: float, wanted: float) -> None:
    assert power(noncentrality) == pytest.approx(wanted, abs=5e-4)


def test_fair_dice_are_called_uneven_about_once_in_twenty() -> None:
    chance = random.Random(6)
    critical = critical_value()
    uneven = sum(chi_square_of(thrown(chance, 600).counts) > critical for _ in range(1000))
    assert 30 <= uneven <= 72  # three standard deviations around 50


def test_a_bias_of_the_findable_size_is_found_four_times_in_five() -> None:
    chance = random.Random(7)
    share = findable_share(900)
    assert share is not None
    critical = critical_value()
    found = sum(chi_square_of(thrown(chance, 900, share).counts) > critical for _ in range(500))
    assert 365 <= found <= 435  # three and a half standard deviations around 400


def test_more_dice_find_a_smaller_bias() -> None:
    shares = [findable_share(dice) or 1.0 for dice in (60, 600, 6000)]
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] < 0.19


def test_a_handful_of_dice_says_nothing() -> None:
    found = fairness_of(DiceStatistics((5, 0, 0, 0, 0, 0), 1))
    assert (found.p, found.findable) == (None, None)
    assert found.verdict == "Too few dice to say anything: expected at least 30, got 5."


def test_loaded_dice_are_called_uneven() -> None:
    found = fairness_of(thrown(random.Random(1), 2000, 0.25))
    assert found.p is not None
    assert found.p < 1e-6
    assert found.verdict == "These dice are uneven: fair ones would look so only in fewer than 1 of 10,000 tries."


def test_the_eyes_own_error_stands_beside_it() -> None:
    found = fairness_of(DiceStatistics((100,) * 6, 100, corrected=3, unsure=2))
    assert found.misread == pytest.approx((0.005, 0.0017, 0.0146), abs=1e-4)
    assert "players put 3 of 600 dice right = 0.50 % (0.17 to 1.46); it asked about 2 of 100 throws" in "\n".join(
        as_lines(found, "real throws")
    )
