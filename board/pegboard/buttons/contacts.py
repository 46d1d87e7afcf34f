"""Three contacts that chatter, stick and are pressed together: levels with their times in, gestures out. Pure.

A button that stays down for long is stuck: it is told, and not listened to until it has come up again.
"""

from collections.abc import Iterable

from pegboard.buttons.debounce import Debouncer, Edge
from pegboard.buttons.gestures import Gestures
from pegboard.buttons.press import Button, Gesture, Stuck
from pegboard.buttons.timing import Timing


class Contacts:
    """The levels of all buttons as they were seen. Times must not go back."""

    def __init__(self, timing: Timing | None = None) -> None:
        timing = timing or Timing()
        self._stuck_s = timing.stuck_s
        self._contacts = {button: Debouncer(timing.settle_s) for button in Button}
        self._down_s: dict[Button, float] = {}
        self._stuck: set[Button] = set()
        self._gestures = Gestures(timing)

    def level(self, now_s: float, button: Button, down: bool) -> tuple[Gesture, ...]:
        """The contact of `button` is `down` from `now_s` on."""
        found = self._until(now_s)
        self._contacts[button].sample(now_s, down)
        return found

    def tick(self, now_s: float) -> tuple[Gesture, ...]:
        """Nothing has changed until `now_s`. To be called at least every 50 ms."""
        return (*self._until(now_s), *self._gestures.tick(now_s), *self._sticking(now_s))

    def _until(self, now_s: float) -> tuple[Gesture, ...]:
        """What has become certain by now, in the order in which hands did it."""
        certain = [(contact.advance(now_s), button) for button, contact in self._contacts.items()]
        edges = sorted(((edge, button) for edge, button in certain if edge), key=lambda each: each[0].at_s)
        return tuple(gesture for edge, button in edges for gesture in self._edge(edge, button))

    def _edge(self, edge: Edge, button: Button) -> Iterable[Gesture]:
        if edge.down:
            self._down_s[button] = edge.at_s
            self._gestures.press(button, edge.at_s)
            return
        down_s = self._down_s.pop(button, None)
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
