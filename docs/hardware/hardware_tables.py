"""The tables of hardware.md that come from the program: the header's wires, the camera's heights, the strips."""

from collections import Counter
from collections.abc import Callable, Iterable

import wiring

from dicereader.data.camera_modules import modules
from dicereader.tray.camera_place import needed_height_mm
from pegboard.buttons.port import Pins
from pegboard.layouts import Layout, layout_names, load_layout
from pegboard.layouts.strips import pieces

Table = Callable[[tuple[str, ...], Iterable[Iterable[object]]], str]
"""A function that makes a Markdown table of a head and rows."""


def pins(table: Table) -> str:
    """Return every wire of the Pi's header, from the pins that the program uses."""
    rows = ((wire.pin, wire.name, wire.to) for wire in wiring.wires(Pins()))
    return table(("header pin", "which is", "goes to"), rows)


def heights(table: Table) -> str:
    """Return how high each camera must hang to see the whole tray with its tags; the picture's height decides."""
    rows = []
    for module in modules().values():
        across, upright = module.picture_field_deg()
        title = f"{module.title}, {module.lens}" if module.lens else module.title
        height_cm = round(needed_height_mm(upright) / 10)
        rows.append((title, f"`{module.name}`", f"{across:.0f}°", f"{upright:.0f}°", f"{height_cm} cm"))
    head = ("camera", "its sensor", "field across", "field upright", "lens above the tray's floor, at least")
    return table(head, rows)


def to_cut(layout: Layout) -> tuple[int, ...]:
    """Return the LEDs of each piece of strip in the chain's order; LED 0 makes the first piece one longer."""
    first, *others = pieces(layout)
    return first.leds + first.first.led, *(piece.leds for piece in others)


def strips(table: Table) -> str:
    """Return the layouts: LEDs, size, and the pieces of strip to cut."""
    rows = []
    for layout in map(load_layout, layout_names()):
        counts = Counter(to_cut(layout))
        wide, high = layout.size_mm
        cut = ", ".join(f"{times} x {leds}" for leds, times in sorted(counts.items(), reverse=True))
        rows.append((f"`{layout.name}`", layout.leds, f"{wide:g} x {high:g} mm", cut))
    return table(("layout", "LEDs in the chain", "size", "pieces of strip, LEDs"), rows)
