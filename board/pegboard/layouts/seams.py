"""The seams at which the board is cut into parts for a printer's bed, and the places of its screws.

The seams of the back are behind the middles of the front's parts, so each part of the back bridges a seam of the
front, and each part of the front bridges one of the back.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

from pegboard.errors import LayoutError
from pegboard.layouts.layout import Layout
from pegboard.layouts.strips import SLIP_MM, pieces

BED_MM = 220.0
EDGE_MM = 8.0
"""The border around the layout's own size, which holds the screws."""

CLEAR_MM = 3.0
"""The least distance of a front's seam from the middle of an LED."""

SCREW_FROM_SEAM_MM = 8.0
SAME_MM = 0.1


def front_cuts(layout: Layout, bed_mm: float = BED_MM) -> tuple[float, ...]:
    """Return the x coordinates in millimetres of the front's ends and seams, in the widest gaps between LEDs.

    Raises:
        LayoutError: if the LEDs leave no space for parts of this length, or the board is deeper than the bed.
    """
    wide, deep = layout.size_mm
    if deep + 2 * EDGE_MM > bed_mm:
        most = bed_mm - 2 * EDGE_MM
        raise LayoutError(f"expected a board of at most {most:g} mm from front to back, got {deep:g} mm")
    ends = (-EDGE_MM, wide + EDGE_MM)
    fewest = math.ceil((wide + 2 * EDGE_MM) / bed_mm)
    lamps = sorted({lamp.x for lamp in layout.lamps()})
    gaps = [(right - left, (left + right) / 2) for left, right in pairwise(lamps) if right - left > 2 * CLEAR_MM]
    for parts in (fewest, fewest + 1):
        for least in sorted({math.floor(gap / SAME_MM) for gap, _ in gaps}, reverse=True):
            cuts = _evenly((ends[0], *(x for gap, x in gaps if gap >= least * SAME_MM), ends[1]), parts)
            if longest(cuts) <= bed_mm:
                return cuts
    raise LayoutError(f"expected gaps between LEDs for parts of {bed_mm:g} mm, got none")


def uncuttable(layout: Layout) -> tuple[str, ...]:
    """Return a line that says why the board cannot be cut into parts for a printer's bed; empty if it can."""
    try:
        front_cuts(layout)
    except LayoutError as error:
        return (str(error),)
    return ()


def unprintable(layout: Layout) -> tuple[str, ...]:
    """Return a line that says why the board cannot be printed: no cuts, or strips that do not lie from left to right.

    The printed front has straight grooves from left to right alone.
    """
    if wrong := uncuttable(layout):
        return wrong
    aslant = (piece for piece in pieces(layout) if piece.arc or abs(piece.first.y - piece.last.y) > SLIP_MM)
    named = [f"LEDs {piece.first.led} to {piece.last.led}" for piece in aslant]
    return (f"expected rows from left to right, as the printed grooves are, got {', '.join(named)}",) if named else ()


def _evenly(places: Sequence[float], parts: int) -> tuple[float, ...]:
    """Return the places of the cuts for which the longest of `parts` parts is shortest, from the first to the last.

    With too few places, return the two ends.
    """
    ways: dict[float, tuple[float, tuple[float, ...]]] = {places[0]: (0.0, (places[0],))}
    for _ in range(parts):
        ways = {
            place: min((max(most, place - last), (*cuts, place)) for last, (most, cuts) in ways.items() if last < place)
            for place in places
            if place > min(ways)
        }
        if not ways:
            break
    return ways[places[-1]][1] if places[-1] in ways else (places[0], places[-1])


def back_cuts(layout: Layout, bed_mm: float = BED_MM) -> tuple[float, ...]:
    """Return the x coordinates in millimetres of the back's ends and seams, between the front's.

    A board with an undivided front has an undivided back.
    """
    front = front_cuts(layout, bed_mm)
    if len(front) == 2:
        return front
    return (front[0], *((left + right) / 2 for left, right in pairwise(front)), front[-1])


def longest(cuts: Sequence[float]) -> float:
    """Return the length of the longest part."""
    return max(right - left for left, right in pairwise(cuts))


def screws(layout: Layout, bed_mm: float = BED_MM) -> tuple[tuple[float, float], ...]:
    """Return the board's screws: at both ends, and on both sides of each seam of front and back."""
    wide, deep = layout.size_mm
    seams = sorted({*front_cuts(layout, bed_mm)[1:-1], *back_cuts(layout, bed_mm)[1:-1]})
    columns = [-EDGE_MM / 2, *(x + side * SCREW_FROM_SEAM_MM for x in seams for side in (-1, 1)), wide + EDGE_MM / 2]
    return tuple((x, y) for x in columns for y in (-EDGE_MM / 2, deep + EDGE_MM / 2))


LEADS_OUT_MM = 8.0
"""The hole in the back for the wires to supply and Pi."""


def leads_out(layout: Layout) -> tuple[float, float]:
    """Return the middle of the hole for the wires: at the left, beyond the strips of the way out, LED 0 included."""
    return 6.0, layout.size_mm[1] / 2 - 1.0
