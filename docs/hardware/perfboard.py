"""The small board between header, strip and lamps: its parts, its wires, its nets, and its drawing as SVG.

A place is a hole of the perfboard, `(column, row)`, seen from the side of the parts. A track is a bare wire on the
copper side; a jumper is an insulated wire on the parts' side. The pins are those of Texas Instruments' data sheets:
74AHCT125 (SCLS264), ULN2003A (SLRS027; seen in November 2026).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import drawing

Hole = tuple[int, int]

PITCH_MM = 2.54
COLUMNS, ROWS = 18, 24
"""The holes of a perfboard of 50 x 70 mm, and their distance."""


@dataclass(frozen=True)
class Component:
    """A part: its name, its label, and the hole of each of its pins by the pin's name."""

    name: str
    words: str
    pins: Mapping[str, Hole]


def dip(name: str, words: str, first: Hole, pins: int) -> Component:
    """Return a chip in a socket, pin 1 at `first`: down on the left, up on the right, rows three holes apart."""
    column, row = first
    half = pins // 2
    left = {str(n + 1): (column, row + n) for n in range(half)}
    right = {str(pins - n): (column + 3, row + n) for n in range(half)}
    return Component(name, words, left | right)


def legs(name: str, words: str, first: Hole, second: Hole) -> Component:
    """Return a part with two legs that may be turned: a resistor, a capacitor."""
    return Component(name, words, {"1": first, "2": second})


BUTTON_ROWS = {"KEEP": 20, "BANK": 22, "ROLL": 24}

PARTS = (
    dip("U1", "74AHCT125", (6, 3), 14),
    dip("U2", "ULN2003A", (6, 11), 16),
    legs("F1", "polyfuse", (11, 2), (13, 2)),
    legs("C1", "100 nF", (10, 2), (10, 4)),
    Component("J1", "supply", {"5V": (15, 2), "GND": (15, 4)}),
    Component("J2", "strip", {"DIN": (15, 6), "GND": (15, 8)}),
    Component("J3", "lamps", {"5V": (15, 10), "KEEP -": (15, 12), "BANK -": (15, 14), "ROLL -": (15, 16)}),
    Component("J4", "Pi", {"GPIO10": (2, 4), "GND": (2, 9), "GPIO22": (2, 11), "GPIO23": (2, 12), "GPIO17": (2, 13)}),
    Component("J5", "buttons", {"GND": (15, 18), **{name: (15, row) for name, row in BUTTON_ROWS.items()}}),
    Component("J6", "Pi", {"3V3": (2, 18), "GPIO6": (2, 20), "GPIO16": (2, 22), "GPIO5": (2, 24)}),
    *(legs(f"R{n}", "1 kΩ", (5, row), (9, row)) for n, row in enumerate(BUTTON_ROWS.values(), 1)),
    *(legs(f"R{n}", "4.7 kΩ", (11, row - 1), (11, row)) for n, row in enumerate(BUTTON_ROWS.values(), 4)),
    *(legs(f"C{n}", "100 nF", (4, row - 1), (4, row)) for n, row in enumerate(BUTTON_ROWS.values(), 2)),
)

TRACKS: tuple[tuple[Hole, ...], ...] = (
    ((15, 2), (13, 2)),  # 5 V to the polyfuse
    ((11, 2), (9, 2), (9, 3)),  # from there to the shifter, past the capacitor
    ((11, 2), (11, 1), (17, 1), (17, 10), (15, 10)),  # and to the lamps
    ((7, 3), (7, 23)),  # ground, below both chips and the resistors
    ((6, 3), (7, 3)),
    ((6, 6), (7, 6)),
    ((6, 7), (7, 7)),
    ((6, 18), (7, 18)),
    ((2, 9), (7, 9)),  # ground of the Pi
    ((7, 4), (15, 4)),  # ground of the supply
    ((7, 5), (9, 5)),
    ((7, 7), (9, 7)),
    ((7, 8), (15, 8)),  # ground of the strip
    ((2, 4), (6, 4)),  # data
    ((6, 5), (5, 5)),
    ((12, 6), (15, 6)),
    ((2, 11), (6, 11)),  # lamps
    ((2, 12), (6, 12)),
    ((2, 13), (6, 13)),
    ((9, 11), (13, 11), (13, 12), (15, 12)),
    ((9, 12), (12, 12), (12, 14), (15, 14)),
    ((9, 13), (11, 13), (11, 16), (15, 16)),
    ((7, 19), (8, 19)),  # buttons
    ((14, 18), (15, 18)),
    ((2, 18), (3, 18)),
    *(((2, row), (5, row)) for row in BUTTON_ROWS.values()),
    *(((4, row - 1), (7, row - 1)) for row in BUTTON_ROWS.values()),
    *(((9, row), (15, row)) for row in BUTTON_ROWS.values()),
    *(((11, row - 1), (12, row - 1)) for row in BUTTON_ROWS.values()),
)

