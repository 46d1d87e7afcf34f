"""Draws the whole table to scale, from above and from the side, and computes the length of each cable.

Places are millimetres from the middle of the tray's floor: x to the right and y away from the players, z up from the
floor. The pub's table is 1200 x 700 mm.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import drawing
from boxes import ButtonBox, PiBox
from drawing import text

from dicereader.tray.calibration import TAG_PLATE_MM
from dicereader.tray.geometry import Tray
from pegboard.layouts import Layout
from pegboard.layouts.seams import EDGE_MM

Place = tuple[float, float, float]

_PI_BOX, _BUTTON_BOX = PiBox(), ButtonBox()
POST_Y, BOX_Z = 159.0, 120.0
"""The middle of the upright bar, as the foot of camera.scad holds it, and the lower edge of the Pi's box behind it."""

BOX = (
    _PI_BOX.wide + 2 * _PI_BOX.wall,
    _PI_BOX.floor + _PI_BOX.high + _PI_BOX.lid,
    _PI_BOX.deep + 2 * _PI_BOX.wall,
)
BUTTONS_Y, BUTTONS = -205.0, (_BUTTON_BOX.wide, _BUTTON_BOX.deep)
"""The middle of the button box, and its size."""

BOARD_X, BOARD_Y = -22.0, 240.0
"""The board's left lower corner: its first LED is near the box."""

SLACK = 1.15
"""The factor by which a cable is longer than its path; `ENDS_MM` is added for its two ends."""

ENDS_MM = 60.0


@dataclass(frozen=True)
class Cable:
    """A cable: its label, its colour, and its path."""

    words: str
    colour: str
    way: Sequence[Place]

    @property
    def length_mm(self) -> float:
        """The length to cut or buy."""
        way = sum(math.dist(one, other) for one, other in zip(self.way, self.way[1:], strict=False))
        return way * SLACK + ENDS_MM


def cables(lens_mm: float, layout: Layout) -> tuple[Cable, ...]:
    """Return every cable of a table whose lens hangs `lens_mm` above the tray's floor."""
    box = (0.0, POST_Y + 20, BOX_Z + BOX[2])
    low = (0.0, POST_Y + 20, BOX_Z)
    first = min(layout.lamps(), key=lambda lamp: lamp.led)
    start = (BOARD_X + EDGE_MM + first.x, BOARD_Y + EDGE_MM + layout.size_mm[1] - first.y, 10.0)
    return (
        Cable("camera cable", "#b08d00", ((0, 0, lens_mm), (0, POST_Y, lens_mm), (0, POST_Y, box[2]))),
        Cable("data, 5 V and ground to the first LED", "#1b7837", (low, (low[0], low[1], 10), start)),
        Cable(
            "eight wires to the buttons",
            "#2166ac",
            (low, (150, POST_Y + 20, 0), (150, BUTTONS_Y, 0), (BUTTONS[0] / 2, BUTTONS_Y, 10)),
        ),
        Cable(
            "5 V from the supply, beside the table", "#b2182b", (low, (low[0], 213, 0), (610, 213, 0), (610, 213, -400))
        ),
    )


def lengths(lens_mm: float, layout: Layout, table: Callable[[tuple[str, ...], Iterable[Iterable[object]]], str]) -> str:
    """Return the cables with their lengths as a Markdown table."""
    rows = ((cable.words, f"{math.ceil(cable.length_mm / 10)} cm") for cable in cables(lens_mm, layout))
    return table(("cable", "length"), rows)


SCALE = 0.8
FROM_ABOVE = (90.0, 60.0)
WIDE, HIGH = 1140.0, 1230.0


def svg(lens_mm: float, layout: Layout) -> str:
    """Return the drawing for a lens at that height and a board of that layout."""
    return drawing.svg(WIDE, HIGH, (*_above(lens_mm, layout), *_beside(lens_mm, layout)))


