"""The feed: the newest view, and what just happened. A listener that fails harms neither the host nor the others."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

from companion.nothing import nothing
from companion.runtime.guard import Guard
from companion.table.state.cues import Cue
from companion.table.state.inputs import Fault
from companion.table.view import View
from companion.words import message


@dataclass(frozen=True)
class Update:
    """The table as people see it now; `version` grows with every change, journalled or not."""

    version: int
    view: View
    cues: tuple[Cue, ...] = ()


Listener = Callable[[Update], None]


class Feed:
    """Publishes updates to listeners, in order, on the host's thread; a listener must return at once.

    A listener that raises is reported once, and gets the next update all the same. `report` gets these faults.
    """

    def __init__(self, view: View, report: Callable[[Fault], object] = nothing) -> None:
        self.latest = Update(0, view)
        """The newest update."""
        self._report = report
        self._listeners: list[tuple[Listener, Guard]] = []
        self._lock = threading.Lock()

    def publish(self, view: View, cues: tuple[Cue, ...] = ()) -> None:
        """Publish a view, unless nothing has changed and there are no cues."""
        with self._lock:
            if not cues and view == self.latest.view:
                return
            self.latest = Update(self.latest.version + 1, view, cues)
            listeners = tuple(self._listeners)
        for listener, guard in listeners:
            with guard:
                listener(self.latest)
                guard.works()

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

    def subscribe(self, listener: Listener, part: str = "table") -> Callable[[], None]:
        """Call `listener` with every update from now on; return a function that unsubscribes it.

        Args:
            listener: Called on the host's thread.
            part: The part of the table that listens, in words for players: `lights`.
        """
        listening = (listener, Guard(f"{part} listener", message("fault.listener", part=part), self._report))
        with self._lock:
            self._listeners.append(listening)

        def leave() -> None:
            with self._lock:
                if listening not in self._listeners:
                    return
                self._listeners.remove(listening)
            listening[1].works()  # a listener that has left has no failure to show

        return leave
