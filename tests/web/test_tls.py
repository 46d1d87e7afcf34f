"""The second port: what speaks TLS there is served, and what does not, or not to its end, holds no place for long."""

import contextlib
import logging
import select
import socket
import ssl
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace

import httpx
import pytest
from own_certificate import own_pair
from playwright.sync_api import Error
from served import Served, served
from test_connections import ASKED, STREAM, await_text, connect, whole

from companion.config import WebConfig
from companion.pairing.certificate_files import OwnCertificate
from companion.table.state.inputs import Fault
from companion.web.announcer import Announcer
from companion.web.guard import connections
from companion.web.guard.connections import MOST_OF_AN_ADDRESS
from companion.web.guard.tls import SecurePort
from companion.web.server import bind
from companion.words import english

HEAD = 1.0
REQUEST = ASKED + b"\r\n"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("tls"), head_s=HEAD, tls=True) as running:
        yield running


@pytest.fixture
def patient_table(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path, head_s=4.0, tls=True) as running:
        yield running


def port_of(table: Served) -> SecurePort:
    assert table.secure is not None
    return table.secure


def raw(table: Served, source: str = "127.0.0.1") -> socket.socket:
    """Open a connection to the second port, and send nothing."""
    return connect(port_of(table).port, source)


def secured(table: Served, context: ssl.SSLContext | None = None, name: str = "127.0.0.1") -> ssl.SSLSocket:
    return (context or table.trusting()).wrap_socket(raw(table), server_hostname=name)


def client(table: Served, **given: object) -> httpx.Client:
    """Return a client of the second port that trusts the table's authority."""
    address = f"https://127.0.0.1:{port_of(table).port}"
    return httpx.Client(base_url=address, verify=table.trusting(), timeout=120, **given)  # type: ignore[arg-type]


def client_hello() -> bytes:
    """Return the first bytes of a client."""
    out = ssl.MemoryBIO()
    tls = ssl.create_default_context().wrap_bio(ssl.MemoryBIO(), out, server_hostname="localhost")
    with contextlib.suppress(ssl.SSLWantReadError):
        tls.do_handshake()
    return out.read()


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", socket.gethostname(), f"{socket.gethostname()}.local"])
def test_a_client_that_trusts_the_authority_is_served_by_each_name(table: Served, name: str) -> None:
    connection = secured(table, name=name)
    connection.sendall(ASKED + b"Connection: close\r\n\r\n")
    assert whole(connection).startswith(b"HTTP/1.1 200")


def test_a_client_that_does_not_trust_it_says_so_and_the_log_stays_quiet(
    table: Served, caplog: pytest.LogCaptureFixture
) -> None:
    stranger = ssl.create_default_context()
    with caplog.at_level(logging.INFO):
        for _ in range(5):
            with pytest.raises(ssl.SSLCertVerificationError, match="unable to get local issuer"):
                secured(table, stranger)
        assert table.client.get("/api/v1/state").status_code == 200
    assert [each for each in caplog.records if each.name != "httpx"] == []


def test_no_answer_makes_browsers_insist_on_https(table: Served) -> None:
    with client(table) as reader:
        for path in ("/", "/wall", "/phone", "/games", "/rules", "/nowhere", "/api/v1/state", "/static/api.js"):
            answer = reader.get(path)
            assert "strict-transport-security" not in answer.headers, path
            assert "upgrade-insecure" not in answer.headers["content-security-policy"], path


def test_a_write_over_tls_reaches_the_table(table: Served) -> None:
    table.game()
    with client(table) as player:
        assert player.post("/api/v1/join", json={"name": "Mia"}).status_code == 200
    assert [each["name"] for each in table.state()["players"]] == ["Ann", "Ben", "Mia"]


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_tls_from_1_2_on_is_spoken_and_http_1_alone(table: Served, version: ssl.TLSVersion) -> None:
    context = table.trusting()
    context.minimum_version = context.maximum_version = version
    context.set_alpn_protocols(["h2", "http/1.1"])
    with secured(table, context) as connection:
        assert connection.selected_alpn_protocol() == "http/1.1"
        connection.sendall(REQUEST)
        assert connection.recv(100).startswith(b"HTTP/1.1 200")


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion")
def test_older_tls_is_refused(table: Served) -> None:
    context = table.trusting()
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
    with pytest.raises(ssl.SSLError, match=r"(?i)alert protocol version"):
        secured(table, context)


HELLO = client_hello()


