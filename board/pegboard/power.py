"""The current of a frame, and its limit by the power supply.

An LED draws about 1 mA when dark and 20 mA for each full channel (WS2812B; by its data sheet, not measured). A
frame above the budget is scaled as a whole, so that its colours stay the same.
"""

from pegboard.errors import FrameError
from pegboard.ledframe import LedFrame

IDLE_MA = 1.0
CHANNEL_MA = 20.0
BUDGET_MA = 2500.0
MOST_MA = 3150.0
"""The largest budget: the value of the largest fuse that the wiring of hardware.md allows."""


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
