"""The certificates of a table: an authority of its own, and the leaf that the page shows.

Pure but for the random keys: the time comes in as an argument. Whoever installs the authority on a phone trusts it for
this table's names and for private addresses alone: both are critical name constraints (RFC 5280, 4.2.1.10).
"""

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from companion.checkup.system import RELEASED_S

AUTHORITY_LIFE = timedelta(days=3653)
LEAF_LIFE = timedelta(days=397)
"""Ten years; and the longest life of a leaf, of which browsers accept no more than 398 days."""

RENEWED = timedelta(days=30)
"""How long before its end a leaf is made again."""

SLACK = timedelta(days=1)
"""How long before its making a leaf begins to hold: the clocks of phones differ."""

EARLIEST = datetime.fromtimestamp(RELEASED_S, UTC)
"""A clock with an earlier time was never set. An authority holds from here on, whatever the clock says."""

LATEST = EARLIEST + timedelta(days=36525)
"""A clock with a later time is wrong."""

PRIVATE = (
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "169.254.0.0/16"),
    *("fc00::/7", "::1/128", "fe80::/10"),
)
"""Addresses of private networks, of the machine itself, and of links without a router (RFC 1918, 3927, 4193, 4291)."""

LONGEST_NAME = 253
_NETWORKS = tuple(ipaddress.ip_network(each) for each in PRIVATE)
_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True)
class SubjectNames:
    """What a page is called: names in lower case, and private addresses."""

    names: frozenset[str]
    addresses: frozenset[Address] = frozenset()

    @classmethod
    def of(cls, hosts: Iterable[str]) -> "SubjectNames":
        """Sort names and addresses, as in `Host` headers; leave out what a certificate of the table may not name."""
        names, addresses = set(), set()
        for each in hosts:
            text = each.strip("[]").casefold()
            try:
                found = ipaddress.ip_address(text)
            except ValueError:
                if len(text) <= LONGEST_NAME and _NAME.fullmatch(text):
                    names.add(text)
            else:
                if any(found in network for network in _NETWORKS):
                    addresses.add(found)
        return cls(frozenset(names), frozenset(addresses))

    def sorted_names(self) -> list[str]:
        """Return the names, those that a phone finds first: `.local` before others, the machine itself last."""
        return sorted(self.names, key=lambda each: (each == "localhost", not each.endswith(".local"), each))


