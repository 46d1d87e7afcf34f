"""The files of the page's certificate: kept for their owner alone, mended, and read again when they change."""

import logging
import platform
import ssl
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from own_certificate import NOW, own_pair
from test_network import LIMITS

from companion.errors import ConfigError
from companion.pairing.certificate_files import AUTHORITY, LEAF, OwnCertificate, TableCertificate
from companion.pairing.certificates import Authority, SubjectNames, make_authority, read_authority, read_leaf

HOSTS = SubjectNames.of(("farklecrib", "farklecrib.local", "localhost", "127.0.0.1"))
ELSEWHERE = SubjectNames(HOSTS.names, SubjectNames.of(("127.0.0.1", "10.1.2.3")).addresses)
NOBODY = SubjectNames.of(())


def opened(
    folder: Path, hosts: SubjectNames = HOSTS, passing: SubjectNames = NOBODY
) -> tuple[TableCertificate, Authority]:
    """Return the certificate of a table that starts, and its authority."""
    table = TableCertificate(folder, lambda: NOW)
    assert isinstance(table.renew(hosts, passing), ssl.SSLContext)
    assert table.authority is not None
    return table, table.authority


def stored(folder: Path) -> tuple[bytes, bytes]:
    return (folder / AUTHORITY).read_bytes(), (folder / LEAF).read_bytes()


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the warnings so far."""
    return [each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING]


def test_both_files_are_made_once_and_only_their_owner_reads_them(tmp_path: Path) -> None:
    table, _ = opened(tmp_path)
    made = stored(tmp_path)
    assert table.renew(HOSTS, NOBODY) is None
    for mode in (0o600, 0o644):  # the second one is closed to others
        (tmp_path / AUTHORITY).chmod(mode)
        opened(tmp_path)
        assert stored(tmp_path) == made
        assert [each.stat().st_mode & 0o777 for each in (tmp_path / AUTHORITY, tmp_path / LEAF)] == [0o600, 0o600]
    assert sorted(each.name for each in tmp_path.iterdir()) == [AUTHORITY, LEAF]


def test_a_new_address_gets_a_new_leaf_of_the_same_authority_without_a_restart(tmp_path: Path) -> None:
    table, authority = opened(tmp_path)
    assert isinstance(table.renew(ELSEWHERE, NOBODY), ssl.SSLContext)
    assert table.authority is authority
    assert read_leaf((tmp_path / LEAF).read_bytes()).hosts.addresses == ELSEWHERE.addresses
    assert table.renew(HOSTS, NOBODY) is None  # the old address is still in it


def test_a_name_that_lasts_makes_a_new_authority_and_one_that_avahi_gave_for_today_does_not(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    table, first = opened(tmp_path)
    assert table.renew(HOSTS, SubjectNames.of(("farklecrib-2.local",))) is None
    assert table.authority is first
    assert said(caplog) == []
    renamed = SubjectNames(HOSTS.names | {"tavern"}, HOSTS.addresses)
    assert table.renew(renamed, NOBODY) is not None
    assert table.authority is not first
    assert table.authority.permits("tavern")
    (line,) = said(caplog)
    assert "which phones install again" in line
    assert read_authority((tmp_path / AUTHORITY).read_bytes()).fingerprint == table.authority.fingerprint


def test_the_name_that_avahi_has_at_first_is_the_authoritys_too(tmp_path: Path) -> None:
    _, authority = opened(tmp_path, passing=SubjectNames.of(("farklecrib-2.local",)))
    assert authority.permits("farklecrib-2.local")


@pytest.mark.parametrize(
    "bad", [b"", b"\0" * 4096, b"-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n"]
)
@pytest.mark.parametrize("name", [AUTHORITY, LEAF])
def test_a_damaged_file_is_kept_aside_with_one_line_and_made_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str, bad: bytes
) -> None:
    opened(tmp_path)
    (tmp_path / name).write_bytes(bad)
    opened(tmp_path)
    (line,) = said(caplog)
    assert line.startswith(f"{tmp_path / name} is damaged or another program's; it is kept as {name}.damaged")
    assert (tmp_path / f"{name}.damaged").read_bytes() == bad
    caplog.clear()
    opened(tmp_path)
    assert said(caplog) == []


def test_an_authority_of_another_program_signs_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    certificate, key = own_pair("other.example")
    (tmp_path / AUTHORITY).write_bytes(key + certificate)
    opened(tmp_path)
    assert len(said(caplog)) == 1


def test_a_leaf_of_another_authority_is_made_again(tmp_path: Path) -> None:
    opened(tmp_path)
    (tmp_path / AUTHORITY).write_bytes(make_authority(HOSTS.names, NOW).pem())
    _, authority = opened(tmp_path)
    read_leaf((tmp_path / LEAF).read_bytes()).certificate.verify_directly_issued_by(authority.certificate)


def test_a_folder_that_cannot_be_written_has_a_certificate_for_this_run(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    table, authority = opened(tmp_path / "missing")
    assert len(said(caplog)) == 2
    assert all("the next start makes another" in each for each in said(caplog))
    assert table.renew(HOSTS, NOBODY) is None
    assert table.authority is authority


def test_what_cannot_be_read_is_not_touched(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / AUTHORITY).mkdir()
    opened(tmp_path)
    assert (tmp_path / AUTHORITY).is_dir()
    assert "it is a folder, not a file" in said(caplog)[0]


DOMAIN = SubjectNames.of(("farklecrib", "farklecrib.local", "table.example.org"))


def own(folder: Path, *pair: bytes) -> OwnCertificate:
    """Return the certificate of two files with these bytes; without any, there are no files."""
    for name, pem in zip(("own.crt", "own.key"), pair, strict=False):
        (folder / name).write_bytes(pem)
    return OwnCertificate(folder / "own.crt", folder / "own.key", lambda: NOW)


@pytest.mark.parametrize("name", ["table.example.org", "*.example.org"])
def test_the_certificate_of_a_domain_is_used_by_the_tables_name_in_it(tmp_path: Path, name: str) -> None:
    source = own(tmp_path, *own_pair(name))
    assert isinstance(source.renew(DOMAIN, NOBODY), ssl.SSLContext)
    assert source.name(DOMAIN) == "table.example.org"
    assert source.renew(DOMAIN, NOBODY) is None
    assert (source.trouble(), source.authority) == ("", None)


def test_the_files_are_read_again_when_they_change(tmp_path: Path) -> None:
    source = own(tmp_path, *own_pair("table.example.org"))
    source.renew(DOMAIN, NOBODY)
    certificate, key = own_pair("table.example.org", key=rsa.generate_private_key(65537, 2048))
    (tmp_path / "own.crt").write_bytes(certificate)
    with pytest.raises(ConfigError, match="expected the key of"):  # only one of them has come yet
        source.renew(DOMAIN, NOBODY)
    (tmp_path / "own.key").write_bytes(key)
    assert isinstance(source.renew(DOMAIN, NOBODY), ssl.SSLContext)


def test_a_certificate_whose_time_is_over_is_shown_and_said(tmp_path: Path) -> None:
    source = own(tmp_path, *own_pair("table.example.org", days=-1))
    assert source.renew(DOMAIN, NOBODY) is not None
    assert "ended on 20" in source.trouble()


GOOD = own_pair("table.example.org")
WEAK = rsa.generate_private_key(65537, 1024)
NAMED, UNUSABLE = "web.hosts: expected a name of '.*own.crt'", "web.certificate: expected a usable certificate"


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        ((b"", GOOD[1]), "web.certificate: expected a certificate in PEM, got '.*own.crt'"),
        ((GOOD[1], GOOD[1]), "web.certificate: expected a certificate in PEM, got '.*own.crt'"),
        ((GOOD[0], b"\xff\0"), "web.key: expected a private key in PEM, got '.*own.key'"),
        ((GOOD[0], GOOD[0]), "web.key: expected a private key in PEM, got '.*own.key'"),
        ((GOOD[0], own_pair()[1]), "web.key: expected the key of '.*own.crt', got '.*own.key'"),
        (own_pair("a.example", password=b"x"), "web.key: expected a key without a password, got '.*own.key'"),
        (own_pair("a.example"), rf"{NAMED} \(a.example\), got farklecrib.local, .*example.org$"),
        (own_pair(), rf"{NAMED} \(it has none\), got farklecrib.local, "),
        (
            own_pair("table.example.org", key=WEAK),
            rf"{UNUSABLE}, got '.*own.crt': .*KEY_TOO_SMALL",
        ),
        ((), "web.certificate: expected a file that can be read, got '.*': No such file"),
    ],
)
def test_a_mistake_in_the_files_is_one_line_with_its_key(
    tmp_path: Path, pair: tuple[bytes, ...], expected: str
) -> None:
    source = own(tmp_path, *pair)
    with pytest.raises(ConfigError, match=f"^{expected}") as caught:
        source.renew(DOMAIN, NOBODY)
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the numbers of the system calls are those of x86-64")
def test_a_certificate_is_made_under_the_limits_of_the_service(tmp_path: Path) -> None:
    made = """
from pathlib import Path
from companion.pairing.certificate_files import TableCertificate
from companion.pairing.certificates import SubjectNames
context = TableCertificate(Path(sys.argv[1]), lambda: 1.8e9).renew(SubjectNames.of(("localhost",)), SubjectNames.of(()))
print(context.minimum_version.name)
"""
    command = [sys.executable, "-c", LIMITS + made, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode == 77:
        pytest.skip("expected a kernel that can refuse executable memory (Linux 6.3)")
    assert (done.returncode, done.stdout, done.stderr) == (0, "TLSv1_2\n", "")
