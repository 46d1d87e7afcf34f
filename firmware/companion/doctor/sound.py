"""Check the sound: the programs of speech, and the sound card that it is spoken on."""

import re
from collections.abc import Mapping

from companion.config import SoundConfig
from companion.doctor.findings import Finding, failed, passed, warned
from companion.doctor.machine import Machine
from pegboard.sound.espeak import PACKAGES

CARDS_FILE = "proc/asound/cards"
CARD = re.compile(r"^\s*(\d+) \[(\S+)\s*\]: (.*)$", re.MULTILINE)
"""A card's first line in /proc/asound/cards: its number, its name in brackets, its driver and long name."""

USB, HDMI = "USB-Audio", "vc4-hdmi"
"""The drivers of a USB loudspeaker, and of a Pi's HDMI outputs, which are silent without a screen."""


def cards(machine: Machine) -> Mapping[str, str]:
    """Return the sound cards: each name with its driver and long name, in the order of their numbers."""
    found = sorted(CARD.findall(machine.text(CARDS_FILE)), key=lambda card: int(card[0]))
    return {name: about for _, name, about in found}


def sound(machine: Machine, config: SoundConfig) -> Finding:
    """Check that speech has a program and a card that can be heard."""
    if "espeak" not in config.drivers:
        return passed("sound", f"the sound is {config.driver!r}: no sound card is used")
    for program, package in PACKAGES.items():
        if not machine.find(f"usr/bin/{program}"):
            return failed("sound", f"the program {program} is not there", f"sudo apt install {package}")
    there = cards(machine)
    names = ", ".join(there)
    if not there:
        cure = 'plug in a USB loudspeaker, or set sound.driver = "silent" or "buzzer"'
        return failed("sound", "the kernel has no sound card", cure)
    if config.device and config.device not in there and not _numbered(config.device, there):
        cure = f"set sound.device to one of {names}; cat /proc/asound/cards"
        return failed("sound", f"there is no card {config.device!r}", cure)
    chosen = config.device or next(iter(there))
    card = list(there)[int(chosen)] if chosen.isdecimal() else chosen
    usb = [name for name, about in there.items() if USB in about]
    if usb and not config.device and USB not in there[card]:
        said = f"the default card is {card!r}, so the USB loudspeaker {usb[0]!r} stays silent"
        return warned("sound", said, f'set sound.device = "{usb[0]}"')
    if HDMI in there[card]:
        cure = "plug in a USB loudspeaker, unless the screen has a loudspeaker"
        return warned("sound", f"speaks on the card {card!r}, which is HDMI", cure)
    return passed("sound", f"speaks on the card {card!r}")


def _numbered(device: str, there: Mapping[str, str]) -> bool:
    return device.isdecimal() and int(device) < len(there)
