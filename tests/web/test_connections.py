"""Slow, half-open and excess connections end, and other clients do not notice."""

import logging
import select
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest
from served import Served, served

from companion.log import OnceAMinute
from companion.web.connections import MOST, MOST_OF_AN_ADDRESS, LimitedConnection, OpenConnections

HEAD = 1.0
LONG_HEAD = 5.0
"""Enough to open as many connections as an address may hold."""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("connections"), head_s=HEAD) as running:
        yield running


def dial(table: Served, source: str = "127.0.0.1") -> socket.socket:
    made = socket.create_connection(("127.0.0.1", table.client.base_url.port), 10, source_address=(source, 0))
    made.settimeout(60)
    return made


def ends(connection: socket.socket) -> bool:
    """Return whether the table ends the connection within the socket's ten seconds."""
    with connection:
        try:
            while connection.recv(4096):
                pass
        except ConnectionResetError:
            return True
        return True


@dataclass(eq=False)
class Held:
    """A connection as `OpenConnections` sees it."""

    streaming: bool = False
    ended: bool = False

    def end(self) -> None:
        self.ended = True


def opened(all_open: OpenConnections, address: str, *, streaming: bool = True) -> Held | None:
    """Open a connection from an address. Return None if it was refused."""
    made = Held(streaming)
    return made if all_open.admit(address, cast(LimitedConnection, made)) else None


def filled(*addresses: str) -> tuple[OpenConnections, dict[str, list[Held | None]]]:
    """Open all allowed connections from some addresses in turn. The first connection of each address is no stream."""
    all_open, held = OpenConnections(), {address: [] for address in addresses}
    for number in range(MOST):
        address = addresses[number % len(addresses)]
        held[address].append(opened(all_open, address, streaming=bool(held[address])))
    return all_open, held


GREEDY = [f"192.168.1.{n}" for n in range(1, 7)]


@pytest.mark.parametrize("newcomer", ["192.168.1.99", "2001:db8::9", "127.0.0.1", "::1", "::ffff:127.0.0.1"])
def test_the_address_with_most_connections_loses_its_oldest_stream_to_a_new_address(newcomer: str) -> None:
    all_open, held = filled(*GREEDY)
    greediest = max(held.values(), key=len)
    assert opened(all_open, newcomer) is not None
    assert [each for mine in held.values() for each in mine if each is None or each.ended] == [greediest[1]]


def test_without_streams_the_oldest_connection_is_ended() -> None:
    all_open, first = OpenConnections(), []
    for number in range(MOST):
        first.append(opened(all_open, GREEDY[number % 6], streaming=False))
    assert opened(all_open, "192.168.1.99") is not None
    assert [each for each in first if each is None or each.ended] == [first[0]]


def test_an_address_ends_no_connection_of_one_that_would_then_hold_fewer() -> None:
    all_open, held = filled(*(f"10.0.0.{n}" for n in range(MOST)))
    assert opened(all_open, "10.0.1.1") is None
    assert opened(all_open, "10.0.0.1") is None
    assert not any(each is None or each.ended for mine in held.values() for each in mine)
    assert opened(all_open, "127.0.0.1") is not None  # this machine always gets a connection


def test_strangers_end_no_connection_of_this_machine() -> None:
    all_open, held = filled("127.0.0.1", *GREEDY)
    for number in range(200):
        opened(all_open, f"10.0.0.{number}")
    assert not any(each is None or each.ended for each in held["127.0.0.1"])


def test_the_limits_for_each_address_and_for_all_hold() -> None:
    all_open = OpenConnections()
    made = [each for number in range(2000) if (each := opened(all_open, f"10.0.0.{number % 200}")) is not None]
    assert sum(not each.ended for each in made) == MOST
    all_open = OpenConnections()
    assert sum(opened(all_open, "127.0.0.1") is not None for _ in range(30)) == MOST_OF_AN_ADDRESS


STREAM = b"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


