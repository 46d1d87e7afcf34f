"""Heartbeats: the detection of parts that hang, and that a table cannot be without.

The host must answer an input, which shows that neither the host nor its journal hangs. The other parts note the time of
each pass through their loop (`guard.Worker`). A part that reports a failure (an eye without a camera) continues its
loop, so it is degraded and not silent. A silent part hangs, and only a restart of the program helps. Devices that hang
are reported in place of that (`hanging`).
"""

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any, Protocol

PATIENCE_S = 20.0
"""Seconds of silence after which a part counts as hanging; a slow disk may take several."""

ASK_EVERY_S = 2.0


class WatchedPart(Protocol):
    """A part of the program that has a heartbeat."""

    @property
    def last_heartbeat_s(self) -> float | None:
        """When the part last went through its loop, in seconds of `time.monotonic`; None while it waits."""
        ...


class Heartbeats:
    """The heartbeats of a table's parts. Not thread-safe."""

    def __init__(
        self,
        ask: Callable[[], "Future[Any]"],
        parts: Mapping[str, WatchedPart],
        clock: Callable[[], float] = time.monotonic,
        patience_s: float = PATIENCE_S,
    ) -> None:
        """Watch the host and other parts.

        Args:
            ask: Puts an input into the host's inbox, and returns its answer.
            parts: The other parts by name.
            clock: The clock of the heartbeats, in seconds.
            patience_s: Seconds of silence after which a part is named.
        """
        self._ask = ask
        self._parts = parts
        self._clock = clock
        self._patience_s = patience_s
        self._answer: Future[Any] | None = None
        self._asked_s = self._answered_s = float("-inf")

    def silent(self) -> tuple[str, ...]:
        """Return the names of the parts that have been silent for too long, the host first."""
        now = self._clock()
        if self._answer is None or self._answer.done():
            self._answered_s = now
            if now - self._asked_s >= ASK_EVERY_S:
                self._answer, self._asked_s = self._ask(), now
        heartbeats = {"host": self._answered_s, **{name: part.last_heartbeat_s for name, part in self._parts.items()}}
        return tuple(name for name, at_s in heartbeats.items() if at_s is not None and now - at_s > self._patience_s)