JUMPERS: tuple[tuple[Hole, Hole], ...] = (
    ((5, 5), (12, 6)),  # the data, over the shifter
    ((3, 18), (12, 19)),  # 3.3 V, over the resistors
    ((12, 19), (12, 21)),
    ((12, 21), (12, 23)),
    ((8, 19), (14, 18)),  # ground of the buttons
)


def header_pieces() -> tuple[int, ...]:
    """Return how many pins each piece of the header towards the Pi has: neighbours stay together."""
    rows = sorted(hole[1] for part in PARTS if part.words == "Pi" for hole in part.pins.values())
    pieces: list[list[int]] = []
    for row in rows:
        if pieces and row == pieces[-1][-1] + 1:
            pieces[-1].append(row)
        else:
            pieces.append([row])
    return tuple(map(len, pieces))


def nets() -> tuple[frozenset[str], ...]:
    """Return the groups of pins, as `U1.2`, that tracks and jumpers join; a pin without a wire is a group of one."""
    root_of = _roots()
    groups: dict[Hole, set[str]] = {}
    for part in PARTS:
        for pin, hole in part.pins.items():
            groups.setdefault(root_of.get(hole, hole), set()).add(f"{part.name}.{pin}")
    return tuple(frozenset(group) for group in groups.values())


def _roots() -> Mapping[Hole, Hole]:
    """Return, for each hole that a wire reaches, the hole that represents its net."""
    root_of: dict[Hole, Hole] = {}
    pieces = [set(_covered(track)) for track in TRACKS] + [set(jumper) for jumper in JUMPERS]
    for piece in pieces:
        met = piece | {hole for hole, root in root_of.items() if root in {root_of.get(each) for each in piece}}
        root_of.update(dict.fromkeys(met, min(met)))
    return root_of


def _covered(track: Sequence[Hole]) -> Iterator[Hole]:
    """Yield each hole that a track covers.

    Raises:
        ValueError: if a piece of the track runs along neither a row nor a column.
    """
    for (x, y), (to_x, to_y) in pairwise(track):
        if x != to_x and y != to_y:
            raise ValueError(f"expected a track along a row or a column, got {(x, y)} to {(to_x, to_y)}")
        for column in range(min(x, to_x), max(x, to_x) + 1):
            for row in range(min(y, to_y), max(y, to_y) + 1):
                yield column, row


HOLE_PX, LEFT_PX, TOP_PX = 26.0, 170.0, 50.0
BODIES = {"U": "#3a3a3a", "J": "#7fb0d6", "C": "#d9a441", "R": "#e8d9b0", "F": "#e6b8a2"}
POWER, GROUND, SIGNAL, DATA, NOTHING = "#b2182b", "#333333", "#1d5796", "#1b7837", "#8a8a8a"


def svg() -> str:
    """Return the drawing, seen from the parts' side: tracks as if seen through the board, the jumper on top."""
    wide, high = LEFT_PX + (COLUMNS + 1) * HOLE_PX + 150, TOP_PX + (ROWS + 1) * HOLE_PX + 20
    parts = (
        _text((0.2, -0.8), f"Perfboard, {COLUMNS} x {ROWS} holes, seen from the side of the parts", 17, "start"),
        f'<rect x="{LEFT_PX:g}" y="{TOP_PX:g}" width="{(COLUMNS + 1) * HOLE_PX:g}"'
        f' height="{(ROWS + 1) * HOLE_PX:g}" rx="8" fill="#efe6cb" stroke="#9a8a5a"/>',
        *(_dot((column, row)) for row in range(1, ROWS + 1) for column in range(1, COLUMNS + 1)),
        *(_line(track, 7, 0.6) for track in TRACKS),
        *(drawn for part in PARTS for drawn in _part(part)),
        *(_line(jumper, 4, 1.0) for jumper in JUMPERS),
        *(drawn for part in PARTS for drawn in _labels(part)),
    )
    return drawing.svg(wide, high, parts)


