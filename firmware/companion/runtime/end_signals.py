"""The signals that end a command, and an event that their handler may set."""

import queue
import signal
from collections.abc import Callable
from contextlib import suppress

END_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class EndEvent:
    """An event that a signal's handler may set. One thread may wait for it.

    Python calls a handler between two steps of the main thread. If this thread was inside `threading.Event.wait`, it
    may hold the event's lock, and `threading.Event.set` in the handler waits for that lock for ever. A
    `queue.SimpleQueue` may be written while it is read by the same thread.
    """

    def __init__(self) -> None:
        self._set = False
        self._wakes: queue.SimpleQueue[None] = queue.SimpleQueue()

    def set(self) -> None:
        """Set the event for ever, and wake the thread that waits."""
        self._set = True
        self._wakes.put(None)

    def is_set(self) -> bool:
        """Return whether the event is set."""
        return self._set

    def wait(self, timeout_s: float) -> bool:
        """Wait until the event is set, at most `timeout_s` seconds; return whether it is set."""
        if not self._set:
            with suppress(queue.Empty):
                self._wakes.get(timeout=timeout_s)
        return self._set


def on_end_signals(end: Callable[[str], object]) -> None:
    """Call `end` with the name of each signal that ends a command; it must take no lock that the main thread takes."""
    for number in END_SIGNALS:
        signal.signal(number, lambda received, _: end(signal.Signals(received).name))
