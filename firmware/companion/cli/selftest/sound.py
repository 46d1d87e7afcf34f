"""`farklecrib selftest sound`: speak a call-out and play each tone, and ask whether the person heard it."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.cli.options import ConfigFile, Driver
from companion.cli.selftest.person import YES_NO, Person, require_device

if TYPE_CHECKING:
    from companion.config import Config
    from pegboard.sound import Sound

SPOKEN_S, PLAYED_S = 4.0, 1.5
"""Seconds that the call-out and a tone usually take."""

LONGEST_S, CHECK_S = 15.0, 0.2
"""The most seconds after the usual ones until a sound has ended, and the seconds between two checks."""


def selftest_sound(config: ConfigFile = None, sound: Driver = None) -> int:
    """Let a call-out and every tone be heard."""
    from companion.config_files import load_config

    return try_sound(load_config(config, {"sound.driver": sound}), Person())


def try_sound(config: "Config", person: Person, pause: Callable[[float], object] = time.sleep) -> int:
    """Play each sound of the configuration; return 0 if the person heard all of them."""
    from companion.config import words_of
    from companion.devices.drivers import choose_card
    from companion.devices.phrases import spoken_part
    from companion.doctor.machine import Machine
    from companion.doctor.sound import cards
    from farkle.rules.combinations import Combination
    from pegboard.sound import Loudness, Tone, open_sound

    require_device("sound", config.sound.driver, "silent")
    choose_card(config.sound)
    there = ", ".join(cards(Machine())) or "none"
    words = words_of(config)
    parts = (Combination("three of a kind", (4, 4, 4), 8), Combination("single", (1,), 1))
    spoken = words(
        "say.set_aside",
        parts=words("say.between").join(spoken_part(words, part) for part in parts),
        risk=words.number(9),
    )
    loudness = Loudness(config.sound.volume, config.sound.night)
    for name in config.sound.drivers:
        with person.noting_errors():
            sound = open_sound(name, loudness, words.voice)
            with person.noting_errors():
                if name != "buzzer":
                    sound.say(spoken)
                    _wait_for(sound, pause, SPOKEN_S)
                    sound.say("")
                    cure = f"look at the loudspeaker, sound.volume and sound.device (sound cards here: {there})"
                    person.expects(f"{name} said {spoken!r}: heard?", YES_NO, "yes", cure)
                for tone in Tone if name != "espeak" else ():
                    sound.play(tone, 6 if tone is Tone.TICK else 1)
                    _wait_for(sound, pause, PLAYED_S)
                    cure = "look at the buzzer's pin, GPIO12"
                    person.expects(f"{name} played {tone.value}: heard?", YES_NO, "yes", cure)
            sound.close()
    return person.ends("sound")


def _wait_for(sound: "Sound", pause: Callable[[float], object], usual_s: float) -> None:
    """Wait until the sound has ended, or the usual time; `PegboardError` reaches the caller if it was not heard."""
    from pegboard.sound import Checkable

    pause(usual_s)
    left_s = LONGEST_S
    while isinstance(sound, Checkable) and sound.check() and left_s > 0:
        pause(CHECK_S)
        left_s -= CHECK_S
