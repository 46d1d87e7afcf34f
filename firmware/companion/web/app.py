"""The web application: its routes behind the guard, and the table that they serve."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from companion.calibration.session import CalibrationSession
from companion.coach.coach import Coach
from companion.config import Config
from companion.devices.camera_phone import CameraPhone
from companion.errors import (
    CompanionError,
)
from companion.games.repository import GameRepository
from companion.pairing.pairing import Pairing
from companion.reviews.reviewer import Reviewer
from companion.runtime.host import Host
from companion.setup.set_up import SetUp
from companion.simulation.tray_hands import TrayHands
from companion.storage.rules_folder import RulesFolder
from companion.table.lobby.lobby import rules_shown
from companion.web import api, assets, calibration, camera, lobby, odds, pages, phones, tournament
from companion.web.access import RequestGuard, own_hosts
from companion.web.announcer import Announcer
from companion.web.documentation import DocumentedApp
from companion.web.error_answers import on_bad_body, on_http_error, on_refused
from companion.web.games import api as games_api
from companion.web.games import pages as games_pages
from companion.web.games import review, standing
from companion.web.games.turns import Turns
from companion.web.language import all_catalogues
from companion.web.request_reports import RequestReports
from companion.web.rules import api as rules_api
from companion.web.rules import house as house_rules
from companion.web.rules import pages as rules_pages
from companion.web.secure_port import SecurePort
from companion.web.server import WebServer
from companion.web.setup import api as set_up_api
from companion.web.setup import pages as set_up_pages
from companion.web.streams import Streams
from companion.web.table import Pictures, WebTable
from companion.words import Catalogue, english
from dicereader.errors import DiceReaderError
from farkle.errors import FarkleError
from pegboard.layouts import Layout


@asynccontextmanager
async def streaming(app: FastAPI) -> AsyncIterator[None]:
    """Give an application its streams of views while it is served, and end the connections of phones that are gone."""
    app.state.streams = streams = Streams(app.state.table.feed)
    pairing, loop = app.state.table.pairing, asyncio.get_running_loop()

    def phones_changed() -> None:
        with suppress(RuntimeError):  # the server has ended meanwhile
            loop.call_soon_threadsafe(app.state.connections.end_gone, pairing.phones.holds)

    pairing.changed = phones_changed
    try:
        yield
    finally:
        pairing.changed = bool
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
