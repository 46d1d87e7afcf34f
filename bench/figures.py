"""How figures are printed: every share with its n and its 95 % interval, every spread with its n."""

import math
import statistics
from collections.abc import Sequence


def share(k: int, n: int) -> str:
    """k of n with its 95 % Wilson interval (Wilson 1927)."""
    if n == 0:
        return "0 of 0"
    z, p = 1.96, k / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return f"{k} of {n} = {100 * p:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def spread(values: Sequence[float], digits: int) -> str:
    """Median and 95th percentile."""
    if not values:
        return "none"
    ordered = sorted(values)
    top = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return f"median {statistics.median(ordered):.{digits}f}, 95 % below {top:.{digits}f}, n {len(ordered)}"
