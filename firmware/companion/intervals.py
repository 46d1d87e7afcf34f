"""Shares with how sure they are: k of n, and the interval that holds the true share in 95 of 100 such tries."""

import math

Z = 1.96
"""Standard deviations of a 95 % interval."""


def interval(k: int, n: int) -> tuple[float, float]:
    """The 95 % Wilson interval (Wilson 1927) of k of n, from 0 to 1; all of it where n is 0."""
    if n == 0:
        return 0.0, 1.0
    p = k / n
    middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
    return max(0.0, middle - half), min(1.0, middle + half)


def share(k: int, n: int) -> str:
    """k of n in words, with its 95 % interval."""
    if n == 0:
        return "0 of 0"
    low, high = interval(k, n)
    return f"{k} of {n} = {100 * k / n:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
