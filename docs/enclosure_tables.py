"""The tables of board/enclosure/README.md: printed parts with their time and weight, and screws by size and count."""

import csv
from collections.abc import Callable, Iterable

import measures
from parts import hardware, parts
from slicing import FILE

Table = Callable[[tuple[str, ...], Iterable[Iterable[object]]], str]
"""A function that makes a Markdown table of a head and rows."""


def printed(table: Table) -> str:
    """Return every part with its side on the bed, time, weight and hardware, and the sums at the end."""
    with FILE.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        sliced = {row["part"]: (float(row["minutes"]), float(row["grams"])) for row in rows}
    lines = []
    for part in parts():
        minutes, grams = sliced[part.name]
        screws = "; ".join(f"{count} x {name}" for name, count in part.hardware.items())
        lines.append((f"`{part.name}`", part.about, _hours(minutes), f"{grams:.0f} g", screws or "-"))
    minutes, grams = map(sum, zip(*sliced.values(), strict=True))
    lines.append((f"all {len(sliced)}", "", _hours(minutes), f"{grams:.0f} g", ""))
    return table(("part", "printed", "time", "weight", "belongs to it"), lines)


def fastenings(table: Table) -> str:
    """Return how many of each screw, insert, tie and foot all printed parts need."""
    return table(("what", f"how many, with {measures.LAYOUT}"), sorted(hardware().items()))


def _hours(minutes: float) -> str:
    hours, rest = divmod(round(minutes), 60)
    return f"{hours} h {rest:02d}" if hours else f"{rest} min"
