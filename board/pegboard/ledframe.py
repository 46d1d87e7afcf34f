"""One frame for the whole chain of LEDs: immutable bytes, as they go over the wire.

An LED's light is proportional to its value, an eye's impression is not: a screen's value v looks like the LED value
255 (v/255)^2.2. A frame holds LED values; `duty` and `seen` go from one to the other.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from pegboard.errors import FrameError
from pegboard.palette import RGB

GAMMA = 2.2
_SEEN = tuple(round(255 * (value / 255) ** (1 / GAMMA)) for value in range(256))


def duty(rgb: RGB, level: float) -> RGB:
    """The LED values that look like the screen colour `rgb` at `level` (0 dark to 1 full, as the eye sees it)."""
    if not 0.0 <= level <= 1.0:
        raise FrameError(f"expected a level from 0 to 1, got {level!r}")
    red, green, blue = (round(255 * (channel / 255 * level) ** GAMMA) for channel in rgb)
    return red, green, blue


def seen(rgb: RGB) -> RGB:
    """The screen colour that looks like the LED values `rgb`."""
    return _SEEN[rgb[0]], _SEEN[rgb[1]], _SEEN[rgb[2]]


@dataclass(frozen=True)
class LedFrame:
    """LED values, red green blue for each LED in the order of the chain (a driver brings them into its own order)."""

    data: bytes

    def __post_init__(self) -> None:
        if len(self.data) % 3:
            raise FrameError(f"expected three bytes for each LED, got {len(self.data)!r} bytes")

    def __len__(self) -> int:
        return len(self.data) // 3

    def __getitem__(self, led: int) -> RGB:
        if not 0 <= led < len(self):
            raise FrameError(f"expected an LED from 0 to {len(self) - 1}, got {led!r}")
        return self.data[3 * led], self.data[3 * led + 1], self.data[3 * led + 2]

    def without(self, leds: Iterable[int]) -> "LedFrame":
        """This frame with these LEDs dark."""
        data = bytearray(self.data)
        for led in leds:
            data[3 * led : 3 * led + 3] = b"\0\0\0"
        return LedFrame(bytes(data))

    def lit(self) -> tuple[int, ...]:
        """The LEDs that give any light."""
        return tuple(led for led in range(len(self)) if any(self.data[3 * led : 3 * led + 3]))


def dark(leds: int) -> LedFrame:
    """A frame of `leds` LEDs without light."""
    return LedFrame(bytes(3 * leds))
