"""`farklecrib selftest leds`: red, green and blue along the strip; which colour, which way, how many."""

import time
from collections.abc import Callable, Iterator

from companion.cli.selftest.asking import Person, something
from companion.config import Config
from pegboard.errors import PegboardError
from pegboard.layouts import DEFAULT, Layout, load_layout
from pegboard.ledframe import LedFrame, dark
from pegboard.leds import LedStrip, TextLines, open_leds
from pegboard.power import within_budget

LEVEL = 120
STEP_S = 0.03
STEADY_S = 1.0
AGAIN_S = 0.5
YES_NO = ("yes", "no")
COLOURS = {"red": (LEVEL, 0, 0), "green": (0, LEVEL, 0), "blue": (0, 0, LEVEL)}
WHITE = (24, 24, 24)

Pause = Callable[[float], object]


def try_leds(config: Config, person: Person, pause: Pause = time.sleep) -> int:
    """Light the strip of the configuration; 0 where the person saw what was to be seen."""
    something("leds", config.leds.driver, "simulated")
    layout = load_layout(config.leds.layout or DEFAULT)
    name, _, arg = config.leds.driver.partition(":")
    strip = open_leds(name, arg, layout)
    person.tell(f"{config.leds.driver}: {layout.leds} LEDs as {layout.name}")
    told = person.tell
    if isinstance(strip, TextLines):
        _on_its_screen(person, strip)
    try:
        _look(strip, layout, person, config.leds.budget_ma, pause)
    except PegboardError as error:
        person.found(str(error))
    finally:
        strip.close()
    if person.tell is not told:  # what was told there has gone with the strip's own screen
        person.tell = told
        for line in person.wrong:
            person.tell(f"  wrong: {line}")
    return person.ends("leds")


def _on_its_screen(person: Person, strip: TextLines) -> None:
    """Ask and tell below the board, where a strip draws on a screen of its own."""
    asked = person.ask

    def ask(question: str) -> str | None:
        strip.say(question)
        return asked("")

    person.ask, person.tell = ask, strip.say


def _look(strip: LedStrip, layout: Layout, person: Person, budget_ma: float, pause: Pause) -> None:
    def show(frame: LedFrame, seconds: float) -> None:
        """A strip that needs frames again and again (WLED) gets them; one that fails says so within the time."""
        frame = within_budget(frame, budget_ma)
        while seconds > 0:
            strip.show(frame)
            pause(min(seconds, AGAIN_S))
            seconds -= AGAIN_S

    show(dark(layout.leds), STEADY_S)
    for colour, rgb in COLOURS.items():
        show(LedFrame(bytes(rgb) * layout.leds), 2 * STEADY_S)
        mends = "set the order, as in leds.driver = 'neopixel:D10,RGB' (WLED: LED preferences, colour order)"
        person.expects("Which colour is the whole chain?", tuple(COLOURS), colour, mends)
    for lane, holes in enumerate(walks(layout), 1):
        for led in holes:
            show(_one(layout, led), STEP_S)
        mends = "the lane is wired the other way round, or its runs in the layout are"
        question = f"A light walked along lane {lane}: from the start to the game hole?"
        person.expects(question, YES_NO, "yes", mends)
    for count, lamps in ((1, [layout.status]), (6, list(layout.shelf))):
        show(_several(layout, [lamp.led for lamp in lamps]), 2 * STEADY_S)
        where = "status lights" if count == 1 else "shelf lights"
        mends = "the chain is shorter or longer than the layout's `leds`"
        person.expects(f"How many {where} shine?", tuple("0123456"), str(count), mends)
    show(dark(layout.leds), STEADY_S)
    person.expects("Is every light dark?", YES_NO, "yes", "if the first LED glows, leave it without a place")


def walks(layout: Layout) -> Iterator[list[int]]:
    """The LEDs of each lane in the order of its holes."""
    for lane in layout.lanes:
        yield [lamp.led for lamp in lane.spots[: lane.walk + 1]] + [lane.spots[-1].led]


def _one(layout: Layout, led: int) -> LedFrame:
    return _several(layout, [led])


def _several(layout: Layout, leds: list[int]) -> LedFrame:
    data = bytearray(3 * layout.leds)
    for led in leds:
        data[3 * led : 3 * led + 3] = bytes(WHITE)
    return LedFrame(bytes(data))
