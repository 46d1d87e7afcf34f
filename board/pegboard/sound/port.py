"""The port of all sound drivers, which speak and play tones without waiting, and their loudness."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

from pegboard.errors import DriverError

WHISPER = 0.35


class Tone(StrEnum):
    """The tones of the board."""

    TICK = "tick"
    FALL = "fall"
    BELL = "bell"


class Sound(Protocol):
    """The port of all sound drivers."""

    def say(self, text: str) -> None:
        """Speak `text`, cutting short what is being said, and return at once.

        Raises `DriverError` if the device is lost; a later call may succeed.
        """

    def play(self, tone: Tone, times: int = 1) -> None:
        """Play a tone `times` times in a row, cutting short what is being played, and return at once."""

    def close(self) -> None:
        """Be silent; a second call does nothing, and neither do `say` and `play` afterwards."""


@runtime_checkable
class Adjustable(Protocol):
    """A sound whose loudness can be changed while it is open."""

    def set_loudness(self, loudness: "Loudness") -> None:
        """Speak and play at this loudness from the next call on."""


@runtime_checkable
class Checkable(Protocol):
    """A sound whose sentences and tones may fail after `say` or `play` has returned."""

    def check(self) -> bool:
        """Return whether a sentence or tone is being played.

        Raises `DriverError` if the last one that ended was not heard. A later one that is heard ends the error.
        """


@runtime_checkable
class WavPlayer(Protocol):
    """A sound that can play WAV files, too."""

    def say_after(self, wav: bytes, text: str) -> None:
        """Play a WAV file (none at night), then speak `text`, cutting short what is being said. Return at once.

        Raises as `say`.
        """


@dataclass(frozen=True)
class Loudness:
    """The volume from 0 (silent) to 1; at `night` speech is quieter and there are no tones."""

    volume: float = 0.8
    night: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.volume <= 1:
            raise DriverError(f"expected a volume from 0 to 1, got {self.volume!r}")

    @property
    def speech(self) -> float:
        """The volume of speech, from 0 to 1."""
        return self.volume * (WHISPER if self.night else 1)

    @property
    def tones(self) -> bool:
        """Whether tones are played."""
        return self.volume > 0 and not self.night
