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
        """Speak `text`; what is being said is cut short by it. Returns at once."""

    def play(self, tone: Tone) -> None:
        """Play a tone. Returns at once."""

    def close(self) -> None:
        """Be silent for good; a second call does nothing, and neither do `say` and `play` afterwards."""
