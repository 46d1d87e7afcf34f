"""One frame for the whole chain of LEDs, as immutable bytes in the order of the chain.

The light of an LED is proportional to its value; the brightness that people see is not. A screen value v looks like
the LED value 255 (v/255)^2.2. A frame holds LED values; `duty` and `screen_colour` convert between the two.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from pegboard.errors import FrameError
from pegboard.palette import RGB

GAMMA = 2.2
_SCREEN_VALUES = tuple(round(255 * (value / 255) ** (1 / GAMMA)) for value in range(256))


def duty(rgb: RGB, level: float) -> RGB:
    """Return the LED values that look like the screen colour `rgb` at `level`, from 0 (dark) to 1 to the eye.

    Raises:
        FrameError: if the level is out of range.
    """
    if not 0.0 <= level <= 1.0:
        raise FrameError(f"expected a level from 0 to 1, got {level!r}")
    red, green, blue = (round(255 * (channel / 255 * level) ** GAMMA) for channel in rgb)
    return red, green, blue


def screen_colour(rgb: RGB) -> RGB:
    """Return the screen colour that looks like the LED values `rgb`."""
    return _SCREEN_VALUES[rgb[0]], _SCREEN_VALUES[rgb[1]], _SCREEN_VALUES[rgb[2]]


@dataclass(frozen=True)
class LedFrame:
    """LED values: red, green, blue for each LED of the chain. A driver converts them to its own order."""

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
        """Return this frame with these LEDs dark."""
        data = bytearray(self.data)
        for led in leds:
            data[3 * led : 3 * led + 3] = b"\0\0\0"
        return LedFrame(bytes(data))

    def lit(self) -> tuple[int, ...]:
        """Return the LEDs that are not dark."""
        return tuple(led for led in range(len(self)) if any(self.data[3 * led : 3 * led + 3]))


def dark(leds: int) -> LedFrame:
    """Return a dark frame of `leds` LEDs."""
    return LedFrame(bytes(3 * leds))
