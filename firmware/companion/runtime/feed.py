"""The feed: the newest view, and what just happened. A slow reader misses updates and never delays the host."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

from companion.table.cues import Cue
from companion.table.high_stakes import ExpectedThrow
from companion.table.view import View

NOTHING_EXPECTED = ExpectedThrow()


@dataclass(frozen=True)
class Update:
    """The table as people see it now.

    `version` grows with every change, journalled or not; `expected` tells the eye what may be thrown next.
    """

    version: int
    view: View
    cues: tuple[Cue, ...] = ()
    expected: ExpectedThrow = NOTHING_EXPECTED


Listener = Callable[[Update], None]


class Feed:
    """Publishes updates to listeners, in order, on the host's thread; a listener must return at once."""

    def __init__(self, view: View, expected: ExpectedThrow = NOTHING_EXPECTED) -> None:
        self._latest = Update(0, view, expected=expected)
        self._listeners: list[Listener] = []
        self._lock = threading.Lock()

    @property
    def latest(self) -> Update:
        """The newest update."""
        return self._latest

    def publish(self, view: View, cues: tuple[Cue, ...] = (), expected: ExpectedThrow | None = None) -> None:
        """Publish a view, unless nothing has changed and there are no cues; None keeps the expected throw."""
        with self._lock:
            expected = self._latest.expected if expected is None else expected
            if (view, expected, cues) == (self._latest.view, self._latest.expected, ()):
                return
            self._latest = Update(self._latest.version + 1, view, cues, expected)
            listeners = tuple(self._listeners)
        for listener in listeners:
            listener(self._latest)

    def wait(self, until: Callable[[Update], bool], timeout_s: float) -> bool:
        """Wait until `until` accepts an update, the newest included; return whether one came in time."""
        fits = threading.Event()

        def look(update: Update) -> None:
            if until(update):
                fits.set()

        leave = self.subscribe(look)
        try:
            look(self.latest)
            return fits.wait(timeout_s)
        finally:
            leave()

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with every update from now on; return a function that unsubscribes it."""
        with self._lock:
            self._listeners.append(listener)

        def leave() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return leave
