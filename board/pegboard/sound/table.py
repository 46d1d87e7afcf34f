"""Sound drivers by name; several play together."""

from collections.abc import Callable, Mapping, Sequence

from pegboard.errors import UnknownDriverError
from pegboard.own import SUFFIX, open_own
from pegboard.sound.buzzer import Buzzer
from pegboard.sound.espeak import Espeak
from pegboard.sound.loudness import Loudness
from pegboard.sound.port import Sound, Tone
from pegboard.sound.recorder import SoundRecorder
from pegboard.sound.silent import Silent


def _buzzer(loudness: Loudness, _language: str) -> Sound:
    return Buzzer(loudness)


def _recorder(_loudness: Loudness, _language: str) -> Sound:
    return SoundRecorder()


def _silent(_loudness: Loudness, _language: str) -> Sound:
    return Silent()


DRIVERS: Mapping[str, Callable[[Loudness, str], Sound]] = {
    "buzzer": _buzzer,
    "espeak": Espeak,
    "recorder": _recorder,
    "silent": _silent,
}


class Together:
    """Several sounds as one: speech from one, tones from another."""

    def __init__(self, sounds: Sequence[Sound]) -> None:
        self._sounds = tuple(sounds)

    def say(self, text: str) -> None:
        """Whoever can speaks."""
        for sound in self._sounds:
            sound.say(text)

    def play(self, tone: Tone, times: int = 1) -> None:
        """Whoever can plays."""
        for sound in self._sounds:
            sound.play(tone, times)

    def close(self) -> None:
        """All are silent."""
        for sound in self._sounds:
            sound.close()


def sound_drivers() -> tuple[str, ...]:
    """The names that `open_sound` knows."""
    return tuple(DRIVERS)


def open_sound(name: str, loudness: Loudness | None = None, language: str = "en") -> Sound:
    """Open the driver called `name`.

    A name that ends in `.py` is a file of one's own, whose function `open_sound(loudness, language)` gives the sound.

    Raises UnknownDriverError with the known names, NoDeviceError where there is nothing to be heard from.
    """
    if name.endswith(SUFFIX):
        own: Sound = open_own(name, "open_sound", loudness or Loudness(), language)
        return own
    if name not in DRIVERS:
        raise UnknownDriverError(f"expected one of the sound drivers {', '.join(DRIVERS)}; got {name!r}")
    return DRIVERS[name](loudness or Loudness(), language)
