"""Where the page's certificate comes from: the table's own authority in the data folder, or two files of the owner."""

import os
import ssl
from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from companion.errors import ConfigError
from companion.log import logger_of
from companion.pairing import certificates
from companion.storage.whole_file import replacing
from dicereader.data.files import read_bytes

AUTHORITY, LEAF = "authority.pem", "certificate.pem"
"""Files in the data folder, each a private key and its certificate; only their owner may read them."""

MOST_BYTES = 256 * 1024
"""The most bytes of a file with certificates."""

_log = logger_of("certificate")
_Kind = TypeVar("_Kind", bound=certificates.Signed)


class CertificateSource(ABC):
    """Gives the page's certificate."""

    authority: certificates.Authority | None = None
    """The table's own authority; None before the first certificate, and with a certificate of the owner's."""

    @abstractmethod
    def renew(self, hosts: certificates.SubjectNames, passing: certificates.SubjectNames) -> ssl.SSLContext | None:
        """Return the context for new connections, or None if the certificate is the one of the last call.

        Args:
            hosts: the names that the table has until somebody changes them, and the addresses that it has now.
            passing: names that it has in this network alone.
        """

    def name(self, hosts: certificates.SubjectNames) -> str | None:  # noqa: ARG002 - for those that need it
        """Return the name that browsers must use, or None if any name and address of the table will do."""
        return None

    def trouble(self) -> str:
        """Return why browsers refuse the certificate, or nothing."""
        return ""


class TableCertificate(CertificateSource):
    """A leaf of the table's own authority. Both are made when they are first needed, and kept in the data folder."""

    def __init__(self, folder: Path, wall: Callable[[], float]) -> None:
        """Read and make nothing yet.

        Args:
            folder: the data folder.
            wall: wall-clock seconds since 1970.
        """
        self._folder, self._wall = folder, wall
        self._leaf: certificates.Leaf | None = None

    def renew(self, hosts: certificates.SubjectNames, passing: certificates.SubjectNames) -> ssl.SSLContext | None:
        """Make the leaf again if it is due, and the authority if it may not sign for a name that lasts."""
        now_s, before = self._wall(), self._leaf
        authority = self.authority or self._stored(AUTHORITY, certificates.read_authority)
        if authority is None or not all(map(authority.permits, hosts.names)):
            if authority is not None:
                names = ", ".join(hosts.sorted_names())
                _log.warning("the table has a new name, and so a new authority, which phones install again: %s", names)
            authority = certificates.make_authority(hosts.names | passing.names, now_s)
            self._keep(AUTHORITY, authority)
        self.authority = authority
        wanted = certificates.SubjectNames(hosts.names | passing.names, hosts.addresses)
        leaf = self._leaf or self._stored(LEAF, certificates.read_leaf)
        if leaf is None or certificates.is_due(leaf, authority, wanted, now_s):
            leaf = certificates.make_leaf(authority, wanted, now_s)
            self._keep(LEAF, leaf)
            _log.info("the page has a new certificate, until %s", leaf.end.date())
        context = None if leaf is before else context_of(leaf.pem())
        self._leaf = leaf
        return context

    def _stored(self, name: str, read: Callable[[bytes], _Kind]) -> _Kind | None:
        """Return what a file holds, or None; a damaged file is put aside, and one that cannot be read stays."""
        path = self._folder / name
        try:
            pem = read_bytes(path, MOST_BYTES)
            if path.stat().st_mode & 0o077:
                path.chmod(0o600)
        except FileNotFoundError:
            return None
        except OSError as error:
            _log.warning("%s cannot be read, and another takes its place: %s", path, error.strerror)
            return None
        try:
            return read(pem)
        except ValueError:
            aside = path.with_name(f"{name}.damaged")
            _log.warning("%s is damaged or another program's; it is kept as %s, and another is made", path, aside.name)
        try:
            path.rename(aside)
        except OSError as error:
            _log.warning("%s stays: %s", path, error.strerror)
        return None

    def _keep(self, name: str, made: certificates.Signed) -> None:
        """Write a file; if it cannot be written, this run of the program goes on without."""
        path = self._folder / name
        try:
            with replacing(path) as file:
                file.write(made.pem())
        except OSError as error:
            _log.warning("%s is not kept, and the next start makes another: %s", path, error.strerror)


