"""Limits below HTTP: how many connections one address may hold, and the deadline for the head of a request.

uvicorn has neither limit: two hundred half-open connections would stay open for ever. Three parts work together. A
`LimitedConnection` stands between the socket and uvicorn's protocol, and ends late heads. `OpenConnections` counts the
connections of a server, on both of its ports, chooses the one that makes room for another, and keeps newcomers waiting
for a moment. `RequestReports`, ASGI middleware, tells the connection when uvicorn has received a whole head, when the
answer is sent, and whether it is a stream.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.config import is_loopback
from companion.log import OnceAMinute, logger_of
from companion.web.guard.tls import HANDSHAKE, SecurePort, TlsTransport

HEAD_S = 10.0
"""Seconds from the first byte of a request, or from connecting, to the end of its headers; a TLS handshake included."""

MOST_OF_AN_ADDRESS = 24
MOST = 128
"""Open connections that one address may hold, and all addresses together.

If all are held, an idle connection ends for the new one: of the same address, or of the one with the most. Without an
idle one, the oldest stream of the address with the most connections ends for an address that holds fewer, and for this
machine in any case.
"""

SILENT_S = 2.0
"""Seconds after which a new connection without a byte counts as idle: browsers open some in advance."""

WAIT_S = 2.0
"""Seconds that a new connection waits for a place: a browser opens six at once, and most are soon idle."""

LINGER_S = 0.5
"""Seconds for which a connection that waited in vain is still read."""

MOST_WAITING = 128
"""The most connections that wait, unread; others are refused at once."""

_log = logger_of("connections")
_log.addFilter(OnceAMinute())
CONNECTION = "connection"
"""The key of a request's connection in the ASGI state."""

_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\n"
    b"retry-after: 5\r\nrefresh: 5\r\nconnection: close\r\nx-content-type-options: nosniff\r\n\r\n%b"
)
"""The answer to a refused connection. A browser that wanted to show a page asks again by itself (`refresh`)."""


