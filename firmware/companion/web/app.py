"""The web application: its routes behind the guard, its answers to errors, and the table that they serve, or none.

An error is answered in the API with a problem (RFC 9457), elsewhere with a page that says what is wrong.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from companion import errors
from companion.config import WebConfig
from companion.nothing import nothing
from companion.table.state.text import in_plain_words
from companion.web import api, assets, pages, phones
from companion.web.feature import types_of
from companion.web.games import api as games_api
from companion.web.games import pages as games_pages
from companion.web.guard.access import RequestGuard
from companion.web.guard.clients import words_of
from companion.web.request_reports import RequestReports
from companion.web.rules import api as rules_api
from companion.web.rules import pages as rules_pages
from companion.web.schema import DocumentedApp, problem
from companion.web.table import Streams, WebTable, table_of
from companion.words import Languages, Text, english, message
from companion.words.catalogue import clipped
from dicereader.errors import DiceReaderError
from farkle.errors import FarkleError, UnknownRuleSetError

LONGEST_INPUT = 80
"""The most characters of a wrong input in the text of its error."""


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


async def on_http_error(request: Request, error: HTTPException) -> Response:
    """Answer an error of the framework or a route (no such page, no such method): with a page or with a problem."""
    if error.status_code == 404 and "text/html" in request.headers.get("accept", ""):
        return pages.render_problem(request, message("problem.no_page"), message("problem.no_page_why"), 404)
    return problem(error.status_code, str(error.detail), error.headers)


async def on_bad_body(_: Request, error: RequestValidationError) -> Response:
    """Answer a request that does not fit the route's types with one sentence."""
    first = error.errors()[0]
    where = ".".join(map(str, _place(error.body, first))) or "the body"
    got = clipped(repr(first.get("input")), LONGEST_INPUT)
    return problem(422, f"{where}: {first['msg']}, got {got}")


def _place(body: Any, error: Mapping[str, Any]) -> Iterator[str | int]:
    """Yield the keys that lead to the wrong value of a body, without pydantic's names for the types of a union."""
    for key in error["loc"][1:]:
        inside = isinstance(body, dict) and key in body
        inside = inside or (isinstance(body, list) and isinstance(key, int))
        if inside or error["type"] == "missing" or error["loc"][0] != "body":
            yield key
            body = body[key] if inside else None


async def on_refused(request: Request, error: Exception) -> Response:
    """Answer an error of the table, the rules or the journal: with a problem in the API, else with a page."""
    api, words, said = request.url.path.startswith("/api/"), words_of(request), _said(error)
    match error:
        case errors.RaceLostError() | errors.BusyError() if api:
            view, detail = table_of(request).shown_in(words).json, json.dumps(words.text(said))
            lost = b'%b,"detail":%b}' % (view[:-1], detail.encode())
            return Response(lost, status_code=409, media_type="application/json")
        case errors.NoGameError():
            status, heading = 404, message("problem.no_game")
        case UnknownRuleSetError():
            status, heading = 404, message("problem.no_rules")
        case FarkleError() | errors.RefusedError():
            status, heading = 422, message("problem.cannot_play")
        case errors.JournalError() | errors.DataFolderError() | errors.NotStoredError() | errors.TableEndedError():
            status, heading = 503, message("problem.games_away")
        case _:
            status, heading = 422 if api else 503, message("problem.games_away")
    if not api:
        template = (
            "rules-problem.html" if isinstance(error, FarkleError | errors.RefusedError) else "games-problem.html"
        )
        return pages.render_problem(request, heading, said, status, template)
    if isinstance(error, errors.NoGameError):
        said = message("access.no_game")
    elif isinstance(error, errors.JournalError | errors.DataFolderError) and request.method != "GET":
        said = message("access.not_saved", cause=str(error.__cause__ or error))
    return problem(status, words.text(said))


def _said(error: Exception) -> Text:
    """Return the reason of an error for people; a technical reason is English."""
    match error:
        case FarkleError():
            return in_plain_words(error)
        case DiceReaderError():
            return message("calibrate.cannot_learn", reason=str(error))
        case errors.RaceLostError():
            return message("refused.lost_race")
        case errors.NoGameError():
            return message("problem.no_game_why")
        case errors.ToldError():
            return error.reason
        case _:
            return str(error)


def make_app(table: WebTable, languages: Languages | None = None) -> FastAPI:
    """Return the application of one table, in these languages; English alone without them."""
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
    app.state.languages = languages or Languages(english())
    app.state.turns = {all_games: asyncio.Semaphore(1) for all_games in (False, True)}
    core = (api, phones, rules_api, games_api, pages, rules_pages, games_pages)
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
    for refused in (errors.CompanionError, FarkleError, DiceReaderError):
        app.add_exception_handler(refused, on_refused)
    app.add_middleware(GZipMiddleware, minimum_size=assets.LEAST_BYTES, compresslevel=assets.LEVEL)
    app.add_middleware(RequestGuard)
    app.add_middleware(RequestReports)  # the last one added is the first one called
    return app


def make_trouble_app(config: WebConfig, languages: Languages, reason: str, attempt: Callable[[], object]) -> FastAPI:
    """Return an application that answers every request with the reason.

    Args:
        config: the address that it is bound to, and its names.
        languages: the languages of its pages.
        reason: what is wrong, in one line.
        attempt: opens the data folder, when somebody asks to try again; raises `DataFolderError` if it cannot be used.
    """
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    app.state.config, app.state.reason = config, reason
    app.state.languages = languages
    app.add_route(f"{assets.PREFIX}{{path:path}}", assets.serve, include_in_schema=False)

    @app.get("/again", response_class=HTMLResponse)
    def again(request: Request) -> Response:
        try:
            attempt()
        except errors.DataFolderError as error:
            app.state.reason = str(error)
            return pages.render(request, "trouble.html", {"reason": app.state.reason}, 503)
        return pages.render(request, "trouble.html", {"reason": None})

    @app.api_route("/api/{path:path}", methods=["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
    async def refuse() -> JSONResponse:
        return problem(503, app.state.reason)

    @app.get("/{path:path}", response_class=HTMLResponse)
    async def told(request: Request) -> Response:
        return pages.render(request, "trouble.html", {"reason": app.state.reason}, 503)

    app.add_middleware(RequestGuard)
    app.add_middleware(RequestReports)
    return app
