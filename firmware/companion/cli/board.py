"""`farklecrib board`: the boards that a layout describes, checked, drawn, told."""

import sys
from pathlib import Path

from companion.errors import CompanionError
from pegboard.layouts import DEFAULT, Layout, layout_names, load_layout
from pegboard.layouts.layout import spans
from pegboard.layouts.load import layout_text, read_layout
from pegboard.ledframe import LedFrame, dark
from pegboard.power import BUDGET_MA, current_ma
from pegboard.track import LAP


def check_board(name: str) -> int:
    """Say everything that is wrong with a layout: 0 where nothing is, 1 where something is."""
    layout, wrong = read_layout(layout_text(name), name)
    for line in wrong:
        print(f"{name}: {line}")
    if layout is None:
        return 1
    print(f"{name}: {_summary(layout)}")
    dark_leds = layout.unused()
    print(f"{name}: stays dark: {spans(dark_leds) if dark_leds else 'no LED'}")
    if 0 not in dark_leds:
        print(f"{name}: LED 0 has a place; on a Pi's SPI the first LED may show garbage, so leave it without one")
    return 0


def draw_board(name: str, out: Path | None) -> int:
    """Write a layout's drawing as SVG, to a file or to standard output; raises `CompanionError`."""
    from pegboard.drawing import svg

    picture = svg(load_layout(name))
    if out is None:
        sys.stdout.write(picture)
        return 0
    try:
        out.write_text(picture, encoding="utf-8")
    except OSError as error:
        raise CompanionError(f"expected a file that can be written, got {str(out)!r}: {error.strerror}") from error
    return 0


def show_board(name: str | None) -> int:
    """Tell a layout's LEDs and what they draw; without a name, list the layouts that come with the program."""
    if name is None:
        for each in layout_names():
            mark = "  (the one without a configuration)" if each == DEFAULT else ""
            print(f"{each:14}  {_summary(load_layout(each))}{mark}")
        return 0
    layout = load_layout(name)
    print(f"{layout.name}: {_summary(layout)}")
    for number, lane in enumerate(layout.lanes, 1):
        first, last = lane.spots[1].led, lane.spots[lane.walk].led
        start, walked = lane.spots[0].led, "" if lane.walk == LAP else f"; {lane.walk} holes, walked twice"
        farkles = ", ".join(str(lamp.led) for lamp in lane.farkles)
        own = f"start LED {start}, holes LED {first} to {last}, farkle lights {farkles}{walked}"
        print(f"lane {number}: {own}")
    shelf = ", ".join(str(lamp.led) for lamp in layout.shelf)
    print(f"game hole LED {layout.lanes[0].spots[-1].led}, shelf lights {shelf}, status light {layout.status.led}")
    print(f"stays dark: {spans(layout.unused())}")
    white = current_ma(LedFrame(b"\xff" * 3 * layout.leds)) / 1000
    idle = current_ma(dark(layout.leds)) / 1000
    print(f"draws about {idle:.1f} A dark, {white:.1f} A if all were white; kept below {BUDGET_MA / 1000:.1f} A")
    return 0


def _summary(layout: Layout) -> str:
    lanes = f"{len(layout.lanes)} lane" + "s" * (len(layout.lanes) > 1)
    wide, high = layout.size_mm
    return f"{lanes}, {layout.leds} LEDs, {wide:g} x {high:g} mm"
