"""The strip of LEDs: check how it is wired and laid out; show pictures by which a person checks colours and lanes."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from companion.boards import layout_of
from companion.checkup.findings import Finding, judged, told
from companion.checkup.machine import Machine
from companion.checkup.raspberry_pi import (
    BUFSIZ,
    CMDLINE_FILE,
    CONFIG_FILE,
    Family,
    cmdline_words,
    config_lines,
    missing_lines,
    missing_words,
    settings,
)
from companion.checkup.trials import Person, TrialStep, play, require_device
from companion.config import Config
from companion.errors import RefusedError
from companion.words import message
from pegboard.errors import PegboardError
from pegboard.installation import PI_5_STRIP, add
from pegboard.layouts import DEFAULT, Layout, load_layout
from pegboard.ledframe import IDLE_MA, LedFrame, lit, within_budget
from pegboard.leds.led_drivers import open_leds
from pegboard.leds.port import TextLines

BYTES_AN_LED = 12
"""Bytes that rpi_ws281x sends through SPI for each LED."""

PI_5_LIBRARY = "adafruit_raspberry_pi5_neopixel_write"

STEADY_S = 2.0
"""Seconds that a picture is shown before a person is asked."""

AGAIN_S = 0.5
"""Seconds after which it is shown again: WLED needs repeated frames, and a strip that fails raises on a later one."""

LEVEL = 120
COLOURS = {"red": (LEVEL, 0, 0), "green": (0, LEVEL, 0), "blue": (0, 0, LEVEL)}
"""The colours (red, green, blue: 0 to 255) by which the order of a strip's colours is found."""

WHITE = (24, 24, 24)
STEP_S = 0.03
"""Seconds from LED to LED along a lane."""

HELD_S = 20.0
"""Seconds that the last picture stays, unless another one is asked for."""

CHANNELS = {"red": "R", "green": "G", "blue": "B"}


def strip(machine: Machine, config: Config) -> Iterator[Finding]:
    """Check that this Pi is set up for a strip on GPIO10."""
    if config.leds.driver.partition(":")[0] != "neopixel":
        yield told("strip", "none", driver=config.leds.driver)
    elif machine.family is Family.PI_5:
        yield from _pio(machine)
    elif machine.family is not None:  # else the check of the model reports it
        yield from _spi(machine, config, machine.family)


def _pio(machine: Machine) -> Iterator[Finding]:
    yield judged("pio0", machine.find("dev/pio0"))
    loads = not machine.probe("modules", PI_5_LIBRARY).status
    yield judged("library", loads, name=PI_5_LIBRARY, install=add(*PI_5_STRIP))
    spi = [each for each in settings(machine.text(CONFIG_FILE), Family.PI_5) if each.key == "dtparam=spi"]
    on = bool(spi) and spi[-1].value == "on"
    yield judged("spi", not on, line=spi[-1].line if spi else 0, file=CONFIG_FILE)


def _spi(machine: Machine, config: Config, family: Family) -> Iterator[Finding]:
    yield judged("spidev", machine.find("dev/spidev0.0"))
    try:
        needed = load_layout(config.leds.layout or DEFAULT).leds * BYTES_AN_LED
    except PegboardError:  # the check of the layout reports it
        needed = BUFSIZ
    size = machine.text("sys/module/spidev/parameters/bufsiz")
    if size.isdecimal() and int(size) >= needed:
        yield told("bufsiz", "good", size=size, needed=needed)
    elif missing_words(machine.text(CMDLINE_FILE), family):
        known, word = size or "an unknown number of", cmdline_words(family)[0]
        yield told("bufsiz", "wrong", size=known, needed=needed, word=word, file=CMDLINE_FILE)
    else:
        yield told("bufsiz", "later", size=size or "?", file=CMDLINE_FILE)
    missing, fixed = (
        ", ".join(line for line in lines if line.startswith("core_freq"))
        for lines in (missing_lines(machine.text(CONFIG_FILE), family), config_lines(family))
    )
    yield judged("core_freq", not missing, lines=missing or fixed, file=CONFIG_FILE)


def layout(_machine: Machine, config: Config) -> Iterator[Finding]:
    """Check the layout: LED 0 is unused on a strip, and the current budget is above that of the dark LEDs."""
    name = config.leds.layout or DEFAULT
    try:
        board = load_layout(name)
    except PegboardError as error:
        yield told("layout", "wrong", why=error, layout=name)
        return
    dark_ma, budget_ma, found = board.leds * IDLE_MA, config.leds.budget_ma, "good"
    if dark_ma > budget_ma:
        found = "budget"
    elif config.leds.driver.startswith("neopixel") and 0 not in board.unused():
        found = "first"
    counts = {"leds": board.leds, "lanes": len(board.lanes), "dark_ma": dark_ma, "budget_ma": budget_ma}
    yield told("layout", found, name=board.name, layout=name, **counts)


