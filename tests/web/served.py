"""A table served on loopback, with a journal of its own, hands that record their acts, and one picture."""

import asyncio
import ssl
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace

import cv2
import httpx
import numpy as np
import uvicorn.server
from anyio.from_thread import start_blocking_portal
from fastapi import FastAPI
from hosted import Connected, ToldClock
from tables import observation

from companion.app import FEATURES
from companion.calibration.session import CalibrationSession
from companion.config import WebConfig
from companion.devices.camera_phone import CameraPhone
from companion.errors import BusyError, RefusedError
from companion.features.coach.coach import Coach
from companion.features.events.stream import act_stream
from companion.features.house_rules.rules_folder import RulesFolder, rules_folder
from companion.features.reviews.reviewer import Reviewer
from companion.features.set_up.set_up import SetUp
from companion.games.repository import open_games
from companion.named_events.record import EventRecord
from companion.odds.live_odds import ODDS, LiveOdds
from companion.pairing.certificate_files import TableCertificate
from companion.pairing.certificates import Authority
from companion.pairing.door import Shows
from companion.pairing.pairing import Pairing
from companion.pairing.phones import PhonesFile
from companion.runtime.host import Clock, Host
from companion.storage.data_folder import open_storage
from companion.table.state import inputs
from companion.table.state.draft import ANY_TRACK, BoardTracks
from companion.table.state.state import restored
from companion.web import api
from companion.web.address import own_hosts
from companion.web.announcer import Announcer
from companion.web.app import make_app
from companion.web.feature import Feature
from companion.web.guard.connections import HEAD_S
from companion.web.guard.tls import SecurePort
from companion.web.server import WebServer, bind
from companion.web.table import WebTable
from dicereader.reading import Motion
from pegboard.layouts import Layout

SHELF = ((280, 600), (680, 600), (680, 540), (280, 540))
"""The corners of the shelf in `JPEG`."""

OWN_PAGE = {"origin": "http://127.0.0.1:8080", "sec-fetch-site": "same-origin"}
"""The headers of a write of the page that `Served.afar` has from port 8080."""

ELSEWHERE = {"x-forwarded-for": "192.168.7.20"}
"""A header by which a client on this machine counts as one of the network."""

NETWORK_COOKIE = "farklecrib-8080"
HERE = "127.0.0.1"

WebServer.closing_s = None  # on a busy machine a thread that ends may get no core for a second


PAUSE_S = 0.005
"""How long uvicorn pauses here in its loop and at its end; by itself a tenth of a second each time."""

uvicorn.server.asyncio = SimpleNamespace(**{**vars(asyncio), "sleep": lambda _: asyncio.sleep(PAUSE_S)})  # type: ignore[attr-defined]

api.THROW_BEGINS_S = 0.05  # the hands of most tests throw nothing

JPEG = cv2.imencode(".jpg", np.full((720, 960, 3), (48, 70, 40), np.uint8))[1].tobytes()
"""A picture of an empty, dark green tray."""


@dataclass
class RecordingDesk:
    """Hands that record each act. If `refuse` is set, they refuse with that text instead."""

    done: list[tuple[str, object]] = field(default_factory=list)
    refuse: BusyError | RefusedError | None = None
    then: Callable[[], object] = bool

    def throw(self, faces: tuple[int, ...] | None, *, whole: bool | None = None) -> None:
        self._do("throw" if whole is None else "whole throw" if whole else "quick throw", faces)
        self.then()

    def shelve(self, dice: tuple[int, ...]) -> None:
        self._do("shelve", dice)

    def _do(self, act: str, given: object) -> None:
        if self.refuse:
            raise self.refuse
        self.done.append((act, given))