def test_a_handshake_that_does_not_end_or_is_garbage_is_ended_and_others_do_not_notice(table: Served) -> None:
    begun = (b"", HELLO[:1], HELLO[:100], HELLO, HELLO[:5] + b"\0" * (len(HELLO) - 6))
    garbage = (b"\x16" * 2000, b"\x16\x03\x01\xff\xff" + b"\0" * 70_000, b"\0" * 300, b"SSH-2.0-x\r\n", b"\r\n" * 9)
    connections = [raw(table) for _ in (*begun, *garbage)]
    for connection, sent in zip(connections, (*begun, *garbage), strict=True):
        with contextlib.suppress(OSError):
            connection.sendall(sent)
    with secured(table) as honest:
        honest.sendall(REQUEST)
        assert honest.recv(100).startswith(b"HTTP/1.1 200")
    for connection in connections:  # they wait for their deadlines side by side
        whole(connection)


def test_a_browser_that_asks_for_http_is_sent_to_https(table: Served) -> None:
    port = port_of(table).port
    answer = httpx.get(f"http://127.0.0.1:{port}/games?page=2&x=%41", timeout=60)
    assert (answer.status_code, answer.headers["location"]) == (307, f"https://127.0.0.1:{port}/games?page=2&x=%41")
    assert answer.headers["connection"] == "close"
    with client(table, follow_redirects=True) as reader:
        assert reader.get(f"http://127.0.0.1:{port}/api/v1/state").status_code == 200


def test_other_plain_requests_get_one_line(table: Served) -> None:
    for line in (b"POST /api/v1/buttons/keep HTTP/1.1", b"GET http://x/y HTTP/1.1", b"OPTIONS * HTTP/1.1"):
        connection = raw(table)
        connection.sendall(line + b"\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n{}")
        answer, _, told = whole(connection).partition(b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 400"), line
        assert told == b"expected https:// at this port, got http://"


def test_a_browser_is_sent_to_no_other_hosts_https(table: Served) -> None:
    for host in (b"evil.example", b"evil.example:8443", b"127.0.0.1:8121@evil.example", b"a/b@c", b""):
        connection = raw(table)
        connection.sendall(b"GET / HTTP/1.1\r\nHost: %b\r\n\r\n" % host)
        assert whole(connection).startswith(b"HTTP/1.1 421"), host


def test_both_ports_share_the_limit_of_an_address(patient_table: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "WAIT_S", 0.05)
    streams = [patient_table.trusting().wrap_socket(raw(patient_table, "127.0.0.3"), server_hostname="localhost")]
    streams += [plain(patient_table) for _ in range(MOST_OF_AN_ADDRESS - 1)]
    for each in streams:
        each.sendall(STREAM)
        await_text(each, b"data:")
    with plain(patient_table) as newcomer:
        assert newcomer.recv(100).startswith(b"HTTP/1.1 503")
    for each in streams:
        each.close()


def plain(table: Served) -> socket.socket:
    """Ask for the state over plain HTTP."""
    made = connect(table.client.base_url.port, "127.0.0.3")
    made.sendall(REQUEST)
    return made


def test_half_open_handshakes_hold_places_and_are_the_first_to_give_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "WAIT_S", 0.2)
    monkeypatch.setattr(connections, "SILENT_S", 0.1)
    with served(tmp_path, head_s=600, tls=True) as table:
        half_open = [raw(table, "127.0.0.3") for _ in range(MOST_OF_AN_ADDRESS)]
        for each in half_open:
            each.sendall(HELLO[:50])
        with plain(table) as early:  # may come before they have been silent for long enough, and waits
            assert early.recv(100).startswith((b"HTTP/1.1 200", b"HTTP/1.1 503"))
        with plain(table) as late:
            assert late.recv(100).startswith(b"HTTP/1.1 200")
        assert whole(half_open[0]) == b""
        assert select.select(half_open[2:], [], [], 0)[0] == []  # the others are still there
        for each in half_open[1:]:
            each.close()


def test_a_new_certificate_is_for_new_handshakes_and_old_connections_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(tmp_path, tls=True) as table:
        secure = port_of(table)
        with secured(table) as old:
            before = old.getpeercert(binary_form=True)
            monkeypatch.setattr(secure, "_hosts", lambda: ("localhost", "10.99.0.1"))
            secure.look()
            with secured(table, name="10.99.0.1") as new:
                assert new.getpeercert(binary_form=True) != before
            old.sendall(REQUEST)
            assert old.recv(100).startswith(b"HTTP/1.1 200")


