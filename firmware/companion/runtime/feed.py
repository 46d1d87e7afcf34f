"""The feed: the newest view, and what just happened. A slow reader misses updates and never delays the host."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

from companion.table.cues import Cue
from companion.table.view import View


@dataclass(frozen=True)
class Update:
    """The table as people see it now; `version` grows with every change, journalled or not."""

    version: int
    view: View
    cues: tuple[Cue, ...] = ()


Listener = Callable[[Update], None]


class Feed:
    """Publishes updates to listeners, in order, on the host's thread; a listener must return at once."""

    def __init__(self, view: View) -> None:
        self._latest = Update(0, view)
        self._listeners: list[Listener] = []
        self._lock = threading.Lock()

    @property
    def latest(self) -> Update:
        """The newest update."""
        return self._latest

    def publish(self, view: View, cues: tuple[Cue, ...] = ()) -> None:
        """Publish a view, unless nothing has changed and there are no cues."""
        with self._lock:
            if not cues and view == self._latest.view:
                return
            self._latest = Update(self._latest.version + 1, view, cues)
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