@dataclass
class Served:
    """The running table and ways to reach it."""

    host: Host
    desk: RecordingDesk
    client: httpx.Client
    web: WebServer
    app: object
    connected: Connected
    pairing: Pairing
    clock: ToldClock
    secure: SecurePort | None = None

    def phone(self, name: str = "Mia") -> dict[str, str]:
        """Let a phone in; return the headers of its requests from the network."""
        _, token = self.pairing.phones.pair(name)
        return {**OWN_PAGE, "cookie": f"{NETWORK_COOKIE}={token}"}

    @property
    def trusted(self) -> Authority:
        """The table's own authority."""
        assert self.secure is not None
        assert self.secure.authority is not None
        return self.secure.authority

    def trusting(self) -> ssl.SSLContext:
        """Return a client's context that trusts the table's own authority, and no other."""
        return ssl.create_default_context(cadata=self.trusted.der)

    def take(self, *given: inputs.Input) -> "Served":
        """Take inputs one after the other."""
        for each in given:
            self.host.submit(each).result(60)
        return self

    def game(self, *players: str, **given: object) -> "Served":
        return self.take(inputs.NewGame("farkle-cribbage", players or ("Ann", "Ben"), **given))  # type: ignore[arg-type]

    def throws(self, thrown: str, **given: object) -> "Served":
        seen = observation(thrown, **given)  # type: ignore[arg-type]
        return self.take(inputs.ReadingSettled(replace(seen, size=(960, 720), shelf=SHELF), "synthetic"))

    def sets_aside(self, shelf: str, left: str) -> "Served":
        """Let a hand lay dice on the shelf."""
        return self.throws("", shelf=shelf, left=left, hand=True)

    def presses(self, button: str, gesture: inputs.Gesture = inputs.Gesture.TAP) -> "Served":
        return self.take(inputs.Press(inputs.Button(button), gesture))

    def turns(self, *thrown: str) -> "Served":
        """Play turns of one throw each, which is banked if it scores."""
        for each in thrown:
            if self.throws(each).state()["phase"] == "choosing":
                self.presses("bank")
        return self

    def won(self, *players: str) -> "Served":
        """Play a game that the first player wins by the first throw."""
        return self.game(*players, settings={"target": 20, "endgame": "immediate"}).turns("111346")

    def rolling(self) -> None:
        self.take(inputs.MotionReported(Motion.MOVING))

    def later(self, seconds: float) -> "Served":
        """Let time pass for the table, whose clock stands still otherwise, however slow the machine is."""
        self.clock.now += seconds
        return self.take(inputs.Tick())

    def enters_faces(self) -> "Served":
        """Let the players enter what they throw, because the camera sees nothing; the table does not ask die by die."""
        return (
            self.take(inputs.Fault("camera", "It is dark."))
            .later(600)
            .take(inputs.Answer("enter_faces"), inputs.Answer("wait"))
        )

    def post(self, path: str, body: object = None, **headers: str) -> httpx.Response:
        return self.client.post(f"/api/v1/{path}", json={} if body is None else body, headers=headers)

    def afar(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        source: str = "192.168.7.20",
        base: str = "http://127.0.0.1:8080",
        **headers: str,
    ) -> httpx.Response:
        """Return the answer to another machine in the network; a write without a body sends an empty one.

        A body of bytes, whole or part by part, is sent as it is.
        """
        raw = isinstance(body, bytes | AsyncIterator)
        sent = {"content": body} if raw else {"json": None if method == "GET" else body or {}}

        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(app=self.app, client=(source, 4000))
            async with httpx.AsyncClient(transport=transport, base_url=base) as client:
                return await client.request(method, path, headers=headers, **sent)  # type: ignore[arg-type]

        with start_blocking_portal() as portal:  # on another thread: Playwright runs a loop on this one
            return portal.call(ask)

    def state(self) -> dict:
        return self.client.get("/api/v1/state").raise_for_status().json()


def refusal(answer: httpx.Response) -> tuple[int, str]:
    """Return the status and the sentence of a refused request."""
    return answer.status_code, answer.json()["detail"]


_idle: dict[tuple[object, ...], list[FastAPI]] = {}
"""The applications of tables that have ended, by their hosts and features."""


