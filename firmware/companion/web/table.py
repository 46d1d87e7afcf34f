"""The parts of a running table that the pages and the API use, and the stream of its views."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from typing import Any, Protocol, TypeVar

from fastapi import Request
from fastapi.responses import StreamingResponse

from companion.calibration.session import CalibrationSession
from companion.config import WebConfig
from companion.devices.camera_phone import CameraPhone
from companion.games.repository import GameRepository
from companion.pairing.certificates import Authority
from companion.pairing.pairing import Pairing
from companion.runtime.feed import Feed, Update
from companion.runtime.host import Host
from companion.simulation.simulated_table import TrayHands
from companion.table.lobby.form import rules_shown
from companion.table.view import View
from companion.web.announcer import Announcer
from companion.web.feature import Feature
from companion.web.guard.tls import SecurePort
from companion.web.schema import adapter_of
from companion.words import Catalogue
from farkle.rules.ruleset import RuleSet
from pegboard.buttons.contacts import Timing
from pegboard.layouts import Layout

T = TypeVar("T")

PING_S = 2.0
"""Seconds between the pings of a stream: a page that gets none knows that its connection is gone."""

HEADERS = {"cache-control": "no-cache", "x-accel-buffering": "no"}
"""The headers of a stream; the second one keeps a proxy from collecting events (nginx)."""

_PING = b'event: ping\ndata: {"version": %d}\n\n'


class Pictures(Protocol):
    """The eye's pictures, as JPEG."""

    def preview(self) -> bytes | None:
        """Return the newest picture of the tray, or None before the first."""

    def picture(self, number: int) -> bytes | None:
        """Return the picture of an observation, or None if it is no longer kept."""


@dataclass(frozen=True, eq=False)
class ShownView:
    """A view in a language; it is written as JSON and as an event at most once, however many clients read it."""

    view: View

    @cached_property
    def json(self) -> bytes:
        """The view as the API gives it."""
        return adapter_of(self.view).dump_json(self.view)

    @cached_property
    def event(self) -> bytes:
        """The view as an event of a stream; its `id` is the view's `seq`."""
        return b"data: %b\nid: %d\n\n" % (self.json, self.view.seq)

    @cached_property
    def plain_event(self) -> bytes:
        """The view as an event of a stream in which other events have the ids."""
        return b"data: %b\n\n" % self.json


@dataclass(frozen=True)
class WebTable:
    """One table as the web sees it.

    Args:
        host: the table.
        pictures: the eye's pictures.
        pairing: the phones that may play, and the door.
        games: the games that the journal keeps.
        config: the page's configuration.
        place: what knows the page's address in the network; None for a page that nothing announces.
        secure: the page's second port; None without TLS.
        simulated_hands: the hands that throw simulated dice; None at a real tray.
        calibration: the calibration session; None without a camera that can be calibrated.
        camera: the phone that is the camera; None for a camera of another kind.
        features: the features of the table, and `offers` what they run for their pages.
        board: the layout of the built board; None lets the page choose one by the number of sides.
        players: the names that every new game offers.
        hold_s: seconds after which a press on the page is a hold.
        wall: wall-clock seconds since 1970.
    """

    host: Host
    pictures: Pictures
    pairing: Pairing
    games: GameRepository
    config: WebConfig = field(default_factory=WebConfig)
    place: Announcer | None = None
    secure: SecurePort | None = None
    simulated_hands: TrayHands | None = None
    calibration: CalibrationSession | None = None
    camera: CameraPhone | None = None
    features: tuple[Feature, ...] = ()
    offers: tuple[object, ...] = ()
    board: Layout | None = None
    players: tuple[str, ...] = ()
    hold_s: float = Timing.hold_s
    wall: Callable[[], float] = time.time
    _rendered: dict[Catalogue, ShownView] = field(default_factory=dict, init=False)

    @property
    def feed(self) -> Feed:
        """The newest view, and every one after it."""
        return self.host.feed

    def offered(self, kind: type[T]) -> T | None:
        """Return what a feature offers of this type, None if the table does not have it."""
        return next((offer for offer in self.offers if isinstance(offer, kind)), None)

    def rules(self) -> RuleSet | None:
        """Return the rules of the newest game, or before the first an own rule set that the lobby offers."""
        return rules_shown(self.host.state)

    def own_rules(self) -> tuple[RuleSet, ...]:
        """Return the rule sets that the house has saved."""
        return self.host.state.own_rules

    def address(self) -> str:
        """Return the page's address as a phone writes it."""
        return self.place.address if self.place is not None else ""

    def names(self) -> frozenset[str]:
        """Return the table's names in the network beside those of its machine, in lower case."""
        return self.place.names if self.place is not None else frozenset()

    def secure_address(self) -> str:
        """Return the page's address with TLS, as a phone writes it; empty without TLS."""
        return self.secure.address if self.secure is not None else ""

    def authority(self) -> Authority | None:
        """Return the table's own authority; None without TLS, or with a certificate of the owner's."""
        return self.secure.authority if self.secure is not None else None

    def tracks_shown(self) -> tuple[int, ...]:
        """Return the lengths of the tracks to choose from: those of the board, and those of the game and the draft."""
        view = self.feed.latest.view
        return tuple(sorted({*self.host.state.tracks.offered, view.track, *(view.lobby.tracks if view.lobby else ())}))

    def shown_in(self, words: Catalogue) -> ShownView:
        """Return the newest view in a language; it is rendered once, however many clients read it.

        Of two views the one with the higher version is the newer.
        """
        newest = self.feed.latest
        shown = self._rendered.get(words)
        if shown is None or shown.view.version != newest.version:
            shown = ShownView(words.rendered(replace(newest.view, version=newest.version)))
            self._rendered[words] = shown
        return shown


