"""What buttons are to the rest: something to ask, often, what hands have done since."""

from typing import Protocol

from pegboard.buttons.press import Gesture


class Buttons(Protocol):
    """The port of all button drivers. Asked from one thread only, at least every 50 ms."""

    def poll(self, now_s: float) -> tuple[Gesture, ...]:
        """The gestures since the last call, in their order; never waits. `now_s` is a monotonic clock's time."""

    def close(self) -> None:
        """Let go of the hardware; a second call does nothing, and `poll` afterwards gives nothing."""
