"""Slow, half-open and excess connections end, on both ports, and other clients do not notice."""

import select
import socket
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest
from served import Served, served

from companion.web.guard import connections
from companion.web.guard.connections import MOST, MOST_OF_AN_ADDRESS, MOST_WAITING, LimitedConnection, OpenConnections
from companion.words import english

HEAD = 1.0
LONG_HEAD = 5.0
"""Enough to open as many connections as an address may hold."""


@pytest.fixture(scope="module", params=["http", pytest.param("https", marks=pytest.mark.exhaustive)])
def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("connections"), head_s=HEAD, tls=request.param == "https") as running:
        yield running


def connect(port: int | None, source: str = "127.0.0.1") -> socket.socket:
    """Open a connection, whose reads end with an error after a minute."""
    return socket.create_connection(("127.0.0.1", port), 60, source_address=(source, 0))


def dial(table: Served, source: str = "127.0.0.1") -> socket.socket:
    """Open a connection, to the second port if there is one; its first use makes the handshake."""
    if table.secure is None:
        return connect(table.client.base_url.port, source)
    made = connect(table.secure.port, source)
    return table.trusting().wrap_socket(made, server_hostname="127.0.0.1", do_handshake_on_connect=False)


def whole(connection: socket.socket) -> bytes:
    """Return all bytes that come until the table ends the connection."""
    with connection, suppress(ConnectionResetError):
        return b"".join(iter(lambda: connection.recv(65536), b""))
    return b""


def await_text(connection: socket.socket, text: bytes) -> None:
    """Read until a text has come; the socket's time-out ends a test in which it never comes."""
    told = b""
    while text not in told:
        got = connection.recv(65536)
        assert got, told
        told += got


def streaming(table: Served, source: str = "127.0.0.1", page: str = "") -> socket.socket:
    """Open a stream of a page, and return it when the first view has come."""
    made = dial(table, source)
    made.sendall(STREAM.replace(b"/events", f"/events?page={page}".encode()))
    await_text(made, b"data:")
    return made


@dataclass(eq=False)
class Held:
    """A connection as `OpenConnections` sees it."""

    streaming: bool = False
    ended: bool = False
    idle: bool = False

    def end(self) -> None:
        self.ended = True

    def close(self) -> None:
        assert self.idle
        self.ended = True

    def begin(self) -> None:
        assert not self.ended


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


def test_the_oldest_idle_connection_of_an_address_gives_way_to_a_new_one() -> None:
    all_open = OpenConnections()
    held = [opened(all_open, "10.0.0.1") for _ in range(MOST_OF_AN_ADDRESS)]
    other = opened(all_open, "10.0.0.2")
    assert other is not None
    other.idle = True
    assert opened(all_open, "10.0.0.1") is None
    for each in (held[3], held[5]):
        assert each is not None
        each.idle = True
    assert opened(all_open, "10.0.0.1") is not None
    assert [each for each in (*held, other) if each is None or each.ended] == [held[3]]


def test_idle_connections_give_way_before_a_stream_ends_or_a_newcomer_is_refused() -> None:
    all_open, held = filled("127.0.0.1", *GREEDY)
    for idle in (held["127.0.0.1"][1], held[GREEDY[4]][2]):
        assert idle is not None
        idle.idle = True
    assert opened(all_open, "10.0.1.1") is not None
    ended = [each for mine in held.values() for each in mine if each is None or each.ended]
    assert ended == [held[GREEDY[4]][2]]  # the one of this machine stays


def test_who_waits_gets_the_first_place_that_becomes_free() -> None:
    all_open = OpenConnections()
    held = [opened(all_open, "10.0.0.1") for _ in range(MOST_OF_AN_ADDRESS)]
    first, second = (cast(LimitedConnection, Held()) for _ in range(2))
    assert all_open.wait("10.0.0.1", first)
    assert all_open.wait("10.0.0.1", second)
    all_open.place_freed()
    all_open.remove("10.0.0.1", cast(LimitedConnection, held[0]))
    all_open.place_freed()
    assert [all_open.leave(each) for each in (first, second)] == [False, True]


def test_no_more_than_the_limit_wait() -> None:
    all_open = OpenConnections()
    waiting = [all_open.wait("10.0.0.1", cast(LimitedConnection, Held())) for _ in range(MOST_WAITING + 5)]
    assert waiting.count(True) == MOST_WAITING


STREAM = b"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


