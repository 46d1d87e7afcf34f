"""LED drivers by name."""

from collections.abc import Callable, Mapping

from pegboard.errors import UnknownDriverError
from pegboard.layout import Layout
from pegboard.leds.neopixel_strip import open_neopixel
from pegboard.leds.port import LedStrip
from pegboard.leds.recorder import Recorder
from pegboard.leds.terminal import open_terminal
from pegboard.leds.wled import open_wled
from pegboard.own import SUFFIX, open_own


def _terminal(_arg: str, layout: Layout) -> LedStrip:
    return open_terminal(layout)


def _recorder(_arg: str, layout: Layout) -> LedStrip:
    return Recorder(layout)


DRIVERS: Mapping[str, Callable[[str, Layout], LedStrip]] = {
    "neopixel": open_neopixel,
    "recorder": _recorder,
    "simulated": _recorder,
    "terminal": _terminal,
    "wled": open_wled,
}


def led_drivers() -> tuple[str, ...]:
    """The names that `open_leds` knows."""
    return tuple(DRIVERS)


def open_leds(name: str, arg: str, layout: Layout) -> LedStrip:
    """Open the driver called `name`; `arg` is what stood behind the colon (an address, or empty).

    A name that ends in `.py` is a file of one's own, whose function `open_leds(arg, layout)` gives the strip.

    Raises UnknownDriverError with the known names, DriverError where the strip cannot be opened.
    """
    if name.endswith(SUFFIX):
        own: LedStrip = open_own(name, "open_leds", arg, layout)
        return own
    if name not in DRIVERS:
        raise UnknownDriverError(f"expected one of the LED drivers {', '.join(DRIVERS)}; got {name!r}")
    return DRIVERS[name](arg, layout)
