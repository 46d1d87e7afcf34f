"""Draws the wiring of a Pi's header, and of the strip's supply, as SVG, from the pins that the program uses."""

from collections.abc import Iterator
from dataclasses import dataclass

import drawing
from drawing import text

from pegboard.buttons import Button, Pins
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


def wires(pins: Pins) -> tuple[Wire, ...]:
    """Return every wire of the header."""
    strip = int(STRIP_PIN.removeprefix("D"))
    found = [Wire(physical(strip), "strip", f"GPIO{strip}", "perfboard: level shifter to DIN")]
    for button in Button:
        gpio = pins.buttons[button]
        found.append(Wire(physical(gpio), "button", f"GPIO{gpio}", f"perfboard: {button.value.upper()} button"))
        lamp = pins.lamps[button]
        found.append(Wire(physical(lamp), "lamp", f"GPIO{lamp}", f"perfboard: {button.value.upper()} lamp"))
    found.append(Wire(physical(BUZZER_PIN), "buzzer", f"GPIO{BUZZER_PIN}", "passive piezo buzzer, other side to GND"))
    found.append(Wire(DATA_GROUND, "ground", GROUND, "perfboard: GND"))
    found.append(Wire(BUTTON_POWER, "power", "3V3", "perfboard: 3V3 of the buttons"))
    found.append(Wire(BUZZER_GROUND, "ground", GROUND, "GND of the buzzer"))
    return tuple(sorted(found, key=lambda wire: wire.pin))


def svg(pins: Pins) -> str:
    """Return the drawing: the header with its wires, and the strip's own supply below."""
    high = TOP + 20 * ROW + 360
    parts = (
        text(24, 36, "The header, seen from above, pin 1 at the SD card's end", 19),
        text(24, 62, "Power off before a wire is moved. Nothing here was built yet: check each wire twice.", 15),
        *_header(pins),
        *_supply(TOP + 20 * ROW + 40),
    )
    return drawing.svg(WIDE, high, parts)


def _header(pins: Pins) -> Iterator[str]:
    used = {wire.pin: wire for wire in wires(pins)}
    yield (
        f'<rect x="{LEFT:g}" y="{TOP - 14:g}" width="180" height="{20 * ROW + 6:g}" rx="8" fill="#20342a"'
        ' stroke="#111"/>'
    )
    for index, what in enumerate(HEADER):
        pin, right = index + 1, index % 2 == 1
        y = TOP + index // 2 * ROW
        x = LEFT + (106 if right else 74)
        wire = used.get(pin)
        colour = COLOURS[wire.kind] if wire else "#8a8a8a"
        name = f"GPIO{what}" if isinstance(what, int) else str(what)
        if wire:
            end, anchor = (LEFT + 215, "start") if right else (LEFT - 35, "end")
            edge = LEFT + (180 if right else 0)
            yield f'<path d="M{edge:g} {y:g}H{end:g}" stroke="{colour}" stroke-width="3" fill="none"/>'
            yield text(end + (8 if right else -8), y + 5, wire.to, 15, anchor, colour)
        shape = "rect" if pin == 1 else "circle"
        place = f'x="{x - 8:g}" y="{y - 8:g}" width="16" height="16"' if pin == 1 else f'cx="{x:g}" cy="{y:g}" r="8"'
        yield f'<{shape} {place} fill="{colour}" stroke="#ddd"/>'
        yield text(x, y + 4, str(pin), 9, "middle", "#fff")
        label = LEFT + (172 if right else 8)
        yield text(label, y + 4, name, 11, "end" if right else "start", "#fff" if wire else "#9fb3a6")


def _supply(y: float) -> Iterator[str]:
    """Yield the drawing of the 5 V supply, the fuse, the strip, and the level shifter between header and strip."""
    boxes = (
        (30, 60, 150, 70, "5 V supply", "6 to 8 A"),
        (250, 60, 110, 40, "5 A slow fuse", ""),
        (470, 60, 150, 70, "1000 µF", "at the strip's start"),
        (760, 60, 380, 70, "the strip: 5 V and GND in", "at BOTH ends of every lane, 18 AWG"),
        (470, 190, 240, 76, "perfboard: 74AHCT125", "and ULN2003A for the lamps"),
        (790, 200, 110, 50, "330 to 470 Ω", "at the strip"),
        (960, 200, 180, 50, "DIN of the first LED", ""),
        (150, 200, 230, 50, f"header pin {physical(int(STRIP_PIN[1:]))} (GPIO{STRIP_PIN[1:]})", ""),
    )
    red, green, black = "#b2182b", COLOURS["strip"], COLOURS["ground"]
    lines = (
        (f"M180 {y + 78}H250", red), (f"M360 {y + 78}H470", red), (f"M620 {y + 78}H760", red),
        (f"M700 {y + 78}V{y + 160}H590V{y + 190}", red),
        (f"M105 {y + 130}V{y + 160}H545V{y + 130}", black), (f"M545 {y + 160}H560V{y + 190}", black),
        (f"M545 {y + 145}H850V{y + 130}", black),
        (f"M380 {y + 225}H470", green), (f"M710 {y + 225}H790", green), (f"M900 {y + 225}H960", green),
        (f"M250 {y + 290}H545V{y + 266}", black),
    )  # fmt: skip
    yield text(24, y + 24, "The strip has a supply of its own; the Pi has its own too. Their grounds are one.", 17)
    for d, colour in lines:
        yield f'<path d="{d}" stroke="{colour}" stroke-width="3" fill="none"/>'
    for x, down, wide, high, first, second in boxes:
        yield (f'<rect x="{x}" y="{y + down:g}" width="{wide}" height="{high}" rx="6" fill="#f3efe6" stroke="#555"/>')
        middle = y + down + high / 2 + (0 if second else 5)
        yield text(x + wide / 2, middle, first, 15, "middle")
        if second:
            yield text(x + wide / 2, middle + 19, second, 13, "middle")
    yield text(242, y + 295, f"header pin {DATA_GROUND} (GND)", 15, "end", black)
