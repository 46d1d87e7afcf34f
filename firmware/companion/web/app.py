"""The web application: its routes behind the guard, and the table that they serve, or the reason why there is none."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from companion.config import WebConfig
from companion.errors import CompanionError, DataFolderError
from companion.nothing import nothing
from companion.web import api, assets, pages, phones
from companion.web.address import own_hosts
from companion.web.documentation import DocumentedApp
from companion.web.error_answers import on_bad_body, on_http_error, on_refused
from companion.web.feature import types_of
from companion.web.games import api as games_api
from companion.web.games import pages as games_pages
from companion.web.games import standing
from companion.web.guard.access import RequestGuard
from companion.web.guard.clients import all_catalogues
from companion.web.request_reports import RequestReports
from companion.web.rules import api as rules_api
from companion.web.rules import pages as rules_pages
from companion.web.schema import problem
from companion.web.streams import Streams
from companion.web.table import Turns, WebTable
from companion.words import Catalogue, english
from dicereader.errors import DiceReaderError
from farkle.errors import FarkleError


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
        pairing.changed = nothing
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
    app.own_types = types_of(table.features)
    app.state.languages = languages
    app.state.turns = Turns()
    core = (api, phones, rules_api, games_api, standing, pages, rules_pages, games_pages)
    for module in core:
        app.include_router(module.router)
    for feature in table.features:
        for router in feature.routers:
            app.include_router(router)
        if feature.folder is not None:
            pages.add_templates(feature.folder / "templates")
            assets.add_folder(feature.folder / "static")
    app.add_route(f"{assets.PREFIX}{{path:path}}", assets.serve, include_in_schema=False)
    app.exception_handler(HTTPException)(on_http_error)
    app.exception_handler(RequestValidationError)(on_bad_body)
    for refused in (CompanionError, FarkleError, DiceReaderError):
        app.add_exception_handler(refused, on_refused)
    app.add_middleware(GZipMiddleware, minimum_size=assets.LEAST_BYTES, compresslevel=assets.LEVEL)
    app.add_middleware(
        RequestGuard,
        hosts=lambda: own_hosts(table.config.host, (*table.config.hosts, *table.names())),
        own=lambda: own_hosts(table.config.host, table.names()),
        holder=lambda token: app.state.table.pairing.phones.use(token),
        sets_up=lambda phone: app.state.table.pairing.may_set_up(phone.id),
        secure=lambda: bool(app.state.table.secure_address()),
        is_camera=lambda client: (camera := app.state.table.camera) is not None and camera.is_camera(client.id),
    )
    app.add_middleware(RequestReports)  # the last one added is the first one called
    return app


def make_trouble_app(config: WebConfig, reason: str, attempt: Callable[[], object]) -> FastAPI:
    """Return an application that answers every request with the reason.

    Args:
        config: the address that it is bound to, and its names.
        reason: what is wrong, in one line.
        attempt: opens the data folder, when somebody asks to try again; raises `DataFolderError` if it cannot be used.
    """
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    app.state.reason = reason
    app.state.languages = all_catalogues()
    app.add_route(f"{assets.PREFIX}{{path:path}}", assets.serve, include_in_schema=False)

    @app.get("/again", response_class=HTMLResponse)
    def again(request: Request) -> Response:
        try:
            attempt()
        except DataFolderError as error:
            app.state.reason = str(error)
            return pages.render(request, "trouble.html", {"reason": app.state.reason}, 503)
        return pages.render(request, "trouble.html", {"reason": None})

    @app.api_route("/api/{path:path}", methods=["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
    async def refuse() -> JSONResponse:
        return problem(503, app.state.reason)

    @app.get("/{path:path}", response_class=HTMLResponse)
    async def told(request: Request) -> Response:
        return pages.render(request, "trouble.html", {"reason": app.state.reason}, 503)

    app.add_middleware(RequestGuard, hosts=lambda: own_hosts(config.host, config.hosts))
    app.add_middleware(RequestReports)
    return app