def test_six_addresses_full_of_streams_keep_no_other_address_out(patient_table: Served) -> None:
    streams = [streaming(patient_table, f"127.0.0.{11 + number // MOST_OF_AN_ADDRESS}") for number in range(MOST)]
    assert patient_table.client.get("/api/v1/state").status_code == 200
    whole(streams[0])
    for each in (*streams[1:], streaming(patient_table, "127.0.0.99")):
        each.close()


def test_a_new_stream_of_a_page_ends_its_old_one_and_no_other(patient_table: Served) -> None:
    others = [streaming(patient_table, page=page) for page in ("other", "", "")]
    newest = streaming(patient_table, page="mine")
    for _ in range(MOST_OF_AN_ADDRESS):  # the old ones hold no place
        before, newest = newest, streaming(patient_table, page="mine")
        whole(before)
    patient_table.game()
    for each in (*others, newest):
        await_text(each, b"Ann")
        each.close()


ASKED = b"GET /api/v1/state HTTP/1.1\r\nHost: 127.0.0.1\r\n"


def test_a_connection_is_ended_whose_header_is_late_and_no_stream(table: Served) -> None:
    stream, second, trickle, *late = (streaming(table), *(dial(table) for _ in range(6)))
    for connection, sent in zip(late, (b"", b"G", ASKED, ASKED + b"X-Long: " + b"x" * 9000), strict=True):
        connection.sendall(sent)
    second.sendall(ASKED + b"\r\n")
    assert second.recv(65536).startswith(b"HTTP/1.1 200")
    second.sendall(b"GET /api")
    for byte in (ASKED + b"X: y\r\n") * 100:
        trickle.sendall(bytes([byte]))
        if select.select([trickle], [], [], 0.01)[0]:  # the connection has ended
            break
    else:
        pytest.fail("expected the table to end a connection that sends its header byte by byte")
    for connection in (trickle, second, *late):  # they wait for their deadlines side by side
        whole(connection)
    table.game()
    with stream:
        await_text(stream, b"Ann")


@pytest.fixture(params=["http", pytest.param("https", marks=pytest.mark.exhaustive)])
def patient_table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path, head_s=LONG_HEAD, tls=request.param == "https") as running:
        yield running


def test_an_address_gets_its_limit_of_connections(patient_table: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "WAIT_S", 0.05)
    held = [dial(patient_table, "127.0.0.2") for _ in range(MOST_OF_AN_ADDRESS)]
    for each in held:
        each.sendall(b"GET")
    told = whole(dial(patient_table, "127.0.0.2"))
    assert told.startswith(b"HTTP/1.1 503")
    assert told.endswith(english()("access.full").encode())
    assert patient_table.client.get("/api/v1/state").status_code == 200  # another address does not notice
    for each in held:
        each.close()
    again = dial(patient_table, "127.0.0.2")
    again.sendall(ASKED + b"Connection: close\r\n\r\n")
    assert whole(again).startswith(b"HTTP/1.1 200")


def test_bytes_that_are_no_http_are_answered_or_the_connection_ends(table: Served) -> None:
    for sent in (b"\0\0\0\r\n\r\n", b"GET / HTTP/9\r\n\r\n", b"BREW / HTTP/1.1\r\n\r\n", b"\x16\x03\x01"):
        connection = dial(table)
        connection.sendall(sent)
        whole(connection)
        assert table.client.get("/api/v1/state").status_code == 200, sent


def test_a_connection_that_was_answered_gives_way_to_the_next_one_of_its_address(patient_table: Served) -> None:
    answered: list[socket.socket] = []
    for _ in range(2 * MOST_OF_AN_ADDRESS):
        answered.append(dial(patient_table, "127.0.0.4"))
        answered[-1].sendall(ASKED + b"\r\n")
        assert answered[-1].recv(65536).startswith(b"HTTP/1.1 200")
    for each in answered[:MOST_OF_AN_ADDRESS]:
        whole(each)
    for each in answered[MOST_OF_AN_ADDRESS:]:
        each.sendall(ASKED + b"Connection: close\r\n\r\n")
        assert b"HTTP/1.1 200" in whole(each)


def test_connections_that_came_all_at_once_are_served_one_after_the_other(patient_table: Served) -> None:
    streams = [streaming(patient_table, "127.0.0.5") for _ in range(MOST_OF_AN_ADDRESS - 1)]
    together = [dial(patient_table, "127.0.0.5") for _ in range(12)]
    for each in together:
        each.sendall(ASKED + b"Connection: close\r\n\r\n")
    assert all(whole(each).startswith(b"HTTP/1.1 200") for each in together)
    for each in streams:
        each.close()
