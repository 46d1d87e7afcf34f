"""Draws the wiring of a Pi's header, and of the strip's supply, for each build, from the pins that the program uses."""

from collections.abc import Iterator
from dataclasses import dataclass

import drawing
from builds import Build
from drawing import text

from pegboard.buttons.port import Button, Pins
from pegboard.leds.neopixel_strip import PIN as STRIP_PIN
from pegboard.sound.buzzer import PIN as BUZZER_PIN

GROUND = "GND"
HEADER = (
    "3V3", "5V", 2, "5V", 3, GROUND, 4, 14, GROUND, 15, 17, 18, 27, GROUND, 22, 23, "3V3", 24, 10, GROUND,
    9, 25, 11, 8, GROUND, 7, 0, 1, 5, GROUND, 6, 12, 13, GROUND, 19, 16, 26, 20, GROUND, 21,
)  # fmt: skip
"""The 40 pins of every Pi's header in order, pin 1 first: a GPIO's BCM number, or the name of another pin."""

ROW, TOP, LEFT, WIDE = 25.0, 96.0, 500.0, 1180.0
COLOURS = {
    "strip": "#1b7837",
    "button": "#2166ac",
    "lamp": "#b35806",
    "buzzer": "#762a83",
    "power": "#b2182b",
    "ground": "#333333",
}
BUTTON_POWER, DATA_GROUND, BUZZER_GROUND = 17, 25, 39
"""The header's pins: 3.3 V for the buttons, the ground of strip, lamps and buttons, the buzzer's ground."""


@dataclass(frozen=True)
class Wire:
    """One wire from the header: its physical pin, its kind, its name, and what it leads to."""

    pin: int
    kind: str
    name: str
    to: str


def physical(gpio: int) -> int:
    """Return the header's pin of a GPIO."""
    return HEADER.index(gpio) + 1


def wires(pins: Pins, *, lamps: bool = True, buzzer: bool = True) -> tuple[Wire, ...]:
    """Return every wire of the header, for buttons with or without lamps, with or without a buzzer."""
    strip = int(STRIP_PIN.removeprefix("D"))
    found = [Wire(physical(strip), "strip", f"GPIO{strip}", "perfboard: level shifter to DIN")]
    for button in Button:
        gpio = pins.buttons[button]
        found.append(Wire(physical(gpio), "button", f"GPIO{gpio}", f"perfboard: {button.value.upper()} button"))
        lamp = pins.lamps[button]
        if lamps:
            found.append(Wire(physical(lamp), "lamp", f"GPIO{lamp}", f"perfboard: {button.value.upper()} lamp"))
    if buzzer:
        piezo = "passive piezo buzzer, other side to GND"
        found.append(Wire(physical(BUZZER_PIN), "buzzer", f"GPIO{BUZZER_PIN}", piezo))
        found.append(Wire(BUZZER_GROUND, "ground", GROUND, "GND of the buzzer"))
    found.append(Wire(DATA_GROUND, "ground", GROUND, "perfboard: GND"))
    found.append(Wire(BUTTON_POWER, "power", "3V3", "perfboard: 3V3 of the buttons"))
    return tuple(sorted(found, key=lambda wire: wire.pin))


def svg(build: Build, pins: Pins) -> str:
    """Return the drawing of a build: the header with its wires, and the strip's own supply below."""
    high = TOP + 20 * ROW + 400
    parts = (
        text(24, 36, f"{build.name}: the header, seen from above, pin 1 at the SD card's end", 19),
        text(24, 62, "Power off before a wire is moved. Nothing here was built yet: check each wire twice.", 15),
        *_header(wires(pins, lamps=build.lamps, buzzer=False)),
        *_supply(build, TOP + 20 * ROW + 40),
    )
    return drawing.svg(WIDE, high, parts)


