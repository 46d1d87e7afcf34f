"""Open the lights, buttons and sound that a configuration names; where buttons or sound are not there, play without."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TypeVar

from companion.config import Config
from companion.table.inputs import Fault
from pegboard.buttons.drivers import open_buttons
from pegboard.buttons.port import Buttons
from pegboard.errors import NoDeviceError
from pegboard.layouts import Layout
from pegboard.leds.drivers import open_leds
from pegboard.leds.port import LedStrip
from pegboard.sound import Loudness, Sound, Together, open_sound

Opened = TypeVar("Opened")


@dataclass(frozen=True)
class Devices:
    """What is seen, touched and heard of a board, open, and a fault for each that is not there."""

    strip: LedStrip
    buttons: Buttons
    sound: Sound
    faults: tuple[Fault, ...]


def open_devices(config: Config, layout: Layout, voice: str) -> Devices:
    """Open them; `voice` is what speech is spoken with. Raises PegboardError, and then leaves nothing open."""
    faults: list[Fault] = []

    def or_else(part: str, without: Opened, opening: Callable[[], Opened]) -> Opened:
        try:
            return opening()
        except NoDeviceError as error:
            faults.append(Fault(part, f"No {part}: {error}"))
            return without

    with ExitStack() as undo:
        name, _, arg = config.leds.driver.partition(":")
        strip = open_leds(name, arg, layout)
        undo.callback(strip.close)
        pad = config.buttons
        buttons = or_else("buttons", open_buttons("page"), lambda: open_buttons(pad.driver, pad, pad))
        undo.callback(buttons.close)
        loudness, silent = Loudness(config.sound.volume, config.sound.night), open_sound("silent")
        sounds = [
            or_else("sound", silent, lambda name=name: open_sound(name.strip(), loudness, voice))  # type: ignore[misc]
            for name in config.sound.driver.split("+")
        ]
        undo.pop_all()
    return Devices(strip, buttons, Together(sounds), tuple(faults))
