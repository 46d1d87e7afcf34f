"""The web application: routes behind the guard, errors as problems, and a server that starts and ends when told."""

import asyncio
import logging
import socket
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from companion.errors import PortInUseError
from companion.log import OnceAMinute
from companion.web import api, calibration, pages
from companion.web.access import Guard, own_hosts
from companion.web.connections import HEAD_S, Heads, watched
from companion.web.games import api as games_api
from companion.web.games import pages as games_pages
from companion.web.ports import WebTable
from companion.web.problems import on_bad_body, on_http_error
from companion.web.rules import api as rules_api
from companion.web.rules import pages as rules_pages

STOP_S = 1.0

_once_a_minute = OnceAMinute()
"""Keeps requests that cannot be read from filling the card with lines."""


def make_app(table: WebTable) -> FastAPI:
    """The application of one table."""

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
    app.include_router(api.router)
    app.include_router(rules_api.router)
    app.include_router(games_api.router)
    app.include_router(calibration.router)
    app.include_router(calibration.page)
    app.include_router(pages.router)
    app.include_router(rules_pages.router)
    app.include_router(games_pages.router)
    app.mount("/static", StaticFiles(directory=Path(__file__).parent / "static"), name="static")
    app.add_exception_handler(HTTPException, on_http_error)
    app.add_exception_handler(RequestValidationError, on_bad_body)
    app.add_middleware(Guard, hosts=own_hosts(table.host), network_writes=table.writes == "trusted-network")
    app.add_middleware(Heads)  # the last one added is the first one called
    return app


def bind(host: str, port: int) -> socket.socket:
    """Take the page's address before anything else is started. Raises `PortInUseError`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    taken = socket.socket(family, socket.SOCK_STREAM)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((host, port))
    except OSError as error:
        taken.close()
        reason = error.strerror or str(error)
        raise PortInUseError(f"expected a free address for the page, got {host}:{port}: {reason}") from error
    return taken


class WebServer:
    """Serves the application on a thread of its own. The socket is bound already; it listens when `start` is called."""

    def __init__(self, app: FastAPI, bound: socket.socket, head_s: float = HEAD_S) -> None:
        self._app = app
        self._bound = bound
        logging.getLogger("uvicorn.error").addFilter(_once_a_minute)
        config = uvicorn.Config(
            app,
            http=watched(head_s),  # type: ignore[arg-type]
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
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)

    @property
    def alive(self) -> bool:
        """Whether the server runs."""
        return self._thread.is_alive()

    def start(self, timeout_s: float = 10.0) -> None:
        """Serve from now on; returns when the page can be asked for."""
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

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        serving = asyncio.ensure_future(self._server.serve(sockets=[self._bound]))
        while not self._server.started and not serving.done():
            await asyncio.sleep(0.005)
        self._ready.set()
        await serving