class OpenConnections:
    """The open connections of one server by address, the oldest of each address first.

    Args:
        full: The text for a connection that finds no place.
    """

    def __init__(self, full: str = "") -> None:
        self._full = full.encode()
        self._of: dict[str, list[LimitedConnection]] = {}
        self._waiting: dict[LimitedConnection, str] = {}  # in the order in which they came, with their addresses

    def admit(self, address: str, connection: "LimitedConnection") -> bool:
        """Add a connection, and end another one for it if all are held; return False if there is no place for it."""
        held, total = len(self._of.get(address, ())), sum(map(len, self._of.values()))
        if held >= MOST_OF_AN_ADDRESS:
            if not self._end_idle({address: self._of[address]}):
                return False
        elif total >= MOST:
            strangers = {each: mine for each, mine in self._of.items() if not is_loopback(each)}
            if not self._end_idle(strangers) and not self._make_room(address, held):
                return False
        self._of.setdefault(address, []).append(connection)
        return True

    def refuse(self, address: str) -> bytes:
        """Return the answer to a connection that found no place, and log it."""
        held, total = len(self._of.get(address, ())), sum(map(len, self._of.values()))
        _log.warning("refused a connection from %s: it holds %d of %d", address, held, total)
        return _FULL % (len(self._full), self._full)

    def wait(self, address: str, connection: "LimitedConnection") -> bool:
        """Let a connection wait for a place, which it gets by its `begin`; return False if too many wait."""
        if len(self._waiting) >= MOST_WAITING:
            return False
        self._waiting[connection] = address
        return True

    def leave(self, connection: "LimitedConnection") -> bool:
        """Let a connection wait no longer; return whether it did."""
        return self._waiting.pop(connection, None) is not None

    def place_freed(self) -> None:
        """Give a place to those who wait, because a connection has ended or become idle."""
        for connection, address in list(self._waiting.items()):
            if self.admit(address, connection):
                self.leave(connection)
                connection.begin()

    def remove(self, address: str, connection: "LimitedConnection") -> None:
        """Stop counting a connection; one that was ended for another is not counted any more."""
        mine = self._of.get(address, [])
        if connection in mine:
            mine.remove(connection)
        if not mine:
            self._of.pop(address, None)

    def end_gone(self, may_play: Callable[[str], bool]) -> None:
        """End the connections of phones that may not play any more."""
        for connection in [each for mine in self._of.values() for each in mine]:
            if connection.phone and not may_play(connection.phone):
                connection.dismiss()

    def _end_idle(self, among: "dict[str, list[LimitedConnection]]") -> bool:
        """End the oldest idle connection of the address that holds the most; return whether there was one."""
        for address, mine in sorted(among.items(), key=lambda each: -len(each[1])):
            if (idle := next((each for each in mine if each.idle), None)) is not None:
                self.remove(address, idle)
                idle.close()
                return True
        return False

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

    def __init__(
        self, all_open: OpenConnections, head_s: float, tls: SecurePort | None, app_state: dict[str, Any], **given: Any
    ) -> None:
        """Make the wrapped protocol; its requests find this connection in the ASGI state.

        Args:
            all_open: the open connections of the server.
            head_s: the deadline for a head, in seconds.
            tls: the port on which connections speak TLS, if there is one.
            app_state: the state that uvicorn copies into the scope of each request.
            given: the other arguments of uvicorn's protocol.
        """
        self._all_open = all_open
        self._head_s = head_s
        self._http = H11Protocol(app_state={**app_state, CONNECTION: self}, **given)
        self._loop = asyncio.get_running_loop()
        self._address = ""
        self._tls = tls
        self._transport: asyncio.Transport | None = None  # the socket's
        self._channel: asyncio.Transport | None = None  # the one of HTTP, from the first byte on where TLS is spoken
        self._deadline: asyncio.TimerHandle | None = None
        self._requests = 0
        self._served = False  # it has a place
        self._silent_since_s: float | None = None  # None while a request is under way
        self._answered = False
        self._refusal: asyncio.TimerHandle | None = None
        self._last_answer = False
        self.streaming = False
        self.phone = ""
        """The id of the phone that has sent the newest request; empty for any other client."""
        self.unread = False
        """Whether the body of a request is still to come."""
        self.misdirected = False
        """Whether the client speaks plain HTTP to the port of TLS."""

    @property
    def idle(self) -> bool:
        """Whether nobody would miss the connection: it was answered, or has been open for a while without a byte."""
        if self._silent_since_s is None:
            return False
        return self._answered or self._loop.time() - self._silent_since_s > SILENT_S

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, let it wait for a place, or refuse it."""
        peer, own = transport.get_extra_info("peername"), transport.get_extra_info("sockname")
        self._address, self._transport = str(peer[0]) if peer else "", transport
        if self._tls is not None and own[1] != self._tls.port:
            self._tls = None
        if self._all_open.admit(self._address, self):
            self.begin()
        elif self._all_open.wait(self._address, self):
            # Not at once: Debian 12's Python (3.11.2) reads a socket after this call, even one that was paused in it.
            self._loop.call_soon(self._pause)
            self._refusal = self._loop.call_later(WAIT_S, self._refuse)
        else:
            self._refuse()

    def _pause(self) -> None:
        if self._transport is not None and not self._served:
            self._transport.pause_reading()

    def begin(self) -> None:
        """Serve the connection, which has got a place."""
        if self._transport is None:  # it has ended meanwhile
            return
        if self._refusal is not None:
            self._refusal.cancel()
            self._transport.resume_reading()
        self._served = True
        self._silent_since_s = self._loop.time()
        if self._tls is None:
            self._open(self._transport)
        self._await_head()

    def _open(self, channel: asyncio.Transport) -> None:
        self._channel = channel
        self._http.connection_made(channel)

    def _refuse(self) -> None:
        if self._transport is None:
            return
        channel = self._transport
        if self._tls is not None and (context := self._tls.context) is not None:
            channel = self._channel = TlsTransport(self._transport, context)
        channel.write(self._all_open.refuse(self._address))
        if not self._all_open.leave(self):
            channel.close()
            return
        # The request of a connection that waited is read first: closing before would reset it, and lose the answer.
        self._transport.resume_reading()
        self._loop.call_later(LINGER_S, channel.close)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        self._stop_waiting()
        self._transport = None
        self._all_open.leave(self)
        if self._refusal is not None:
            self._refusal.cancel()
        if self._served:
            self._all_open.remove(self._address, self)
            if self._channel is not None:
                self._http.connection_lost(exc)
            self._all_open.place_freed()

    def data_received(self, data: bytes) -> None:
        """Pass bytes on; between requests the first byte starts the deadline of the next head."""
        plain = data if self._tls is None else self._decrypted(data, self._tls)
        if not (self._served and plain):
            return
        if not self._requests:
            self._silent_since_s = None
            self._await_head()
        self._http.data_received(plain)

    def _decrypted(self, data: bytes, tls: SecurePort) -> bytes:
        """Return the bytes of HTTP in bytes of the socket; the first one says whether the client speaks TLS."""
        if self._channel is None and self._served and self._transport is not None:
            context = tls.context
            if data[0] != HANDSHAKE:
                self.misdirected = True
                self._open(self._transport)
            elif context is None:
                self._transport.abort()
            else:
                self._open(TlsTransport(self._transport, context))
        if isinstance(self._channel, TlsTransport):
            return self._channel.feed(data)
        return data if self.misdirected else b""

    def eof_received(self) -> None:
        """Pass the end of the input on."""
        if self._served and self._channel is not None:
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
        self._silent_since_s = None
        self._requests += 1

    def stream_began(self) -> None:
        """Note that the answer is a stream of events, which has no end of its own."""
        self.streaming = True

    def request_ended(self) -> None:
        """Note that a request was answered."""
        self._requests -= 1
        self.streaming = False
        if not self._requests:
            self._silent_since_s, self._answered = self._loop.time(), True
            if self._last_answer:
                self.close()
            self._all_open.place_freed()

    def close(self) -> None:
        """End the connection once what was answered is sent."""
        if self._transport is not None:
            (self._channel or self._transport).close()

    def end(self) -> None:
        """End the connection at once, even with data that was not sent yet: the client may not read it."""
        if self._transport is not None:
            self._transport.abort()

    def dismiss(self) -> None:
        """End the connection: after the answer that is being made, or at once if there is none with an end."""
        if self._requests and not (self.unread or self.streaming):
            self._last_answer = True
        else:
            self.end()

    def _await_head(self) -> None:
        if self._deadline is None and self._transport is not None:
            self._deadline = self._loop.call_later(self._head_s, self._transport.abort)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
