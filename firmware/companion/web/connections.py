"""Limits below HTTP: how many connections one address may hold, and the deadline for the head of a request.

uvicorn has neither limit: two hundred half-open connections would stay open for ever. Two parts work together. A
`Connection` stands between the socket and uvicorn's protocol; it counts connections and ends late ones.
`RequestReports`, ASGI middleware, tells the connection when uvicorn has received a whole head.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.log import OnceAMinute, logger_of

HEAD_S = 10.0
"""Seconds from the first byte of a request, or from connecting, to the end of its headers."""

MOST_OF_AN_ADDRESS = 24
MOST = 128
"""Open connections that one address may hold, and all addresses together."""

_log = logger_of("connections")
_log.addFilter(OnceAMinute())
_CONNECTION = "connection"
_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nretry-after: 5\r\nconnection: close\r\n"
    b"x-content-type-options: nosniff\r\n\r\n"
)


class Connection(asyncio.Protocol):
    """One connection: counted, ended when a head is late, and otherwise passed on to uvicorn's protocol.

    It wraps uvicorn's protocol and inherits nothing from it, so it depends on no more than how uvicorn makes one.
    """

    def __init__(self, held: Counter[str], head_s: float, app_state: dict[str, Any], **given: Any) -> None:
        """Make the wrapped protocol; its requests find this connection in the ASGI state.

        Args:
            held: the number of open connections by address, shared by all connections of a server.
            head_s: the deadline for a head, in seconds.
            app_state: the state that uvicorn copies into the scope of each request.
            given: the other arguments of uvicorn's protocol.
        """
        self._held = held
        self._head_s = head_s
        self._http = H11Protocol(app_state={**app_state, _CONNECTION: self}, **given)
        self._loop = asyncio.get_running_loop()
        self._address: str | None = None  # of a connection that was accepted
        self._transport: asyncio.Transport | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._requests = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, or refuse it."""
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if peer else ""
        held, total = self._held[address], self._held.total()
        if held >= MOST_OF_AN_ADDRESS or total >= MOST:
            _log.warning("refused a connection from %s: it holds %d of %d", address, held, total)
            transport.write(_FULL)
            transport.close()
            return
        self._address, self._transport = address, transport
        self._held[address] += 1
        self._http.connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        self._stop_waiting()
        if self._address is None:
            return
        self._held[self._address] -= 1
        if not self._held[self._address]:
            del self._held[self._address]
        self._http.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Pass bytes on; between requests the first byte starts the deadline of the next head."""
        if self._address is None:
            return
        if not self._requests:
            self._await_head()
        self._http.data_received(data)

    def eof_received(self) -> None:
        """Pass the end of the input on."""
        if self._address is not None:
            self._http.eof_received()

    def pause_writing(self) -> None:
        """Pass on that the socket's buffer is full."""
        self._http.pause_writing()

    def resume_writing(self) -> None:
        """Pass on that the socket's buffer has room again."""
        self._http.resume_writing()

    def request_began(self) -> None:
        """Note that the head of a request is here."""
        self._stop_waiting()
        self._requests += 1

    def request_ended(self) -> None:
        """Note that a request was answered."""
        self._requests -= 1

    def _await_head(self) -> None:
        if self._deadline is None and self._transport is not None:
            self._deadline = self._loop.call_later(self._head_s, self._transport.abort)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class RequestReports:
    """ASGI middleware that reports each request to its connection; it stands before all other middleware.

    A response that is sent before the request's body was read says `connection: close`: nobody will read the rest.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Report the request's start, run the application, and report the request's end."""
        connection = scope.get("state", {}).pop(_CONNECTION, None)
        if connection is None:  # the lifespan, and tests that call the application without a socket
            await self._app(scope, receive, send)
            return
        unread = any(
            name == b"transfer-encoding" or (name == b"content-length" and value != b"0")
            for name, value in scope["headers"]
        )

        async def receiving() -> Message:
            nonlocal unread
            message = await receive()
            unread = unread and message.get("more_body", False)
            return message

        async def sending(message: Message) -> None:
            if unread and message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), (b"connection", b"close")]}
            await send(message)

        connection.request_began()
        try:
            await self._app(scope, receiving, sending)
        finally:
            connection.request_ended()


def protocol_factory(head_s: float = HEAD_S) -> Callable[..., asyncio.Protocol]:
    """Return the protocol of one server, for uvicorn's `http`; its connections share one count."""
    return partial(Connection, Counter(), head_s)
