"""Turns clean presses and releases into gestures: taps, holds and chords. Pure: times are passed in.

A tap acts on release, a hold while the button is still down, and a long hold later in the same press. A second button
soon after the first makes a chord, which cancels the taps and holds of both. After a gesture presses are ignored for a
dead time. `Timing` has all the times.
"""

from pegboard.buttons.port import Button, Chord, Gesture, Hold, LongHold, Tap
from pegboard.buttons.timing import Timing

_DONE = float("inf")  # the time of a press or a chord that gives no further gesture


class Gestures:
    """The buttons that are down, and the chord that they may be part of."""

    def __init__(self, timing: Timing | None = None) -> None:
        self._timing = timing or Timing()
        self._down_s: dict[Button, float] = {}
        self._held_s: dict[Button, float] = {}  # since when buttons are down whose hold has been returned
        self._chord_s: float | None = None
        self._dead_until_s = float("-inf")

    def press(self, button: Button, now_s: float) -> None:
        """Press a button; ignored in the dead time, or if the button is already down."""
        if now_s < self._dead_until_s or button in self._down_s:
            return
        chorded = any(0 <= now_s - down_s <= self._timing.chord_within_s for down_s in self._down_s.values())
        self._down_s[button] = now_s
        if chorded:
            self._chord_s = now_s

    def release(self, button: Button, now_s: float) -> tuple[Gesture, ...]:
        """Release a button; return the gestures that are complete."""
        due = self.tick(now_s)
        down_s = self._down_s.pop(button, None)
        self._held_s.pop(button, None)
        if self._chord_s is not None:
            self._chord_s = _DONE if self._down_s else None
            return due
        if down_s is None or down_s == _DONE:
            return due
        return (*due, *self._accept(now_s, Tap(button)))

    def forget(self, button: Button) -> None:
        """Drop the press of a button, and a chord that it is part of."""
        self._held_s.pop(button, None)
        if self._down_s.pop(button, None) is not None and self._chord_s is not None:
            self._chord_s = _DONE if self._down_s else None

    def tick(self, now_s: float) -> tuple[Gesture, ...]:
        """Return the hold, long hold or chord that is complete at `now_s`. Call at least every 50 ms."""
        if self._chord_s is not None:
            if now_s - self._chord_s < self._timing.chord_s:
                return ()
            self._chord_s = _DONE
            return self._accept(now_s, Chord())
        held = [button for button, down_s in self._down_s.items() if now_s - down_s >= self._timing.hold_s]
        self._held_s.update({button: self._down_s[button] for button in held})
        self._down_s.update(dict.fromkeys(held, _DONE))
        return self._accept(now_s, *map(Hold, held)) if held else self._long_holds(now_s)

    def _long_holds(self, now_s: float) -> tuple[Gesture, ...]:
        long = [button for button, down_s in self._held_s.items() if now_s - down_s >= self._timing.long_hold_s]
        for button in long:
            del self._held_s[button]
        return tuple(map(LongHold, long))

    def _accept(self, now_s: float, *gestures: Gesture) -> tuple[Gesture, ...]:
        self._dead_until_s = now_s + self._timing.dead_s
        return gestures
