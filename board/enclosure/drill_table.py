"""The rows of a part's round holes, each named by a letter, for the drill plan and its table."""

import math
from collections import defaultdict
from dataclasses import dataclass
from string import ascii_uppercase

from flat import Flat

SAME_MM = 0.05
WIDE_MM = 10.0
"""From this diameter on a hole is made by a spade bit or a hole saw, which come in whole millimetres."""


def bit_mm(d: float) -> float:
    """Return the drill bit for a hole in wood: the next larger half millimetre, or for wide holes the whole one below.

    A template's diameter is a laser's; screws have some play.
    """
    return float(math.floor(d)) if d >= WIDE_MM else math.ceil(2 * d - SAME_MM) / 2


@dataclass(frozen=True)
class DrillRow:
    """Holes of one diameter at one height, by their middles in millimetres from the part's upper left corner."""

    letter: str
    d: float
    y: float
    xs: tuple[float, ...]


def rows_of(flat: Flat) -> tuple[DrillRow, ...]:
    """Return the rows from top to bottom, and their holes from left to right."""
    found: dict[tuple[float, float], list[float]] = defaultdict(list)
    for hole in flat.circles:
        found[round(hole.y / SAME_MM) * SAME_MM, hole.d].append(hole.x)
    rows = sorted(found.items())
    return tuple(DrillRow(_letter(n), d, y, tuple(sorted(xs))) for n, ((y, d), xs) in enumerate(rows))


def _letter(number: int) -> str:
    """Return A to Z, then AA, AB and so on."""
    tens, ones = divmod(number, len(ascii_uppercase))
    return (ascii_uppercase[tens - 1] if tens else "") + ascii_uppercase[ones]
