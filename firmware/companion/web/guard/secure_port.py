"""The page's second port, which speaks TLS: its socket, and a certificate that follows the table's names."""

import os
import socket
import ssl
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from companion.config import Config
from companion.errors import CompanionError
from companion.pairing.certificate_files import CertificateSource, OwnCertificate, TableCertificate
from companion.pairing.certificates import Authority, SubjectNames
from companion.runtime.guard import Guard, Worker
from companion.table.state.inputs import Fault
from companion.web.address import own_addresses
from companion.web.announcer import LOOK_S, Announcer
from companion.web.guard.access import own_hosts
from companion.web.guard.tls import TlsPort
from companion.words import message


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
        self.tls = TlsPort(bound.getsockname()[1], lambda: self._context)
        self._source, self._place, self._hosts = source, place, hosts
        self._context: ssl.SSLContext | None = None
        with suppress(CompanionError, OSError):  # the thread reports it
            self.look()

    @property
    def address(self) -> str:
        """The port's address as a phone writes it; empty while there is no certificate."""
        if self._context is None:
            return ""
        return self._place.secure_address(self.tls.port, self._source.name(SubjectNames.of(self._hosts())))

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
        self._context = made or self._context
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
