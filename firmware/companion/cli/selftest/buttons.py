"""`farklecrib selftest buttons`: ask for each button, with its lamp lit, and for one hold."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.cli.options import ConfigFile, Driver
from companion.cli.selftest.person import Person, require_device

if TYPE_CHECKING:
    from companion.config import Config
    from pegboard.buttons import Buttons, Gesture

WAIT_S = 15.0
POLL_S = 0.02


def selftest_buttons(config: ConfigFile = None, buttons: Driver = None) -> int:
    """Ask for each button, with its lamp lit, and say which presses came."""
    from companion.config_files import load_config

    return try_buttons(load_config(config, {"buttons.driver": buttons}), Person())


def try_buttons(
    config: "Config",
    person: Person,
    buttons: "Buttons | None" = None,
    clock: Callable[[], float] = time.monotonic,
    pause: Callable[[float], object] = time.sleep,
) -> int:
    """Ask for each button of the configuration in turn; return 0 if each gave the gesture that was asked for."""
    from pegboard.buttons import Button, Hold, Tap, open_buttons
    from pegboard.buttons.port import Key, Lamps

    driver = config.buttons.driver
    require_device("buttons", driver, "page")
    opened = buttons or open_buttons(driver, config.buttons, config.buttons)
    person.tell(f"{driver}: press each button that is asked for")

    def expect(gesture: Tap | Hold, request: str) -> None:
        """Wait for one gesture, and note every other gesture before it as wrong."""
        if isinstance(opened, Lamps):
            opened.light({gesture.button})
        person.tell(f"{request} ({WAIT_S:.0f} s)")
        until_s = clock() + WAIT_S
        while clock() < until_s:
            for came in opened.poll(clock()):
                if came == gesture:
                    person.tell(f"  {_name(came)}")
                    return
                if not isinstance(came, Key):
                    wires = "wires that are crossed, or a wrong pin in [buttons]"
                    person.found(f"to {request} gave {_name(came)}: {wires}")
            pause(POLL_S)
        person.found(f"{request}: nothing came; look at the wire to its pin and to ground")

    with person.noting_errors():
        for button in Button:
            expect(Tap(button), f"press {button.value.upper()}")
        expect(Hold(Button.KEEP), f"hold KEEP for {config.buttons.hold_s + 0.5:g} seconds")
    with person.noting_errors():
        opened.close()
    return person.ends("buttons")


def _name(gesture: "Gesture") -> str:
    from pegboard.buttons.port import Hold, Stuck, Tap

    verbs = {Tap: "tapped", Hold: "held", Stuck: "stuck"}
    if isinstance(gesture, Tap | Hold | Stuck):
        return f"{gesture.button.value.upper()} {verbs[type(gesture)]}"
    return type(gesture).__name__
