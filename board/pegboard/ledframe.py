"""One frame for the whole chain of LEDs, as immutable bytes in the order of the chain, and its current.

The light of an LED is proportional to its value; the brightness that people see is not. A screen value v looks like
the LED value 255 (v/255)^2.2. A frame holds LED values; `duty` and `screen_colour` convert between the two.

An LED draws about 1 mA when dark and 20 mA for each full channel (WS2812B; by its data sheet, not measured). A
frame above the budget is scaled as a whole, so that its colours stay the same.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from pegboard.errors import FrameError
from pegboard.palette import RGB

GAMMA = 2.2
IDLE_MA = 1.0
CHANNEL_MA = 20.0
BUDGET_MA = 2500.0
MOST_MA = 3150.0
"""The largest budget: the value of the largest fuse that the wiring of hardware.md allows."""

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


def lit(leds: int, shining: Iterable[int], rgb: RGB) -> LedFrame:
    """Return a frame of `leds` LEDs in which these alone shine, all in one colour of LED values."""
    data = bytearray(3 * leds)
    for led in shining:
        data[3 * led : 3 * led + 3] = bytes(rgb)
    return LedFrame(bytes(data))


def current_ma(frame: LedFrame) -> float:
    """Return the current of a frame in milliamperes: n + sum(r + g + b) / 255 * 20."""
    return len(frame) * IDLE_MA + sum(frame.data) / 255 * CHANNEL_MA


def within_budget(frame: LedFrame, budget_ma: float = BUDGET_MA) -> LedFrame:
    """Return the frame, scaled down if it draws more than `budget_ma`.

    Raises:
        FrameError: if the budget is above `MOST_MA`, or below the current of the dark chain.
    """
    idle = len(frame) * IDLE_MA
    if not idle <= budget_ma <= MOST_MA:
        raise FrameError(f"expected a budget from {idle:.0f} to {MOST_MA:.0f} mA, got {budget_ma!r}")
    wanted = current_ma(frame)
    if wanted <= budget_ma:
        return frame
    scale = (budget_ma - idle) / (wanted - idle)
    return LedFrame(bytes(int(value * scale) for value in frame.data))
