"""The tables of hardware.md that come from the program: the header's wires, the camera's heights, the strips."""

import math
from collections import Counter
from collections.abc import Callable, Iterable

import wiring

from dicereader.tray.geometry import Tray
from pegboard.buttons import Pins
from pegboard.layouts import layout_names, load_layout
from pegboard.layouts.strips import pieces

Table = Callable[[tuple[str, ...], Iterable[Iterable[object]]], str]
"""Makes a Markdown table of a head and rows."""


def pins(table: Table) -> str:
    """Every wire of the Pi's header, from the pins that the program uses."""
    rows = ((wire.pin, wire.name, wire.to) for wire in wiring.wires(Pins()))
    return table(("header pin", "which is", "goes to"), rows)


FIELDS = {
    "Camera Module 2": 48.8,
    "Camera Module 3": 41.0,
    "Camera Module 3 Wide": 67.0,
}
"""The upright fields of view in degrees, from Raspberry Pi's documentation of its cameras."""

MARGIN_MM = 5.0
LENS_MM = 430.0


def heights(table: Table) -> str:
    """How high each camera must look down to see the whole tray with its tags; the picture's height decides."""
    tray = Tray()
    half = max(tray.tag_centre_mm(1)) + tray.tag_mm / 2 + tray.tag_border_mm + MARGIN_MM
    rows = []
    for camera, degrees in FIELDS.items():
        above = half / math.tan(math.radians(degrees / 2)) + tray.wall_height_mm
        rows.append((camera, f"{degrees:g}°", f"{above / 10:.0f} cm"))
    return table(("camera", "upright field of view", "lens above the tray's floor, at least"), rows)


def strips(table: Table) -> str:
    """Return the layouts: LEDs, size, and the pieces of strip to cut."""
    rows = []
    for layout in map(load_layout, layout_names()):
        counts = Counter(piece.leds for piece in pieces(layout))
        wide, high = layout.size_mm
        cut = ", ".join(f"{times} x {leds}" for leds, times in sorted(counts.items(), reverse=True))
        rows.append((f"`{layout.name}`", layout.leds, f"{wide:g} x {high:g} mm", cut))
    return table(("layout", "LEDs in the chain", "size", "pieces of strip, LEDs"), rows)
