"""Fairness: do these dice show each face equally often, and how large a bias could so many throws have shown?

Pearson's chi-square test with five degrees of freedom, its power from the noncentral chi-square distribution (Cohen,
Statistical Power Analysis, 1988, chapter 7). For odd degrees of freedom both have closed forms,
so no library is needed (docs/decisions/0028).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.games.statistics import DiceTally, interval
from companion.table.text import plural

FREEDOM = 5
LEVEL = 0.05
"""How often fair dice may be called unfair."""

POWER = 0.8
"""How often a bias of the named size is found."""

LEAST_EXPECTED = 5
"""Fewer than so many dice expected a face, and the test says nothing (Cochran 1954)."""


@dataclass(frozen=True)
class Fairness:
    """What the dice tell. Shares are from 0 to 1.

    `shares` are each face's share with its 95 % interval; `p` is how often fair dice look at least as uneven, None
    where there are too few dice. `findable` is the share of a favoured face that would be found four times in five.
    `misread` is the share of dice that a player put right, with its interval: so large a bias may be the eye's.
    """

    counts: tuple[int, ...]
    throws: int
    shares: tuple[tuple[float, float, float], ...]
    chi_square: float
    p: float | None
    findable: float | None
    misread: tuple[float, float, float]
    corrected: int
    unsure: int

    @property
    def dice(self) -> int:
        """How many dice were read."""
        return sum(self.counts)

    @property
    def verdict(self) -> str:
        """One sentence for people."""
        if self.p is None:
            wanted = 6 * LEAST_EXPECTED
            return f"Too few dice to say anything: expected at least {wanted}, got {self.dice}."
        if self.p < LEVEL:
            return f"These dice are uneven: fair ones would look so only in {_rarely(self.p)}."
        return f"Nothing speaks against these dice: fair ones look at least as uneven in {_rarely(self.p)}."


def fairness_of(tally: DiceTally) -> Fairness:
    """What the dice of a tally tell about themselves and about the eye that read them."""
    dice = tally.dice
    enough = dice >= 6 * LEAST_EXPECTED
    expected = dice / 6
    chi_square = sum((count - expected) ** 2 / expected for count in tally.counts) if dice else 0.0
    return Fairness(
        counts=tally.counts,
        throws=tally.throws,
        shares=tuple(_share(count, dice) for count in tally.counts),
        chi_square=chi_square,
        p=upper_tail(chi_square) if enough else None,
        findable=findable_share(dice) if enough else None,
        misread=_share(tally.corrected, dice),
        corrected=tally.corrected,
        unsure=tally.unsure,
    )


def _share(count: int, dice: int) -> tuple[float, float, float]:
    low, high = interval(count, dice)
    return (count / dice if dice else 0.0, low, high)


def upper_tail(chi_square: float, freedom: int = FREEDOM) -> float:
    """How often chi-square with an odd number of degrees of freedom is at least this (Abramowitz and Stegun 26.4.4)."""
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
    """How often the test at `LEVEL` finds a bias of this noncentrality: a Poisson mixture of central tails."""
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
    """The chi-square that fair dice exceed at `LEVEL`."""
    return _where(lambda value: -upper_tail(value), -LEVEL, 0.0, 100.0)


def findable_share(dice: int) -> float | None:
    """The least share of one favoured face (the others equal) that so many dice show at `POWER`; None beyond 1."""
    noncentrality = _where(power, POWER, 0.0, 100.0)
    # One face at 1/6 + d and five at 1/6 - d/5: the sum over faces of (p - 1/6)^2 / (1/6) is 7.2 d^2.
    share = 1 / 6 + math.sqrt(noncentrality / (7.2 * dice))
    return share if share <= 1 else None


def _where(rising: Callable[[float], float], wanted: float, low: float, high: float) -> float:
    """Where a rising function reaches a value, by bisection."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < wanted else (low, middle)
    return (low + high) / 2


def _rarely(p: float) -> str:
    if p < 0.0001:
        return "fewer than 1 of 10,000 tries"
    return f"{100 * p:.0f} of 100 tries" if p >= 0.01 else f"{10_000 * p:.0f} of 10,000 tries"


def as_lines(found: Fairness, what: str) -> Sequence[str]:
    """The findings as a person reads them; `what` names the throws: `real throws`."""
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
