"""The tables of hardware.md: the header's wires, and what chains of LEDs draw, by the program's own functions."""

import math
from collections.abc import Callable, Iterable

import wiring

from dicereader.tray.geometry import Tray
from pegboard.animation import Animator, LightSettings
from pegboard.buttons import Pins
from pegboard.layouts import load_layout
from pegboard.ledframe import LedFrame, dark
from pegboard.palette import mark
from pegboard.pegs import BoardView, Effect, LaneView, Status
from pegboard.power import IDLE_MA, MOST_MA, current_ma, within_budget
from pegboard.track import Hole

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
    """Return the long boards: LEDs, size, and the lengths to cut."""
    rows = []
    for lanes in range(1, 5):
        layout = load_layout(f"long-board-{lanes}")
        runs = layout.lanes[0]
        out = runs.spots[60].led - min(lamp.led for lamp in (*runs.farkles, runs.spots[0])) + 1
        back = runs.spots[120].led - runs.spots[61].led + 1
        wide, high = layout.size_mm
        rows.append(
            (f"`{layout.name}`", layout.leds, f"{wide:g} x {high:g} mm", f"{lanes} x {out}", f"{lanes} x {back}")
        )
    return table(("layout", "LEDs in the chain", "holes cover", "pieces out, LEDs", "pieces back, LEDs"), rows)


def power(table: Table) -> str:
    """Return the current of chains of some lengths, as the program computes it."""
    rows = []
    for leds in (121, 242, 363, 484):
        white = LedFrame(b"\xff" * 3 * leds)
        limited = within_budget(white)
        rows.append(
            (
                leds,
                _amperes(current_ma(dark(leds))),
                _amperes(busiest_ma(leds // 121)),
                _amperes(current_ma(white)),
                f"{_amperes(current_ma(limited))} at {limited[0][0] / 255:.0%}",
            )
        )
    head = ("LEDs", "dark", "busiest moment of a game", "all white, were it let", "all white within the budget")
    return table(head, rows)


def busiest_ma(lanes: int) -> float:
    """Return the highest current of a long board in a race, a win, a bank or hot dice, without a limit.

    Reckoned for 121 LEDs a lane: what the lights draw, and 1 mA for each LED.
    """
    layout = load_layout(f"long-board-{lanes}")
    leader, others = LaneView(mark(0), Hole(121), Hole(121)), range(1, lanes)
    over = (leader, *(LaneView(mark(side), Hole(20 * side), Hole(20 * side)) for side in others))
    play = tuple(LaneView(mark(side), Hole(30 * side + 7), Hole(30 * side + 13)) for side in range(lanes))
    scenes = (
        (BoardView(play, status=Status.ATTRACT, turn=None), None),
        (BoardView(over, status=Status.OVER, leaders=(0,), turn=None), None),
        (BoardView(play, turn=0), Effect.SPARKLE),
        (BoardView(play, turn=0), Effect.SWEEP),
    )
    most = 0.0
    for view, effect in scenes:
        animator = Animator(layout, LightSettings(budget_ma=MOST_MA))
        animator.show(view, 0.0, effect)
        most = max(most, *(current_ma(animator.frame(n / 5)) for n in range(30)))
    return most - layout.leds * IDLE_MA + 121 * lanes * IDLE_MA


def _amperes(milliamperes: float) -> str:
    return f"{milliamperes / 1000:.2f} A"
