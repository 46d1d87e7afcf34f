"""LED drivers by name, and the recorder for tests and for a desk without LEDs."""

from collections import deque
from collections.abc import Callable, Mapping

from pegboard.drivers import open_driver
from pegboard.layouts import Layout
from pegboard.ledframe import LedFrame, dark
from pegboard.leds.neopixel_strip import open_neopixel
from pegboard.leds.port import LedStrip, check_frame
from pegboard.leds.terminal import open_terminal
from pegboard.leds.wled import open_wled

MOST_FRAMES = 1000


class LedRecorder:
    """A strip that keeps the last `MOST_FRAMES` frames, leaving out repeated ones."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._closed = False
        self.frames: deque[LedFrame] = deque(maxlen=MOST_FRAMES)

    def show(self, frame: LedFrame) -> None:
        """Keep the frame unless it equals the last one."""
        check_frame(frame, self._layout.leds, self._closed, "recorder")
        if not self.frames or self.frames[-1] != frame:
            self.frames.append(frame)

    def close(self) -> None:
        """Keep a dark frame as the last one."""
        if not self._closed:
            self.show(dark(self._layout.leds))
            self._closed = True

    @property
    def last(self) -> LedFrame:
        """The frame that is shown now."""
        return self.frames[-1] if self.frames else dark(self._layout.leds)


DRIVERS: Mapping[str, Callable[[str, Layout], LedStrip]] = {
    "neopixel": open_neopixel,
    "recorder": lambda _argument, layout: LedRecorder(layout),
    "simulated": lambda _argument, layout: LedRecorder(layout),
    "terminal": lambda _argument, layout: open_terminal(layout),
    "wled": open_wled,
}


def open_leds(name: str, arg: str, layout: Layout) -> LedStrip:
    """Return the opened driver. Raises as `pegboard.drivers.open_driver`, and `DriverError` if it cannot be opened.

    Args:
        name: a driver's name, or a Python file with a function `open_leds(arg, layout)`.
        arg: the text after the colon of the configured name: an address, a pin, or empty.
        layout: the board.
    """
    strip: LedStrip = open_driver("LED", name, DRIVERS, "open_leds", LedStrip, arg, layout)
    return strip
