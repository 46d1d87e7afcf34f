"""The tables of hardware.md about current: what the boards draw, how they are fed, and how fast frames are sent."""

from collections.abc import Callable, Iterable

from builds import SURELY_OPENS, builds

from pegboard.animation.animator import Animator, LightSettings
from pegboard.layouts import Layout, load_layout
from pegboard.layouts.strips import pieces
from pegboard.ledframe import BUDGET_MA, MOST_MA, LedFrame, current_ma, dark, within_budget
from pegboard.palette import mark
from pegboard.pegs import BoardView, Effect, LaneView, Status
from pegboard.track import Hole

Table = Callable[[tuple[str, ...], Iterable[Iterable[object]]], str]
"""A function that makes a Markdown table of a head and rows."""


BOARDS = ("classic-3", "short-board-2", *(f"long-board-{lanes}" for lanes in range(1, 5)))
"""The boards of the tables."""

BUDGETS_MA = {build.layout: build.budget_ma for build in builds()}
"""The budget of each build's board; another board has the program's own."""

SPI_US = 40.0
"""Microseconds that an LED takes on SPI: rpi_ws281x 5.0.0 sends 12 bytes for each at 2.4 MHz (ws2811.c)."""

PIO_US = 30.0
"""Microseconds that an LED takes on a Pi 5: 24 bits at 800 kHz (WS2812B's data sheet)."""


def budget_ma(layout: Layout) -> float:
    """Return the budget of a board in milliamperes."""
    return BUDGETS_MA.get(layout.name, BUDGET_MA)


def fuses(table: Table) -> str:
    """Return the fuse of each build between its budget and what its adapter gives."""
    rows = (
        (
            build.name,
            f"{build.adapter_a:g} A",
            build.fuse,
            f"{SURELY_OPENS * build.fuse_a:.2f} A",
            f"{build.budget_ma:g}",
        )
        for build in builds()
    )
    return table(("build", "adapter", "fuse, marked", "opens within 2 minutes at", "`leds.budget_ma`"), rows)


def blinka_ms(leds: int) -> float:
    """Return the milliseconds that Blinka 10 sleeps after sending a frame by SPI: 1 for each begun 100 bytes."""
    return 3 * leds // 100 + 1


def rates(table: Table) -> str:
    """Return the time of sending a frame to each board, and the frames a second that result."""
    rows = []
    for layout in map(load_layout, BOARDS):
        spi_ms, pio_ms = layout.leds * SPI_US / 1000 + blinka_ms(layout.leds), layout.leds * PIO_US / 1000
        rows.append(
            (f"`{layout.name}`", layout.leds, *(f"{ms:.0f} ms, {1000 / ms:.0f} a second" for ms in (spi_ms, pio_ms)))
        )
    return table(("layout", "LEDs", "Zero 2 W, 3, 4 (SPI)", "5 (PIO)"), rows)


def power(table: Table) -> str:
    """Return the current of the boards, as the program computes it."""
    rows = []
    for layout in map(load_layout, BOARDS):
        white = LedFrame(b"\xff" * 3 * layout.leds)
        limited = within_budget(white, budget_ma(layout))
        rows.append(
            (
                f"`{layout.name}`",
                layout.leds,
                _amperes(current_ma(dark(layout.leds))),
                _amperes(busiest_ma(layout)),
                _amperes(current_ma(white)),
                f"{_amperes(current_ma(limited))} at {limited[0][0] / 255:.0%}",
            )
        )
    head = (
        "layout",
        "LEDs",
        "dark",
        "busiest moment of a game",
        "all white without a budget",
        "all white within the budget",
    )
    return table(head, rows)


def busiest_ma(layout: Layout) -> float:
    """Return the highest current of a board in a race, a win, a bank or hot dice, without a limit."""
    lanes = len(layout.lanes)
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
    return most


COPPER_OHM_M = 1.72e-8
"""The resistivity of copper at 20 degrees in ohm metres (IEC 60028)."""

RAIL_M2 = 2.5e-3 * 35e-6
"""The cross-section of a strip's 5 V rail in square metres, estimated low: 2.5 mm wide, 35 micrometres thick (1 oz)."""

AWG_18_OHM_M = 0.0209
"""The resistance of a metre of 18 AWG copper (ASTM B258); the Handbook of Electronic Tables gives it 16 A in a case."""

LEAD_M = 1.0
"""The longest lead from the supply to a feed in metres."""

SUPPLY_V = 5.0


def feeds(table: Table) -> str:
    """Return the feeds of each board, and the voltage left of 5 V if the whole budget flows in one lane."""
    rows = []
    for layout in map(load_layout, BOARDS):
        budget_a, lane_m = budget_ma(layout) / 1000, _lane_m(layout)
        lead_v = budget_a * 2 * AWG_18_OHM_M * LEAD_M / 2  # half of the current by each of the two feeds
        one_end_v, both_ends_v = (budget_a * 2 * COPPER_OHM_M / RAIL_M2 * lane_m / share for share in (2, 8))
        rows.append(
            (
                f"`{layout.name}`",
                2 * len(layout.lanes),
                f"{lane_m:.2f} m",
                f"{SUPPLY_V - 2 * lead_v - one_end_v:.2f} V",
                f"{SUPPLY_V - lead_v - both_ends_v:.2f} V",
            )
        )
    return table(("layout", "feeds", "strip of a lane", "fed at one end", "fed at both ends"), rows)


def _lane_m(layout: Layout) -> float:
    """Return the length of the longest lane's strip in metres."""
    chain = pieces(layout)
    lights = len([piece for piece in chain if piece.leds > 1]) - 1  # the last one is the strip of lights
    return sum(piece.leds for piece in chain[:lights]) / len(layout.lanes) * layout.pitch_mm / 1000


def _amperes(milliamperes: float) -> str:
    return f"{milliamperes / 1000:.2f} A"
