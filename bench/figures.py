"""Format figures: every share with its n and its 95 % interval, every spread with its n."""

import math
import os
import resource
import statistics
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from companion.games.statistics import share as share  # the benches import it from here

BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.01)
"""Bounds of the bins of confidence, finer where the game acts on it."""


def spread(values: Sequence[float], digits: int) -> str:
    """Return median and 95th percentile as text."""
    if not values:
        return "none"
    ordered = sorted(values)
    top = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return f"median {statistics.median(ordered):.{digits}f}, 95 % below {top:.{digits}f}, n {len(ordered)}"


def interval(values: Sequence[float], digits: int) -> str:
    """Return the mean with its 95 % interval as text. The interval is normal, so use twenty values or more."""
    half = 1.96 * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    mean = statistics.fmean(values)
    return f"mean {mean:.{digits}f} ({mean - half:.{digits}f} to {mean + half:.{digits}f})"


def mean_and_spread(values: Sequence[float], digits: int) -> str:
    """Return `interval` and `spread` as text."""
    return f"{interval(values, digits)}; {spread(values, digits)}" if values else "none"


def error_of_sum(values: Sequence[float], cases: Sequence[Hashable]) -> float:
    """Return the standard error of the sum of `values` (n,). Values of the same one of the `cases` (n,) are dependent.

    It is the standard deviation of the cases' sums times the root of their number.
    """
    sums: dict[Hashable, float] = {}
    for value, case in zip(values, cases, strict=True):
        sums[case] = sums.get(case, 0.0) + value
    return statistics.pstdev(sums.values()) * math.sqrt(len(sums)) if sums else 0.0


def paired(pairs: Sequence[tuple[bool, bool]], cases: Sequence[Hashable] | None = None) -> str:
    """Return how often a property held before and after, and the difference with its 95 % interval (`error_of_sum`).

    Without `cases` (n,), each pair is its own case, and the variance is McNemar's.
    """
    lost = sum(a and not b for a, b in pairs)
    gained = sum(b and not a for a, b in pairs)
    half = 1.96 * error_of_sum([b - a for a, b in pairs], range(len(pairs)) if cases is None else cases)
    before = sum(a for a, _ in pairs)
    return f"{before} to {before + gained - lost} ({gained - lost:+d} ± {half:.1f}: {gained} gained, {lost} lost)"


def reliability(said: Sequence[tuple[float, bool]]) -> Iterator[str]:
    """Return a line for each bin of confidence: bounds, mean confidence, and share of right ones with its interval."""
    for low, high in pairwise(BINS):
        inside = [(confidence, right) for confidence, right in said if low <= confidence < high]
        if inside:
            mean = statistics.fmean(confidence for confidence, _ in inside)
            right = share(sum(right for _, right in inside), len(inside))
            yield f"{low:.2f} to {min(high, 1.0):.2f}: said {100 * mean:.1f} %, right {right}"


def resident_mb() -> float:
    """Return the memory that this process holds now, in megabytes (Linux)."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


def cpu_s(pid: int) -> float:
    """Return the processor seconds of a process until now (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def milliseconds(do: Callable[[], object]) -> float:
    """Return the milliseconds of a call, by the clock."""
    began = time.perf_counter()
    do()
    return (time.perf_counter() - began) * 1e3
