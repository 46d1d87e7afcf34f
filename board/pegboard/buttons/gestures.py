"""From clean presses and releases to gestures: tap, hold, chord, dead time. Times are passed in.

A tap acts on release, a hold while the button is still down. A second button soon after the first makes a chord, which
cancels taps and holds of both. After a gesture further presses are ignored for the dead time. How long all that is,
says `Timing`.
"""

from collections.abc import Iterable

from pegboard.buttons.press import Button, Chord, Gesture, Press
from pegboard.buttons.timing import Timing


class Gestures:
    """The buttons that are down and what may still become of them."""

    def __init__(self, timing: Timing | None = None) -> None:
        self._timing = timing or Timing()
        self._down_s: dict[Button, float] = {}
        self._chord_s: float | None = None
        self._dead_until_s = float("-inf")

    def press(self, button: Button, now_s: float) -> None:
        """`button` goes down. In the dead time, or while it is already down, this is nothing."""
        if now_s < self._dead_until_s or button in self._down_s:
            return
        chorded = any(0 <= now_s - down_s <= self._timing.chord_within_s for down_s in self._down_s.values())
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
            if now_s - self._chord_s < self._timing.chord_s:
                return ()
            self._chord_s = float("inf")
            return self._accept(Chord(), now_s)
        held = [button for button, down_s in self._down_s.items() if now_s - down_s >= self._timing.hold_s]
        for button in held:
            self._down_s[button] = float("inf")  # its release says nothing more
        return tuple(self._accepted(held, now_s))

    def _accepted(self, held: Iterable[Button], now_s: float) -> Iterable[Gesture]:
        for button in held:
            yield from self._accept(Press(button, hold=True), now_s)

    def _accept(self, gesture: Gesture, now_s: float) -> tuple[Gesture, ...]:
        self._dead_until_s = now_s + self._timing.dead_s
        return (gesture,)
