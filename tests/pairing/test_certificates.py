"""The table's authority and its leaf: who accepts them, for what, and when they are made again."""

import subprocess
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError
from own_certificate import stolen

from companion.pairing.certificates import (
    EARLIEST,
    LEAF_LIFE,
    PRIVATE,
    RENEWED,
    Authority,
    Leaf,
    SubjectNames,
    is_due,
    make_authority,
    make_leaf,
    read_authority,
    read_leaf,
)

DAY = 86400.0
NOW = EARLIEST.timestamp() + 100 * DAY
YEARS = 365.25 * DAY
HOSTS = SubjectNames.of(("farklecrib", "farklecrib.local", "localhost", "127.0.0.1", "[::1]", "192.168.1.7", "fd00::7"))
LATER = SubjectNames.of(("farklecrib.local", "10.1.2.3"))


@pytest.fixture(scope="module")
def authority() -> Authority:
    return make_authority(HOSTS.names, NOW)


@pytest.fixture(scope="module")
def leaf(authority: Authority) -> Leaf:
    return make_leaf(authority, HOSTS, NOW)


def accepted(leaf: Leaf, authority: Authority, host: str, at: float = NOW) -> bool:
    """Return whether a client that has installed the authority accepts the leaf for a host."""
    try:
        subject: x509.DNSName | x509.IPAddress = x509.IPAddress(ip_address(host))
    except ValueError:
        subject = x509.DNSName(host)
    builder = PolicyBuilder().store(Store([authority.certificate])).time(datetime.fromtimestamp(at, UTC))
    try:
        builder.build_server_verifier(subject).verify(leaf.certificate, [])
    except VerificationError:
        return False
    return True


def test_a_phone_with_the_authority_accepts_the_table_by_each_of_its_names_and_no_other(
    leaf: Leaf, authority: Authority
) -> None:
    own = ["farklecrib", "farklecrib.local", "localhost", "127.0.0.1", "::1", "192.168.1.7", "fd00::7"]
    other = ["bank.example", "other.local", "192.168.1.8"]
    assert [host for host in (*own, *other) if accepted(leaf, authority, host)] == own


FOREIGN = ["bank.example", "printer.local", "notfarklecrib.local", "8.8.8.8", "172.32.0.1", "2001:db8::1"]


@pytest.mark.parametrize("host", FOREIGN)
def test_with_the_stolen_key_of_an_authority_nobody_can_play_another_site(
    authority: Authority, host: str, tmp_path: Path
) -> None:
    hosts = SubjectNames(frozenset({host}))
    with suppress(ValueError):
        hosts = SubjectNames(frozenset(), frozenset({ip_address(host)}))
    forged = make_leaf(stolen(authority), hosts, NOW)
    assert not accepted(forged, authority, host)
    said = verified(forged, authority, tmp_path)
    assert "permitted subtree violation" in said


def openssl(folder: Path, *asked: str) -> str:
    """Return what OpenSSL's command says in a folder."""
    run = subprocess.run(["openssl", *asked], cwd=folder, capture_output=True, text=True, check=False)
    return run.stdout + run.stderr


def verified(leaf: Leaf, authority: Authority, folder: Path) -> str:
    """Return what OpenSSL's strict rules say about a leaf."""
    (folder / "authority.crt").write_bytes(authority.certificate.public_bytes(Encoding.PEM))
    (folder / "leaf.crt").write_bytes(leaf.certificate.public_bytes(Encoding.PEM))
    strict = ("-x509_strict", "-purpose", "sslserver", "-attime", str(int(NOW)))
    return openssl(folder, "verify", *strict, "-CAfile", "authority.crt", "leaf.crt")


def test_openssl_accepts_the_leaf_by_its_strict_rules(leaf: Leaf, authority: Authority, tmp_path: Path) -> None:
    assert verified(leaf, authority, tmp_path).strip().endswith("leaf.crt: OK")


def test_a_leaf_has_what_browsers_ask_for(leaf: Leaf, authority: Authority) -> None:
    found = leaf.certificate
    assert found.not_valid_after_utc - found.not_valid_before_utc <= timedelta(days=397)
    usage = found.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert x509.oid.ExtendedKeyUsageOID.SERVER_AUTH in usage
    ca = authority.certificate.extensions
    for kind in (x509.NameConstraints, x509.BasicConstraints, x509.KeyUsage):
        assert ca.get_extension_for_class(kind).critical
    assert ca.get_extension_for_class(x509.BasicConstraints).value.path_length == 0
    assert not ca.get_extension_for_class(x509.KeyUsage).value.digital_signature
    assert (authority.end - datetime.fromtimestamp(NOW, UTC)).days == 3653


