"""`farklecrib board`: check a layout, draw it, and show what it is made of."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.options import tell, write_file

if TYPE_CHECKING:
    from pegboard.layouts import Layout

app = typer.Typer(no_args_is_help=True, help="The board: check a layout, draw it, show what it is made of.")

FILE = typer.Argument(metavar="FILE", help="A layout's TOML file, or the name of one we ship.")


@app.command("check")
def check_board(file: Annotated[str, FILE]) -> int:
    """Check a layout: whether it can be played (each hole has an LED), and whether it can be built (strips, parts)."""
    from pegboard.layouts.layout import spans
    from pegboard.layouts.load import layout_text, read_layout

    layout, wrong = read_layout(layout_text(file), file)
    for line in wrong:
        tell(f"{file}: cannot be played: {line}")
    if layout is None:
        return 1
    tell(f"{file}: can be played on {_either(layout.tracks)} holes: {_summary(layout)}")
    unused = layout.unused()
    tell(f"{file}: stays dark: {spans(unused) if unused else 'no LED'}")
    if 0 not in unused:
        tell(f"{file}: LED 0 has a place; on a Pi's SPI the first LED may show garbage, so leave it without one")
    return _check_building(file, layout)


def _check_building(file: str, layout: "Layout") -> int:
    """Say whether a layout can be built, and from what; return 1 if it cannot."""
    from pegboard.layouts.seams import back_cuts, front_cuts, uncuttable, unprintable
    from pegboard.layouts.strips import crowded, pieces

    wrong = (*crowded(layout), *uncuttable(layout))
    for line in wrong:
        tell(f"{file}: cannot be built: {line}")
    if wrong:
        return 1
    strips = ", ".join(str(piece.leds) for piece in pieces(layout) if not piece.arc)
    tell(f"{file}: can be built: strip of {layout.strip_mm:g} mm in pieces of {strips} LEDs")
    for piece in pieces(layout):
        if piece.arc:
            leds, wide = f"LEDs {piece.first.led} to {piece.last.led}", f"{2 * piece.arc.radius:g} mm"
            tell(
                f"{file}: can be built: {leds} as a ring of {wide} from LED to LED, or part of one; strip does not bend"
            )
    fronts, backs = len(front_cuts(layout)) - 1, len(back_cuts(layout)) - 1
    aslant = unprintable(layout)
    printed = "drilled with the templates" if aslant else f"printed in {fronts} fronts and {backs} backs, or drilled"
    tell(f"{file}: can be built: {printed}")
    for line in aslant:
        tell(f"{file}: cannot be printed: {line}")
    return 0


def _either(numbers: "tuple[int, ...]") -> str:
    """Return numbers as `61, 121 or 241`."""
    *most, last = map(str, numbers)
    return f"{', '.join(most)} or {last}" if most else last


@app.command("draw")
def draw_board(
    file: Annotated[str, FILE],
    out: Annotated[Path | None, typer.Option(metavar="SVG", help="Write there, not to standard output.")] = None,
) -> int:
    """Draw a layout in its true size, as SVG, with each LED's number and the direction of the chain."""
    from pegboard.drawing import svg
    from pegboard.layouts import load_layout

    picture = svg(load_layout(file))
    if out is None:
        sys.stdout.write(picture)
    else:
        write_file(out, picture.encode())
    return 0


@app.command("show")
def show_board(file: Annotated[str | None, FILE] = None) -> int:
    """Show the parts of a layout and its current in amperes; without a layout, list the packaged ones."""
    from pegboard.layouts import DEFAULT, layout_names, load_layout
    from pegboard.layouts.layout import spans
    from pegboard.ledframe import BUDGET_MA, LedFrame, current_ma, dark

    if file is None:
        for name in layout_names():
            default = "  (the one without a configuration)" if name == DEFAULT else ""
            tell(f"{name:14}  {_summary(load_layout(name))}{default}")
        return 0
    layout = load_layout(file)
    tell(f"{layout.name}: {_summary(layout)}")
    for number, lane in enumerate(layout.lanes, 1):
        start, first, last = (lane.spots[spot].led for spot in (0, 1, lane.walk))
        walked = "" if lane.walk == lane.lap else f"; {lane.walk} holes, walked twice"
        farkles = ", ".join(str(lamp.led) for lamp in lane.farkles)
        tell(f"lane {number}: start LED {start}, holes LED {first} to {last}, farkle lights {farkles}{walked}")
    shelf = ", ".join(str(lamp.led) for lamp in layout.shelf)
    tell(f"game hole LED {layout.lanes[0].spots[-1].led}, shelf lights {shelf}, status light {layout.status.led}")
    tell(f"stays dark: {spans(layout.unused())}")
    tell(f"tracks of {_either(layout.tracks)} holes")
    white_a = current_ma(LedFrame(b"\xff" * 3 * layout.leds)) / 1000
    dark_a = current_ma(dark(layout.leds)) / 1000
    tell(f"draws about {dark_a:.1f} A dark, {white_a:.1f} A if all were white; kept below {BUDGET_MA / 1000:.1f} A")
    return 0


def _summary(layout: "Layout") -> str:
    from companion.table.state.text import plural

    wide, high = layout.size_mm
    return f"{plural(len(layout.lanes), 'lane')}, {layout.leds} LEDs, {wide:g} x {high:g} mm"