def test_without_a_certificate_plain_http_is_served_and_a_handshake_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(tmp_path, tls=True) as table:
        monkeypatch.setattr(port_of(table), "context", None)
        assert port_of(table).address == ""
        connection = raw(table)
        connection.sendall(HELLO)
        assert whole(connection) == b""
        assert table.client.get("/api/v1/state").status_code == 200


@pytest.mark.exhaustive
def test_files_that_cannot_be_used_are_a_fault_until_they_can(tmp_path: Path) -> None:
    faults: SimpleQueue[Fault] = SimpleQueue()
    certificate, key = own_pair("localhost", days=900)
    (tmp_path / "own.crt").write_bytes(certificate)
    source = OwnCertificate(tmp_path / "own.crt", tmp_path / "own.key", time.time)
    place = Announcer("127.0.0.1", 8080, bool, bool)
    secure = SecurePort(bind("127.0.0.1", 0), source, place, lambda: ("localhost", "127.0.0.1"), faults.put)
    assert secure.context is None
    secure.start()
    assert "web.key: expected a file that can be read" in english().text(faults.get(timeout=120).text or "")
    (tmp_path / "own.key").write_bytes(key)
    assert faults.get(timeout=120).text is None
    assert secure.address == f"https://localhost:{secure.port}/"
    secure.close()


@pytest.fixture
def shown(table: Served) -> Iterator[Served]:
    """Open the table to its network, as far as its pages know."""
    before = table.app.state.table
    place = SimpleNamespace(address="http://192.168.1.7:8080/", names=frozenset())
    table.app.state.table = replace(before, config=WebConfig(host="0.0.0.0"), place=place)
    yield table
    table.app.state.table = before


def test_the_page_for_phones_says_how_to_trust_the_address_with_tls_and_the_fingerprint_to_this_machine_alone(
    shown: Served,
) -> None:
    page, there = shown.client.get("/phone").text, shown.afar("GET", "/phone").text
    for part in (port_of(shown).address, "Show Details", "Advanced", "Certificate Trust Settings", "web.certificate"):
        assert part in page
    assert 'href="/farklecrib.crt"' in page
    assert (shown.trusted.fingerprint in page, shown.trusted.fingerprint in there) == (True, False)
    assert "farklecrib doctor" in there


def test_phones_download_the_authority_and_never_its_key(shown: Served) -> None:
    for answer in (shown.afar("GET", "/farklecrib.crt"), shown.client.get("/farklecrib.crt")):
        assert answer.headers["content-type"] == "application/x-x509-ca-cert"
        assert answer.content == shown.trusted.der
    ssl.create_default_context(cadata=answer.content)


def test_without_tls_the_page_for_phones_says_how_to_have_it(tmp_path: Path) -> None:
    with served(tmp_path) as table:
        table.app.state.table = replace(table.app.state.table, config=WebConfig(host="0.0.0.0"))
        page = table.client.get("/phone").text
        assert "farklecrib play --host 0.0.0.0 --tls" in page
        assert "https://" not in page
        assert table.client.get("/farklecrib.crt").status_code == 404


def test_with_a_certificate_of_the_owners_nothing_is_to_be_installed(shown: Served) -> None:
    owners = SimpleNamespace(authority=None, address="https://table.example.org:8443/")
    shown.app.state.table = replace(shown.app.state.table, secure=owners)
    page = shown.client.get("/phone").text
    assert "https://table.example.org:8443/" in page
    assert "Advanced" not in page
    assert "farklecrib.crt" not in page


@pytest.mark.browser
def test_a_browser_warns_once_and_the_accepted_page_is_a_secure_context(chromium, table: Served) -> None:
    address = f"https://localhost:{port_of(table).port}/"
    with chromium.new_context() as strict, pytest.raises(Error, match="ERR_CERT_AUTHORITY_INVALID"):
        strict.new_page().goto(address)
    with chromium.new_context(ignore_https_errors=True) as accepting:
        page = accepting.new_page()
        page.goto(address)
        page.locator("#room[data-seq]").wait_for()
        assert page.evaluate("isSecureContext && 'wakeLock' in navigator && !!navigator.mediaDevices")
        assert page.evaluate("navigator.serviceWorker.getRegistrations().then((found) => found.length)") == 0
        page.goto(address.replace("https:", "http:"))  # typed without its s
        page.locator("#room[data-seq]").wait_for()
        assert page.evaluate("location.protocol") == "https:"