def _application(table: WebTable) -> FastAPI:
    """Return an application for a table. Idle ones are used again, because FastAPI reads its routes slowly."""
    kind = (table.config.hosts, table.features)
    if not _idle.get(kind):
        return make_app(table)
    app = _idle[kind].pop()
    app.state.table, app.state.turns = table, {each: asyncio.Semaphore(1) for each in (False, True)}
    app.middleware_stack = None  # a new throttle, because the old one remembers earlier requests
    return app


@contextmanager
def served(
    folder: Path,
    *,
    desk: bool = True,
    shows: Shows = Shows.DIGITS,
    asking: bool = True,
    hosts: tuple[str, ...] = (),
    calibration: CalibrationSession | None = None,
    board: Layout | None = None,
    head_s: float = HEAD_S,
    tls: bool = False,
    camera: CameraPhone | None = None,
    set_up: SetUp | None = None,
    real_buttons: bool = False,
    phones: PhonesFile | None = None,
    reviews: bool = False,
    features: tuple[Feature, ...] = FEATURES,
) -> Iterator[Served]:
    """Serve a table on a free port until the end of the block; with `tls`, on a second one, too.

    With `reviews` it looks at games afterwards, in real processes.
    """
    connected, saved = Connected(), RulesFolder(rules_folder(folder))
    with ExitStack() as ends:
        if calibration is not None:
            ends.callback(calibration.close)
        storage = open_storage(folder, lambda: 0.0, connecting=connected)
        ends.callback(storage.close)
        tracks = BoardTracks(board.tracks, drawn=False) if board else ANY_TRACK
        kept, parts = storage.journal.loaded, tuple(feature.table for feature in features if feature.table is not None)
        numbers = {"seq": kept.seq, "game_number": kept.game, "last_game": kept.last_game}
        opened = replace(restored(kept.acts, **numbers, features=parts), simulated=desk)
        state = replace(opened, own_rules=saved.read(), tracks=tracks)
        clock = ToldClock()
        host = Host(state, storage.journal, Clock(clock.monotonic))
        ends.callback(host.stop)
        hands = RecordingDesk()
        pairing = Pairing(
            host.feed,
            host.submit,
            reachable=shows is not Shows.NOTHING,
            holes=lambda: 120 if shows is Shows.HOLES else 0,
            asking=asking,
            real_buttons=real_buttons,
            file=phones,
        )
        ends.callback(pairing.close)
        host.prepare = pairing.prepare
        secure = None
        if tls:  # its network does not find it, and its thread does not run
            source, place = TableCertificate(folder, time.time), Announcer(HERE, 0, bool, bool)
            secure = SecurePort(bind(HERE, 0), source, place, lambda: own_hosts(HERE, hosts), bool)
            ends.callback(secure.close)
        games = open_games(folder, host)
        reviewer = Reviewer(folder, games, host.feed) if reviews else None
        record = EventRecord(host)
        ends.callback(record.close)
        table = WebTable(
            host=host,
            pictures=SimpleNamespace(preview=lambda: JPEG, picture=lambda number: JPEG if number == 1 else None),
            pairing=pairing,
            games=games,
            config=WebConfig(hosts=hosts),
            secure=secure,
            simulated_hands=hands if desk else None,
            calibration=calibration,
            camera=camera,
            players=() if set_up is None else set_up.config.table.players,
            features=features,
            offers=(
                Coach(lambda: host.state, LiveOdds(folder / ODDS, solves=False)),
                saved,
                set_up,
                reviewer,
                act_stream(record),
            ),
            board=board,
        )
        app = _application(table)
        ends.callback(_idle.setdefault((hosts, features), []).append, app)
        bound = bind(HERE, 0)
        web = WebServer(app, bound, head_s, secure=secure)
        pairing.start()
        host.start()
        record.start()
        web.start()
        if reviewer is not None:
            reviewer.start()
            ends.callback(reviewer.close)
        ends.callback(web.stop)
        address = f"http://{HERE}:{bound.getsockname()[1]}"
        with httpx.Client(base_url=address, timeout=120, verify=False) as client:  # no TLS
            yield Served(host, hands, client, web, app, connected, pairing, clock, secure)
