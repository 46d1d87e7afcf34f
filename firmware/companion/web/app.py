"""The web application: routes behind the guard, errors as problems or problem pages, and the server's thread."""

import asyncio
import errno
import socket
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from companion.calibration.session import CalibrationSession
from companion.coach.coach import Coach
from companion.config import Config
from companion.devices.camera_phone import CameraPhone
from companion.errors import (
    BusyError,
    CompanionError,
    DataFolderError,
    JournalError,
    NoGameError,
    PortInUseError,
    RaceLostError,
    RefusedError,
    TableEndedError,
    ToldError,
)
from companion.games.repository import GameRepository
from companion.pairing.pairing import Pairing
from companion.reviews.reviewer import Reviewer
from companion.runtime import guard
from companion.runtime.host import Host
from companion.setup.set_up import SetUp
from companion.simulation.tray_hands import TrayHands
from companion.storage.rules_folder import RulesFolder
from companion.table.lobby.lobby import rules_shown
from companion.table.state.inputs import Fault
from companion.table.state.text import in_plain_words
from companion.web import api, assets, calibration, camera, lobby, odds, pages, phones, tournament
from companion.web.access import RequestGuard, own_hosts
from companion.web.address import played_with
from companion.web.announcer import Announcer
from companion.web.connections import HEAD_S, protocol_factory
from companion.web.documentation import DocumentedApp
from companion.web.games import api as games_api
from companion.web.games import daily, review, standing
from companion.web.games import pages as games_pages
from companion.web.games.turns import Turns
from companion.web.language import all_catalogues, words_of
from companion.web.request_reports import RequestReports
from companion.web.rules import api as rules_api
from companion.web.rules import house as house_rules
from companion.web.rules import pages as rules_pages
from companion.web.schema import LOST_RACE, LostRace, problem
from companion.web.secure_port import SecurePort
from companion.web.setup import api as set_up_api
from companion.web.setup import pages as set_up_pages
from companion.web.streams import Streams
from companion.web.table import Pictures, WebTable, table_of
from companion.words import Catalogue, Text, english, message
from companion.words.catalogue import clipped
from dicereader.errors import DiceReaderError
from farkle.errors import FarkleError, UnknownRuleSetError
from pegboard.layouts import Layout

STOP_S = 1.0
LONGEST_INPUT = 80
"""The most characters of a wrong input in the text of its error."""

PORT_TROUBLE = {errno.EADDRINUSE, errno.EACCES}
"""Errors that another port avoids: it is taken, or only root may take it."""

FREE_PORTS, LIKELY_PORT, MOST_PORT = 1024, 8081, 65535

BACKLOG = 128
"""The most connections that wait for the server; without free descriptors asyncio logs this many errors a second."""


@asynccontextmanager
async def streaming(app: FastAPI) -> AsyncIterator[None]:
    """Give an application its streams of views while it is served."""
    app.state.streams = streams = Streams(app.state.table.feed)
    try:
        yield
    finally:
        streams.leave()
        del app.state.streams


def make_app(table: WebTable, languages: tuple[Catalogue, ...] = (english(),)) -> FastAPI:
    """Return the application of one table, in these languages; the first is for clients that ask for none of them."""
    app = DocumentedApp(
        title="Farkle Crib",
        version="1",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=streaming,
    )
    app.state.table = table
    app.state.languages = languages
    app.state.turns = Turns()
    modules = (
        *(
            api,
            lobby,
            odds,
            phones,
            camera,
            rules_api,
            house_rules,
            games_api,
            standing,
            daily,
            review,
            tournament,
            calibration,
        ),
        *(pages, rules_pages, games_pages, set_up_api),
    )
    set_up = (set_up_pages.downloads, set_up_pages.papers, set_up_pages.router)
    for router in (*(module.router for module in modules), calibration.page, *set_up):
        app.include_router(router)
    app.add_route(f"{assets.PREFIX}{{path:path}}", assets.serve, include_in_schema=False)
    app.exception_handler(HTTPException)(on_http_error)
    app.exception_handler(RequestValidationError)(on_bad_body)
    for refused in (CompanionError, FarkleError, DiceReaderError):
        app.add_exception_handler(refused, on_refused)
    app.add_middleware(GZipMiddleware, minimum_size=assets.LEAST_BYTES, compresslevel=assets.LEVEL)
    app.add_middleware(
        RequestGuard,
        hosts=lambda: own_hosts(table.host, (*table.hosts, *table.names())),
        own=lambda: own_hosts(table.host, table.names()),
        holder=lambda token: app.state.table.pairing.phones.use(token),
        sets_up=lambda phone: app.state.table.pairing.may_set_up(phone.id),
        secure=lambda: bool(app.state.table.secure_address()),
        is_camera=lambda client: (camera := app.state.table.camera) is not None and camera.is_camera(client.id),
    )
    app.add_middleware(RequestReports)  # the last one added is the first one called
    return app


