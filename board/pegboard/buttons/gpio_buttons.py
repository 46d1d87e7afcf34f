"""Buttons and lamps on the Pi's header, through gpiozero.

A button closes its pin to ground against the Pi's own pull-up; a lamp lights while its pin is high. gpiozero's
`bounce_time` differs between its back ends and can lose a press, so the edges keep their times and `Contacts` debounces
them.
"""

import time
from collections import deque
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any

from pegboard.buttons.contacts import Contacts, Timing
from pegboard.buttons.port import NO_LAMP, Button, Gesture, Pins
from pegboard.errors import DriverError, NoDeviceError, one_line
from pegboard.gpio import imported_gpiozero
from pegboard.installation import add_extra

BREATH_S = 1.2
"""Seconds in which a lamp that breathes becomes bright, and then dark."""

DIMMED_HZ = 100
"""How often a second a lamp that breathes is switched on and off; steady lamps are not switched."""

OFF_A_PI = "elsewhere use the buttons 'page' or 'keyboard'"


class GpioButtons:
    """Three buttons, and their lamps."""

    def __init__(
        self, pins: Pins, timing: Timing | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._clock = clock
        self._edges: deque[tuple[float, Button, bool]] = deque()
        self._now_s = float("-inf")
        self._buttons: dict[Button, Any] = {}
        self._lamps: dict[Button, Any] = {}
        self._no_dimming: type[Exception] = Exception
        self._closed = False
        with explained(NoDeviceError), ExitStack() as undo:
            undo.callback(self.close)
            self._open(pins)
            self._contacts = Contacts(timing, [button for button, down in self.down.items() if down])
            undo.pop_all()

    def _open(self, pins: Pins) -> None:
        with imported_gpiozero() as gpiozero:
            for button, pin in pins.buttons.items():
                contact = gpiozero.DigitalInputDevice(pin, pull_up=True, bounce_time=None)
                self._buttons[button] = contact
                contact.when_activated = partial(self._edge, button, True)
                contact.when_deactivated = partial(self._edge, button, False)
            for button, pin in pins.lamps.items():
                self._lamps[button] = gpiozero.PWMLED(pin, frequency=None)
            self._no_dimming = gpiozero.PinPWMError

    def poll(self, now_s: float) -> tuple[Gesture, ...]:
        """Return the gestures since the last call; reads each level again in case an edge was missed."""
        if self._closed:
            return ()
        found: list[Gesture] = []
        while self._edges:
            found += self._level(*self._edges.popleft())
        for button, down in self.down.items():
            found += self._level(now_s, button, down)
        return (*found, *self._contacts.tick(self._now_s))

    @property
    def down(self) -> dict[Button, bool]:
        """The level of each contact now, not debounced. Raises `DriverError` if the pins are lost."""
        with explained():
            return {button: bool(contact.is_active) for button, contact in self._buttons.items()}

    def light(self, lit: Collection[Button]) -> None:
        """Light the lamps of these buttons and no others; none of them breathes any more.

        Raises `DriverError` if the pins are lost.
        """
        if self._closed:
            return
        with explained():
            for button, lamp in self._lamps.items():
                if lamp.frequency is not None:
                    lamp.off()
                    lamp.frequency = None
                lamp.value = button in lit

    def breathe(self, button: Button) -> None:
        """Let the lamp of a button rise and fall; one at a pin that cannot dim it stays lit.

        Raises `DriverError` if the pins are lost.
        """
        lamp = self._lamps.get(button)
        if self._closed or lamp is None:
            return
        with explained(), suppress(self._no_dimming):
            lamp.frequency = DIMMED_HZ
            lamp.pulse(BREATH_S, BREATH_S)

    def close(self) -> None:
        """Switch the lamps off and release the pins."""
        if not self._closed:
            self._closed = True
            for lamp in self._lamps.values():
                with suppress(Exception):  # a released pin may keep its level; a lost one may fail
                    lamp.off()
            for device in (*self._lamps.values(), *self._buttons.values()):
                device.close()

    def _edge(self, button: Button, down: bool) -> None:
        """Keep an edge until the next poll; gpiozero calls this on its own thread."""
        self._edges.append((self._clock(), button, down))

    def _level(self, at_s: float, button: Button, down: bool) -> tuple[Gesture, ...]:
        self._now_s = max(self._now_s, at_s)
        return self._contacts.level(self._now_s, button, down)


def explain(error: Exception) -> str:
    """Return one line for a person: the error, and how to remedy it."""
    text = one_line(error)
    kind = type(error).__name__
    if isinstance(error, ModuleNotFoundError) and error.name == "gpiozero":
        return f"expected the library gpiozero, got none: {add_extra('pi')}"
    if kind == "BadPinFactory":
        return f"expected a Raspberry Pi's pins, got none that gpiozero can open: {add_extra('pi')}; {OFF_A_PI}"
    if kind == "GPIOPinInUse" or "busy" in text.lower():
        return f"expected a free pin, got one that is in use: {text}"
    if isinstance(error, PermissionError) or "can not open gpiochip" in text:
        return f"expected to open the Pi's pins, got: {text}; sudo adduser $USER gpio, then log in again; {OFF_A_PI}"
    return f"expected buttons on the Pi's pins, got: {text}"


@contextmanager
def explained(kind: type[DriverError] = DriverError) -> Iterator[None]:
    """Raise any error of gpiozero and its back ends as one of this kind, with its remedy."""
    try:
        yield
    except Exception as error:
        raise kind(explain(error)) from error


def buttons_down(pins: Pins) -> tuple[Button, ...]:
    """Return the buttons that are pressed now, and release the pins.

    Raises `NoDeviceError` if they cannot be opened.
    """
    buttons_alone = replace(pins, keep_lamp=NO_LAMP, roll_lamp=NO_LAMP, bank_lamp=NO_LAMP)
    with closing(GpioButtons(buttons_alone)) as opened:
        return tuple(button for button, down in opened.down.items() if down)
