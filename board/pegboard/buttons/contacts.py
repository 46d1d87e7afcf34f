"""Turns the levels of contacts, which chatter, stick and close together, into gestures. Pure: times are passed in.

A change of a contact's level counts after `settle_s` without another change. The debouncer uses the times of the
levels themselves, so it needs no regular sampling. A button that stays down too long, or is down from the start, is
stuck: it is reported, and ignored until it has come up again.

A tap acts on release, a hold while the button is still down, and a long hold later in the same press. A second button
soon after the first makes a chord, which cancels the taps and holds of both. After a gesture presses are ignored for a
dead time. `Timing` has all the times.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from pegboard.buttons.port import Button, Chord, Gesture, Hold, LongHold, Stuck, Tap
from pegboard.errors import DriverError

_DONE = float("inf")  # the time of a press or a chord that gives no further gesture


@dataclass(frozen=True)
class Timing:
    """The times of the buttons, in seconds.

    Attributes:
        hold_s: the least time of a hold; a shorter press is a tap.
        long_hold_s: the least time of a long hold, which follows the hold of the same press.
        chord_within_s: the longest time from the first button of a chord to the second.
        chord_s: the time that a chord must be held.
        dead_s: the time after a gesture in which presses are ignored.
        settle_s: the time that a contact must be at a level before the level counts.
        stuck_s: the time after which a button that is down is stuck.
    """

    hold_s: float = 1.5
    long_hold_s: float = 5.0
    chord_within_s: float = 0.3
    chord_s: float = 3.0
    dead_s: float = 0.4
    settle_s: float = 0.012
    stuck_s: float = 30.0

    def __post_init__(self) -> None:
        longest_s = max(self.hold_s, self.chord_s)
        for name, least, most in (
            ("settle_s", 0.001, 0.1),
            ("dead_s", 0.0, 5.0),
            ("chord_within_s", 0.05, 2.0),
            ("hold_s", max(0.3, self.chord_within_s), 10.0),
            ("long_hold_s", self.hold_s + 0.5, 20.0),
            ("chord_s", 0.5, 30.0),
            ("stuck_s", longest_s + 1.0, 3600.0),
        ):
            value = getattr(self, name)
            if not least <= value <= most:
                raise DriverError(f"{name}: expected {least} to {most}, got {value!r}")


class Gestures:
    """Turns clean presses and releases into gestures."""

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


class Debouncer:
    """One contact. It takes each level with its time, and returns an edge once the edge is certain."""

    def __init__(self, settle_s: float) -> None:
        self._settle_s = settle_s
        self._level = self.settled = False
        self._since_s = float("-inf")

    def sample(self, now_s: float, down: bool) -> None:
        """Set the level from `now_s` on. Times must not go back.

        Call `advance` first: a change of level drops an edge that it has not returned.
        """
        if down != self._level:
            self._level = down
            self._since_s = now_s

    def advance(self, now_s: float) -> float | None:
        """Return the time of the edge that is certain if the level has not changed until `now_s`."""
        if self._level == self.settled or now_s - self._since_s < self._settle_s:
            return None
        self.settled = self._level
        return self._since_s

    def is_open(self, now_s: float) -> bool:
        """Return whether the contact is open for certain."""
        return not self._level and now_s - self._since_s >= self._settle_s


class Contacts:
    """The contacts of all buttons. Times must not go back."""

    def __init__(self, timing: Timing | None = None, closed: Collection[Button] = ()) -> None:
        """Prepare the contacts.

        Args:
            timing: the times.
            closed: the buttons whose contacts are closed now: such a press counts only after the contact has opened.
        """
        timing = timing or Timing()
        self._stuck_s = timing.stuck_s
        self._contacts = {button: Debouncer(timing.settle_s) for button in Button}
        self._down_s: dict[Button, float] = {}
        self._stuck: set[Button] = set()
        self._closed = set(closed)  # since the start
        self._gestures = Gestures(timing)

    def level(self, now_s: float, button: Button, down: bool) -> tuple[Gesture, ...]:
        """Set the level of a contact from `now_s` on; return the gestures that are complete."""
        found = self._until(now_s)
        self._contacts[button].sample(now_s, down)
        return found

    def tick(self, now_s: float) -> tuple[Gesture, ...]:
        """Return the gestures that are complete if nothing has changed until `now_s`. Call at least every 50 ms."""
        found = (*self._until(now_s), *self._gestures.tick(now_s), *self._sticking(now_s))
        self._closed -= {button for button in self._closed if self._contacts[button].is_open(now_s)}
        return found

    def _until(self, now_s: float) -> tuple[Gesture, ...]:
        """Return the gestures of the edges that are certain by now, in the order of the edges."""
        certain = [(contact.advance(now_s), button) for button, contact in self._contacts.items()]
        edges = sorted((at_s, button) for at_s, button in certain if at_s is not None)
        return tuple(gesture for at_s, button in edges for gesture in self._edge(at_s, button))

    def _edge(self, at_s: float, button: Button) -> Iterable[Gesture]:
        if self._contacts[button].settled:
            if button in self._closed:
                self._stuck.add(button)
                yield Stuck(button, stuck=True)
            else:
                self._down_s[button] = at_s
                self._gestures.press(button, at_s)
            return
        down_s = self._down_s.pop(button, None)
        self._closed.discard(button)
        if button in self._stuck:
            self._stuck.remove(button)
            yield Stuck(button, stuck=False)
        elif down_s is not None and at_s - down_s < self._stuck_s:
            yield from self._gestures.release(button, at_s)
        else:
            self._gestures.forget(button)

    def _sticking(self, now_s: float) -> Iterable[Gesture]:
        for button, down_s in self._down_s.items():
            if button not in self._stuck and now_s - down_s >= self._stuck_s:
                self._stuck.add(button)
                self._gestures.forget(button)
                yield Stuck(button, stuck=True)
