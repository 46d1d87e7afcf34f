"""The sound: check the programs of speech and the sound card, and let a person hear a sentence and each tone."""

import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial

from companion.checkup.findings import Finding, told
from companion.checkup.machine import Machine, this_machine
from companion.checkup.trials import Person, TrialStep, play, require_device
from companion.config import Config, SoundConfig, words_of
from companion.errors import ConfigError
from pegboard.sound.espeak import PACKAGES
from pegboard.sound.port import Checkable, Loudness, Sound, Tone, WavPlayer
from pegboard.sound.sound_drivers import open_sound

CARDS_FILE = "proc/asound/cards"
CARD = re.compile(r"^\s*(\d+) \[(\S+)\s*\]: (.*)$", re.MULTILINE)
"""A card's first line in /proc/asound/cards: its number, its name in brackets, its driver and long name."""

USB, HDMI = "USB-Audio", "vc4-hdmi"
"""The drivers of a USB loudspeaker, and of a Pi's HDMI outputs, which are silent without a screen."""

SPOKEN_S, PLAYED_S = 4.0, 1.5
"""Seconds that a sentence and a tone usually take."""

LONGEST_S, CHECK_S = 15.0, 0.2
"""The most seconds after the usual ones until a sound has ended, and the seconds between two checks."""


def cards(machine: Machine) -> Mapping[str, str]:
    """Return the sound cards: each name with its driver and long name, in the order of their numbers."""
    found = sorted(CARD.findall(machine.text(CARDS_FILE)), key=lambda card: int(card[0]))
    return {name: about for _, name, about in found}


def choose_card(sound: SoundConfig) -> None:
    """Make the sound card of the configuration the default of every program that is started to play or speak.

    The variable is ALSA's (alsa-lib 1.2.8, pcm/default.conf), so it also holds for a person's own drivers.
    """
    if sound.device:
        os.environ["ALSA_CARD"] = sound.device


def sound(machine: Machine, config: Config) -> Iterator[Finding]:
    """Check that speech has a program, a voice for the language, and a card that can be heard."""
    yield _speech(machine, config)


def _speech(machine: Machine, config: Config) -> Finding:
    if "espeak" not in config.sound.drivers:
        return told("sound", "none", driver=config.sound.driver)
    for program, package in PACKAGES.items():
        if not machine.find(f"usr/bin/{program}"):
            return told("sound", "program", program=program, package=package)
    with suppress(ConfigError):  # without words there is a finding of the configuration
        words = words_of(config)
        if machine.probe("voice", words.voice).status:
            return told("sound", "voice", voice=words.voice, language=words.code)
    there = cards(machine)
    if not there:
        return told("sound", "no_card")
    numbered = dict(zip(map(str, range(len(there))), there, strict=False))
    card = numbered.get(config.sound.device, config.sound.device or next(iter(there)))
    if card not in there:
        return told("sound", "unknown", card=card, names=", ".join(there))
    usb = next((name for name, about in there.items() if USB in about), "")
    if usb and not config.sound.device and USB not in there[card]:
        return told("sound", "other", card=card, usb=usb)
    return told("sound", "hdmi" if HDMI in there[card] else "good", card=card)


def try_sound(
    config: Config, person: Person, wavs: Mapping[str, bytes], pause: Callable[[float], object] = time.sleep
) -> int:
    """Play each sound of the configuration, and WAV files by name; return 0 if the person heard all of them."""
    require_device(config, "sound")
    choose_card(config.sound)
    words = words_of(config)
    sentence, there = words("set_up.spoken"), ", ".join(cards(this_machine())) or "none"

    def steps(name: str) -> Iterator[TrialStep]:
        if name != "buzzer":
            cure = f"look at the loudspeaker, sound.volume and sound.device (sound cards here: {there})"
            yield TrialStep(sentence, f"{name} said {sentence!r}: heard?", "yes", cure)
        for tone in Tone if name != "espeak" else ():
            yield TrialStep(tone, f"{name} played {tone}: heard?", "yes", "look at the buzzer's pin, GPIO12")
        for kind in wavs if name == "espeak" else ():
            yield TrialStep(kind, f"{name} played the sound of {kind}: heard?", "yes", "play its file by itself")

    def make(opened: Sound, what: str) -> None:
        """Speak the sentence, play a file or a tone, and wait until it has ended, or as long as it usually takes."""
        if spoken := what == sentence:
            opened.say(sentence)
        elif what in wavs and isinstance(opened, WavPlayer):
            opened.say_after(wavs[what], "")
        else:
            opened.play(Tone(what), 6 if what == Tone.TICK else 1)
        pause(SPOKEN_S if spoken else PLAYED_S)
        left_s = LONGEST_S
        while isinstance(opened, Checkable) and opened.check() and left_s > 0:
            pause(CHECK_S)
            left_s -= CHECK_S
        if spoken:
            opened.say("")

    for name in config.sound.drivers:
        with person.noting_errors():
            opened = open_sound(name, Loudness(config.sound.volume, config.sound.night), words.voice)
            play(person, steps(name), partial(make, opened), opened.close)
    return person.ends("sound")
