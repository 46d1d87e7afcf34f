"""The strip that keeps what it was shown: for tests, and for a desk without LEDs."""

from collections import deque

from pegboard.layout import Layout
from pegboard.ledframe import LedFrame, dark
from pegboard.leds.port import check_frame

KEPT = 1000


class Recorder:
    """Keeps the last frames that differ, up to `KEPT` of them."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._closed = False
        self.frames: deque[LedFrame] = deque(maxlen=KEPT)

    def show(self, frame: LedFrame) -> None:
        """Keep the frame unless it is the one before."""
        check_frame(frame, self._layout.leds, self._closed, "recorder")
        if not self.frames or self.frames[-1] != frame:
            self.frames.append(frame)

    def close(self) -> None:
        """The last frame kept is a dark one."""
        if not self._closed:
            self.show(dark(self._layout.leds))
            self._closed = True

    @property
    def last(self) -> LedFrame:
        """What is lit now."""
        return self.frames[-1] if self.frames else dark(self._layout.leds)
