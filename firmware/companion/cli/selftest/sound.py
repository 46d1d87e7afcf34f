"""`farklecrib selftest sound`: a call-out, and each tone; what was heard?"""

import time
from collections.abc import Callable

from companion.cli.selftest.asking import Person, something
from companion.config import Config
from companion.devices.phrases import load_catalogue
from companion.table.view import PartView
from pegboard.errors import PegboardError
from pegboard.sound import Loudness, Tone, open_sound

YES_NO = ("yes", "no")
SPOKEN_S = 4.0
PLAYED_S = 1.5

Pause = Callable[[float], object]


def try_sound(config: Config, person: Person, pause: Pause = time.sleep) -> int:
    """Let each sound of the configuration be heard; 0 where the person heard it."""
    something("sound", config.sound.driver, "silent")
    words = load_catalogue(config.sound.language)
    parts = (PartView("three of a kind", (4, 4, 4), 8), PartView("single", (1,), 1))
    said = words.say["set_aside"].format(
        parts=words.say["between"].join(words.part(part) for part in parts), risk=words.number(9)
    )
    loudness = Loudness(config.sound.volume, config.sound.night)
    for name in (each.strip() for each in config.sound.driver.split("+")):
        try:
            sound = open_sound(name, loudness, words.voice)
        except PegboardError as error:
            person.found(str(error))
            continue
        try:
            if name != "buzzer":
                sound.say(said)
                pause(SPOKEN_S)
                sound.say("")
                person.expects(
                    f"{name} said {said!r}: heard?", YES_NO, "yes", "look at the loudspeaker and sound.volume"
                )
            if name != "espeak":
                for tone in Tone:
                    sound.play(tone, 6 if tone is Tone.TICK else 1)
                    pause(PLAYED_S)
                    person.expects(
                        f"{name} played {tone.value}: heard?", YES_NO, "yes", "look at the buzzer's pin, GPIO12"
                    )
        except PegboardError as error:
            person.found(str(error))
        finally:
            sound.close()
    return person.ends("sound")
