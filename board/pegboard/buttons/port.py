"""What buttons are to the rest: something to ask, often, what hands have done since."""

from collections.abc import Collection
from typing import Protocol, runtime_checkable

from pegboard.buttons.press import Button, Gesture


class Buttons(Protocol):
    """The port of all button drivers. Asked from one thread only, at least every 50 ms."""

    def poll(self, now_s: float) -> tuple[Gesture, ...]:
        """The gestures since the last call, in their order; never waits. `now_s` is a monotonic clock's time.

        Raises DriverError where the hardware is lost; it may be asked again.
        """

    def close(self) -> None:
        """Let go of the hardware; a second call does nothing, and `poll` afterwards gives nothing."""


@runtime_checkable
class Lamps(Protocol):
    """Buttons that have lamps in them."""

    def light(self, lit: Collection[Button]) -> None:
        """Light the lamps of these buttons and no others. Raises DriverError where a lamp is lost."""