def _above(lens_mm: float, layout: Layout) -> Iterator[str]:
    tray, left, top = Tray(), 90.0, 50.0

    def at(x: float, y: float) -> tuple[float, float]:
        return left + (x + 600) * SCALE, top + (400 - y) * SCALE

    yield text(20, 30, f"From above, {layout.name}, 1 px = {1 / SCALE:g} mm", 17)
    yield _box(at, (-600, -300), (1200, 700), "#efe6d8", "#a98f68")
    outer = tray.half_mm + tray.wall_mm
    yield _box(at, (-outer, -outer), (2 * outer, 2 * outer), "#c9c9c9", "#555")
    yield _box(at, (-tray.half_mm, -tray.half_mm), (tray.inner_mm, tray.inner_mm), "#2f5d3a", "#222")
    yield _box(at, (-tray.half_mm, -tray.half_mm), (tray.inner_mm, tray.shelf_mm), "#25492e", "#222")
    plate = tray.tag_mm + 2 * tray.tag_border_mm
    for x, y in (tray.tag_centre_mm(tag) for tag in range(4)):
        yield _box(at, (x - plate / 2, y - plate / 2), (plate, plate), "#fff", "#222")
    size = (layout.size_mm[0] + 2 * EDGE_MM, layout.size_mm[1] + 2 * EDGE_MM)
    yield _box(at, (BOARD_X, BOARD_Y), size, "#8a5a2b", "#3d2610")
    for lamp in layout.lamps():
        x, y = at(BOARD_X + EDGE_MM + lamp.x, BOARD_Y + EDGE_MM + layout.size_mm[1] - lamp.y)
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="1.5" fill="#f3d27a"/>'
    yield _box(at, (-BUTTONS[0] / 2, BUTTONS_Y - BUTTONS[1] / 2), BUTTONS, "#4a4a4a", "#222")
    for hole_x, hole_y in _BUTTON_BOX.holes:
        x, y = at(hole_x, BUTTONS_Y + hole_y)
        yield f'<circle cx="{x:g}" cy="{y:g}" r="{15 * SCALE:g}" fill="#d9d9d9"/>'
    yield _box(at, (-BOX[0] / 2, POST_Y + 10), (BOX[0], BOX[1]), "#5f7a8c", "#222")
    yield _box(at, (-10, -20), (20, POST_Y + 30), "#b98b55", "#6b4a22")
    yield _box(at, (-60, -25), (50, 50), "#fff7c2", "#a08c20")
    x, y = at(0, 0)
    yield f'<circle cx="{x:g}" cy="{y:g}" r="9" fill="#222"/>'
    for cable in cables(lens_mm, layout):
        yield _way(cable.colour, [at(x, y) for x, y, _ in cable.way])
    for words, x, y in (
        ("board", BOARD_X + 240, BOARD_Y - 15), ("the Pi's box", -175, 205), ("lamp", -92, 30), ("lens", 18, 14),
        ("tray", -118, 60), ("buttons", -62, -268), ("players", -40, -330), ("players", -585, 60),
        ("players", 520, 60), ("post", 15, 140), ("tags", 145, 118),
    ):  # fmt: skip
        yield text(*at(x, y), words, 14, colour="#fff" if words == "tray" else "#222")
    x, y = at(-560, -270)
    yield f'<path d="M{x:g} {y:g}h{100 * SCALE:g}" stroke="#222" stroke-width="3"/>'
    yield text(x, y - 8, "100 mm", 13)


def _beside(lens_mm: float, layout: Layout) -> Iterator[str]:
    tray, left, floor = Tray(), 90.0, HIGH - 60.0

    def at(y: float, z: float) -> tuple[float, float]:
        return left + (y + 300) * SCALE, floor - z * SCALE

    yield text(20, floor - (lens_mm + 60) * SCALE, "From the side, the players at the left", 17)
    yield _box(at, (-300, -12), (800, 12), "#efe6d8", "#a98f68")
    outer, high = tray.half_mm + tray.wall_mm, tray.wall_height_mm
    yield _box(at, (-outer, 0), (tray.wall_mm, high), "#c9c9c9", "#555")
    yield _box(at, (tray.half_mm, 0), (tray.wall_mm, high), "#c9c9c9", "#555")
    yield _box(at, (POST_Y - 10, 0), (20, lens_mm + 40), "#b98b55", "#6b4a22")
    yield _box(at, (-20, lens_mm + 20), (POST_Y + 30, 20), "#b98b55", "#6b4a22")
    yield _box(at, (-12, lens_mm), (24, 12), "#222", "#222")
    yield _box(at, (POST_Y + 10, BOX_Z), (BOX[1], BOX[2]), "#5f7a8c", "#222")
    yield _box(at, (BOARD_Y, 0), (layout.size_mm[1] + 2 * EDGE_MM, 8), "#8a5a2b", "#3d2610")
    yield _box(
        at, (BUTTONS_Y - BUTTONS[1] / 2, 0), (BUTTONS[1], _BUTTON_BOX.high + _BUTTON_BOX.bottom), "#4a4a4a", "#222"
    )
    top, reach = high + TAG_PLATE_MM, tray.tag_centre_mm(1)[1] + tray.tag_mm / 2 + tray.tag_border_mm
    for end in (-reach, reach):
        (x, y), (to_x, to_y) = at(0, lens_mm), at(end, top)
        yield f'<path d="M{x:g} {y:g}L{to_x:g} {to_y:g}" stroke="#888" stroke-dasharray="6 5" fill="none"/>'
    for cable in cables(lens_mm, layout):
        yield _way(cable.colour, [at(y, max(z, 0)) for _, y, z in cable.way])
    (x, y), (_, to_y) = at(-150, 0), at(-150, lens_mm)
    yield f'<path d="M{x:g} {y:g}V{to_y:g}m-6 0h12" stroke="#b2182b" stroke-width="2" fill="none"/>'
    yield text(x - 10, (y + to_y) / 2, f"lens {lens_mm / 10:.0f} cm high", 14, "end", "#b2182b")
    for number, cable in enumerate(cables(lens_mm, layout)):
        x, y = 700, floor - 330 + 30 * number
        yield f'<path d="M{x} {y - 5:g}h30" stroke="{cable.colour}" stroke-width="4"/>'
        yield text(x + 40, y, f"{cable.words}: {math.ceil(cable.length_mm / 10)} cm", 15)
    for number, words in enumerate(
        ("Nothing of this was built yet.", "The lamp hangs beside the lens; no die mirrors it.")
    ):
        yield text(700, floor - 180 + 24 * number, words, 15)


def _box(
    at: Callable[[float, float], tuple[float, float]],
    low: tuple[float, ...],
    size: tuple[float, ...],
    fill: str,
    line: str,
) -> str:
    x, y = at(low[0], low[1] + size[1])
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{size[0] * SCALE:.1f}" height="{size[1] * SCALE:.1f}" fill="{fill}"'
        f' stroke="{line}"/>'
    )


def _way(colour: str, points: Sequence[tuple[float, float]]) -> str:
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="3" stroke-linejoin="round"/>'
