"""How much current a frame draws, and how a frame is kept within what the supply gives.

About 1 mA for an LED that is dark and 20 mA for a channel that is full (WS2812B; data sheet figures, not measured by
us). Over the budget the whole frame is scaled, so that colours stay what they are.
"""

from pegboard.errors import FrameError
from pegboard.ledframe import LedFrame

IDLE_MA = 1.0
CHANNEL_MA = 20.0
BUDGET_MA = 2500.0
MOST_MA = 4000.0


def current_ma(frame: LedFrame) -> float:
    """The current of a frame in milliamperes: n + sum(r + g + b) / 255 * 20."""
    return len(frame) * IDLE_MA + sum(frame.data) / 255 * CHANNEL_MA


def within_budget(frame: LedFrame, budget_ma: float = BUDGET_MA) -> LedFrame:
    """The frame itself where it fits `budget_ma`, else the frame scaled down until it fits.

    Raises FrameError for a budget above 4 A, which the wiring does not bear, or below what the dark chain draws.
    """
    idle = len(frame) * IDLE_MA
    if not idle <= budget_ma <= MOST_MA:
        raise FrameError(f"expected a budget from {idle:.0f} to {MOST_MA:.0f} mA, got {budget_ma!r}")
    wanted = current_ma(frame)
    if wanted <= budget_ma:
        return frame
    scale = (budget_ma - idle) / (wanted - idle)
    return LedFrame(bytes(int(value * scale) for value in frame.data))
