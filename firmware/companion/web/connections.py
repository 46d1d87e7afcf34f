"""The connections below HTTP: how many an address may hold, and how long a request's head may take.

uvicorn has neither limit: two hundred half-open connections stay for ever. This protocol closes what does not become a
whole request in time, and refuses what is too many before a byte of it is read.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import get_remote_addr

HEAD_S = 10.0
"""A request's line and headers must be here within so many seconds of its beginning."""

MOST_OF_AN_ADDRESS = 24
MOST = 128

_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nretry-after: 5\r\nconnection: close\r\n"
    b"x-content-type-options: nosniff\r\n\r\n"
)


class Watched(H11Protocol):
    """One connection of one server; a server has a class of its own, made by `watched`, which counts them."""

    held: ClassVar[Counter[str]]
    head_s: ClassVar[float] = HEAD_S

    def __init__(self, *given: Any, **named: Any) -> None:
        """As uvicorn makes it."""
        super().__init__(*given, **named)
        self._late: asyncio.TimerHandle | None = None
        self._address: str | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, or refuse it."""
        remote = get_remote_addr(transport)
        address = remote[0] if remote else ""
        if self.held[address] >= MOST_OF_AN_ADDRESS or self.held.total() >= MOST:
            self.transport = transport
            transport.write(_FULL)
            transport.close()
            return
        self._address = address
        self.held[address] += 1
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no more."""
        self._head_is_here()
        if self._address is None:
            return
        self.held[self._address] -= 1
        if not self.held[self._address]:
            del self.held[self._address]
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came; the head of a request has a deadline from its first byte on."""
        if self._address is None:
            return
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._head_is_here()
        elif self.conn.trailing_data[0]:
            self._await_head()

    def on_response_complete(self) -> None:
        """An answer went out before the whole request was in: nobody reads the rest, so the connection ends."""
        unread = self.conn.their_state is h11.SEND_BODY
        super().on_response_complete()
        if unread and not self.transport.is_closing():
            self.transport.close()

    def _await_head(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(self.head_s, self._close)

    def _head_is_here(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _close(self) -> None:
        self._late = None
        self.transport.abort()


def watched(head_s: float = HEAD_S) -> Callable[..., asyncio.Protocol]:
    """The protocol of one server, for uvicorn's `http`."""
    return type("WatchedHere", (Watched,), {"held": Counter(), "head_s": head_s})
