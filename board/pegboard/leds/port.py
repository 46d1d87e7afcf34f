"""The port of all LED drivers, which show frames until they are closed."""

from typing import Protocol, runtime_checkable

from pegboard.errors import DriverError, FrameError
from pegboard.ledframe import LedFrame


class LedStrip(Protocol):
    """The port of all LED drivers."""

    def show(self, frame: LedFrame) -> None:
        """Light the chain. Raises `FrameError` for a frame of another length, `DriverError` if the strip is lost."""

    def close(self) -> None:
        """Make the chain dark and release it; a second call does nothing. Afterwards `show` raises `DriverError`."""


@runtime_checkable
class TextLines(Protocol):
    """The port of drivers that can also show lines of text, such as a terminal."""

    def say(self, *lines: str) -> None:
        """Show these lines instead of the last ones."""


def check_frame(frame: LedFrame, leds: int, closed: bool, name: str) -> None:
    """Check that a driver can show a frame.

    Args:
        frame: the frame.
        leds: the number of LEDs of the chain.
        closed: whether the driver is closed.
        name: the driver's name in errors.

    Raises:
        DriverError: if the driver is closed.
        FrameError: if the frame has another length.
    """
    if closed:
        raise DriverError(f"expected an open strip, got {name!r} already closed")
    if len(frame) != leds:
        raise FrameError(f"expected a frame of {leds} LEDs for {name!r}, got {len(frame)!r}")