@dataclass(frozen=True)
class Signed:
    """A certificate with its private key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    def pem(self) -> bytes:
        """Return the key and the certificate as PEM."""
        key = self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        return key + self.certificate.public_bytes(serialization.Encoding.PEM)

    @property
    def end(self) -> datetime:
        """The last moment at which the certificate holds."""
        return self.certificate.not_valid_after_utc

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.certificate.subject.rfc4514_string()})"


class Authority(Signed):
    """The table's own authority: phones may install its certificate."""

    @property
    def der(self) -> bytes:
        """Its certificate as phones install it."""
        return self.certificate.public_bytes(serialization.Encoding.DER)

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of its certificate, as phones show it: `3F:9A:...`."""
        return self.certificate.fingerprint(hashes.SHA256()).hex(":").upper()

    @property
    def names(self) -> frozenset[str]:
        """The names that it may sign for, with all names below them."""
        found = self.certificate.extensions.get_extension_for_class(x509.NameConstraints).value
        return frozenset(each.value for each in found.permitted_subtrees or () if isinstance(each, x509.DNSName))

    def permits(self, name: str) -> bool:
        """Return whether it may sign for a name."""
        return any(name == each or name.endswith(f".{each}") for each in self.names)


class Leaf(Signed):
    """The certificate that the page shows."""

    @property
    def hosts(self) -> SubjectNames:
        """The names and addresses that it is for."""
        found = self.certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        return SubjectNames(
            frozenset(found.get_values_for_type(x509.DNSName)),
            frozenset(each for each in found.get_values_for_type(x509.IPAddress) if isinstance(each, Address)),
        )


def plausible(now_s: float) -> datetime:
    """Return a wall-clock time in seconds since 1970, or the nearest time that this program can run at."""
    return datetime.fromtimestamp(min(max(now_s, EARLIEST.timestamp()), LATEST.timestamp()), UTC)


def make_authority(names: Iterable[str], now_s: float) -> Authority:
    """Return a new authority, for these names and all private addresses.

    It holds from the program's release on: a machine that starts without a clock must not make one that never holds.
    """
    key, serial = ec.generate_private_key(ec.SECP256R1()), x509.random_serial_number()
    called = SubjectNames(frozenset(names)).sorted_names()
    # Firefox refuses two authorities with one subject, so each has a number of its own.
    subject = _named(f"Farkle Crib {called[0][:40]} {serial % 0x10000:04x}")
    permitted = [*(x509.DNSName(each) for each in called), *(x509.IPAddress(each) for each in _NETWORKS)]
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(serial)
        .not_valid_before(EARLIEST)
        .not_valid_after(plausible(now_s) + AUTHORITY_LIFE)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    return Authority(builder.sign(key, hashes.SHA256()), key)


def make_leaf(authority: Authority, hosts: SubjectNames, now_s: float) -> Leaf:
    """Return a new leaf for all hosts that the authority permits."""
    key = ec.generate_private_key(ec.SECP256R1())
    names = [each for each in hosts.sorted_names() if authority.permits(each)]
    known = [x509.DNSName(each) for each in names]
    known_addresses = [x509.IPAddress(each) for each in sorted(hosts.addresses, key=lambda each: (each.version, each))]
    start, end = _life(authority, now_s)
    issuer = authority.certificate.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    builder = (
        x509.CertificateBuilder()
        .subject_name(_named(next((each for each in names if len(each) <= 64), "Farkle Crib")))
        .issuer_name(authority.certificate.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(end)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName([*known, *known_addresses]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(issuer), critical=False)
    )
    return Leaf(builder.sign(authority.key, hashes.SHA256()), key)


def is_due(leaf: Leaf, authority: Authority, hosts: SubjectNames, now_s: float) -> bool:
    """Return whether a leaf must be made again: it lacks a host, is another authority's, or its end is near.

    A leaf that names more hosts than needed stays, because each new one makes browsers ask again. So does a leaf that
    begins later than a clock says, within a leaf's life: a Pi without a network starts with a clock that is behind.
    """
    wanted = frozenset(filter(authority.permits, hosts.names))
    if not (wanted <= leaf.hosts.names and hosts.addresses <= leaf.hosts.addresses):
        return True
    try:
        leaf.certificate.verify_directly_issued_by(authority.certificate)
    except Exception:  # noqa: BLE001 - the library has an error of its own for each way in which it is another's
        return True
    if now_s < EARLIEST.timestamp():
        return False
    now, start = plausible(now_s), leaf.certificate.not_valid_before_utc
    later = _life(authority, now_s)[1] > leaf.end
    return (later and now > leaf.end - RENEWED) or now < start - LEAF_LIFE


def read_authority(pem: bytes) -> Authority:
    """Return the authority in a PEM file.

    Raises:
        ValueError: if it holds none, or one that no table has made.
    """
    certificate, key = _read(pem)
    found = Authority(certificate, key)
    try:
        signs = certificate.extensions.get_extension_for_class(x509.BasicConstraints).value.ca and found.names
    except x509.ExtensionNotFound:
        signs = False
    if not signs:
        raise ValueError("expected the certificate of an authority with name constraints")
    return found


def read_leaf(pem: bytes) -> Leaf:
    """Return the leaf in a PEM file.

    Raises:
        ValueError: if it holds none.
    """
    leaf = Leaf(*_read(pem))
    try:
        leaf.certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except x509.ExtensionNotFound as error:
        raise ValueError("expected a certificate with names") from error
    return leaf


def _read(pem: bytes) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    certificate = x509.load_pem_x509_certificate(pem)
    try:
        key = serialization.load_pem_private_key(pem, None)
    except TypeError as error:
        raise ValueError(str(error)) from error
    if not isinstance(key, ec.EllipticCurvePrivateKey) or key.public_key() != certificate.public_key():
        raise ValueError("expected a certificate with its own key")
    return certificate, key


def _named(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _life(authority: Authority, now_s: float) -> tuple[datetime, datetime]:
    """Return the first and the last moment of a leaf that is made now, inside the authority's time."""
    start = min(plausible(now_s), authority.end - LEAF_LIFE) - SLACK
    return start, start + LEAF_LIFE


def _usage(*, signs: bool) -> x509.KeyUsage:
    unused = ("content_commitment", "key_encipherment", "data_encipherment", "key_agreement")
    never = dict.fromkeys((*unused, "encipher_only", "decipher_only"), False)
    return x509.KeyUsage(digital_signature=not signs, key_cert_sign=signs, crl_sign=signs, **never)
