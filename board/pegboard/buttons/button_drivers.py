"""Button drivers by name, and the driver of a table that has its buttons on the page only."""

import sys
from collections.abc import Callable, Mapping

from pegboard.buttons.contacts import Timing
from pegboard.buttons.gpio_buttons import GpioButtons
from pegboard.buttons.keyboard import KeyboardButtons
from pegboard.buttons.port import Buttons, Gesture, Pins
from pegboard.drivers import open_driver


class NoButtons:
    """The buttons of a table that has them on the page only."""

    def poll(self, _now_s: float) -> tuple[Gesture, ...]:
        """Return no gesture."""
        return ()

    def close(self) -> None:
        """Do nothing: no device is open."""


DRIVERS: Mapping[str, Callable[[Pins, Timing], Buttons]] = {
    "gpio": GpioButtons,
    "keyboard": lambda _pins, _timing: KeyboardButtons(sys.stdin.fileno()),
    "page": lambda _pins, _timing: NoButtons(),
}


def open_buttons(name: str, pins: Pins | None = None, timing: Timing | None = None) -> Buttons:
    """Return the opened driver. Raises as `pegboard.drivers.open_driver`, and `DriverError` if it cannot be opened.

    Args:
        name: a driver's name, or a Python file with a function `open_buttons(pins, timing)`.
        pins: the pins, for drivers on the Pi's header.
        timing: the times, for drivers with contacts.
    """
    buttons: Buttons = open_driver("button", name, DRIVERS, "open_buttons", Buttons, pins or Pins(), timing or Timing())
    return buttons
