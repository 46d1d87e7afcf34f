"""`farklecrib selftest leds`: light the strip, and ask for its colours, its direction and its length."""

import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from companion.cli.options import ConfigFile, Driver
from companion.cli.selftest.person import YES_NO, Person, require_device

if TYPE_CHECKING:
    from companion.config import Config
    from pegboard.layouts import Layout

STEADY_S = 2.0
AGAIN_S = 0.5

Show = Callable[[Iterable[int], tuple[int, int, int], float], None]
"""Lights these LEDs, and no others, in a colour (red, green, blue: 0 to 255) for these seconds."""


def selftest_leds(config: ConfigFile = None, leds: Driver = None) -> int:
    """Light the strip red, green and blue, then each lane LED by LED, and ask what the person saw."""
    from companion.config_files import load_config

    return try_leds(load_config(config, {"leds.driver": leds}), Person())


def try_leds(config: "Config", person: Person, pause: Callable[[float], object] = time.sleep) -> int:
    """Light the strip of the configuration; return 0 if the person saw what the strip should show."""
    from companion.boards import layout_of
    from pegboard.ledframe import LedFrame
    from pegboard.leds import TextLines, open_leds
    from pegboard.power import within_budget

    require_device("leds", config.leds.driver, "simulated")
    layout = layout_of(config)
    name, _, arg = config.leds.driver.partition(":")
    strip = open_leds(name, arg, layout)
    ask, tell = person.ask, person.tell
    tell(f"{config.leds.driver}: {layout.leds} LEDs as {layout.name}")

    def show(leds: Iterable[int], rgb: tuple[int, int, int], seconds: float) -> None:
        data = bytearray(3 * layout.leds)
        for led in leds:
            data[3 * led : 3 * led + 3] = bytes(rgb)
        frame = within_budget(LedFrame(bytes(data)), config.leds.budget_ma)
        while seconds > 0:  # WLED needs repeated frames, and a strip that fails raises on a later frame
            strip.show(frame)
            pause(min(seconds, AGAIN_S))
            seconds -= AGAIN_S

    if isinstance(strip, TextLines):  # the board is drawn on the terminal: ask and tell below it
        say = strip.say

        def ask_below(question: str) -> str | None:
            say(question)
            return ask("")

        person.ask, person.tell = ask_below, say
    with person.noting_errors():
        _ask_about(layout, person, show)
    with person.noting_errors():
        strip.close()
    if person.tell is not tell:  # closing the strip has cleared those lines
        person.tell = tell
        for line in person.wrong:
            tell(f"  wrong: {line}")
    return person.ends("leds")


def _ask_about(layout: "Layout", person: Person, show: Show) -> None:
    from companion.devices.strip_trial import COLOURS, STEP_S, WHITE, lanes

    show((), WHITE, STEADY_S / 2)
    for colour, rgb in COLOURS.items():
        show(range(layout.leds), rgb, STEADY_S)
        cure = "set the order, as in leds.driver = 'neopixel:D10,RGB' (WLED: LED preferences, colour order)"
        person.expects("Which colour is the whole chain?", tuple(COLOURS), colour, cure)
    for number, lane in enumerate(lanes(layout), 1):
        for led in lane:
            show((led,), WHITE, STEP_S)
        cure = "the lane is wired the other way round, or its runs in the layout are"
        person.expects(f"A light walked along lane {number}: from the start to the game hole?", YES_NO, "yes", cure)
    for name, lamps in (("status", [layout.status]), ("shelf", list(layout.shelf))):
        show([lamp.led for lamp in lamps], WHITE, STEADY_S)
        cure = "the chain is shorter or longer than the layout's `leds`"
        person.expects(f"How many {name} lights shine?", tuple("0123456"), str(len(lamps)), cure)
    show((), WHITE, STEADY_S / 2)
    person.expects("Is every light dark?", YES_NO, "yes", "if the first LED glows, leave it without a place")
