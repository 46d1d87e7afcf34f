"""The pieces of LED strip and the arcs of LEDs that a layout needs, and the walls between their grooves."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from pegboard.layouts.layout import Arc, Lamp, Layout

GROOVE_PLAY_MM = 0.6
"""The width of a groove beyond its strip's, in millimetres: a strip of 10 mm does not fit a printed slot of 10 mm."""

WALL_MM = 1.2
"""The least thickness of a wall between two grooves in millimetres: three lines of a printer's 0.4 mm nozzle."""

SLIP_MM = 0.05
"""The tolerance, in millimetres, within which two LEDs count as whole pitches apart."""


Segment = tuple[Lamp, Lamp]


@dataclass(frozen=True)
class StripPiece:
    """A piece of the chain: a straight piece of strip, or an arc, which is a ring of LEDs or a part of one.

    `lamps` are its LEDs that have a place.
    """

    lamps: tuple[Lamp, ...]
    arc: Arc | None = None

    @property
    def first(self) -> Lamp:
        """The first LED that has a place."""
        return self.lamps[0]

    @property
    def last(self) -> Lamp:
        """The last LED that has a place."""
        return self.lamps[-1]

    def lines(self) -> tuple[Segment, ...]:
        """Return the piece's middle line: one line for a straight piece, one from each LED to the next for an arc."""
        return tuple(pairwise(self.lamps)) if self.arc and len(self.lamps) > 1 else ((self.first, self.last),)

    @property
    def leds(self) -> int:
        """The number of LEDs of the piece, with those that stay dark."""
        return self.last.led - self.first.led + 1


def pieces(layout: Layout) -> tuple[StripPiece, ...]:
    """Return the pieces in the chain's order: arcs, and straight pieces; a single LED is a piece of its own."""
    found: list[tuple[list[Lamp], Arc | None]] = []
    for lamp in sorted(layout.lamps(), key=lambda lamp: lamp.led):
        arc = next((arc for arc in layout.arcs if arc.first <= lamp.led <= arc.last), None)
        if found and arc is found[-1][1] and (arc or _continues(found[-1][0], lamp, layout.pitch_mm)):
            found[-1][0].append(lamp)
        else:
            found.append(([lamp], arc))
    return tuple(StripPiece(tuple(lamps), arc) for lamps, arc in found)


def crowded(layout: Layout) -> tuple[str, ...]:
    """Return a line for each pair of pieces that overlap or leave no wall between their grooves."""
    groove = layout.strip_mm + GROOVE_PLAY_MM
    lines = []
    for one, other in combinations(pieces(layout), 2):
        if _in_one_groove(one, other):
            apart = _apart(one, other) - layout.pitch_mm
            if apart < -SLIP_MM:
                lines.append(f"expected pieces of strip that do not overlap, got {_named(one)} on {_named(other)}")
            continue
        wall = _apart(one, other) - groove
        if wall < WALL_MM - SLIP_MM:
            lines.append(
                f"expected a wall of {WALL_MM:g} mm or more between grooves of {groove:g} mm, "
                f"got {wall:.1f} mm between {_named(one)} and {_named(other)}"
            )
    return tuple(lines)


def _continues(piece: Sequence[Lamp], lamp: Lamp, pitch_mm: float) -> bool:
    """Return whether an LED is at the place where a piece's strip would continue to it."""
    last = piece[-1]
    steps = lamp.led - last.led
    dx, dy = (lamp.x - last.x) / steps, (lamp.y - last.y) / steps
    if abs(math.hypot(dx, dy) - pitch_mm) * steps > SLIP_MM:
        return False
    if len(piece) == 1:
        return True
    run = last.led - piece[0].led
    along = (last.x - piece[0].x) / run, (last.y - piece[0].y) / run
    return math.dist(along, (dx, dy)) * steps < SLIP_MM


def _named(piece: StripPiece) -> str:
    return f"LED {piece.first.led}" if piece.leds == 1 else f"LEDs {piece.first.led} to {piece.last.led}"


def _in_one_groove(one: StripPiece, other: StripPiece) -> bool:
    """Return whether two pieces are on one straight line, or on one circle."""
    if one.arc and other.arc:
        apart = math.dist(one.arc.middle, other.arc.middle), abs(one.arc.radius - other.arc.radius)
        return max(apart) < SLIP_MM
    if one.arc or other.arc:
        return False
    ends = [(end.x, end.y) for end in (one.first, one.last, other.first, other.last)]
    a, b = max(combinations(ends, 2), key=lambda pair: math.dist(*pair))
    return all(abs(_side(a, b, end)) <= SLIP_MM * math.dist(a, b) for end in ends)


def _apart(one: StripPiece, other: StripPiece) -> float:
    """Return the distance of two pieces' middle lines in millimetres; 0 if they cross."""
    return min(_between(line, other_line) for line in one.lines() for other_line in other.lines())


def _between(one: Segment, other: Segment) -> float:
    """Return the distance of two lines in millimetres; 0 if they cross."""
    (a, b), (c, d) = (((first.x, first.y), (last.x, last.y)) for first, last in (one, other))
    if _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0:
        return 0.0
    return min(to_segment(a, c, d), to_segment(b, c, d), to_segment(c, a, b), to_segment(d, a, b))


def _side(a: tuple[float, float], b: tuple[float, float], point: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])


def to_segment(point: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> float:
    """Return the distance of a place from a line between two places."""
    length_2 = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2
    share = 0.0
    if length_2:
        share = max(0.0, min(1.0, ((point[0] - a[0]) * (b[0] - a[0]) + (point[1] - a[1]) * (b[1] - a[1])) / length_2))
    return math.dist(point, (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])))
