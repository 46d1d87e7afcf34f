"""Button drivers by name, and the scripted buttons of tests and of a table with buttons on the page only."""

import sys
from collections.abc import Callable, Iterable, Mapping

from pegboard.buttons.gpio_buttons import GpioButtons
from pegboard.buttons.keyboard import KeyboardButtons
from pegboard.buttons.port import Buttons, Gesture, Pins, Timing
from pegboard.drivers import open_driver


class ScriptedButtons:
    """Buttons that give each gesture of a script at its time; without a script, none."""

    def __init__(self, script: Iterable[tuple[float, Gesture]] = ()) -> None:
        self._script = sorted(script, key=lambda entry: entry[0])

    def poll(self, now_s: float) -> tuple[Gesture, ...]:
        """Return the gestures due until `now_s`."""
        due = tuple(gesture for at_s, gesture in self._script if at_s <= now_s)
        self._script = [(at_s, gesture) for at_s, gesture in self._script if at_s > now_s]
        return due

    def close(self) -> None:
        """Drop the rest of the script."""
        self._script = []


DRIVERS: Mapping[str, Callable[[Pins, Timing], Buttons]] = {
    "gpio": GpioButtons,
    "keyboard": lambda _pins, _timing: KeyboardButtons(sys.stdin.fileno()),
    "page": lambda _pins, _timing: ScriptedButtons(),
}


def open_buttons(name: str, pins: Pins | None = None, timing: Timing | None = None) -> Buttons:
    """Return the opened driver. Raises as `pegboard.drivers.open_driver`, and `DriverError` if it cannot be opened.

    Args:
        name: a driver's name, or a Python file with a function `open_buttons(pins, timing)`.
        pins: the pins, for drivers on the Pi's header.
        timing: the times, for drivers with contacts.
    """
    buttons: Buttons = open_driver("button", name, DRIVERS, "open_buttons", pins or Pins(), timing or Timing())
    return buttons
