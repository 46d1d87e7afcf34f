"""The stream of named events, for `/api/v1/events?acts=1`."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import Request

from companion.named_events.record import Entry, EventRecord, PlaceLostError
from companion.web.guard.clients import words_of
from companion.web.schema import adapter_of
from companion.web.table import ActStream, Before, table_of
from companion.words import Catalogue


def act_stream(record: EventRecord) -> ActStream:
    """Return the stream of the events of a record."""

    @asynccontextmanager
    async def stream(request: Request, after: str) -> AsyncIterator[Before]:
        table, words, wake = table_of(request), words_of(request), request.app.state.streams.wake
        reader, place = await asyncio.to_thread(record.reader, wake), after

        async def read() -> list[Entry]:
            if not reader.behind:
                return reader.read()
            async with request.app.state.turns[True]:  # many that missed much must not hold up a press
                return await asyncio.to_thread(reader.read)

        async def events() -> AsyncIterator[bytes]:
            nonlocal reader, place
            try:
                if place:
                    reader.close()
                    reader, place = await asyncio.to_thread(record.reader, wake, place), ""
                while entries := await read():
                    for entry in entries:
                        yield written(entry, words)
            except PlaceLostError:
                place = ""
                reader.close()
                reader = await asyncio.to_thread(record.reader, wake)
                yield b"event: reset\ndata: %b\n%b\n" % (table.shown_in(words).json, id_line(reader.id))

        try:
            yield events
        finally:
            reader.close()

    return ActStream(stream)


def written(entry: Entry, words: Catalogue) -> bytes:
    """Return the events of an entry as server-sent events; the last one carries the id of the act."""
    events = []
    for event in entry.sent_at(time.monotonic()):
        data = adapter_of(event).dump_json(words.rendered(event))
        events.append(b"event: %b\ndata: %b\n" % (event.event_type.encode(), data))
    return b"\n".join(events) + id_line(entry.id) + b"\n"


def id_line(of_act: str) -> bytes:
    """Return the `id:` line of an event; empty without an id."""
    return b"id: %b\n" % of_act.encode() if of_act else b""
