"""The three buttons: check their pins, ask a person for each press, and find the pins that a person presses."""

import threading
import time
from collections.abc import Callable, Iterator

from companion.checkup.findings import Finding, told
from companion.checkup.machine import Machine
from companion.checkup.trials import Person, TrialStep, play, require_device
from companion.config import Config
from companion.errors import RefusedError
from companion.words import because, message
from pegboard.buttons.button_drivers import open_buttons
from pegboard.buttons.pin_finder import PinFinder
from pegboard.buttons.port import Button, Buttons, Gesture, Hold, Key, Lamps, Stuck, Tap
from pegboard.errors import PegboardError
from pegboard.gpio import DEFAULT_CHIP, header_chip

WAIT_S, POLL_S = 15.0, 0.02
"""Seconds that a press is waited for, and between two looks."""

IDLE_S = 20.0
"""Seconds without a look after which the pins that are searched are released."""


def gpiochip(machine: Machine, config: Config) -> Iterator[Finding]:
    """Check that one of the GPIO chips is that of a Pi's header, if the configuration uses pins of gpiozero."""
    if config.buttons.driver != "gpio" and "buzzer" not in config.sound.drivers:
        return
    labels = machine.chip_labels()
    number = header_chip(labels)
    named = ", ".join(f"gpiochip{number} {label or 'may not be opened'}" for number, label in labels.items())
    if number is not None:
        yield told("gpiochip", "good", number=number, label=labels[number])
    elif labels:
        yield told("gpiochip", "other" if any(labels.values()) else "closed", number=DEFAULT_CHIP, chips=named)


def buttons(machine: Machine, config: Config) -> Iterator[Finding]:
    """Check that no button is down while nobody presses one; a running table has the pins, and they are not opened."""
    if config.buttons.driver != "gpio":
        yield told("buttons", "none", driver=config.buttons.driver)
        return
    try:
        down = machine.buttons_down(config.buttons)
    except PegboardError as error:
        yield told("buttons", "used" if "in use" in str(error) else "wrong", why=error)
        return
    named = ", ".join(f"{button.value.upper()} (GPIO{config.buttons.buttons[button]})" for button in down)
    yield told("buttons", "down" if down else "good", named=named)


def try_buttons(
    config: Config,
    person: Person,
    buttons: Buttons | None = None,
    clock: Callable[[], float] = time.monotonic,
    pause: Callable[[float], object] = time.sleep,
) -> int:
    """Ask for each button of the configuration in turn; return 0 if each gave the gesture that was asked for."""
    driver = config.buttons.driver
    require_device(config, "buttons")
    opened = buttons or open_buttons(driver, config.buttons, config.buttons)
    person.tell(f"{driver}: press each button that is asked for")

    def light(name: str) -> None:
        if isinstance(opened, Lamps):
            opened.light({Button(name)})

    def judge(step: TrialStep) -> Iterator[str]:
        """Wait for the gesture that is asked for; every other gesture before it is a problem."""
        person.tell(f"{step.question} ({WAIT_S:.0f} s)")
        until_s = clock() + WAIT_S
        while clock() < until_s:
            for came in opened.poll(clock()):
                if (name := _name(came)) == step.expected:
                    person.tell(f"  {name}")
                    return
                if not isinstance(came, Key):
                    yield f"to {step.question} gave {name}: wires that are crossed, or a wrong pin in [buttons]"
            pause(POLL_S)
        yield f"{step.question}: nothing came; {step.cure}"

    cure, hold_s = "look at the wire to its pin and to ground", config.buttons.hold_s + 0.5
    steps = [TrialStep(each, f"press {each.upper()}", f"{each.upper()} tapped", cure) for each in Button]
    steps.append(TrialStep(Button.KEEP, f"hold KEEP for {hold_s:g} seconds", "KEEP held", cure))
    play(person, steps, light, opened.close, judge)
    return person.ends("buttons")


def _name(gesture: Gesture) -> str:
    verbs = {Tap: "tapped", Hold: "held", Stuck: "stuck"}
    if isinstance(gesture, Tap | Hold | Stuck):
        return f"{gesture.button.value.upper()} {verbs[type(gesture)]}"
    return type(gesture).__name__


class ButtonSearch:
    """Watches the pins of the header while a page looks for the buttons. Any thread may call it."""

    def __init__(self) -> None:
        """Begin without a look."""
        self._lock = threading.Lock()
        self._finder: PinFinder | None = None
        self._end: threading.Timer | None = None

    def look(self, lamp: int | None = None) -> tuple[int, ...]:
        """Return the pins that were pressed since the last look, in order; the first look opens the pins.

        Args:
            lamp: lights the lamp at this pin alone, or none if it is negative; None leaves the lamps as they are.

        Raises:
            RefusedError: if there is no header with free pins, or this pin cannot be lit.
        """
        with self._lock:
            try:
                if self._finder is None:
                    self._finder = PinFinder()
                self._end_after(IDLE_S)
                if lamp is not None:
                    self._finder.light(lamp if lamp >= 0 else None)
                return self._finder.pressed()
            except PegboardError as error:
                raise RefusedError(because(message("fault.no_buttons"), str(error))) from error

    def close(self) -> None:
        """Release the pins."""
        with self._lock:
            self._end_after(None)
            if self._finder is not None:
                self._finder.close()
                self._finder = None

    def _end_after(self, seconds: float | None) -> None:
        if self._end is not None:
            self._end.cancel()
        self._end = None if seconds is None else threading.Timer(seconds, self.close)
        if self._end is not None:
            self._end.daemon = True
            self._end.start()