def test_two_authorities_of_one_table_have_different_subjects(authority: Authority) -> None:
    assert make_authority(HOSTS.names, NOW).certificate.subject != authority.certificate.subject


def test_the_fingerprint_is_the_one_that_phones_show(authority: Authority, tmp_path: Path) -> None:
    (tmp_path / "authority.crt").write_bytes(authority.der)
    shown = openssl(tmp_path, "x509", "-inform", "der", "-in", "authority.crt", "-noout", "-fingerprint", "-sha256")
    assert shown.strip().rpartition("=")[2] == authority.fingerprint


def test_only_private_addresses_and_names_that_dns_allows_are_signed_for() -> None:
    odd = ("8.8.8.8", "100.64.0.1", "2001:db8::1", "0.0.0.0", "::", "a b", "-x", "x" * 64, "ü.local", "", "a..b", "x\n")
    assert SubjectNames.of(odd) == SubjectNames(frozenset())
    private = SubjectNames.of(("10.0.0.1", "[FE80::1]", "Farkle_Crib.Local")).addresses
    assert set(map(str, private)) == {"10.0.0.1", "fe80::1"}
    assert len(PRIVATE) == 8


def test_a_leaf_stays_while_nothing_changes(leaf: Leaf, authority: Authority) -> None:
    assert not is_due(leaf, authority, HOSTS, NOW)
    assert not is_due(leaf, authority, SubjectNames.of(("localhost", "127.0.0.1")), NOW)  # the network is away
    foreign = SubjectNames(HOSTS.names | {"bank.example"}, HOSTS.addresses)  # never signed for
    assert not is_due(leaf, authority, foreign, NOW)


def test_a_leaf_is_made_again_for_a_new_address_and_before_its_end(leaf: Leaf, authority: Authority) -> None:
    assert is_due(leaf, authority, LATER, NOW)
    end = leaf.end.timestamp()
    assert not is_due(leaf, authority, HOSTS, end - RENEWED.total_seconds() - 1)
    assert is_due(leaf, authority, HOSTS, end - RENEWED.total_seconds() + 1)
    assert is_due(leaf, make_authority(HOSTS.names, NOW), HOSTS, NOW)


def test_a_new_leaf_is_not_due_whatever_the_clock_says(authority: Authority) -> None:
    for now in (0.0, NOW - 10 * YEARS, NOW, NOW + 9.5 * YEARS, NOW + 50 * YEARS, 1e12, -1e12):
        made = make_leaf(authority, HOSTS, now)
        assert not is_due(made, authority, HOSTS, now), now
        assert made.certificate.not_valid_before_utc + LEAF_LIFE == made.end <= authority.end


@pytest.mark.parametrize("false", [0.0, NOW - 10 * YEARS, NOW + 50 * YEARS])
def test_what_a_false_clock_has_made_holds_once_the_clock_is_right(false: float) -> None:
    authority = make_authority(HOSTS.names, false)
    leaf = make_leaf(authority, HOSTS, false)
    if is_due(leaf, authority, HOSTS, NOW):
        leaf = make_leaf(authority, HOSTS, NOW)
    assert accepted(leaf, authority, "farklecrib.local", NOW)


@pytest.mark.parametrize("behind", [0.0, NOW - 60 * DAY, NOW - 99 * DAY])
def test_a_clock_that_is_behind_at_a_start_changes_no_leaf(leaf: Leaf, authority: Authority, behind: float) -> None:
    assert not is_due(leaf, authority, HOSTS, behind)


def test_files_are_read_back_and_foreign_ones_refused(authority: Authority, leaf: Leaf) -> None:
    assert read_authority(authority.pem()).pem() == authority.pem()
    assert read_leaf(leaf.pem()).pem() == leaf.pem()
    other = make_authority(HOSTS.names, NOW)
    mixed = authority.certificate.public_bytes(Encoding.PEM) + other.pem().partition(b"-----BEGIN CERT")[0]
    for bad in (b"", b"\0" * 500, leaf.pem(), mixed, authority.pem()[:400]):
        with pytest.raises(ValueError, match=r".+"):
            read_authority(bad)
    for bad in (b"", authority.pem(), mixed):
        with pytest.raises(ValueError, match=r".+"):
            read_leaf(bad)


def test_no_key_is_in_a_text_for_logs(authority: Authority, leaf: Leaf) -> None:
    assert "key" not in f"{authority} {leaf!r}"
