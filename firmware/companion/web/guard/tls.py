"""TLS between a connection's socket and HTTP: what uvicorn's protocol takes for its transport.

asyncio's own TLS reports a connection after its handshake. Here the connection exists, and is counted, from its first
byte on; bytes go through Python's `ssl.SSLObject` (docs/decisions/0084).
"""

import asyncio
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

HANDSHAKE = 0x16
"""The first byte of a TLS connection: a record of the handshake (RFC 8446, 5.1)."""

_CHUNK = 64 * 1024


@dataclass(frozen=True)
class TlsPort:
    """The port that speaks TLS, and the context for new connections: None while there is no certificate."""

    port: int
    context: Callable[[], ssl.SSLContext | None]


class TlsTransport(asyncio.Transport):
    """The encrypted side of a connection.

    What is written before the end of the handshake waits for it.
    """

    def __init__(self, below: asyncio.Transport, context: ssl.SSLContext) -> None:
        super().__init__()
        self._below = below
        self._context = context
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=True)
        self._open = False  # the handshake is over
        self._unsent = bytearray()

    def feed(self, data: bytes) -> bytes:
        """Take bytes of the socket, and return the plain ones in them. Bytes that are no TLS end the connection."""
        self._incoming.write(data)
        plain = bytearray()
        try:
            if not self._open:
                self._tls.do_handshake()
                self._open = True
                self.write(bytes(self._unsent))
            while chunk := self._tls.read(_CHUNK):
                plain += chunk
        except ssl.SSLWantReadError:
            self._flush()
        except ssl.SSLError:  # a stranger's garbage, or a browser that refuses the certificate: nothing to log
            self._flush()  # the alert that says so
            self._below.close()
        else:  # the client has ended its side
            self.close()
        return bytes(plain)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send bytes; once the connection is closed, they are lost."""
        if self._below.is_closing():
            return
        if not self._open:
            self._unsent += data
            return
        left = memoryview(data)
        while left:
            left = left[self._tls.write(left) :]
        self._flush()

    def close(self) -> None:
        """End the connection once what was written is sent; the client's own end is not waited for."""
        if self._below.is_closing():
            return
        if self._open:
            with suppress(ssl.SSLError):
                self._tls.unwrap()
            self._flush()
        self._below.close()

    def abort(self) -> None:
        """End the connection at once."""
        self._below.abort()

    def is_closing(self) -> bool:
        """Return whether the connection ends."""
        return self._below.is_closing()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return what is known of the connection; `sslcontext` says that it speaks TLS."""
        return self._context if name == "sslcontext" else self._below.get_extra_info(name, default)

    def pause_reading(self) -> None:
        """Let the socket's bytes wait."""
        self._below.pause_reading()

    def resume_reading(self) -> None:
        """Read the socket again."""
        self._below.resume_reading()

    def get_write_buffer_size(self) -> int:
        """Return how many bytes wait to be sent."""
        return self._below.get_write_buffer_size()

    def _flush(self) -> None:
        if sent := self._outgoing.read():
            self._below.write(sent)
