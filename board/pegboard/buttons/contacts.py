"""Turns the levels of contacts, which chatter, stick and close together, into gestures. Pure: times are passed in.

A change of a contact's level counts after `settle_s` without another change. The debouncer uses the times of the
levels themselves, so it needs no regular sampling. A button that stays down too long, or is down from the start, is
stuck: it is reported, and ignored until it has come up again.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from pegboard.buttons.gestures import Gestures
from pegboard.buttons.port import Button, Gesture, Stuck
from pegboard.buttons.timing import Timing


@dataclass(frozen=True)
class Edge:
    """A contact that closed (`down`) or opened at `at_s`, and has stayed so."""

    down: bool
    at_s: float


class Debouncer:
    """One contact. It takes each level with its time, and returns an edge once the edge is certain."""

    def __init__(self, settle_s: float) -> None:
        self._settle_s = settle_s
        self._level = self._settled = False
        self._since_s = float("-inf")

    def sample(self, now_s: float, down: bool) -> None:
        """Set the level from `now_s` on. Times must not go back.

        Call `advance` first: a change of level drops an edge that it has not returned.
        """
        if down != self._level:
            self._level = down
            self._since_s = now_s

    def advance(self, now_s: float) -> Edge | None:
        """Return the edge that is certain if the level has not changed until `now_s`."""
        if self._level == self._settled or now_s - self._since_s < self._settle_s:
            return None
        self._settled = self._level
        return Edge(self._level, self._since_s)

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
        edges = sorted(((edge, button) for edge, button in certain if edge), key=lambda each: each[0].at_s)
        return tuple(gesture for edge, button in edges for gesture in self._edge(edge, button))

    def _edge(self, edge: Edge, button: Button) -> Iterable[Gesture]:
        if edge.down and button in self._closed:
            self._stuck.add(button)
            yield Stuck(button, stuck=True)
            return
        if edge.down:
            self._down_s[button] = edge.at_s
            self._gestures.press(button, edge.at_s)
            return
        down_s = self._down_s.pop(button, None)
        self._closed.discard(button)
        if button in self._stuck:
            self._stuck.remove(button)
            yield Stuck(button, stuck=False)
        elif down_s is not None and edge.at_s - down_s < self._stuck_s:
            yield from self._gestures.release(button, edge.at_s)
        else:
            self._gestures.forget(button)

    def _sticking(self, now_s: float) -> Iterable[Gesture]:
        for button, down_s in self._down_s.items():
            if button not in self._stuck and now_s - down_s >= self._stuck_s:
                self._stuck.add(button)
                self._gestures.forget(button)
                yield Stuck(button, stuck=True)
