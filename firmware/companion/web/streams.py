"""The stream of views: one listener wakes all clients, and each view is written once for a language."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager

from fastapi.responses import StreamingResponse

from companion.runtime.feed import Feed, Update
from companion.web.table import WebTable
from companion.words import Catalogue

PING_S = 2.0
"""Seconds between the pings of a stream: a page that gets none knows that its connection is gone."""

HEADERS = {"cache-control": "no-cache", "x-accel-buffering": "no"}
"""The headers of a stream; the second one keeps a proxy from collecting events (nginx)."""

_PING = b'event: ping\ndata: {"version": %d}\n\n'


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
        self._of: dict[str, Callable[[], None]] = {}  # what ends the stream of a page, by the page's own id
        self.leave: Callable[[], None] = feed.subscribe(self._on_update, "page")
        """Listens to the table no longer."""

    def end(self) -> None:
        """End every stream; any thread may call it."""
        self._ending = True
        self._loop.call_soon_threadsafe(self._wake)

    @contextmanager
    def of_page(self, page: str, end: Callable[[], None]) -> Iterator[None]:
        """End the stream that a page has had before this one.

        Its connection may be dead: the network lost it, or a proxy froze it. It would hold a place for minutes.

        Args:
            page: the page's own id; empty for a client that has none.
            end: ends the connection of this stream.
        """
        if not page:
            yield
            return
        before, self._of[page] = self._of.get(page), end
        if before is not None:
            before()
        try:
            yield
        finally:
            if self._of.get(page) is end:
                del self._of[page]

    async def views(self, table: WebTable, words: Catalogue) -> AsyncIterator[bytes]:
        """Yield the newest view as an event and every one after it, and pings with the version of the last view.

        The event's `id` is the view's `seq`; a ping has none.
        """
        shown, ping_at = -1, self._loop.time() + PING_S
        while not self._ending:
            changed = self._changed
            view = table.shown_in(words)
            if view.version != shown:
                yield view.event
                shown = view.version
            try:
                async with asyncio.timeout_at(ping_at):
                    await changed.wait()
            except TimeoutError:
                ping_at = self._loop.time() + PING_S
                yield _PING % shown

    def _on_update(self, _: Update) -> None:
        self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