def test_six_addresses_full_of_streams_keep_no_other_address_out(patient_table: Served) -> None:
    streams = []
    for number in range(MOST):
        streams.append(dial(patient_table, f"127.0.0.{11 + number // MOST_OF_AN_ADDRESS}"))
        streams[-1].sendall(STREAM)
        assert streams[-1].recv(65536).startswith(b"HTTP/1.1 200")
    assert patient_table.client.get("/api/v1/state").status_code == 200
    assert ends(streams[0])
    newcomer = dial(patient_table, "127.0.0.99")
    newcomer.sendall(STREAM)
    assert newcomer.recv(65536).startswith(b"HTTP/1.1 200")
    for each in (*streams[1:], newcomer):
        each.close()


ASKED = b"GET /api/v1/state HTTP/1.1\r\nHost: 127.0.0.1\r\n"


@pytest.mark.parametrize("sent", [b"", b"G", ASKED, ASKED + b"X-Long: " + b"x" * 9000])
def test_a_connection_that_sends_no_header_is_ended(table: Served, sent: bytes) -> None:
    connection = dial(table)
    connection.sendall(sent)
    assert ends(connection)


def test_a_connection_that_sends_its_header_byte_by_byte_is_ended(table: Served) -> None:
    connection = dial(table)
    for byte in (ASKED + b"X: y\r\n") * 100:
        connection.sendall(bytes([byte]))
        if select.select([connection], [], [], 0.01)[0]:  # the connection has ended
            break
    else:
        pytest.fail("expected the table to end the connection")
    assert ends(connection)


def test_the_second_request_of_a_connection_has_a_deadline_too(table: Served) -> None:
    connection = dial(table)
    connection.sendall(ASKED + b"\r\n")
    assert connection.recv(65536).startswith(b"HTTP/1.1 200")
    connection.sendall(b"GET /api")
    assert ends(connection)


def test_a_get_request_that_announces_a_body_and_never_sends_it_is_ended(table: Served) -> None:
    connection = dial(table)
    connection.sendall(ASKED + b"Content-Length: 1000\r\n\r\nab")
    assert ends(connection)


def test_a_stream_may_last_longer_than_the_limit_for_a_header(table: Served) -> None:
    connection = dial(table)
    connection.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert b"200" in connection.recv(65536)
    half_open = dial(table)
    assert ends(half_open)  # a whole deadline has passed
    table.game()
    told = b""
    while b"Ann" not in told:
        told += connection.recv(65536)
    connection.close()


@pytest.fixture
def patient_table(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path, head_s=LONG_HEAD) as running:
        yield running


def test_an_address_gets_its_limit_of_connections(patient_table: Served) -> None:
    table = patient_table
    held = [dial(table, "127.0.0.2") for _ in range(MOST_OF_AN_ADDRESS)]
    for each in held:
        each.sendall(b"GET")
    extra = dial(table, "127.0.0.2")
    assert extra.recv(100).startswith(b"HTTP/1.1 503")
    assert table.client.get("/api/v1/state").status_code == 200  # another address does not notice
    for each in held:
        assert ends(each)
    again = dial(table, "127.0.0.2")
    again.sendall(ASKED + b"\r\n")
    assert again.recv(100).startswith(b"HTTP/1.1 200")
    extra.close()
    again.close()


def test_refused_connections_are_one_line_a_minute_in_the_log(
    patient_table: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(logging.getLogger("farklecrib.connections"), "filters", [OnceAMinute()])
    held = [dial(patient_table, "127.0.0.3") for _ in range(MOST_OF_AN_ADDRESS)]
    refused = [dial(patient_table, "127.0.0.3") for _ in range(3)]
    assert all(each.recv(100).startswith(b"HTTP/1.1 503") for each in refused)
    (line,) = [each.getMessage() for each in caplog.records if each.name == "farklecrib.connections"]
    assert line.startswith(f"refused a connection from 127.0.0.3: it holds {MOST_OF_AN_ADDRESS} of ")
    for each in (*held, *refused):
        each.close()


@pytest.mark.parametrize(
    "sent", [b"\0\0\0\r\n\r\n", b"GET / HTTP/9\r\n\r\n", b"BREW / HTTP/1.1\r\n\r\n", b"\x16\x03\x01"]
)
def test_bytes_that_are_no_http_are_answered_or_the_connection_ends(table: Served, sent: bytes) -> None:
    connection = dial(table)
    connection.sendall(sent)
    assert ends(connection)
    assert table.client.get("/api/v1/state").status_code == 200
