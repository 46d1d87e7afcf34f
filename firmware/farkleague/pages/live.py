"""Streams of live games: a change is rendered once, and the same bytes go to everybody who watches the game.

One connection listens to the database. Changes of 50 ms are read by one query. A watcher who reads slowly gets the
newest state of each card, and none of those between.
"""

import asyncio
import logging
from collections.abc import Collection
from dataclasses import dataclass, field

import psycopg
from starlette.types import Receive, Scope, Send

from farkleague.pages.cards import Card, cards
from farkleague.pages.database import Reading
from farkleague.pages.rendering import fragment
from farkleague.store import ALIVE, CHANNEL

BOARDS = 0
"""The key of the stream of all boards; that of a game is its id."""

TOGETHER_S = 0.05
"""Seconds whose changes are read together."""

BEGIN = b"retry: 2000\n\n"
"""The first bytes of a stream: a browser opens a broken one again after two seconds."""

PING, PING_S = b": ping\n\n", 15.0

AGAIN_S = 1.0
"""Seconds until a database that is away is tried again."""

MOST_ID = (1 << 31) - 1
"""The greatest id of a game."""

_HEADERS = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store"), (b"x-accel-buffering", b"no")]

_log = logging.getLogger("farkleague")


class _Watcher:
    """One watcher, and the newest event of each card that it has not got yet."""

    def __init__(self, shown: dict[str, bytes]) -> None:
        self.waits, self.ended = dict(shown), False
        self.woken = asyncio.Event()
        self.woken.set()

    async def write(self, send: Send) -> None:
        """Send what waits, again and again; a ping if nothing does."""
        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        await send({"type": "http.response.body", "body": BEGIN, "more_body": True})
        while not self.ended:
            await self.woken.wait()
            self.woken.clear()
            body = b"".join(self.waits.values()) or PING
            self.waits.clear()
            await send({"type": "http.response.body", "body": body, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


@dataclass(eq=False)
class _Stream:
    """A stream: the newest event of each card, and its watchers."""

    shown: dict[str, bytes] = field(default_factory=dict)
    watchers: set[_Watcher] = field(default_factory=set)

    def show(self, card: str, event: bytes) -> None:
        """Give an event to all watchers, unless it changes nothing."""
        if self.shown.get(card) != event:
            self.shown[card] = event
            for watcher in self.watchers:
                watcher.waits[card] = event
                watcher.woken.set()


class Live:
    """The streams. A call is the ASGI endpoint of `/live`, and of `/games/{game}/live`."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self.streams: dict[int, _Stream] = {}
        self._changed, self._woken = set[int](), asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Stream the cards of all boards, or of one game, until the client has gone."""
        key = min(scope["path_params"].get("game", BOARDS), MOST_ID)
        if key not in self.streams:
            self.streams[key] = _Stream()
            self._note({key})
        stream = self.streams[key]
        watcher = _Watcher(stream.shown)
        stream.watchers.add(watcher)
        writing = asyncio.create_task(watcher.write(send))
        try:
            while (await receive())["type"] != "http.disconnect":
                pass
        finally:
            writing.cancel()
            stream.watchers.discard(watcher)
            if not stream.watchers:
                self.streams.pop(key, None)

    async def run(self) -> None:
        """Follow the database until cancelled. After an error it begins again, and the error is logged."""
        while True:
            try:
                async with asyncio.TaskGroup() as tasks:
                    for each in (self._listen, self._render, self._ping):
                        tasks.create_task(each())
            except* Exception:  # noqa: BLE001 - it is logged
                _log.exception("the live pages begin again")
            await asyncio.sleep(AGAIN_S)

    def close(self) -> None:
        """End all streams."""
        self._wake(ended=True)

    def _wake(self, *, ended: bool = False) -> None:
        for watcher in (watcher for stream in self.streams.values() for watcher in stream.watchers):
            watcher.ended |= ended
            watcher.woken.set()

    def _note(self, changed: Collection[int]) -> None:
        """Note which games have changed; `BOARDS` stands for all boards."""
        if BOARDS in self.streams or self.streams.keys() & changed:
            self._changed.update(changed)
            self._woken.set()

    async def _listen(self) -> None:
        while True:
            try:
                opened = psycopg.AsyncConnection.connect(self._reading.database, autocommit=True, **ALIVE)
                async with await opened as listening:
                    await listening.execute(f"LISTEN {CHANNEL}")
                    self._note({*self.streams})  # whatever changed until now
                    async for each in listening.notifies():
                        self._note({int(each.payload)} if each.payload.isdecimal() else {*self.streams})
            except psycopg.Error as error:
                _log.warning("the database cannot be listened to: %s", " ".join(str(error).split()))
            await asyncio.sleep(AGAIN_S)

    async def _render(self) -> None:
        while True:
            await self._woken.wait()
            self._woken.clear()
            changed, self._changed = self._changed, set()
            try:
                await self._show(changed - {BOARDS}, whole=BOARDS in changed)
            except psycopg.Error:
                self._note(changed)
                await asyncio.sleep(AGAIN_S)
            await asyncio.sleep(TOGETHER_S)

    async def _show(self, games: set[int], *, whole: bool) -> None:
        """Render games, and with `whole` all boards; `psycopg.Error` reaches the caller."""
        found = {card.id: card for card in (await cards(self._reading, [*games]) if games else ())}
        for game in games & self.streams.keys():
            self.streams[game].show("game", _event("game.html" if game in found else "gone.html", found.get(game)))
        boards = self.streams.get(BOARDS)
        if boards is not None:
            for card in await cards(self._reading) if whole or games - found.keys() else found.values():
                if card.newest:
                    boards.show(str(card.board), _event("board.html", card))
                    await asyncio.sleep(0)  # others may go on between many boards

    async def _ping(self) -> None:
        while True:
            await asyncio.sleep(PING_S)
            self._wake()


def _event(template: str, card: Card | None) -> bytes:
    """Return a card as an event of one line."""
    return b"data: %b\n\n" % " ".join(fragment(template, card=card).split()).encode()
