"""Whether the parts of a table live: each gives signs of life, and one that is silent for too long is named.

The host is asked: a `Tick` that it has taken shows that neither it nor its journal hangs. The others say when they last
went round. A part that fails and says so (the eye without a camera, a strip that does not answer) goes round all the
same, and the view calls it degraded; what is silent hangs, and only a restart helps.
"""

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any, Protocol

PATIENCE_S = 20.0
"""Longer than nearly any wait: two seconds for a strip, some for a slow disk; looking up a WLED's name may take 30."""

ASK_EVERY_S = 2.0


class Part(Protocol):
    """A thread that goes round and round."""

    @property
    def last_heartbeat_s(self) -> float | None:
        """When it last went round, in seconds of `time.monotonic`; None before it has begun."""
        ...


class Vitals:
    """`ask` puts a question into the host's inbox; `parts` are the others. Not for several threads at once."""

    def __init__(
        self,
        ask: Callable[[], "Future[Any]"],
        parts: Mapping[str, Part],
        clock: Callable[[], float] = time.monotonic,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._ask = ask
        self._parts = parts
        self._clock = clock
        self._patience_s = patience_s
        self._asked: Future[Any] | None = None
        self._answered_s = clock()
        self._asked_s = float("-inf")

    def silent(self) -> tuple[str, ...]:
        """The parts that have been silent for too long, the host first."""
        now = self._clock()
        if self._asked is not None and self._asked.done():
            self._asked, self._answered_s = None, now
        if self._asked is None and now - self._asked_s >= ASK_EVERY_S:
            self._asked, self._asked_s = self._ask(), now
        seen: dict[str, float | None] = {"host": self._answered_s if self._asked is not None else now}
        seen |= {name: part.last_heartbeat_s for name, part in self._parts.items()}
        return tuple(name for name, at_s in seen.items() if at_s is not None and now - at_s > self._patience_s)