def _header(drawn: tuple[Wire, ...]) -> Iterator[str]:
    used = {wire.pin: wire for wire in drawn}
    yield (
        f'<rect x="{LEFT:g}" y="{TOP - 14:g}" width="180" height="{20 * ROW + 6:g}" rx="8" fill="#20342a"'
        ' stroke="#111"/>'
    )
    for index, what in enumerate(HEADER):
        pin, right = index + 1, index % 2 == 1
        y = TOP + index // 2 * ROW
        x = LEFT + (106 if right else 74)
        wire = used.get(pin)
        colour = COLOURS[wire.kind] if wire else "#5f6b65"
        name = f"GPIO{what}" if isinstance(what, int) else str(what)
        if wire:
            end, anchor = (LEFT + 215, "start") if right else (LEFT - 35, "end")
            edge = LEFT + (180 if right else 0)
            yield f'<path d="M{edge:g} {y:g}H{end:g}" stroke="{colour}" stroke-width="4" fill="none"/>'
            yield text(end + (8 if right else -8), y + 5, wire.to, 16, anchor, colour)
        shape = "rect" if pin == 1 else "circle"
        place = f'x="{x - 9:g}" y="{y - 9:g}" width="18" height="18"' if pin == 1 else f'cx="{x:g}" cy="{y:g}" r="9"'
        yield f'<{shape} {place} fill="{colour}" stroke="#fff"/>'
        yield text(x, y + 4, str(pin), 11, "middle", "#fff")
        label = LEFT + (174 if right else 6)
        yield text(label, y + 4, name, 12, "end" if right else "start", "#fff" if wire else "#c4d2ca")


def _supply(build: Build, y: float) -> Iterator[str]:
    """Yield the drawing of the 5 V supply, the fuse, the strip, and the level shifter between header and strip."""
    lanes, data = len(build.board.lanes), int(STRIP_PIN.removeprefix("D"))
    others = "polyfuse, ULN2003A for the lamps" if build.lamps else "and a polyfuse"
    boxes = (
        (30, 60, 150, 70, f"5 V {build.adapter_a:g} A", "closed adapter"),
        (235, 60, 170, 70, f"{build.fuse_a:g} A fuse", build.fuse),
        (470, 60, 170, 70, "two connectors", "1000 µF across them"),
        (760, 60, 390, 70, "the strip: 5 V and GND, 18 AWG", f"at BOTH ends of all {lanes} lanes"),
        (450, 210, 250, 76, "perfboard: 74AHCT125", others),
        (790, 223, 120, 50, "330 to 470 Ω", "at the strip"),
        (970, 223, 180, 50, "DIN of the first LED", ""),
        (130, 223, 250, 50, f"header pin {physical(data)} (GPIO{data})", ""),
    )
    red, green, black = COLOURS["power"], COLOURS["strip"], COLOURS["ground"]
    lines = (
        (f"M180 {y + 82}H235", red, 5), (f"M405 {y + 82}H470", red, 5), (f"M640 {y + 82}H760", red, 5),
        (f"M600 {y + 130}V{y + 210}", red, 5),
        (f"M105 {y + 130}V{y + 165}H510V{y + 130}", black, 5), (f"M550 {y + 130}V{y + 210}", black, 5),
        (f"M640 {y + 112}H760", black, 5),
        (f"M380 {y + 248}H450", green, 3), (f"M700 {y + 248}H790", green, 3), (f"M910 {y + 248}H970", green, 3),
        (f"M665 {y + 210}V{y + 170}H1060V{y + 130}", black, 5),
        (f"M300 {y + 320}H575V{y + 286}", black, 3),
    )  # fmt: skip
    yield text(24, y + 24, "The strip has a supply of its own; the Pi has its own too. Their grounds are one.", 17)
    for d, colour, wide in lines:
        yield f'<path d="{d}" stroke="{colour}" stroke-width="{wide}" fill="none"/>'
    for x, down, wide, high, first, second in boxes:
        yield f'<rect x="{x}" y="{y + down:g}" width="{wide}" height="{high}" rx="6" fill="#f6f2e9" stroke="#333"/>'
        middle = y + down + high / 2 + (0 if second else 5)
        yield text(x + wide / 2, middle, first, 16, "middle")
        if second:
            yield text(x + wide / 2, middle + 20, second, 14, "middle")
    yield text(292, y + 325, f"header pin {DATA_GROUND} (GND)", 15, "end", black)
    yield text(24, y + 356, "Thick lines: 18 AWG. Thin lines: 24 AWG, which never carries the strip's current.", 15)
