"""The server of the page: its port, and the thread that serves the application on it."""

import asyncio
import errno
import socket
import threading
from collections.abc import Callable
from functools import partial

import uvicorn
from fastapi import FastAPI

from companion.errors import CompanionError, PortInUseError
from companion.nothing import nothing
from companion.runtime import guard
from companion.table.state.inputs import Fault
from companion.web.address import played_with
from companion.web.guard.connections import HEAD_S, LimitedConnection, OpenConnections
from companion.web.guard.tls import SecurePort
from companion.words import message

STOP_S = 1.0

PORT_TROUBLE = {errno.EADDRINUSE, errno.EACCES}
"""Errors that another port avoids: it is taken, or only root may take it."""

FREE_PORTS, LIKELY_PORT, MOST_PORT = 1024, 8081, 65535

BACKLOG = 128
"""The most connections that wait for the server; without free descriptors asyncio logs this many errors a second."""


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


class WebServer(guard.Worker):
    """Serves the application in a thread of its own, on a socket that is already bound, and with TLS on a second one.

    A server that ends by itself is replaced after a wait.
    """

    closing_s = STOP_S + 0.5

    def __init__(
        self,
        app: FastAPI,
        bound: socket.socket,
        head_s: float = HEAD_S,
        report: Callable[[Fault], object] = nothing,
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
        self._end()
        self._bound.close()

    def _work(self) -> float:
        self._app.state.connections = connections = OpenConnections(self._app.state.languages.own("access.full"))
        config = uvicorn.Config(
            self._app,
            http=partial(LimitedConnection, connections, self._head_s, self._secure),  # type: ignore[arg-type]
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
