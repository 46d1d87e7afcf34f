"""Test whether dice are fair, and how large a bias this number of throws could have shown.

Pearson's chi-square test with five degrees of freedom, its power from the noncentral chi-square distribution (Cohen,
Statistical Power Analysis, 1988, chapter 7). For odd degrees of freedom both have closed forms, so no library is needed
(docs/decisions/0028).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.games.statistics import DiceStatistics, interval
from companion.table.state.text import plural

FREEDOM = 5
LEVEL = 0.05
"""Significance level: the probability that fair dice are called unfair."""

POWER = 0.8
"""Power of the test: the probability that a bias of the named size is found."""

LEAST_EXPECTED = 5
"""With fewer expected dice for each face the test says nothing (Cochran 1954)."""


@dataclass(frozen=True, kw_only=True)
class Fairness(DiceStatistics):
    """The result of the test, with the statistics that it tests. Shares are fractions from 0 to 1.

    `of` is the origin of the throws, `p` the probability that fair dice look at least as uneven, and `findable` the
    smallest share of one favoured face that the test finds with `POWER`; both are None with too few dice. `verdict` is
    the result in one sentence.
    """

    of: str
    chi_square: float
    p: float | None
    findable: float | None
    verdict: str

    @property
    def shares(self) -> tuple[tuple[float, float, float], ...]:
        """Each face's share with the limits of its 95 % interval."""
        return tuple(_share(count, self.dice) for count in self.counts)

    @property
    def misread(self) -> tuple[float, float, float]:
        """The share of dice that a player corrected, with its interval; a bias no larger may come from the eye."""
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


def _verdict(p: float | None, dice: int) -> str:
    if p is None:
        return f"Too few dice to say anything: expected at least {6 * LEAST_EXPECTED}, got {dice}."
    if p < LEVEL:
        return f"These dice are uneven: fair ones would look so only in {_rarely(p)}."
    return f"Nothing speaks against these dice: fair ones look at least as uneven in {_rarely(p)}."


def _share(count: int, dice: int) -> tuple[float, float, float]:
    low, high = interval(count, dice)
    return (count / dice if dice else 0.0, low, high)


def upper_tail(chi_square: float, freedom: int = FREEDOM) -> float:
    """Return the probability that chi-square is at least this (Abramowitz and Stegun 26.4.4).

    Raises:
        ValueError: if `freedom`, the degrees of freedom, is not odd.
    """
    if freedom < 1 or freedom % 2 == 0:
        raise ValueError(f"expected an odd number of degrees of freedom, got {freedom!r}")
    half = chi_square / 2
    term = math.sqrt(half / math.pi) * 2 * math.exp(-half)
    tail = math.erfc(math.sqrt(half))
    for step in range(3, freedom + 1, 2):
        tail += term
        term *= chi_square / step
    return min(1.0, tail)


def power(noncentrality: float) -> float:
    """Return the power of the test at `LEVEL` for this noncentrality: a Poisson mixture of central tails."""
    critical = critical_value()
    weight = math.exp(-noncentrality / 2)
    found, total, step = 0.0, 0.0, 0
    while total < 1 - 1e-9 and step < 1000:
        found += weight * upper_tail(critical, FREEDOM + 2 * step)
        total += weight
        step += 1
        weight *= noncentrality / 2 / step
    return found


def critical_value() -> float:
    """Return the chi-square that fair dice exceed with probability `LEVEL`."""
    return _where(lambda value: -upper_tail(value), -LEVEL, 0.0, 100.0)


def findable_share(dice: int) -> float | None:
    """Return the smallest share of one favoured face that this many dice show with `POWER`, or None beyond 1."""
    noncentrality = _where(power, POWER, 0.0, 100.0)
    # One face at 1/6 + d and five at 1/6 - d/5: the sum over faces of (p - 1/6)^2 / (1/6) is 7.2 d^2.
    share = 1 / 6 + math.sqrt(noncentrality / (7.2 * dice))
    return share if share <= 1 else None


def _where(rising: Callable[[float], float], wanted: float, low: float, high: float) -> float:
    """Return where a rising function reaches `wanted`, by bisection between `low` and `high`."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < wanted else (low, middle)
    return (low + high) / 2


def _rarely(p: float) -> str:
    if p < 0.0001:
        return "fewer than 1 of 10,000 tries"
    return f"{100 * p:.0f} of 100 tries" if p >= 0.01 else f"{10_000 * p:.0f} of 10,000 tries"


def as_lines(found: Fairness, what: str) -> Sequence[str]:
    """Return the result as lines for people; `what` names the throws, such as `real throws`."""
    lines = [f"{what}: {found.throws}, with {found.dice} dice"]
    if not found.dice:
        return [*lines, found.verdict]
    for face, (count, (share, low, high)) in enumerate(zip(found.counts, found.shares, strict=True), start=1):
        lines.append(f"  {face}: {count:6d} = {100 * share:5.1f} %  ({100 * low:.1f} to {100 * high:.1f})")
    if found.p is not None:
        lines.append(f"chi-square: {found.chi_square:.2f} with {FREEDOM} degrees of freedom, p = {found.p:.4f}")
    lines.append(found.verdict)
    if found.findable is not None:
        favoured = f"a face that comes up in {100 * found.findable:.1f} % instead of 16.7 %"
        lines.append(f"So many dice show {favoured}, in four of five such trials.")
    share, low, high = found.misread
    lines.append(
        f"The eye: players put {found.corrected} of {found.dice} dice right = {100 * share:.2f} %"
        f" ({100 * low:.2f} to {100 * high:.2f}); it asked about {found.unsure} of {plural(found.throws, 'throw')}."
    )
    lines.append("A bias no larger than the eye's error may be the eye's; `farklecrib selftest camera` measures it.")
    return lines
