"""Button drivers by name."""

from collections.abc import Callable, Mapping

from pegboard.buttons.gpio_buttons import GpioButtons
from pegboard.buttons.keyboard import open_keyboard
from pegboard.buttons.pins import Pins
from pegboard.buttons.port import Buttons
from pegboard.buttons.scripted import ScriptedButtons
from pegboard.buttons.timing import Timing
from pegboard.errors import UnknownDriverError
from pegboard.own import SUFFIX, open_own


def _keyboard(_pins: Pins, _timing: Timing) -> Buttons:
    return open_keyboard()


def _page(_pins: Pins, _timing: Timing) -> Buttons:
    return ScriptedButtons()  # presses come over the page, none from here


DRIVERS: Mapping[str, Callable[[Pins, Timing], Buttons]] = {
    "gpio": GpioButtons,
    "keyboard": _keyboard,
    "page": _page,
}


def button_drivers() -> tuple[str, ...]:
    """The names that `open_buttons` knows."""
    return tuple(DRIVERS)


def open_buttons(name: str, pins: Pins | None = None, timing: Timing | None = None) -> Buttons:
    """Open the driver called `name`; `pins` matter to those on the Pi's header, `timing` to those with contacts.

    A name that ends in `.py` is a file of one's own, whose function `open_buttons(pins, timing)` gives the buttons.

    Raises UnknownDriverError with the known names, DriverError where the buttons cannot be opened.
    """
    if name.endswith(SUFFIX):
        own: Buttons = open_own(name, "open_buttons", pins or Pins(), timing or Timing())
        return own
    if name not in DRIVERS:
        raise UnknownDriverError(f"expected one of the button drivers {', '.join(DRIVERS)}; got {name!r}")
    return DRIVERS[name](pins or Pins(), timing or Timing())
