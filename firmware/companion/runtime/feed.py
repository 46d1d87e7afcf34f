"""The feed: the newest view for whoever wants it, and what just happened beside it. Slow readers miss, never delay."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

from companion.table.cues import Cue
from companion.table.make_view import View


@dataclass(frozen=True)
class Update:
    """The table as people see it now. `version` grows with every change, journalled or not."""

    version: int
    view: View
    cues: tuple[Cue, ...] = ()


Listener = Callable[[Update], None]


class Feed:
    """Publishes updates to listeners, in order, on the host's thread; a listener must return at once."""

    def __init__(self, first: View) -> None:
        self._latest = Update(0, first)
        self._listeners: list[Listener] = []
        self._lock = threading.Lock()

    @property
    def latest(self) -> Update:
        """The newest update."""
        return self._latest

    def publish(self, view: View, cues: tuple[Cue, ...] = ()) -> None:
        """Make this the newest view and tell the listeners; nothing happens where nothing has changed."""
        with self._lock:
            if view == self._latest.view and not cues:
                return
            self._latest = Update(self._latest.version + 1, view, cues)
            listeners = tuple(self._listeners)
        for listener in listeners:
            listener(self._latest)

    def wait(self, until: Callable[[Update], bool], timeout_s: float) -> bool:
        """Wait on this thread until an update fits, the newest first; whether one came in time."""
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
        """Tell `listener` of every update from now on; the answer takes it off again."""
        with self._lock:
            self._listeners.append(listener)

        def leave() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return leave
