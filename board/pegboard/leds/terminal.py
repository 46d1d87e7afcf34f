"""The board drawn in a terminal, with lines of text below it.

With colours, a lit hole is a dot of its colour; with NO_COLOR it is the first letter of the colour's name, in capitals
if the light is bright. The drawing uses the terminal's alternate screen, which `close` leaves.
"""

import atexit
import os
import shutil
import sys
from itertools import pairwise
from typing import TextIO

from pegboard.errors import DriverError
from pegboard.layouts.layout import Lamp, Layout
from pegboard.ledframe import LedFrame, dark, screen_colour
from pegboard.leds.port import check_frame
from pegboard.palette import RGB, nearest_colour

WOOD: RGB = (92, 62, 38)
HOLE: RGB = (150, 112, 74)
ENTER = "\x1b[?1049h\x1b[?25l\x1b[2J"
LEAVE = "\x1b[?25h\x1b[?1049l"
LEAST = 24  # the least screen value that is drawn
BRIGHT = 110  # the least screen value of a capital letter


class TerminalStrip:
    """A strip that draws each frame that differs from the last one."""

    def __init__(self, layout: Layout, out: TextIO, *, colours: bool = True, columns: int | None = None) -> None:
        self._layout = layout
        self._out = out
        self._colours = colours
        self._columns = columns
        self._text: tuple[str, ...] = ()
        self._frame = dark(layout.leds)
        self._closed = False
        self._drawn: list[str] = []
        self._write(ENTER)
        atexit.register(self.close)
        self._draw()

    def show(self, frame: LedFrame) -> None:
        """Draw the frame unless it equals the last one."""
        check_frame(frame, self._layout.leds, self._closed, "terminal")
        if frame != self._frame:
            self._frame = frame
            self._draw()

    def say(self, *lines: str) -> None:
        """Show lines below the board, cut to its width and without unprintable characters."""
        text = tuple("".join(character for character in line if character.isprintable()) for line in lines)
        if not self._closed and text != self._text:
            self._text = text
            self._draw()

    def close(self) -> None:
        """Restore the terminal."""
        if not self._closed:
            self._closed = True
            atexit.unregister(self.close)
            self._write(LEAVE)

    def _draw(self) -> None:
        width = self._columns or shutil.get_terminal_size().columns
        lines = [*picture(self._layout, self._frame, self._colours), "", *(line[: width - 1] for line in self._text)]
        lines += [""] * (len(self._drawn) - len(lines))
        out = ""
        for number, line in enumerate(lines):
            if number >= len(self._drawn) or self._drawn[number] != line:
                out += f"\x1b[{number + 1};1H\x1b[2K{line}"
        self._drawn = lines
        if out:
            self._write(out)

    def _write(self, text: str) -> None:
        try:
            self._out.write(text)
            self._out.flush()
        except (OSError, ValueError) as error:
            if not self._closed:
                raise DriverError(f"expected a terminal to draw on, got: {error}") from error


def open_terminal(layout: Layout) -> TerminalStrip:
    """Return a strip on standard output, or on standard error if the output is redirected.

    Raises:
        DriverError: if neither is a terminal.
    """
    for stream in (sys.stdout, sys.stderr):
        if stream.isatty():
            return TerminalStrip(layout, stream, colours=not os.environ.get("NO_COLOR"))
    raise DriverError("expected a terminal to draw the board on, got none; without one use the LEDs 'simulated'")


def picture(layout: Layout, frame: LedFrame, colours: bool) -> list[str]:
    """Return the board with a frame as lines of text, one for each row of holes."""
    places = grid(layout)
    rows = max(row for row, _ in places) + 1
    columns = max(column for _, column in places) + 2
    ground = _colour(WOOD, 48) if colours else ""
    cells = [[" "] * columns for _ in range(rows)]
    marks = {layout.lanes[0].spots[-1].led: "◎"}
    for lane in layout.lanes:
        marks |= {lane.spots[0].led: "○"} | {lamp.led: "˙" for lamp in lane.farkles}
        marks |= {lamp.led: "·" for lamp in lane.spots[1:-1]}
    for (row, column), lamp in places.items():
        cells[row][column] = _cell(frame[lamp.led], marks.get(lamp.led, "_"), colours)
    end = "\x1b[0m" if colours else ""
    return [f"{ground}{''.join(row)}{end}" for row in cells]


def _cell(led: RGB, empty: str, colours: bool) -> str:
    light = screen_colour(led)
    if max(light) < LEAST:
        return f"{_colour(HOLE, 38)}{empty}" if colours else empty
    if colours:
        return f"{_colour(light, 38)}●"
    letter = nearest_colour(light).name[0]
    return letter.upper() if max(light) >= BRIGHT else letter


def _colour(rgb: RGB, layer: int) -> str:
    return f"\x1b[{layer};2;{rgb[0]};{rgb[1]};{rgb[2]}m"


def grid(layout: Layout) -> dict[tuple[int, int], Lamp]:
    """Return each LED by its row and column of characters.

    A board of level rows has a row of characters for each of them, and a column for each pitch. Any other board is
    drawn to scale: a character is one pitch high and half as wide, and an LED whose place is taken moves to the right.
    """
    lamps = list(layout.lamps())
    pitch = layout.pitch_mm
    heights = sorted({round(lamp.y) for lamp in lamps})
    left, top = min(lamp.x for lamp in lamps), min(lamp.y for lamp in lamps)
    if all(lower - upper >= pitch for upper, lower in pairwise(heights)):
        return {(heights.index(round(lamp.y)), round((lamp.x - left) / pitch) + 1): lamp for lamp in lamps}
    places: dict[tuple[int, int], Lamp] = {}
    for lamp in lamps:
        row, column = round((lamp.y - top) / pitch), round(2 * (lamp.x - left) / pitch) + 1
        while (row, column) in places:
            column += 1
        places[row, column] = lamp
    return places
