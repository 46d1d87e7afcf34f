"""Estimate what single pieces of work take on a Raspberry Pi: `python bench/pi_estimate.py`. Nothing here met a Pi.

`make test-arm` counts the instructions of each piece, and of two public benchmarks, on an emulated Cortex-A53. A Pi's
published result in a benchmark, times the instructions of the benchmark's unit, is how many instructions that Pi runs
in a second. The estimate is the count divided by the geometric mean of the two rates.
"""

import json
import math
import sys
from dataclasses import dataclass
from pathlib import Path

COUNTS = Path(__file__).with_name("pi_counts.json")
ERROR = 2.0
"""The factor within which an estimate is expected to hold, each way.

The two rates of a Pi differ (the tables say by how much), and the published results are of other systems and compilers.
Neither benchmark has vector code, which is a large part of a reading. A Cortex-A53 takes two passes for a 128-bit
vector operation, so on Zero 2 W and 3 the error is more likely upwards. Waits for memory, disk and other processes are
not in a count.
"""


@dataclass(frozen=True)
class Pi:
    """A model with its published results on one core: events a second of sysbench, and 7-Zip's rating in MIPS."""

    model: str
    sysbench: float
    seven_zip: float


# sysbench 1.0.20, `sysbench cpu --threads=1`: "Raspberry Pi CPU Benchmarks"
# (leoncode.co.uk/articles/raspberry-pi-benchmarks; Pi 3+ 687.45, Pi 4 1477.83, Pi 5 2737.49; clocks not stated).
# A Pi 3 B and a Zero 2 W have the Pi 3+'s core: its figure, scaled by the clock.
# 7-Zip: "sbc-bench results sorted", column "7-zip single" (github.com/ThomasKaiser/sbc-bench, Sorted-Results.md):
# Zero 2 838; 3 B 977; 3 B+ 1076 and 1046; 4 B, 64 bits, 1769, 1752 and 1741; 5 3305 and 3196; their means.
# The Zero 2 and the 3 B(+) ran 32-bit systems.
PIS = (
    Pi("Zero 2 W, 1.0 GHz", 687.45 / 1.4, 838),
    Pi("3 B, 1.2 GHz", 687.45 * 1.2 / 1.4, 977),
    Pi("3 B+, 1.4 GHz", 687.45, 1061),
    Pi("4 B, 1.8 GHz", 1477.83, 1754),
    Pi("5, 2.4 GHz", 2737.49, 3250.5),
)


def rates(pi: Pi, instructions_an_event: float, instructions_a_unit: float) -> tuple[float, float]:
    """Return the instructions that a Pi runs in a second, by sysbench and by 7-Zip."""
    return pi.sysbench * instructions_an_event, pi.seven_zip * 1e6 * instructions_a_unit


def milliseconds(pi: Pi, work: str) -> float:
    """Return how long a piece of work is estimated to take on one core."""
    counts = json.loads(COUNTS.read_text(encoding="utf-8"))
    event, unit = counts["sysbench"]["instructions an event"], counts["7-zip"]["instructions a unit of rating"]
    slow, fast = rates(pi, event, unit)
    return float(1e3 * counts["work"][work]["median"] / math.sqrt(slow * fast))


def short(value: float) -> str:
    """Return a positive number with two or three digits that count, and no exponent."""
    return f"{value:.{max(0, 1 - math.floor(math.log10(value)))}f}"


def tables() -> str:
    """Return the rates and the estimates as tables of Markdown."""
    counts = json.loads(COUNTS.read_text(encoding="utf-8"))
    event, unit = counts["sysbench"]["instructions an event"], counts["7-zip"]["instructions a unit of rating"]
    of_models = [rates(pi, event, unit) for pi in PIS]
    models = " | ".join(pi.model for pi in PIS)
    lines = [f"| billion instructions a second | {models} |", "| --- |" + " --- |" * len(PIS)]
    for row, name in enumerate(("by sysbench", "by 7-Zip")):
        lines.append(f"| {name} | " + " | ".join(f"{each[row] / 1e9:.2f}" for each in of_models) + " |")
    lines += ["", f"| ms on one core | million instructions: median (least to most), n | {models} |"]
    lines.append("| --- | --- |" + " --- |" * len(PIS))
    for name, work in counts["work"].items():
        median, least, most = (short(work[which] / 1e6) for which in ("median", "least", "most"))
        ms = " | ".join(short(milliseconds(pi, name)) for pi in PIS)
        lines.append(f"| {name} | {median} ({least} to {most}), {work['n']} | {ms} |")
    worst = max(max(each) / min(each) for each in of_models)
    lines += ["", f"The two rates of a model differ by a factor of {worst:.2f} at most."]
    lines.append(
        f"Each estimate is expected to hold within a factor of {ERROR:g}, by judgement and not by measurement."
    )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(f"{tables()}\n")
