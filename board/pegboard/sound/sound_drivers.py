"""Sound drivers by name, the recorder for tests, and several drivers as one."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack

from pegboard.drivers import open_driver
from pegboard.sound.buzzer import Buzzer
from pegboard.sound.espeak import Espeak
from pegboard.sound.port import Adjustable, Checkable, Loudness, Sound, Tone, WavPlayer

MOST_RECORDED = 1000


class SoundRecorder:
    """A sound that keeps the last `MOST_RECORDED` words and tones in their order."""

    def __init__(self) -> None:
        self.heard: deque[str | Tone] = deque(maxlen=MOST_RECORDED)
        self.loudness = Loudness()
        self._closed = False

    def say(self, text: str) -> None:
        """Keep the text."""
        if not self._closed:
            self.heard.append(text)

    def play(self, tone: Tone, times: int = 1) -> None:
        """Keep the tone, `times` times."""
        if not self._closed:
            self.heard.extend([tone] * times)

    def set_loudness(self, loudness: Loudness) -> None:
        """Keep the loudness."""
        self.loudness = loudness

    def close(self) -> None:
        """Keep nothing more."""
        self._closed = True


class Together:
    """Several sounds as one, such as speech from one and tones from another; without any, silence.

    All sounds are called even if one raises; its exception is raised afterwards.
    """

    def __init__(self, sounds: Sequence[Sound] = ()) -> None:
        self._sounds = tuple(sounds)

    def say(self, text: str) -> None:
        """Speak with every sound."""
        self._each(lambda sound: sound.say(text))

    def say_after(self, wav: bytes, text: str) -> None:
        """Speak with every sound, after the WAV file if the sound can play it."""
        self._each(lambda sound: sound.say_after(wav, text) if isinstance(sound, WavPlayer) else sound.say(text))

    def play(self, tone: Tone, times: int = 1) -> None:
        """Play with every sound."""
        self._each(lambda sound: sound.play(tone, times))

    def set_loudness(self, loudness: Loudness) -> None:
        """Change the loudness of every sound that can."""
        for sound in self._sounds:
            if isinstance(sound, Adjustable):
                sound.set_loudness(loudness)

    def check(self) -> bool:
        """Return whether one of the sounds is being played."""
        played = []
        self._each(lambda sound: played.append(isinstance(sound, Checkable) and sound.check()))
        return any(played)

    def close(self) -> None:
        """Silence every sound."""
        self._each(lambda sound: sound.close())

    def _each(self, do: Callable[[Sound], None]) -> None:
        with ExitStack() as all_of_them:
            for sound in reversed(self._sounds):
                all_of_them.callback(do, sound)


DRIVERS: Mapping[str, Callable[[Loudness, str], Sound]] = {
    "buzzer": lambda loudness, _language: Buzzer(loudness),
    "espeak": Espeak,
    "recorder": lambda _loudness, _language: SoundRecorder(),
    "silent": lambda _loudness, _language: Together(),
}


def open_sound(name: str, loudness: Loudness | None = None, language: str = "en") -> Sound:
    """Return the opened driver. Raises as `pegboard.drivers.open_driver`, and `NoDeviceError` without a device.

    Args:
        name: a driver's name, or a Python file with a function `open_sound(loudness, language)`.
        loudness: the volume.
        language: the language of speech, as a two-letter code.
    """
    sound: Sound = open_driver("sound", name, DRIVERS, "open_sound", Sound, loudness or Loudness(), language)
    return sound
