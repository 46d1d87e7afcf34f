"""The sound that keeps what it was told to say and play."""

from collections import deque

from pegboard.sound.port import Tone

KEPT = 1000


class SoundRecorder:
    """Keeps words and tones in their order, up to `KEPT` of them."""

    def __init__(self) -> None:
        self.heard: deque[str | Tone] = deque(maxlen=KEPT)
        self._closed = False

    def say(self, text: str) -> None:
        """Keep the words."""
        if not self._closed:
            self.heard.append(text)

    def play(self, tone: Tone, times: int = 1) -> None:
        """Keep the tone, as often as it is played."""
        if not self._closed:
            self.heard.extend([tone] * times)

    def close(self) -> None:
        """Keep nothing more."""
        self._closed = True
