"""What sound is to the rest: something that speaks and plays tones, and never waits for either."""

from enum import StrEnum
from typing import Protocol


class Tone(StrEnum):
    """The tones of the table."""

    TICK = "tick"  # a peg goes one hole; a throw was read
    FALL = "fall"  # a farkle
    BELL = "bell"  # the last round


class Sound(Protocol):
    """The port of all sound drivers."""

    def say(self, text: str) -> None:
        """Speak `text`; what is being said is cut short by it. Returns at once.

        Raises DriverError where the sound is lost; it may be asked again.
        """

    def play(self, tone: Tone, times: int = 1) -> None:
        """Play a tone, so many times one after the other; what is being played is cut short by it. Returns at once."""

    def close(self) -> None:
        """Be silent for good; a second call does nothing, and neither do `say` and `play` afterwards."""
