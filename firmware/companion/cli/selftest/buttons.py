"""`farklecrib selftest buttons`: press each button once, hold one; its lamp shines while it is asked for."""

import time
from collections.abc import Callable

from companion.cli.selftest.asking import Person, something
from companion.config import Config
from pegboard.buttons import Button, Buttons, Gesture, Hold, Tap, open_buttons
from pegboard.buttons.port import Key, Lamps, Stuck

PATIENCE_S = 15.0
POLL_S = 0.02

Pause = Callable[[float], object]


def try_buttons(
    config: Config,
    person: Person,
    buttons: Buttons | None = None,
    clock: Callable[[], float] = time.monotonic,
    pause: Pause = time.sleep,
) -> int:
    """Ask for each button of the configuration in turn; 0 where each came as it was pressed."""
    driver = config.buttons.driver
    something("buttons", driver, "page")
    opened = buttons or open_buttons(driver, config.buttons, config.buttons)
    person.tell(f"{driver}: press each button that is asked for")
    try:
        for button in Button:
            _light(opened, button)
            _wanted(opened, person, Tap(button), f"press {button.value.upper()}", clock, pause)
        _light(opened, Button.KEEP)
        _wanted(
            opened, person, Hold(Button.KEEP), f"hold KEEP for {config.buttons.hold_s + 0.5:g} seconds", clock, pause
        )
    finally:
        opened.close()
    return person.ends("buttons")


def _light(buttons: Buttons, button: Button) -> None:
    if isinstance(buttons, Lamps):
        buttons.light({button})


def _wanted(
    buttons: Buttons, person: Person, wanted: Gesture, words: str, clock: Callable[[], float], pause: Pause
) -> None:
    """Wait for one gesture; whatever else comes meanwhile is told."""
    person.tell(f"{words} ({PATIENCE_S:.0f} s)")
    until_s = clock() + PATIENCE_S
    while clock() < until_s:
        for gesture in buttons.poll(clock()):
            if gesture == wanted:
                person.tell(f"  {_named(gesture)}")
                return
            if not isinstance(gesture, Key):
                person.found(f"to {words} gave {_named(gesture)}: wires that are crossed, or a wrong pin in [buttons]")
        pause(POLL_S)
    person.found(f"{words}: nothing came; look at the wire to its pin and to ground")


def _named(gesture: Gesture) -> str:
    match gesture:
        case Tap(button=button):
            return f"{button.value.upper()} tapped"
        case Hold(button=button):
            return f"{button.value.upper()} held"
        case Stuck(button=button):
            return f"{button.value.upper()} stuck"
        case _:
            return type(gesture).__name__