@dataclass(frozen=True)
class StripPicture:
    """The LEDs that shine, one group after another, each `step_s` seconds; the last one stays for `HELD_S`."""

    groups: tuple[tuple[int, ...], ...]
    rgb: tuple[int, int, int] = WHITE
    step_s: float = 0.0

    def frame(self, leds: int, after_s: float, brightness: float, budget_ma: float) -> LedFrame | None:
        """Return the picture `after_s` seconds after its begin; None once it is over.

        Args:
            leds: the number of LEDs.
            after_s: seconds since the begin.
            brightness: from 0 to 1, as people see it.
            budget_ma: the most current in milliamperes.
        """
        step = int(after_s / self.step_s) if self.step_s else len(self.groups)
        if step >= len(self.groups) and after_s - self.step_s * len(self.groups) >= HELD_S:
            return None
        red, green, blue = (round(value * brightness) for value in self.rgb)
        shining = self.groups[min(step, len(self.groups) - 1)]
        return within_budget(lit(leds, shining, (red, green, blue)), budget_ma)


def strip_pictures(layout: Layout) -> Mapping[str, StripPicture]:
    """Return all pictures of a strip by name: the colours, a walk of each lane, its single lights, white, and dark."""
    whole = (tuple(range(layout.leds)),)
    lanes = [[lamp.led for lamp in (*lane.spots[: lane.walk + 1], lane.spots[-1])] for lane in layout.lanes]
    return {
        **{name: StripPicture(whole, rgb) for name, rgb in COLOURS.items()},
        **{
            f"lane-{number}": StripPicture(tuple((led,) for led in lane), step_s=STEP_S)
            for number, lane in enumerate(lanes, 1)
        },
        "shelf": StripPicture((tuple(lamp.led for lamp in layout.shelf),)),
        "status": StripPicture(((layout.status.led,),)),
        "white": StripPicture(whole),
        "dark": StripPicture(((),)),
    }


def picture_of(name: str, layout: Layout) -> StripPicture:
    """Return a picture of `strip_pictures` by its name.

    Raises:
        RefusedError: if there is none of this name.
    """
    try:
        return strip_pictures(layout)[name]
    except KeyError as error:
        raise RefusedError(message("set_up.no_trial", got=name)) from error


def order_seen(configured: str, seen: dict[str, str]) -> str:
    """Return the order of a strip's colours from what a person saw.

    The driver sends a colour's value in the place that the configured order gives it; the LED shows the colour that
    this place has in its own order.

    Args:
        configured: the order by which the colours were shown, such as `GRB`.
        seen: the colour that was seen, by the colour that was shown, for red, green and blue.

    Raises:
        RefusedError: if two shown colours look alike: then the strip is not one of three colours, or is broken.
    """
    if set(seen) != set(CHANNELS) or set(seen.values()) != set(CHANNELS):
        raise RefusedError(message("set_up.colours_alike"))
    place = {CHANNELS[shown]: CHANNELS[saw] for shown, saw in seen.items()}
    return "".join(place.get(channel, channel) for channel in configured)


def strip_steps(layout: Layout) -> Iterator[TrialStep]:
    """Yield the steps of the trial of a strip; each shows a picture of `strip_pictures`."""
    question = "Which colour is the whole chain?"
    order = "set the order, as in leds.driver = 'neopixel:D10,RGB' (WLED: LED preferences, colour order)"
    for colour in COLOURS:
        yield TrialStep(colour, question, colour, order, tuple(COLOURS))
    for number in range(1, len(layout.lanes) + 1):
        question = f"A light walked along lane {number}: from the start to the game hole?"
        way = "the lane is wired the other way round, or its runs in the layout are"
        yield TrialStep(f"lane-{number}", question, "yes", way)
    for name, count in (("status", 1), ("shelf", len(layout.shelf))):
        length = "the chain is shorter or longer than the layout's `leds`"
        yield TrialStep(name, f"How many {name} lights shine?", str(count), length, tuple("0123456"))
    yield TrialStep("dark", "Is every light dark?", "yes", "if the first LED glows, leave it without a place")


def try_leds(config: Config, person: Person, pause: Callable[[float], object] = time.sleep) -> int:
    """Light the strip of the configuration; return 0 if the person saw what the strip should show."""
    require_device(config, "leds")
    layout = layout_of(config)
    name, _, arg = config.leds.driver.partition(":")
    strip = open_leds(name, arg, layout)
    person.tell(f"{config.leds.driver}: {layout.leds} LEDs as {layout.name}")
    pictures = strip_pictures(layout)

    def show(name: str) -> None:
        picture = pictures[name]
        each_s = picture.step_s or AGAIN_S
        for step in range(len(picture.groups) if picture.step_s else round(STEADY_S / AGAIN_S)):
            frame = picture.frame(layout.leds, (step + 0.5) * each_s, 1.0, config.leds.budget_ma)
            assert frame is not None  # it is shown for much longer
            strip.show(frame)
            pause(each_s)

    ask, tell = person.ask, person.tell
    if isinstance(strip, TextLines):  # the board is drawn on the terminal: ask and tell below it
        say = strip.say

        def ask_below(question: str) -> str | None:
            say(question)
            return ask("")

        person.ask, person.tell = ask_below, say
    play(person, strip_steps(layout), show, strip.close)
    if person.tell is not tell:  # closing the strip has cleared those lines
        person.tell = tell
        for line in person.wrong:
            tell(f"  wrong: {line}")
    return person.ends("leds")
