"""Test whether dice are fair, and how large a bias this number of throws could have shown.

Pearson's chi-square test with five degrees of freedom, its power from the noncentral chi-square distribution (Cohen,
Statistical Power Analysis, 1988, chapter 7). For an odd number of degrees of freedom the tail is a finite sum
(Abramowitz and Stegun 26.4.4), so the program does not need scipy, which takes 120 MB on a Pi.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.statistics import DiceStatistics, interval
from companion.words import Message, Text, message

FREEDOM = 5
LEVEL = 0.05
"""Significance level: the probability that fair dice are called unfair."""

NONCENTRALITY = 12.8276
"""The noncentrality of chi-square at which the test finds a bias with the power 0.8 (Cohen 1988 has 12.83). It was
computed by mixing the tails of 5, 7, 9 and more degrees of freedom with Poisson weights."""

LEAST_EXPECTED = 5
"""With fewer expected dice for each face the test says nothing (Cochran 1954)."""


@dataclass(frozen=True, kw_only=True)
class Fairness(DiceStatistics):
    """The result of the test, with the statistics that it tests. Shares are fractions from 0 to 1.

    `of` is the origin of the throws, `p` the probability that fair dice look at least as uneven, and `findable` the
    smallest share of one favoured face that the test finds with the power 0.8; both are None with too few dice.
    `verdict` is the result in one sentence.
    """

    of: str
    chi_square: float
    p: float | None
    findable: float | None
    verdict: Text

    @property
    def shares(self) -> tuple[tuple[float, float, float], ...]:
        """Each face's share with the limits of its 95 % interval."""
        return tuple(_share(count, self.dice) for count in self.counts)

    @property
    def misread(self) -> tuple[float, float, float]:
        """The share of dice that a player corrected, with its interval; a bias up to this may come from the eye."""
        return _share(self.corrected, self.dice)


def fairness_of(statistics: DiceStatistics, of: str = "real") -> Fairness:
    """Test the dice of one origin, and the eye that read them."""
    dice = statistics.dice
    enough = dice >= 6 * LEAST_EXPECTED
    chi_square = chi_square_of(statistics.counts)
    p = upper_tail(chi_square) if enough else None
    return Fairness(
        **vars(statistics),
        of=of,
        chi_square=chi_square,
        p=p,
        findable=findable_share(dice) if enough else None,
        verdict=_verdict(p, dice),
    )


def chi_square_of(counts: Sequence[int]) -> float:
    """Return Pearson's chi-square of these counts of the six faces; 0 without dice."""
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 / expected for count in counts) if expected else 0.0


def _verdict(p: float | None, dice: int) -> Message:
    if p is None:
        return message("fairness.too_few", least=6 * LEAST_EXPECTED, dice=dice)
    return message("fairness.uneven" if p < LEVEL else "fairness.fair", often=_often(p))


def _share(count: int, dice: int) -> tuple[float, float, float]:
    low, high = interval(count, dice)
    return (count / dice if dice else 0.0, low, high)


def upper_tail(chi_square: float) -> float:
    """Return the probability that chi-square with five degrees of freedom is at least this.

    Abramowitz and Stegun 26.4.4: for an odd number of degrees the tail is a finite sum.
    """
    half = chi_square / 2
    tail = math.erfc(math.sqrt(half))
    return min(1.0, tail + 2 * math.sqrt(half / math.pi) * math.exp(-half) * (1 + chi_square / 3))


def findable_share(dice: int) -> float | None:
    """Return the smallest share of one favoured face that this many dice show with the power 0.8, or None beyond 1."""
    # One face at 1/6 + d and five at 1/6 - d/5: the sum over faces of (p - 1/6)^2 / (1/6) is 7.2 d^2.
    share = 1 / 6 + math.sqrt(NONCENTRALITY / (7.2 * dice))
    return share if share <= 1 else None


def _often(p: float) -> Message:
    if p < 0.0001:
        return message("fairness.rarely", times=1, tries=10_000)
    tries = 100 if p >= 0.01 else 10_000
    return message("fairness.often", times=round(tries * p), tries=tries)
