"""TLS between a connection's socket and HTTP, and the page's second port, whose certificate follows the table's names.

asyncio's own TLS reports a connection after its handshake. Here the connection exists, and is counted, from its first
byte on; bytes go through Python's `ssl.SSLObject` (docs/decisions/0084).
"""

import asyncio
import os
import socket
import ssl
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion.config import Config
from companion.errors import CompanionError
from companion.pairing.certificate_files import CertificateSource, OwnCertificate, TableCertificate
from companion.pairing.certificates import Authority, SubjectNames
from companion.runtime.guard import Guard, Worker
from companion.table.state.inputs import Fault
from companion.web.address import own_addresses, own_hosts
from companion.web.announcer import LOOK_S, Announcer
from companion.words import message

HANDSHAKE = 0x16
"""The first byte of a TLS connection: a record of the handshake (RFC 8446, 5.1)."""

_CHUNK = 64 * 1024


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


class SecurePort(Worker):
    """Follows the certificate on a thread of its own; new connections get the newest."""

    def __init__(
        self,
        bound: socket.socket,
        source: CertificateSource,
        place: Announcer,
        hosts: Callable[[], Iterable[str]],
        report: Callable[[Fault], object],
    ) -> None:
        """Look once, so that there is a certificate if there can be one.

        Args:
            bound: The port's socket; it does not listen yet.
            source: What gives the certificate.
            place: What knows the page's place in the network.
            hosts: Returns the table's lasting names, and its addresses.
            report: Gets the faults of the certificate.
        """
        super().__init__("certificate", Guard("certificate", message("fault.certificate"), report))
        self.bound = bound
        self.port: int = bound.getsockname()[1]
        self._source, self._place, self._hosts = source, place, hosts
        self.context: ssl.SSLContext | None = None
        """The context for new connections: None while there is no certificate."""
        with suppress(CompanionError, OSError):  # the thread reports it
            self.look()

    @property
    def address(self) -> str:
        """The port's address as a phone writes it; empty while there is no certificate."""
        if self.context is None:
            return ""
        return self._place.secure_address(self.port, self._source.name(SubjectNames.of(self._hosts())))

    @property
    def authority(self) -> Authority | None:
        """The table's own authority, None with a certificate of the owner's."""
        return self._source.authority

    def look(self) -> None:
        """Follow names, addresses, time and files.

        Raises:
            CompanionError: if there is no certificate that can be shown, or its time is over.
        """
        made = self._source.renew(SubjectNames.of(self._hosts()), SubjectNames.of(self._place.names))
        self.context = made or self.context
        if trouble := self._source.trouble():
            raise CompanionError(trouble)

    def close(self) -> None:
        """End the thread, and close the socket."""
        self._end()
        self.bound.close()

    def _work(self) -> float:
        self.look()
        self._guard.works()
        return LOOK_S


def certificate_source(config: Config, data: Path, wall: Callable[[], float]) -> CertificateSource:
    """Return what gives the page's certificate: the owner's files if the configuration names them, else the table."""
    if config.web.certificate:
        certificate, key = (
            Path(os.path.expanduser(each))  # noqa: PTH111 - never raises
            for each in (config.web.certificate, config.web.key)
        )
        return OwnCertificate(certificate, key, wall)
    return TableCertificate(data, wall)


def open_secure_port(
    config: Config,
    bound: socket.socket | None,
    data: Path,
    place: Announcer,
    report: Callable[[Fault], object],
    wall: Callable[[], float],
) -> SecurePort | None:
    """Return the port that speaks TLS.

    Args:
        config: the configuration.
        bound: the port's socket, None without TLS.
        data: the data folder.
        place: what knows the page's place in the network.
        report: gets the faults of the certificate.
        wall: wall-clock seconds since 1970.
    """
    if bound is None:
        return None
    return SecurePort(
        bound,
        certificate_source(config, data, wall),
        place,
        lambda: (*own_hosts(config.web.host, config.web.hosts), *own_addresses()),
        report,
    )
