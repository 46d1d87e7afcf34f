"""What a LED strip is to the rest: something that shows frames until it is closed."""

from typing import Protocol, runtime_checkable

from pegboard.errors import DriverError, FrameError
from pegboard.ledframe import LedFrame


class LedStrip(Protocol):
    """The port of all LED drivers."""

    def show(self, frame: LedFrame) -> None:
        """Light the chain. Raises FrameError for a frame of another length, DriverError where the strip is lost."""

    def close(self) -> None:
        """Make the chain dark and let go of it; a second call does nothing. `show` afterwards is a DriverError."""


@runtime_checkable
class TextLines(Protocol):
    """A driver that can also show some lines of text, such as a terminal."""

    def say(self, *lines: str) -> None:
        """Show `lines` in place of those before."""


def check_frame(frame: LedFrame, leds: int, closed: bool, name: str) -> None:
    """What every driver asks before it shows a frame."""
    if closed:
        raise DriverError(f"expected an open strip, got {name!r} already closed")
    if len(frame) != leds:
        raise FrameError(f"expected a frame of {leds} LEDs for {name!r}, got {len(frame)!r}")
