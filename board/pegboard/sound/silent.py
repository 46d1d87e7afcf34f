"""No sound at all."""

from pegboard.sound.port import Tone


class Silent:
    """Says nothing."""

    def say(self, text: str) -> None:
        """Not a word."""

    def play(self, tone: Tone, times: int = 1) -> None:
        """Not a tone."""

    def close(self) -> None:
        """There is nothing to close."""