async def on_http_error(request: Request, error: HTTPException) -> Response:
    """Answer an error of the framework or a route (no such page, no such method): with a page or with a problem."""
    if error.status_code == 404 and "text/html" in request.headers.get("accept", ""):
        return pages.render_problem(request, message("problem.no_page"), message("problem.no_page_why"), 404)
    return problem(error.status_code, str(error.detail), error.headers)


async def on_bad_body(_: Request, error: RequestValidationError) -> Response:
    """Answer a request that does not fit the route's types with one sentence."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:]) or "the body"
    got = clipped(repr(first.get("input")), LONGEST_INPUT)
    return problem(422, f"{where}: {first['msg']}, got {got}")


async def on_refused(request: Request, error: Exception) -> Response:
    """Answer an error of the table, the rules or the journal: with a problem in the API, else with a page."""
    if not request.url.path.startswith("/api/"):
        return _problem_page(request, error)
    words, said = words_of(request), _said(error)
    match error:
        case RaceLostError() | BusyError():
            lost = LostRace(**vars(table_of(request).view_in(words)), detail=words.text(said))
            return Response(LOST_RACE.dump_json(lost), status_code=409, media_type="application/json")
        case JournalError() | DataFolderError() if request.method == "POST":
            status, said = 503, message("access.not_saved", cause=str(error.__cause__ or error))
        case JournalError() | DataFolderError() | TableEndedError():
            status = 503
        case NoGameError():
            status, said = 404, message("access.no_game")
        case UnknownRuleSetError():
            status = 404
        case _:
            status = 422
    return problem(status, words.text(said))


def _said(error: Exception) -> Text:
    """Return the reason of an error for people; a technical reason is English."""
    match error:
        case FarkleError():
            return in_plain_words(error)
        case DiceReaderError():
            return message("calibrate.cannot_learn", reason=str(error))
        case RaceLostError():
            return message("refused.lost_race")
        case NoGameError():
            return message("problem.no_game_why")
        case ToldError():
            return error.reason
        case _:
            return str(error)


def _problem_page(request: Request, error: Exception) -> Response:
    match error:
        case UnknownRuleSetError():
            status, heading = 404, message("problem.no_rules")
        case FarkleError() | RefusedError():
            status, heading = 422, message("problem.cannot_play")
        case NoGameError():
            status, heading = 404, message("problem.no_game")
        case _:
            status, heading = 503, message("problem.games_away")
    template = "rules-problem.html" if isinstance(error, FarkleError | RefusedError) else "games-problem.html"
    return pages.render_problem(request, heading, _said(error), status, template)


def another_port(port: int) -> int:
    """Return a port to try in place of one that cannot be used: the next one that needs no rights."""
    return port + 1 if FREE_PORTS <= port + 1 <= MOST_PORT else LIKELY_PORT


def bind(host: str, port: int, option: str = "--port") -> socket.socket:
    """Return a socket bound to an address of the page; it does not listen yet.

    Args:
        host: the address.
        port: the port.
        option: the option that takes another port, behind those that it needs.

    Raises:
        PortInUseError: if the address is taken or cannot be used.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Only where TCP is named, asyncio sends small packets at once (TCP_NODELAY); else an answer waits for 40 ms.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except (OSError, ValueError, TypeError) as error:  # TypeError: a NUL; ValueError: a label that no name may have
        bound.close()
        reason = getattr(error, "strerror", None) or str(error)
        if getattr(error, "errno", None) in PORT_TROUBLE:
            reason += f"; {option.split()[-1]} takes another one: {played_with(f'{option} {another_port(port)}')}"
        raise PortInUseError(f"expected a free address for the page, got {host}:{port}: {reason}") from error
    return bound


