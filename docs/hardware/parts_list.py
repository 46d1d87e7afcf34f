"""The parts list: parts.csv as the tables of hardware.md, with the sums of the three builds.

Each row of the file is a part: its key, by which the steps name it (steps.py), the number of units that each build
needs, the range of a unit's price in US dollars, and the month of the estimate. `make docs` writes the tables.
"""

import csv
from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from pathlib import Path

from builds import builds

FILE = Path(__file__).resolve().parent / "parts.csv"
BUILDS = tuple(build.name for build in builds())
COMPUTER = "Computer"
"""The group of a Pi with its supply and card, which the sums show separately."""

Table = Callable[[tuple[str, ...], Iterable[Iterable[object]]], str]
Row = dict[str, str]


def rows() -> list[Row]:
    """Return the rows of the file."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def parts(table: Table) -> str:
    """Return the parts in a table for each group."""
    blocks = []
    for group, members in groupby(rows(), key=lambda row: row["group"]):
        lines = (
            (
                row["part"],
                row["type"],
                row["alternatives"],
                *(_count(row, build) for build in BUILDS),
                f"{_usd(row['low'])} to {_usd(row['high'])}",
                row["for"],
            )
            for row in members
        )
        head = ("part", "type", "or", *BUILDS, "USD each", "for")
        blocks.append(f"**{group}**\n\n{table(head, lines)}")
    return "\n\n".join(blocks)


def sums(table: Table) -> str:
    """Return what each build costs."""
    lines = []
    for name, computer in (("the Pi with its supply and card", True), ("everything else", False)):
        lines.append((name, *(_range(build, computer) for build in BUILDS)))
    return table(("USD", *BUILDS), lines)


def cost(build: str, *, computer: bool) -> tuple[float, float]:
    """Return the least and the greatest cost of a build in US dollars: of the computer's group, or of all others."""
    chosen = [row for row in rows() if (row["group"] == COMPUTER) is computer]
    low, high = (sum(float(row[bound]) * float(row[build]) for row in chosen) for bound in ("low", "high"))
    return low, high


def _range(build: str, computer: bool) -> str:
    low, high = cost(build, computer=computer)
    return f"{low:.0f} to {high:.0f}"


def amount(row: Mapping[str, str], number: str) -> str:
    """Return a number of a part with its unit, such as `2 m` or `1 pack`; pieces have none."""
    plural = "s" if float(number) > 1 else ""
    unit = row["unit"]
    short = {"piece": "", "metre": " m", "kg": " kg", "set of 6": " set of 6"}
    return f"{number}{short.get(unit, f' {unit}{plural}')}"


def _count(row: Row, build: str) -> str:
    return amount(row, row[build]) if float(row[build]) else ""


def _usd(text: str) -> str:
    value = float(text)
    return f"{value:g}" if value == round(value) else f"{value:.2f}"
