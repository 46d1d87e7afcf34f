"""The stream of views: one listener wakes all clients, and each view is written once for a language."""

import asyncio
from collections.abc import AsyncIterator, Callable

from fastapi.responses import StreamingResponse

from companion.runtime.feed import Feed, Update
from companion.web.table import WebTable
from companion.words import Catalogue

PING_S = 15.0
"""Seconds of silence after which a stream sends a comment, so that nothing on the way ends it."""

HEADERS = {"cache-control": "no-cache", "x-accel-buffering": "no"}
"""The headers of a stream; the second one keeps a proxy from collecting events (nginx)."""

_PING = b": ping\n\n"


class EventStream(StreamingResponse):
    """A response of events (`text/event-stream`), written by the program itself.

    FastAPI's own `EventSourceResponse` costs several times as much for each event and client: see
    `bench/phones_bench.py`.
    """

    media_type = "text/event-stream"


class Streams:
    """Wakes the streams of one server when the table has a new view, and ends them; make it on the server's loop."""

    def __init__(self, feed: Feed) -> None:
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()  # set once, and replaced by the next
        self._ending = False
        self.leave: Callable[[], None] = feed.subscribe(self._on_update, "page")
        """Listens to the table no longer."""

    def end(self) -> None:
        """End every stream; any thread may call it."""
        self._ending = True
        self._loop.call_soon_threadsafe(self._wake)

    async def views(self, table: WebTable, words: Catalogue) -> AsyncIterator[bytes]:
        """Yield the newest view as an event and every one after it; the event's `id` is the view's `seq`."""
        shown = -1
        while not self._ending:
            changed = self._changed
            view = table.shown_in(words)
            if view.version != shown:
                yield view.event
                shown = view.version
            try:
                async with asyncio.timeout(PING_S):
                    await changed.wait()
            except TimeoutError:
                yield _PING

    def _on_update(self, _: Update) -> None:
        self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
