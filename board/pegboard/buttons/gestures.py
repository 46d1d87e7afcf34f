"""From clean presses and releases to gestures: tap, hold, chord, dead time. Times are passed in.

A tap acts on release, a hold while the button is still down. A second button within 300 ms makes a chord, which
cancels taps and holds of both. After a gesture further presses are ignored for the dead time.
"""

from collections.abc import Iterable

from pegboard.buttons.press import Button, Chord, Gesture, Press

HOLD_S = 1.5
CHORD_WITHIN_S = 0.3
CHORD_S = 3.0
DEAD_S = 0.4


class Gestures:
    """The buttons that are down and what may still become of them."""

    def __init__(self) -> None:
        self._down_s: dict[Button, float] = {}
        self._chord_s: float | None = None
        self._dead_until_s = float("-inf")

    def press(self, button: Button, now_s: float) -> None:
        """`button` goes down. In the dead time, or while it is already down, this is nothing."""
        if now_s < self._dead_until_s or button in self._down_s:
            return
        chorded = any(0 <= now_s - down_s <= CHORD_WITHIN_S for down_s in self._down_s.values())
        self._down_s[button] = now_s
        if chorded:
            self._chord_s = now_s

    def release(self, button: Button, now_s: float) -> tuple[Gesture, ...]:
        """`button` comes up: perhaps a tap."""
        due = self.tick(now_s)
        down_s = self._down_s.pop(button, None)
        if self._chord_s is not None:
            if not self._down_s:
                self._chord_s = None
            else:
                self._chord_s = float("inf")  # the chord is broken; nothing more comes of the fingers still down
            return due
        if down_s is None or down_s == float("inf"):
            return due
        return (*due, *self._accept(Press(button), now_s))

    def forget(self, button: Button) -> None:
        """`button` is not to be trusted: nothing comes of its press, and no chord it was part of."""
        if self._down_s.pop(button, None) is not None and self._chord_s is not None:
            self._chord_s = float("inf") if self._down_s else None

    def tick(self, now_s: float) -> tuple[Gesture, ...]:
        """Time passes: perhaps a hold or a chord is complete. To be called at least every 50 ms."""
        if self._chord_s is not None:
            if now_s - self._chord_s < CHORD_S:
                return ()
            self._chord_s = float("inf")
            return self._accept(Chord(), now_s)
        held = [button for button, down_s in self._down_s.items() if now_s - down_s >= HOLD_S]
        for button in held:
            self._down_s[button] = float("inf")  # its release says nothing more
        return tuple(self._accepted(held, now_s))

    def _accepted(self, held: Iterable[Button], now_s: float) -> Iterable[Gesture]:
        for button in held:
            yield from self._accept(Press(button, hold=True), now_s)

    def _accept(self, gesture: Gesture, now_s: float) -> tuple[Gesture, ...]:
        self._dead_until_s = now_s + DEAD_S
        return (gesture,)
