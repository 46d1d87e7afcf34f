"""Button drivers by name."""

from collections.abc import Callable, Mapping

from pegboard.buttons.keyboard import open_keyboard
from pegboard.buttons.port import Buttons
from pegboard.buttons.scripted import ScriptedButtons
from pegboard.errors import UnknownDriverError

DRIVERS: Mapping[str, Callable[[], Buttons]] = {
    "keyboard": open_keyboard,
    "page": ScriptedButtons,  # presses come over the page, none from here
}


def button_drivers() -> tuple[str, ...]:
    """The names that `open_buttons` knows."""
    return tuple(DRIVERS)


def open_buttons(name: str) -> Buttons:
    """Open the driver called `name`.

    Raises UnknownDriverError with the known names, DriverError where the buttons cannot be opened.
    """
    if name not in DRIVERS:
        raise UnknownDriverError(f"expected one of the button drivers {', '.join(DRIVERS)}; got {name!r}")
    return DRIVERS[name]()