class OwnCertificate(CertificateSource):
    """The certificate of a domain of the owner's, in two PEM files that another program may replace."""

    def __init__(self, certificate: Path, key: Path, wall: Callable[[], float]) -> None:
        """Read nothing yet.

        Args:
            certificate: the certificate, and those between it and its authority.
            key: its private key.
            wall: wall-clock seconds since 1970.
        """
        self._files, self._wall = (certificate, key), wall
        self._pem = b""
        self._names: tuple[str, ...] = ()
        self._end_s = float("inf")

    def renew(self, hosts: certificates.SubjectNames, passing: certificates.SubjectNames) -> ssl.SSLContext | None:  # noqa: ARG002 - the port's signature
        """Read the files again.

        Raises:
            ConfigError: if they cannot be used, or the table has none of the certificate's names.
        """
        certificate, key = (_own(path, where) for path, where in zip(self._files, _KEYS, strict=True))
        pem = certificate + b"\n" + key
        if pem == self._pem:
            return None
        first = _first(certificate, self._files[0])
        _check_key(first, key, *self._files)
        names = _names_of(first)
        if not any(_covers(each, name) for each in names for name in (*hosts.names, *map(str, hosts.addresses))):
            named, got = ", ".join(names) or "it has none", ", ".join(hosts.sorted_names())
            raise ConfigError(f"web.hosts: expected a name of {str(self._files[0])!r} ({named}), got {got}")
        try:
            context = context_of(pem)
        except ssl.SSLError as error:
            raise ConfigError(
                f"{_KEYS[0]}: expected a usable certificate, got {str(self._files[0])!r}: {error}"
            ) from error
        self._pem, self._names, self._end_s = pem, names, first.not_valid_after_utc.timestamp()
        return context

    def name(self, hosts: certificates.SubjectNames) -> str | None:
        """Return the first name of the table that the certificate holds for."""
        found = (each for each in hosts.sorted_names() if any(_covers(name, each) for name in self._names))
        return next(found, None)

    def trouble(self) -> str:
        """Say that the certificate has ended, if it has."""
        if self._wall() <= self._end_s:
            return ""
        return f"the certificate {str(self._files[0])!r} ended on {datetime.fromtimestamp(self._end_s, UTC).date()}"


_KEYS = ("web.certificate", "web.key")


def stored_authority(folder: Path) -> certificates.Authority:
    """Return the authority in a data folder; `OSError` or `ValueError` reaches the caller if there is none."""
    return certificates.read_authority(read_bytes(folder / AUTHORITY, MOST_BYTES))


def context_of(pem: bytes) -> ssl.SSLContext:
    """Return the context of a server for a certificate and its key in PEM: TLS 1.2 at least, and HTTP/1.1."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION
    context.set_alpn_protocols(["http/1.1"])
    # The library reads files alone; this one is in memory, so that no key lies in a folder for temporary files.
    with os.fdopen(os.memfd_create("certificate", os.MFD_CLOEXEC), "wb", buffering=0) as file:
        file.write(pem)
        context.load_cert_chain(f"/proc/self/fd/{file.fileno()}")
    return context


def _own(path: Path, key: str) -> bytes:
    try:
        return read_bytes(path, MOST_BYTES)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigError(f"{key}: expected a file that can be read, got {str(path)!r}: {reason}") from error


def _first(pem: bytes, path: Path) -> x509.Certificate:
    try:
        return x509.load_pem_x509_certificates(pem)[0]
    except ValueError as error:
        raise ConfigError(f"{_KEYS[0]}: expected a certificate in PEM, got {str(path)!r}") from error


def _check_key(certificate: x509.Certificate, pem: bytes, certificate_file: Path, file: Path) -> None:
    """Check that a key is the certificate's.

    Raises:
        ConfigError: if not.
    """
    try:
        key = load_pem_private_key(pem, None)
    except TypeError as error:
        raise ConfigError(f"{_KEYS[1]}: expected a key without a password, got {str(file)!r}") from error
    except Exception as error:
        raise ConfigError(f"{_KEYS[1]}: expected a private key in PEM, got {str(file)!r}") from error
    if key.public_key() != certificate.public_key():
        raise ConfigError(f"{_KEYS[1]}: expected the key of {str(certificate_file)!r}, got {str(file)!r}")


def _names_of(certificate: x509.Certificate) -> tuple[str, ...]:
    try:
        found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return ()
    addresses = found.get_values_for_type(x509.IPAddress)
    return tuple(each.casefold() for each in (*found.get_values_for_type(x509.DNSName), *map(str, addresses)))


def _covers(pattern: str, name: str) -> bool:
    """Return whether a certificate's name, which may begin with `*.`, is for a name (RFC 6125, 6.4.3)."""
    if pattern.startswith("*."):
        return name.partition(".")[2] == pattern[2:]
    return name == pattern
