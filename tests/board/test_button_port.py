"""The port of buttons, the same for every driver: each gesture comes once and in order, and no call waits."""

import os
import pty
from collections.abc import Callable, Iterator

import pytest
from gpiozero.pins.mock import MockFactory
from scripts import ScriptedButtons

from pegboard.buttons.button_drivers import DRIVERS, NoButtons, open_buttons
from pegboard.buttons.gpio_buttons import GpioButtons
from pegboard.buttons.keyboard import KEYS, KeyboardButtons
from pegboard.buttons.port import Button, Buttons, Chord, Gesture, Hold, Pins, Tap
from pegboard.errors import DriverError

GESTURES = (Tap(Button.KEEP), Hold(Button.ROLL), Chord(), Tap(Button.BANK), Tap(Button.KEEP))

Opened = Callable[..., Buttons]


def pressed(monkeypatch: pytest.MonkeyPatch, *gestures: Gesture) -> GpioButtons:
    """Return buttons on gpiozero's mock pins after these gestures, a few seconds apart."""
    now = 0.0
    factory = MockFactory()
    monkeypatch.setattr("gpiozero.Device.pin_factory", factory)
    buttons = GpioButtons(Pins(), clock=lambda: now)
    for start_s, gesture in zip(range(1, 100, 8), gestures, strict=False):
        fingers = (Button.KEEP, Button.BANK) if isinstance(gesture, Chord) else (getattr(gesture, "button", None),)
        down_s = {Chord(): 3.5}.get(gesture, 2.0 if isinstance(gesture, Hold) else 0.1)
        for finger in fingers:
            now = start_s + 0.1 * fingers.index(finger)
            factory.pin(Pins().buttons[finger]).drive_low()
        for finger in fingers:
            now = start_s + down_s + 0.1 * fingers.index(finger)
            factory.pin(Pins().buttons[finger]).drive_high()
    return buttons


@pytest.fixture(params=["gpio", "keyboard", "scripted"])
def opened(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Opened]:
    """Open the buttons of each driver after these gestures."""
    leader, follower = pty.openpty()
    made: list[Buttons] = []

    def opening(*gestures: Gesture) -> Buttons:
        if request.param == "gpio":
            made.append(pressed(monkeypatch, *gestures))
        elif request.param == "scripted":
            made.append(ScriptedButtons([(float(at), each) for at, each in enumerate(gestures)]))
        else:
            made.append(KeyboardButtons(follower))
            keys = {gesture: key for key, gesture in KEYS.items()}
            os.write(leader, "".join(keys[gesture] for gesture in gestures).encode())
        return made[-1]

    yield opening
    for buttons in made:
        buttons.close()
    os.close(leader)
    os.close(follower)


def test_gestures_come_once_and_in_their_order(opened: Opened) -> None:
    buttons = opened(*GESTURES)
    assert buttons.poll(100.0) == GESTURES
    assert buttons.poll(101.0) == ()


def test_untouched_buttons_give_no_gestures(opened: Opened) -> None:
    assert opened().poll(100.0) == ()


def test_after_the_close_no_earlier_gesture_comes(opened: Opened) -> None:
    buttons = opened(*GESTURES)
    buttons.close()
    buttons.close()
    assert buttons.poll(100.0) == ()


def test_a_table_with_its_buttons_on_the_page_gives_no_gestures() -> None:
    assert set(DRIVERS) == {"gpio", "keyboard", "page"}, "the others are opened above"
    buttons = open_buttons("page")
    assert isinstance(buttons, NoButtons)
    assert buttons.poll(1.0) == ()
    buttons.close()


def test_a_keyboard_without_a_terminal_says_what_to_use_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    with open(os.devnull, encoding="utf-8") as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        with pytest.raises(DriverError, match=r"expected a terminal.*'page'"):
            open_buttons("keyboard")
