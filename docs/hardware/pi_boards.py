"""Draws each model of the Pi with the wires of the table at its header, as SVG.

Places are millimetres from the board's lower left corner with the header at the top, from Raspberry Pi's mechanical
drawings (datasheets.raspberrypi.com): boards, holes and header to a tenth, sockets to some millimetres.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import drawing
import wiring
from drawing import text

from pegboard.buttons.port import Pins

PIN_MM = 2.54
LARGE_MM = 85.0
"""The width of every Pi but a Zero."""

HEADER_MM = 32.5
"""The middle of every header from the left edge."""

HOLE_MM = 3.5
"""The holes' distance from the edges, and the header's middle from the upper one."""


@dataclass(frozen=True)
class Socket:
    """A socket or slot: its label, its lower left corner and its size in millimetres."""

    words: str
    x: float
    y: float
    wide: float
    high: float


@dataclass(frozen=True)
class PiBoard:
    """A model: its size in millimetres, its sockets, and notes on its wiring."""

    name: str
    file: str
    wide: float
    high: float
    hole_x: float
    hole_y: float
    sockets: tuple[Socket, ...]
    notes: tuple[str, ...]


SPI = "The strip: SPI on GPIO10, no root."
BOARDS = (
    PiBoard(
        "Raspberry Pi Zero 2 W", "zero-2-w", 65, 30, 58, 23,
        (
            Socket("card", -2, 11, 13, 12),
            Socket("power", 50, -1.5, 8, 5),
            Socket("USB", 37.4, -1.5, 8, 5),
            Socket("camera", 60, 6.5, 6, 17),
        ),
        (SPI, "Solder a header of 2 x 20 pins on it.", "Camera cable: mini (22 contacts, 0.5 mm) to standard.",
         "A USB loudspeaker needs an adapter from micro-USB."),
    ),
    PiBoard(
        "Raspberry Pi 3 B+", "3", 85, 56, 58, 49,
        (
            Socket("card (below)", -2, 22, 12, 12),
            Socket("power", 6.6, -1.5, 8, 6),
            Socket("camera", 43, 0.5, 4, 22),
            Socket("USB", 69, 21, 18, 32),
            Socket("LAN", 66, 2, 21, 16),
        ),
        (SPI, "Camera cable: standard (15 contacts, 1 mm) at both ends."),
    ),
    PiBoard(
        "Raspberry Pi 4 B", "4", 85, 56, 58, 49,
        (
            Socket("card (below)", -2, 22, 12, 12),
            Socket("power", 7, -1.5, 9, 7),
            Socket("camera", 44.5, 0.5, 4, 22),
            Socket("LAN", 66, 37.5, 21, 16),
            Socket("USB", 69, 2, 18, 33),
        ),
        (SPI, "Camera cable: standard (15 contacts, 1 mm) at both ends."),
    ),
    PiBoard(
        "Raspberry Pi 5", "5", 85, 56, 58, 49,
        (
            Socket("card (below)", -2, 22, 12, 12),
            Socket("power", 7, -1.5, 9, 7),
            Socket("camera 0", 43, 2, 4, 13),
            Socket("camera 1", 50, 2, 4, 13),
            Socket("LAN", 66, 2, 21, 16),
            Socket("USB", 69, 20, 18, 33),
        ),
        ("The strip: the PIO on GPIO10; SPI must be off.", "Camera cable: mini (22 contacts, 0.5 mm) to standard.",
         "Its own supply gives 5 A; one of 3 A will do without USB drives."),
    ),
)  # fmt: skip

SCALE, LEFT, ABOVE = 9.0, 60.0, 270.0


def svg(board: PiBoard, pins: Pins) -> str:
    """Return the drawing of a model."""
    wide, high = 2 * LEFT + 85 * SCALE, ABOVE + board.high * SCALE + 60 + 24 * len(board.notes)
    parts = (
        text(20, 30, f"{board.name}, seen from above", 19),
        f'<rect x="{LEFT:g}" y="{ABOVE:g}" width="{board.wide * SCALE:g}" height="{board.high * SCALE:g}" rx="27"'
        ' fill="#2f6b46" stroke="#173723"/>',
        *_holes(board),
        *_sockets(board),
        *_header(pins),
        *_notes(board),
    )
    return drawing.svg(wide, high, parts)


def _holes(board: PiBoard) -> Iterator[str]:
    for x in (HOLE_MM, HOLE_MM + board.hole_x):
        for y in (HOLE_MM, HOLE_MM + board.hole_y):
            yield (
                f'<circle cx="{LEFT + x * SCALE:g}" cy="{ABOVE + (board.high - y) * SCALE:g}" r="{1.35 * SCALE:g}"'
                ' fill="#fff" stroke="#c9a227" stroke-width="6"/>'
            )


def _sockets(board: PiBoard) -> Iterator[str]:
    for socket in board.sockets:
        x, y = LEFT + socket.x * SCALE, ABOVE + (board.high - socket.y - socket.high) * SCALE
        wide, high = socket.wide * SCALE, socket.high * SCALE
        fill = "#f4e3b5" if socket.words.startswith("camera") else "#d9dde0"
        yield f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="4" fill="{fill}" stroke="#555"/>'
        middle_x, middle_y = x + wide / 2, y + high / 2
        turn = f"rotate(-90 {middle_x:g} {middle_y:g})" if high > 1.6 * wide else ""
        yield f'<g transform="{turn}">{text(middle_x, middle_y + 5, socket.words, 14, "middle")}</g>'


def _header(pins: Pins) -> Iterator[str]:
    """Yield the header's pins, and a line from each used pin up to its label; the leftmost label is the highest."""
    x0, middle_y = LEFT + (HEADER_MM - 9.5 * PIN_MM) * SCALE, ABOVE + HOLE_MM * SCALE
    top_y = middle_y - 2.6 * SCALE
    used = {wire.pin: wire for wire in wiring.wires(pins)}
    yield (
        f'<rect x="{x0 - 1.6 * SCALE:g}" y="{top_y:g}" width="{(19 * PIN_MM + 3.2) * SCALE:g}"'
        f' height="{5.2 * SCALE:g}" fill="#20261f"/>'
    )
    for level, wire in enumerate(used.values()):
        upper = wire.pin % 2 == 0
        x, y = x0 + (wire.pin - 1) // 2 * PIN_MM * SCALE, middle_y + (-0.5 if upper else 0.5) * PIN_MM * SCALE
        end_x, end_y, colour = x + (5 if upper else -5), 62 + 19 * level, wiring.COLOURS[wire.kind]
        yield f'<path d="M{x:g} {y:g}L{end_x:g} {top_y:g}V{end_y:g}" stroke="{colour}" stroke-width="3" fill="none"/>'
        yield text(end_x + 6, end_y + 6, f"{wire.pin} {wire.name}: {wire.to}", 14, "start", colour)
    for pin in range(1, 41):
        x, y = x0 + (pin - 1) // 2 * PIN_MM * SCALE, middle_y + (0.5 if pin % 2 else -0.5) * PIN_MM * SCALE
        colour = wiring.COLOURS[used[pin].kind] if pin in used else "#a9a9a9"
        shape = f'<rect x="{x - 9:g}" y="{y - 9:g}" width="18" height="18"'
        if pin > 1:
            shape = f'<circle cx="{x:g}" cy="{y:g}" r="9"'
        yield f'{shape} fill="{colour}" stroke="#fff"/>'
        yield text(x, y + 4, str(pin), 10, "middle", "#fff")


def _notes(board: PiBoard) -> Iterator[str]:
    for number, note in enumerate(board.notes):
        yield text(LEFT, ABOVE + board.high * SCALE + 50 + 24 * number, note, 15)
