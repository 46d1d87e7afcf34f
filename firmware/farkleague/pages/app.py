"""The application of the league's pages, and the server of it."""

import asyncio
import resource
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from psycopg import DataError, InterfaceError, OperationalError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from farkleague.pages import boards, organise, people, reviews, seasons
from farkleague.pages.database import Reading
from farkleague.pages.live import Live
from farkleague.pages.rendering import FOLDER, problem
from farkleague.pages.reviews import Reviewer

HEADERS = [
    (b"content-security-policy", b"default-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'self'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]

STOP_S = 2
"""Seconds that the server waits for its answers at its end."""

BACKLOG = 2048

PROBLEMS = {
    401: ("This is the organiser's page", "It needs the password of the league."),
    403: ("This cannot be done", "The form is not of this page."),
    404: ("There is no such page", "The address is wrong, or the game was deleted on its board."),
}


class SafeHeaders:
    """ASGI middleware that adds the headers that keep a browser from doing harm."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *HEADERS]
            await send(message)

        await self._app(scope, receive, sending if scope["type"] == "http" else send)


def _on_away(request: Request, _: Exception) -> Response:
    reason = "The league's database does not answer. The boards play on, and nothing is lost."
    return problem(request, "The league is away for a moment", reason, 503)


def _on_problem(request: Request, error: Exception) -> Response:
    status, headers = (error.status_code, error.headers) if isinstance(error, HTTPException) else (404, None)
    heading, reason = PROBLEMS.get(status, ("This cannot be done", "The league does not understand the request."))
    answer = problem(request, heading, reason, status)
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
        async with reading.opened():
            yield
            following.cancel()
            app.state.reviewer.close()

    app = FastAPI(openapi_url=None, lifespan=running)
    app.state.reading, app.state.live, app.state.password = reading, live, password
    app.router.routes += [Route("/live", live), Route("/games/{game:int}/live", live)]
    for module in (boards, reviews, seasons, people, organise):
        app.include_router(module.router)
    app.mount("/static", StaticFiles(directory=FOLDER / "static", packages=[("farklestyles", "static")]))
    for away in (OperationalError, InterfaceError):
        app.add_exception_handler(away, _on_away)
    for wrong in (HTTPException, RequestValidationError, DataError):
        app.add_exception_handler(wrong, _on_problem)
    app.add_middleware(GZipMiddleware, minimum_size=500, compresslevel=6)
    app.add_middleware(SafeHeaders)
    return app


class Server(uvicorn.Server):
    """A server that ends the streams first, because they have no end of their own."""

    def __init__(self, app: FastAPI, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End everything."""
        self._app.state.live.close()
        await super().shutdown(sockets)


def serve(database: str, host: str, port: int, password: str = "") -> None:
    """Serve the pages until a signal ends the program."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # each stream is a file
    app = make_app(database, password)
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        http="httptools",
        log_config=None,
        access_log=False,
        server_header=False,
        backlog=BACKLOG,
        timeout_graceful_shutdown=STOP_S,
    )
    Server(app, config).run()