def open_page(
    config: Config,
    bound: socket.socket,
    secure: SecurePort | None,
    place: Announcer,
    host: Host,
    pictures: Pictures,
    pairing: Pairing,
    hands: TrayHands,
    games: GameRepository,
    reviews: Reviewer,
    folder: RulesFolder,
    calibration: CalibrationSession | None,
    camera_phone: CameraPhone | None,
    set_up: SetUp | None,
    layout: Layout,
    wall: Callable[[], float],
    coach: Coach,
) -> "WebServer":
    """Return the server of a table's page.

    Args:
        config: the configuration.
        bound: the socket of the page's address.
        secure: the page's second port, None without TLS.
        place: what knows the page's address in the network.
        host: the table.
        pictures: the eye's pictures.
        pairing: the phones that may play.
        hands: the hands at the tray.
        games: the games that the journal keeps.
        reviews: the reviews of games that have ended.
        folder: the rule sets that the house saves.
        calibration: the calibration session, None without a camera that can be calibrated.
        camera_phone: the phone that is the camera; None for a camera of another kind.
        set_up: the set-up of the table; None if its page may change nothing.
        layout: the layout of the LEDs.
        wall: wall-clock seconds since 1970.
        coach: tells the odds of the moment.
    """
    table = WebTable(
        submit=host.submit,
        feed=host.feed,
        pictures=pictures,
        pairing=pairing,
        notation=host.notation,
        rules=lambda: rules_shown(host.state),
        own_rules=lambda: host.state.own_rules,
        folder=folder,
        simulated_hands=hands if hands.simulated else None,
        calibration=calibration,
        camera=camera_phone,
        set_up=set_up,
        games=games,
        reviews=reviews,
        hosts=config.web.hosts,
        host=config.web.host,
        address=lambda: place.address,
        secure_address=lambda: secure.address if secure is not None else "",
        authority=lambda: secure.authority if secure is not None else None,
        names=lambda: place.names,
        board=layout if config.leds.layout else None,
        tracks=host.state.tracks,
        hold_s=config.buttons.hold_s,
        wall=wall,
        coach=coach,
    )
    return WebServer(make_app(table, all_catalogues()), bound, report=host.submit, secure=secure)


class WebServer(guard.Worker):
    """Serves the application in a thread of its own, on a socket that is already bound, and with TLS on a second one.

    A server that ends by itself is replaced after a wait.
    """

    def __init__(
        self,
        app: FastAPI,
        bound: socket.socket,
        head_s: float = HEAD_S,
        report: Callable[[Fault], object] = bool,
        secure: SecurePort | None = None,
    ) -> None:
        super().__init__("web", guard.Guard("page", message("fault.page"), report))
        self._app = app
        self._bound = bound
        self._secure = secure
        self._head_s = head_s
        self.server: uvicorn.Server | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready = threading.Event()

    def start(self, timeout_s: float = 10.0) -> None:
        """Listen and serve; return when the page can be requested, or after `timeout_s`."""
        super().start()
        self._ready.wait(timeout_s)

    def stop(self) -> None:
        """End every stream and the server, within about a second."""
        self._ending.set()
        streams = getattr(self._app.state, "streams", None)
        if streams is not None and self._loop is not None and self._loop.is_running():
            streams.end()
        if self.server is not None:
            self.server.should_exit = True
        self._end(STOP_S + 0.5)
        self._bound.close()

    def _work(self) -> float:
        config = uvicorn.Config(
            self._app,
            http=protocol_factory(self._head_s, self._secure and self._secure.tls),  # type: ignore[arg-type]
            log_config=None,  # uvicorn's loggers go through the log of the program
            log_level="warning",
            access_log=False,
            server_header=False,
            lifespan="on",
            timeout_keep_alive=15,
            timeout_graceful_shutdown=1,
            limit_concurrency=256,
            backlog=BACKLOG,
        )
        self.server = uvicorn.Server(config)
        try:
            asyncio.run(self._serve(self.server))
        except SystemExit as error:  # uvicorn's way to say that it cannot start
            raise CompanionError("its server could not start") from error
        if not self._ending.is_set():
            raise CompanionError("its server ended")
        return 0.0

    async def _serve(self, server: uvicorn.Server) -> None:
        self._loop = asyncio.get_running_loop()
        # The server closes its sockets at its end, and the next one needs them, too.
        bound = [self._bound, *([self._secure.bound] if self._secure is not None else [])]
        serving = asyncio.ensure_future(server.serve(sockets=[each.dup() for each in bound]))
        while not server.started and not serving.done():
            server.should_exit = server.should_exit or self._ending.is_set()
            await asyncio.sleep(0.005)
        if server.started:
            self._guard.works()
        self._ready.set()
        await serving
