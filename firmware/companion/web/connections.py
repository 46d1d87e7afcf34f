"""Limits below HTTP: how many connections one address may hold, and the deadline for the head of a request.

uvicorn has neither limit: two hundred half-open connections would stay open for ever. Three parts work together. A
`LimitedConnection` stands between the socket and uvicorn's protocol, and ends late heads. `OpenConnections` counts the
connections of a server and chooses the one that makes room for another. `RequestReports`, ASGI middleware, tells the
connection when uvicorn has received a whole head, and whether the answer is a stream.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.log import OnceAMinute, logger_of
from companion.web.access import is_loopback

HEAD_S = 10.0
"""Seconds from the first byte of a request, or from connecting, to the end of its headers."""

MOST_OF_AN_ADDRESS = 24
MOST = 128
"""Open connections that one address may hold, and all addresses together.

If all are held, the oldest stream of the address with the most connections ends for an address that holds fewer, and
for this machine in any case.
"""

_log = logger_of("connections")
_log.addFilter(OnceAMinute())
_CONNECTION = "connection"
_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nretry-after: 5\r\nconnection: close\r\n"
    b"x-content-type-options: nosniff\r\n\r\n"
)


class OpenConnections:
    """The open connections of one server by address, the oldest of each address first."""

    def __init__(self) -> None:
        self._of: dict[str, list[LimitedConnection]] = {}

    def admit(self, address: str, connection: "LimitedConnection") -> bool:
        """Add a connection, and end another one for it if all are held; return False if it must be refused."""
        held, total = len(self._of.get(address, ())), sum(map(len, self._of.values()))
        if held >= MOST_OF_AN_ADDRESS or (total >= MOST and not self._make_room(address, held)):
            _log.warning("refused a connection from %s: it holds %d of %d", address, held, total)
            return False
        self._of.setdefault(address, []).append(connection)
        return True

    def remove(self, address: str, connection: "LimitedConnection") -> None:
        """Stop counting a connection; one that was ended for another is not counted any more."""
        mine = self._of.get(address, [])
        if connection in mine:
            mine.remove(connection)
        if not mine:
            self._of.pop(address, None)

    def _make_room(self, address: str, held: int) -> bool:
        """End a connection of the address that holds the most, unless the new one's address would then hold as many."""
        greed = {each: (not is_loopback(each), len(mine)) for each, mine in self._of.items()}
        greediest = max(greed, key=greed.__getitem__)
        if greed[greediest] <= (not is_loopback(address), held + 1):
            return False
        mine = self._of[greediest]
        oldest = next((each for each in mine if each.streaming), mine[0])
        self.remove(greediest, oldest)
        oldest.end()
        _log.warning("ended a connection of %s for another address: all %d were held", greediest, MOST)
        return True


class LimitedConnection(asyncio.Protocol):
    """One connection: counted, ended when a head is late, and otherwise passed on to uvicorn's protocol.

    It wraps uvicorn's protocol and inherits nothing from it, so it depends only on how uvicorn makes one.
    """

    def __init__(self, all_open: OpenConnections, head_s: float, app_state: dict[str, Any], **given: Any) -> None:
        """Make the wrapped protocol; its requests find this connection in the ASGI state.

        Args:
            all_open: the open connections of the server.
            head_s: the deadline for a head, in seconds.
            app_state: the state that uvicorn copies into the scope of each request.
            given: the other arguments of uvicorn's protocol.
        """
        self._all_open = all_open
        self._head_s = head_s
        self._http = H11Protocol(app_state={**app_state, _CONNECTION: self}, **given)
        self._loop = asyncio.get_running_loop()
        self._address: str | None = None  # of a connection that was accepted
        self._transport: asyncio.Transport | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._requests = 0
        self.streaming = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, or refuse it."""
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if peer else ""
        if not self._all_open.admit(address, self):
            transport.write(_FULL)
            transport.close()
            return
        self._address, self._transport = address, transport
        self._http.connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        self._stop_waiting()
        if self._address is None:
            return
        self._all_open.remove(self._address, self)
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

    def stream_began(self) -> None:
        """Note that the answer is a stream of events, which has no end of its own."""
        self.streaming = True

    def request_ended(self) -> None:
        """Note that a request was answered."""
        self._requests -= 1
        self.streaming = False

    def end(self) -> None:
        """End the connection at once, even with data that was not sent yet: the client may not read it."""
        if self._transport is not None:
            self._transport.abort()

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
            if message["type"] == "http.response.start":
                headers = [*message.get("headers", ())]
                if any(name == b"content-type" and value.startswith(b"text/event-stream") for name, value in headers):
                    connection.stream_began()
                if unread:
                    message = {**message, "headers": [*headers, (b"connection", b"close")]}
            await send(message)

        connection.request_began()
        try:
            await self._app(scope, receiving, sending)
        finally:
            connection.request_ended()


def protocol_factory(head_s: float = HEAD_S) -> Callable[..., asyncio.Protocol]:
    """Return the protocol of one server, for uvicorn's `http`; its connections share one count."""
    return partial(LimitedConnection, OpenConnections(), head_s)
