"""The Glicko-2 rating system (Mark Glickman, "Example of the Glicko-2 system", 2022): one rating period at a time.

A rating is an estimate of a player's strength with its deviation: the strength lies within two deviations of the rating
with a chance of 95 per cent. The volatility says how much the strength itself changes from period to period.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

SCALE = 173.7178
"""Points of the public scale for one unit of the scale in which the system computes."""

TAU = 0.5
"""How much volatilities may change in a period; the paper advises 0.3 to 1.2 and uses 0.5 in its example."""

PRECISION = 1e-6
"""The precision of a new volatility's logarithm (the paper's epsilon)."""


@dataclass(frozen=True)
class Rating:
    """A player's rating and its deviation, in points, and the volatility; the defaults are those of a new player."""

    value: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06


@dataclass(frozen=True)
class RatedResult:
    """One result: the opponent's rating before the period, and 1 for a win, 0.5 for a draw, 0 for a loss."""

    opponent: Rating
    score: float


def after_period(before: Rating, results: Sequence[RatedResult]) -> Rating:
    """Return a player's rating after a period; without results only its deviation grows, to that of a new player."""
    phi = before.deviation / SCALE
    if not results:
        grown = SCALE * math.hypot(phi, before.volatility)
        return Rating(before.value, min(grown, Rating.deviation), before.volatility)
    mu = (before.value - Rating.value) / SCALE
    information = surprise = 0.0
    for result in results:
        weight = _weight(result.opponent.deviation / SCALE)
        expected = 1 / (1 + math.exp(-weight * (mu - (result.opponent.value - Rating.value) / SCALE)))
        information += weight**2 * expected * (1 - expected)
        surprise += weight * (result.score - expected)
    variance = 1 / information
    volatility = _volatility(before.volatility, phi, variance, variance * surprise)
    new_phi = 1 / math.sqrt(1 / (phi**2 + volatility**2) + information)
    return Rating(Rating.value + SCALE * (mu + new_phi**2 * surprise), SCALE * new_phi, volatility)


def score_of(place: int, other: int) -> float:
    """Return the score of a place against that of an opponent: 1 if it is better, 0.5 if it is the same, else 0."""
    return 0.5 if place == other else float(place < other)


def together(members: Sequence[Rating]) -> Rating:
    """Return a side's rating as an opponent: the mean of its players' ratings, with the deviation of that mean."""
    value = sum(each.value for each in members) / len(members)
    return Rating(value, math.hypot(*(each.deviation for each in members)) / len(members))


def _weight(phi: float) -> float:
    """Return how much a result against an opponent of this deviation counts (the paper's g)."""
    return 1 / math.sqrt(1 + 3 * (phi / math.pi) ** 2)


def _volatility(sigma: float, phi: float, variance: float, delta: float) -> float:
    """Return the new volatility, by the Illinois algorithm (the paper's step 5)."""
    begin = math.log(sigma**2)

    def slope(x: float) -> float:
        grown = math.exp(x)
        total = phi**2 + variance + grown
        return grown * (delta**2 - total) / (2 * total**2) - (x - begin) / TAU**2

    low = begin
    if delta**2 > phi**2 + variance:
        high = math.log(delta**2 - phi**2 - variance)
    else:
        high = begin - TAU
        while slope(high) < 0:
            high -= TAU
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > PRECISION:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)