def table_of(request: Request) -> WebTable:
    """Return the table of the application that serves a request."""
    table = request.app.state.table
    assert isinstance(table, WebTable)
    return table


def in_turn(*, all_games: bool = False) -> Callable[[Callable[..., T]], Callable[..., Awaitable[T]]]:
    """Return the decorator of a route that reads kept games: it works in a thread when those before it are done.

    Threads of one process share the interpreter. If many requests of an address were worked on at once, every press at
    the table would wait for all of them. Work on all games does not delay work on a few.
    """

    def decorated(work: Callable[..., T]) -> Callable[..., Awaitable[T]]:
        @wraps(work)
        async def waiting(request: Request, **given: Any) -> T:
            async with request.app.state.turns[all_games]:
                return await asyncio.to_thread(work, request, **given)

        return waiting

    return decorated


class EventStream(StreamingResponse):
    """A response of events (`text/event-stream`), written by the program itself.

    FastAPI's own `EventSourceResponse` costs several times as much for each event and client: see
    `bench/phones_bench.py`.
    """

    media_type = "text/event-stream"


Before = Callable[[], AsyncIterator[bytes]]
"""Yields what comes in a stream before the next view, whenever something has changed; it has the ids then."""


@dataclass(frozen=True)
class ActStream:
    """What puts the acts of a table before its views in a stream with `?acts=1`; a feature offers one.

    Args:
        after: returns what yields the acts after one with an id, or after now if the id is empty.
    """

    after: Callable[[Request, str], AbstractAsyncContextManager[Before]]


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

    async def views(self, table: WebTable, words: Catalogue, before: Before | None = None) -> AsyncIterator[bytes]:
        """Yield the newest view as an event and every one after it, and pings with the version of the last view.

        The event's `id` is the view's `seq`; a ping has none.

        Args:
            table: the table.
            words: the language of the views.
            before: what comes before each view.
        """
        shown, ping_at = -1, self._loop.time() + PING_S
        while not self._ending:
            changed = self._changed
            newest = table.shown_in(words)
            if before is not None:
                async for event in before():
                    yield event
            if newest.view.version != shown:
                yield newest.event if before is None else newest.plain_event
                shown = newest.view.version
            try:
                async with asyncio.timeout_at(ping_at):
                    await changed.wait()
            except TimeoutError:
                ping_at = self._loop.time() + PING_S
                yield _PING % shown

    def wake(self) -> None:
        """Let every stream look for something new; any thread may call it, also after the end."""
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._wake)

    def _on_update(self, _: Update) -> None:
        self.wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
