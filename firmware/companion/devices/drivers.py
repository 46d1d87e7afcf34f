"""Open the lights, buttons and sound that a configuration names; play without those that are missing."""

import re
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from companion.checkup.sound import choose_card
from companion.config import Config
from companion.log import logger_of
from companion.table.state.inputs import Fault
from companion.words import Text, because, message
from pegboard.buttons.button_drivers import open_buttons
from pegboard.buttons.port import Buttons
from pegboard.errors import NoDeviceError
from pegboard.layouts import Layout
from pegboard.leds.led_drivers import open_leds
from pegboard.leds.port import LedStrip
from pegboard.sound.port import Loudness, Sound
from pegboard.sound.sound_drivers import Together, open_sound

Opened = TypeVar("Opened")

INSTALL = re.compile(r"[:;]?(?: install it with:)? (?:sudo apt|\S+ -m pip) install[^;]*")
"""A command that installs a library, in the text of an error."""

_log = logger_of("devices")

MISSING = {
    "lights": message("fault.no_lights"),
    "buttons": message("fault.no_buttons"),
    "sound": message("fault.sound"),
}


@dataclass(frozen=True)
class Devices:
    """The open devices of a board, and a fault for each missing one."""

    strip: LedStrip
    buttons: Buttons
    sound: Sound
    faults: tuple[Fault, ...]
    real_buttons: bool
    """Whether the table has buttons beside those of the page and of a keyboard."""

    def close(self) -> None:
        """Close all of them, even if one raises."""
        with ExitStack() as undo:
            for device in (self.strip, self.buttons, self.sound):
                undo.callback(device.close)


def missing(part: str, error: NoDeviceError) -> Text:
    """Return what people are told of a missing device; a command to install a library is for the log."""
    told = INSTALL.sub("", str(error))
    if told == str(error):
        return because(MISSING[part], told)
    _log.warning("%s", error)
    return because(MISSING[part], message("fault.to_install", reason=told))


def open_devices(config: Config, layout: Layout, voice: str) -> Devices:
    """Open the devices, or none of them if one raises `PegboardError`.

    Args:
        config: The configuration.
        layout: The layout of the LEDs.
        voice: The name of the speech synthesizer's voice.
    """
    faults: list[Fault] = []

    def open_or_replace(part: str, replacement: Opened, opening: Callable[[], Opened], name: str = "") -> Opened:
        try:
            return opening()
        except NoDeviceError as error:
            faults.append(Fault(f"{part} {name}".strip(), missing(part, error)))
            return replacement

    with ExitStack() as undo:
        name, _, arg = config.leds.driver.partition(":")
        strip = open_or_replace("lights", open_leds("simulated", "", layout), partial(open_leds, name, arg, layout))
        undo.callback(strip.close)
        settings = config.buttons
        opening = partial(open_buttons, settings.driver, settings, settings)
        buttons = open_or_replace("buttons", open_buttons("page"), opening)
        undo.callback(buttons.close)
        choose_card(config.sound)
        loudness, silent = Loudness(config.sound.volume, config.sound.night), open_sound("silent")
        sounds = [
            open_or_replace("sound", silent, partial(open_sound, name, loudness, voice), name)  # each has its own fault
            for name in config.sound.drivers
        ]
        undo.pop_all()
    real_buttons = settings.driver not in ("page", "keyboard") and "buttons" not in {fault.part for fault in faults}
    return Devices(strip, buttons, Together(sounds), tuple(faults), real_buttons)
