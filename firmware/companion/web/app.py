"""The web application: routes behind the guard, errors as problems or problem pages, and the server's thread."""

import asyncio
import logging
import socket
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from companion.errors import (
    BusyError,
    CompanionError,
    DataFolderError,
    JournalError,
    NoGameError,
    PortInUseError,
    RaceLostError,
)
from companion.log import OnceAMinute
from companion.web import api, calibration, pages
from companion.web.access import Guard, own_hosts
from companion.web.connections import HEAD_S, RequestReports, protocol_factory
from companion.web.games import api as games_api
from companion.web.games import pages as games_pages
from companion.web.games.turns import Turns
from companion.web.rules import api as rules_api
from companion.web.rules import pages as rules_pages
from companion.web.schema import LOST_RACE, LostRace, problem
from companion.web.table import WebTable, table_of
from dicereader.errors import DiceReaderError
from farkle.errors import FarkleError, UnknownRuleSetError

STOP_S = 1.0
LONGEST_REASON = 600

_once_a_minute = OnceAMinute()
"""Keeps malformed requests from filling the SD card with log lines."""


def make_app(table: WebTable) -> FastAPI:
    """Return the application of one table."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.closing = asyncio.Event()
        yield

    app = FastAPI(
        title="Farkle Crib",
        version="1",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.table = table
    app.state.turns = Turns()
    modules = (api, rules_api, games_api, calibration, pages, rules_pages, games_pages)
    for router in (*(module.router for module in modules), calibration.page):
        app.include_router(router)
    app.mount("/static", StaticFiles(directory=Path(__file__).parent / "static"), name="static")
    app.exception_handler(HTTPException)(on_http_error)
    app.exception_handler(RequestValidationError)(on_bad_body)
    for refused in (CompanionError, FarkleError, DiceReaderError):
        app.add_exception_handler(refused, on_refused)
    app.add_middleware(Guard, hosts=own_hosts(table.host), network_writes=table.writes == "trusted-network")
    app.add_middleware(RequestReports)  # the last one added is the first one called
    return app


async def on_http_error(request: Request, error: HTTPException) -> Response:  # noqa: ARG001 - Starlette's signature
    """Answer an error of the framework or a route (no such page, no such method) with a problem."""
    return problem(error.status_code, str(error.detail), error.headers)


async def on_bad_body(request: Request, error: RequestValidationError) -> Response:  # noqa: ARG001 - FastAPI's
    """Answer a request that does not fit the route's types with one sentence."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:]) or "the body"
    return problem(422, f"{where}: {first['msg']}, got {_shortened(repr(first.get('input')), 80, '...')}")


async def on_refused(request: Request, error: Exception) -> Response:
    """Answer an error of the table, the rules or the journal: with a problem in the API, else with a page."""
    if not request.url.path.startswith("/api/"):
        return _problem_page(request, error)
    match error:
        case RaceLostError() | BusyError():
            lost = LostRace(**vars(table_of(request).feed.latest.view), detail=str(error))
            return Response(LOST_RACE.dump_json(lost), status_code=409, media_type="application/json")
        case JournalError() if request.method == "POST":
            cause = error.__cause__ or error
            return problem(503, f"Not saved, and so not done: {cause}. Make room on the disk, then try again.")
        case JournalError() | DataFolderError():
            return problem(503, str(error))
        case NoGameError() | UnknownRuleSetError():
            return problem(404, str(error))
        case _:
            return problem(422, str(error))


def _problem_page(request: Request, error: Exception) -> Response:
    template, status, heading = "games-problem.html", 503, "The games cannot be read just now"
    match error:
        case UnknownRuleSetError():
            template, status, heading = "rules-problem.html", 404, "There is no such rule set"
        case FarkleError():
            template, status, heading = "rules-problem.html", 422, "It cannot be played like that"
        case NoGameError():
            status, heading = 404, "There is no such game"
    context = {"heading": heading, "reason": _shortened(str(error), LONGEST_REASON, "\N{HORIZONTAL ELLIPSIS}")}
    return pages.render(request, template, context, status)


def _shortened(text: str, most: int, end: str) -> str:
    return text if len(text) <= most else text[: most - len(end)] + end


def bind(host: str, port: int) -> socket.socket:
    """Return a socket bound to the page's address; it does not listen yet.

    Raises:
        PortInUseError: if the address is taken or cannot be used.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except (OSError, ValueError, TypeError) as error:  # TypeError: a NUL; ValueError: a label that no name may have
        bound.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise PortInUseError(f"expected a free address for the page, got {host}:{port}: {reason}") from error
    return bound


class WebServer:
    """Serves the application in a thread of its own, on a socket that is already bound."""

    def __init__(self, app: FastAPI, bound: socket.socket, head_s: float = HEAD_S) -> None:
        self._app = app
        self._bound = bound
        logging.getLogger("uvicorn.error").addFilter(_once_a_minute)
        config = uvicorn.Config(
            app,
            http=protocol_factory(head_s),  # type: ignore[arg-type]
            log_config=None,  # uvicorn's loggers go through the log of the program
            log_level="warning",
            access_log=False,
            server_header=False,
            lifespan="on",
            timeout_keep_alive=15,
            timeout_graceful_shutdown=1,
            limit_concurrency=256,
        )
        self._server = uvicorn.Server(config)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="web", daemon=True)

    @property
    def alive(self) -> bool:
        """Whether the server runs."""
        return self._thread.is_alive()

    def start(self, timeout_s: float = 10.0) -> None:
        """Listen and serve; return when the page can be requested, or after `timeout_s`."""
        self._thread.start()
        self._ready.wait(timeout_s)

    def stop(self) -> None:
        """End every stream and the server, within about a second."""
        if self._loop is not None and self._loop.is_running():
            self._loop.call_soon_threadsafe(self._app.state.closing.set)
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(STOP_S + 0.5)
        self._bound.close()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        serving = asyncio.ensure_future(self._server.serve(sockets=[self._bound]))
        while not self._server.started and not serving.done():
            await asyncio.sleep(0.005)
        self._ready.set()
        await serving
