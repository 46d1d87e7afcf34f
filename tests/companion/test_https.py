"""HTTPS of the real program: `play --tls`, its certificate across restarts, and mistakes in one line each."""

import re
import signal
import socket
import ssl
import time
import urllib.request
import zipfile
from pathlib import Path

import pytest
from asked import Run, refused
from hosted import hosted
from own_certificate import own_pair
from running import PATIENCE_S, Table, table

from companion.cli.config import require_usable
from companion.config_files import config_from
from companion.errors import ConfigError
from companion.pairing.certificate_files import AUTHORITY, LEAF, TableCertificate, stored_authority
from companion.pairing.certificates import SubjectNames


def secure_address(running: Table) -> str:
    """Return the address with TLS that the program prints."""
    running.says("HTTPS, for phones that play: https://")
    (line,) = [each for each in running.said if each.startswith("HTTPS, for phones")]
    return line.partition("play: ")[2]


def state_over_tls(address: str, authority: Path) -> bytes:
    context = ssl.create_default_context(cafile=str(authority))
    with urllib.request.urlopen(f"{address}api/v1/state", timeout=PATIENCE_S, context=context) as answer:
        return answer.read()


@pytest.mark.exhaustive
def test_both_ports_serve_the_same_table_and_its_certificate_outlives_a_kill(tmp_path: Path) -> None:
    with table(tmp_path, "--tls", "--tls-port", "0", "--players", "Ann,Ben") as first:
        first.ready()
        assert b'"Ann"' in state_over_tls(secure_address(first), tmp_path / AUTHORITY)
        assert first.get("state")["players"][0]["name"] == "Ann"
        fingerprint = stored_authority(tmp_path).fingerprint
        first.says(f"SHA-256 of its certificate, to compare before a phone installs it: {fingerprint}")
        kept = (tmp_path / LEAF).read_bytes()
        first.end(signal.SIGKILL)
    with table(tmp_path, "--tls", "--tls-port", "0") as again:
        again.ready()
        assert b'"Ann"' in state_over_tls(secure_address(again), tmp_path / AUTHORITY)
    assert (tmp_path / LEAF).read_bytes() == kept


@pytest.mark.parametrize(
    ("options", "taking", "another"),
    [
        (["--port"], "--port", "farklecrib play --port"),
        (["--port", 0, "--tls", "--tls-port"], "--tls-port", "--tls-port"),
    ],
)
def test_a_taken_port_is_refused_with_the_option_that_takes_another(
    run: Run, tmp_path: Path, options: list[object], taking: str, another: str
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        answer = run("play", "--data", tmp_path, *options, port)
    refused(
        answer, f"a free address for the page, got 127.0.0.1:{port}: Address already in use; {taking} takes another"
    )
    assert f"{another} {port + 1}" in answer.err


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (('key = "own.key"',), "web.certificate: expected a file beside web.key, got ''"),
        (("port = 8123", "tls_port = 8123"), "web.tls_port: expected another port than web.port, got 8123"),
        (
            ('certificate = "~nobody-here/own.crt"', 'key = "own.key"'),
            "web.certificate: expected a file that can be read",
        ),
        (('certificate = "/none.crt"', 'key = "/none.key"'), "web.certificate: expected a file that can be read, got"),
    ],
)
def test_a_mistake_is_one_line_of_check_and_of_play(
    run: Run, tmp_path: Path, lines: tuple[str, ...], says: str
) -> None:
    defaults = ("tls = true", "tls_port = 0", "port = 0")
    file = tmp_path / "mine.toml"
    rest = [each for each in defaults if each.partition(" ")[0] not in {line.partition(" ")[0] for line in lines}]
    file.write_text("\n".join(("[web]", *rest, *lines)), encoding="utf-8")
    refused(run("play", "--config", file, "--data", tmp_path / "games"), says)
    checked = run("config", "check", "--config", file)
    assert (checked.status, checked.out.count(says)) == (1, 1)


def test_a_service_starts_without_its_certificate_and_a_person_is_told(tmp_path: Path) -> None:
    certificate, key = tmp_path / "own.crt", tmp_path / "own.key"
    for file, content in zip((certificate, key), own_pair("table.example.org", days=900), strict=True):
        file.write_bytes(content)
    web = {"tls": True, "certificate": str(certificate), "key": str(key), "hosts": ["table.example.org"]}
    config = config_from({"web": web, "table": {"data": str(tmp_path / "games")}})
    require_usable(config)
    key.write_bytes(b"")
    require_usable(config, folder=False)
    with pytest.raises(ConfigError, match=r"^web.key: expected a private key in PEM"):
        require_usable(config)


@pytest.mark.exhaustive
def test_the_doctor_tells_the_fingerprint(run: Run, tmp_path: Path) -> None:
    config = tmp_path / "mine.toml"
    config.write_text(f'[table]\ndata = "{tmp_path}"\n[web]\ntls = true\ntls_port = 0\n', encoding="utf-8")
    TableCertificate(tmp_path, time.time).renew(SubjectNames.of(("localhost",)), SubjectNames.of(()))
    told = rf"PASS  https .* has the SHA-256 {stored_authority(tmp_path).fingerprint}\n"
    assert re.search(told, run("doctor", "--config", config).out)


def test_a_backup_holds_no_key(run: Run, tmp_path: Path) -> None:
    with hosted(tmp_path) as played:
        played.game("Ann", "Ben").throws("111346")
    TableCertificate(tmp_path, time.time).renew(SubjectNames.of(("localhost",)), SubjectNames.of(()))
    file = tmp_path / "all.zip"
    assert run("games", "backup", file, "--data", tmp_path).status == 0
    with zipfile.ZipFile(file) as archive:
        held = b"".join(archive.read(each) for each in archive.namelist())
        assert not any(name.endswith(".pem") for name in archive.namelist())
    assert b"Ann" in held
    assert b"PRIVATE" not in held
