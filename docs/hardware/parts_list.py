"""The parts list: parts.csv as the tables of hardware.md, with the sums of the builds.

Each row of the file is a part: its key, by which the steps name it (steps.py), the number of units that each build
needs, the number of units in the pack, spool or roll that is sold, the range of its price in US dollars, and the month
of the estimate. `make docs` writes the tables.
"""

import csv
import math
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
                _price(row),
                row["for"],
            )
            for row in members
        )
        head = ("part", "type", "or", *BUILDS, "USD", "for")
        blocks.append(f"**{group}**\n\n{table(head, lines)}")
    return "\n\n".join(blocks)


def sums(table: Table) -> str:
    """Return what each build costs: bought in whole packs, and the share of them that it uses."""
    lines = []
    for name, computer, whole in (
        ("the Pi with its supply and card", True, True),
        ("everything else, in whole packs, spools and rolls", False, True),
        ("everything else, without what is left over", False, False),
    ):
        costs = (cost(build, computer=computer, whole=whole) for build in BUILDS)
        lines.append((name, *(f"{low:.0f} to {high:.0f}" for low, high in costs)))
    return table(("USD", *BUILDS), lines)


def cost(build: str, *, computer: bool, whole: bool) -> tuple[float, float]:
    """Return the least and the greatest cost of a build in US dollars: of the computer's group, or of all others.

    `whole` counts whole packs; else only the share of a pack that the build uses counts.
    """
    chosen = [(row, float(row[build]) / float(row["pack"])) for row in rows() if (row["group"] == COMPUTER) is computer]
    low, high = (
        math.fsum(float(row[bound]) * (math.ceil(packs) if whole else packs) for row, packs in chosen)
        for bound in ("low", "high")
    )
    return low, high


def amount(row: Mapping[str, str], number: str) -> str:
    """Return a number of a part with its unit, such as `2 m` or `1 pack`; pieces have none."""
    plural = "s" if float(number) > 1 else ""
    unit = row["unit"]
    short = {"piece": "", "metre": " m", "kg": " kg", "set of 6": " set of 6"}
    return f"{number}{short.get(unit, f' {unit}{plural}')}"


def _count(row: Row, build: str) -> str:
    return amount(row, row[build]) if float(row[build]) else ""


def _price(row: Row) -> str:
    """Return the price of what is sold, and how much that is if it is more than one piece."""
    price = f"{_usd(row['low'])} to {_usd(row['high'])}"
    return price if row["pack"] == "1" else f"{price} for {amount(row, row['pack'])}"


def _usd(text: str) -> str:
    value = float(text)
    return f"{value:g}" if value == round(value) else f"{value:.2f}"
