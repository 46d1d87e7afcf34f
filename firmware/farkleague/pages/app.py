"""The application of the league's pages, and the server of it."""

import asyncio
import logging
import resource
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from psycopg import DataError, InterfaceError, OperationalError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Route
from starlette.staticfiles import StaticFiles

from farkleague.pages import organise, public, reviews
from farkleague.pages.database import Reading
from farkleague.pages.live import Live
from farkleague.pages.rendering import FOLDER, page
from farkleague.pages.reviews import Reviewer

HEADERS = [
    ("content-security-policy", "default-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'self'"),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "same-origin"),  # without a referrer browsers name no origin of a form
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
]

STOP_S = 2
"""Seconds that the server waits for its answers at its end."""

BACKLOG = 2048

_log = logging.getLogger("farkleague")

PROBLEMS = {
    401: ("This is the organiser's page", "It needs the password of the league."),
    403: ("This cannot be done", "The form is not of this page."),
    404: ("There is no such page", "The address is wrong, or the game was deleted on its board."),
    503: ("The league is away for a moment", "Its database does not answer. The boards play on, and nothing is lost."),
}


def _on_error(request: Request, error: Exception) -> Response:
    status, headers = (error.status_code, error.headers) if isinstance(error, HTTPException) else (404, None)
    status = 503 if isinstance(error, OperationalError | InterfaceError) else status
    heading, reason = PROBLEMS.get(status, ("This cannot be done", "The league does not understand the request."))
    answer = page(request, "problem.html", status, heading=heading, reason=reason, again=status == 503)
    answer.headers.update(headers or {})
    return answer


def make_app(database: str, password: str = "") -> FastAPI:
    """Return the application.

    Args:
        database: the PostgreSQL database.
        password: the organiser's password; without one there is no organiser's page.
    """
    reading = Reading(database)
    live = Live(reading)

    @asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        app.state.reviewer = Reviewer(reading)
        following = asyncio.create_task(live.run())
        async with reading:
            yield
            following.cancel()
            app.state.reviewer.close()

    app = FastAPI(openapi_url=None, lifespan=running)
    app.state.reading, app.state.live, app.state.password = reading, live, password
    app.state.guesses = asyncio.Lock()
    app.router.routes += [Route("/live", live), Route("/games/{game:int}/live", live)]
    for module in (public, reviews, organise):
        app.include_router(module.router)
    app.mount("/static", StaticFiles(directory=FOLDER / "static", packages=[("farklestyles", "static")]))
    for wrong in (HTTPException, RequestValidationError, DataError, OperationalError, InterfaceError):
        app.add_exception_handler(wrong, _on_error)
    app.add_middleware(GZipMiddleware, minimum_size=500, compresslevel=6)
    return app


class Server(uvicorn.Server):
    """A server that ends the streams first, because they have no end of their own."""

    def __init__(self, app: FastAPI, host: str, port: int) -> None:
        logs: dict[str, Any] = {"log_config": None, "access_log": False, "server_header": False, "headers": HEADERS}
        limits: dict[str, Any] = {"backlog": BACKLOG, "timeout_graceful_shutdown": STOP_S}
        super().__init__(uvicorn.Config(app, host, port, http="httptools", **logs, **limits))
        self._live: Live = app.state.live

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End everything."""
        self._live.close()
        await super().shutdown(sockets)


def serve(database: str, host: str, port: int, password: str = "") -> None:
    """Serve the pages until a signal ends the program; `OSError` reaches the caller if the address cannot be had."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # each stream is a file
    opened = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    _log.info("the pages are at http://%s:%d/", f"[{host}]" if ":" in host else host, opened.getsockname()[1])
    Server(make_app(database, password), host, port).run([opened])
