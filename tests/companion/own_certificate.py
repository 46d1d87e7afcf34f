"""Certificates that no table makes: for a domain of the owner's, and with a stolen key."""

from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from companion.pairing.certificates import EARLIEST, Authority

NOW = EARLIEST.timestamp() + 100 * 86400
"""The time of tests, in seconds since 1970."""


def own_pair(
    *names: str,
    password: bytes = b"",
    days: int = 90,
    key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey | None = None,
) -> tuple[bytes, bytes]:
    """Return a certificate as other programs make them, and its key, in PEM."""
    key = key or ec.generate_private_key(ec.SECP384R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "own")])
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(datetime.fromtimestamp(NOW, UTC) - timedelta(days=200))
        .not_valid_after(datetime.fromtimestamp(NOW, UTC) + timedelta(days=days))
    )
    if names:
        builder = builder.add_extension(
            x509.SubjectAlternativeName([x509.DNSName(each) for each in names]), critical=False
        )
    certificate = builder.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM)
    how = BestAvailableEncryption(password) if password else NoEncryption()
    return certificate, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, how)


def stolen(authority: Authority) -> Authority:
    """Return the authority as whoever has stolen its key uses it: for any name."""

    class Stolen(Authority):
        def permits(self, name: str) -> bool:
            return True

    return Stolen(authority.certificate, authority.key)