def _at(hole: tuple[float, float]) -> tuple[float, float]:
    return LEFT_PX + hole[0] * HOLE_PX, TOP_PX + hole[1] * HOLE_PX


def _text(
    hole: tuple[float, float], words: str, size: float, anchor: str, colour: str = "#222", *, halo: bool = False
) -> str:
    x, y = _at(hole)
    return drawing.text(x, y + size / 3, words, size, anchor, colour, halo=halo)


def _dot(hole: Hole) -> str:
    x, y = _at(hole)
    return f'<circle cx="{x:g}" cy="{y:g}" r="3" fill="#cdbd8c"/>'


def _line(track: Sequence[Hole], wide: float, opacity: float) -> str:
    points = " ".join(f"{x:g},{y:g}" for x, y in map(_at, track))
    return (
        f'<polyline points="{points}" fill="none" stroke="{_colour(track[0])}" stroke-width="{wide:g}"'
        f' opacity="{opacity:g}" stroke-linejoin="round" stroke-linecap="round"/>'
    )


def _colour(hole: Hole) -> str:
    """Return the colour of the net at a hole."""
    root_of = _roots()
    places = {f"{part.name}.{pin}": place for part in PARTS for pin, place in part.pins.items()}
    for pin, colour in (("J1.5V", POWER), ("J3.5V", POWER), ("J1.GND", GROUND), ("J2.DIN", DATA), ("J4.GPIO10", DATA)):
        if root_of.get(hole) == root_of[places[pin]]:
            return colour
    return SIGNAL if hole in root_of else NOTHING


def _part(part: Component) -> Iterator[str]:
    """Yield the body of a part and its pins."""
    columns, rows = ([hole[axis] for hole in part.pins.values()] for axis in (0, 1))
    left, right, top, bottom = min(columns), max(columns), min(rows), max(rows)
    (x, y), (to_x, to_y) = _at((left - 0.4, top - 0.4)), _at((right + 0.4, bottom + 0.4))
    fill = BODIES[part.name[0]]
    yield (
        f'<rect x="{x:g}" y="{y:g}" width="{to_x - x:g}" height="{to_y - y:g}" rx="6" fill="{fill}" opacity="0.85"'
        ' stroke="#222"/>'
    )
    for hole in part.pins.values():
        cx, cy = _at(hole)
        yield f'<circle cx="{cx:g}" cy="{cy:g}" r="5" fill="{_colour(hole)}" stroke="#fff"/>'


def _labels(part: Component) -> Iterator[str]:
    """Yield the label of a part; for a chip its pins' numbers, for a connector each pin's name at the board's edge."""
    columns, rows = ([hole[axis] for hole in part.pins.values()] for axis in (0, 1))
    left, right, top, bottom = min(columns), max(columns), min(rows), max(rows)
    middle = (left + right) / 2
    kind = part.name[0]
    for pin, hole in part.pins.items():
        anchor, side = ("start", 0.42) if hole[0] == left else ("end", -0.42)
        if kind == "U":
            yield _text((hole[0] + side, hole[1]), pin, 12, anchor, "#fff")
        elif kind == "J":
            edge, anchor = (COLUMNS + 1.3, "start") if left > COLUMNS / 2 else (-0.3, "end")
            yield _text((edge, hole[1]), f"{part.words} {pin}", 14, anchor, _colour(hole))
    if kind == "U":
        under = bottom + 0.7 if top < 5 else top - 0.6
        yield _text((middle, under), f"{part.name} {part.words}", 12, "middle", halo=True)
    elif right - left > 2:
        yield _text((middle, bottom), f"{part.name} {part.words}", 12, "middle")
    elif right > left:
        yield _text((right - 0.1, bottom + 0.75), f"{part.name} {part.words}", 12, "middle", halo=True)
    elif kind != "J":
        yield _text((right + 0.5, bottom - 0.5), f"{part.name} {part.words}", 11, "start", halo=True)
