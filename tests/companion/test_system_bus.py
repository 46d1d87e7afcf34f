"""A system bus that misbehaves: each call ends in time with an error that says so, and takes no memory."""

import os
import re
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest
from bus import BusProgram, system_bus

from companion.errors import BusError, NoBusError
from companion.runtime.system_bus import MOST_BYTES, BusObject, SystemBus

WHERE = BusObject("/", "org.example.Clock", "org.example.Clock")
PATIENCE_S = 60.0
SOON_S = 0.05

Peer = Callable[[socket.socket], object]


@contextmanager
def bus_of(peer: Peer, folder: Path, monkeypatch: pytest.MonkeyPatch, hello: bytes = b"OK 0123\r\n") -> Iterator[None]:
    """Run a bus that authenticates its client with `hello`, and then does as `peer`."""
    path = folder / "bus"
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={path}")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()

        def serve() -> None:
            with suppress(OSError):  # the client has gone
                client, _ = listening.accept()
                with client:
                    lines = client.makefile("rb")
                    lines.readline()
                    client.sendall(hello)
                    if lines.readline():  # BEGIN
                        peer(client)

        serving = threading.Thread(target=serve, daemon=True)
        serving.start()
        yield
        serving.join(PATIENCE_S)
        assert not serving.is_alive()


def drip(client: socket.socket) -> None:
    """Send the start of a long message without end, slowly."""
    client.sendall(struct.pack("<cBBBIII", b"l", 2, 0, 1, 1 << 26, 1, 1 << 20))
    while not threading.Event().wait(SOON_S / 10):
        client.sendall(b"\0")


def flood(client: socket.socket) -> None:
    """Send the start of a message of 64 MB, and zeros as fast as they go."""
    client.sendall(struct.pack("<cBBBIII", b"l", 2, 0, 1, 1 << 26, 1, 1 << 20))
    while True:
        client.sendall(bytes(4096))


def be_silent(client: socket.socket) -> None:
    """Read, and send nothing."""
    while client.recv(4096):
        pass


@pytest.mark.parametrize("peer", [drip, be_silent])
def test_a_bus_that_does_not_finish_its_message_ends_the_call_in_time(
    peer: Peer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        bus_of(peer, tmp_path, monkeypatch),
        pytest.raises(BusError, match=r"^Now: expected an answer within 0\.05 s, got none$"),
    ):
        SystemBus(SOON_S).call(WHERE, "Now")


def test_a_bus_that_sends_without_end_ends_the_call_by_the_number_of_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        bus_of(flood, tmp_path, monkeypatch),
        pytest.raises(BusError, match=f"^expected an answer of at most {MOST_BYTES:,} bytes, got more$"),
    ):
        SystemBus(PATIENCE_S).call(WHERE, "Now")


def talk(garbage: bytes, client: socket.socket) -> None:
    """Send the garbage, and keep the connection open."""
    client.sendall(garbage)
    be_silent(client)


@pytest.mark.parametrize("garbage", [b"GET / HTTP/1.1\r\n" * 9, b"\xff" * 99, bytes(99), b"l\2\0\1" + b"\1\0\0\0" * 9])
def test_other_bytes_than_a_message_are_an_error_that_is_told(
    garbage: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with bus_of(partial(talk, garbage), tmp_path, monkeypatch), pytest.raises(BusError) as raised:
        SystemBus(SOON_S).call(WHERE, "Now")
    assert raised.type is BusError
    assert re.match(r"expected a message of D-Bus, got other bytes|Now: expected an answer within", str(raised.value))


@pytest.mark.parametrize("hello", [b"REJECTED EXTERNAL\r\n", b"\0" * 10_000, b"OK 0123\r\n" + b"\xff" * 3000])
def test_a_bus_that_refuses_its_client_is_told_in_one_short_line(
    hello: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with bus_of(be_silent, tmp_path, monkeypatch, hello), pytest.raises(BusError) as raised:
        SystemBus(PATIENCE_S).call(WHERE, "Now")
    assert raised.type is BusError  # `NoBusError` is a machine without avahi, and is not told
    assert str(raised.value).startswith("expected the system bus, got: ")
    assert len(str(raised.value)) < 500


@pytest.mark.parametrize("address", ["tcp:host=localhost,port=1", "unix:path=/nowhere", "nonsense", "unix:path=\0"])
def test_an_address_of_no_bus_is_no_bus(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "DBUS_SYSTEM_BUS_ADDRESS", address.replace("\0", "%00"))
    with pytest.raises(NoBusError, match="expected the system bus"):
        SystemBus().call(WHERE, "Now")


def test_after_a_failure_the_next_call_opens_the_bus_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bus = SystemBus(PATIENCE_S)
    with bus_of(flood, tmp_path, monkeypatch), pytest.raises(BusError):
        bus.call(WHERE, "Now")
    (tmp_path / "bus").unlink()
    with system_bus(tmp_path, monkeypatch):
        clock = BusProgram("org.example.Clock", lambda *_: ("u", (7,)))
        assert bus.call(WHERE, "Now") == (7,)
        assert bus.call(WHERE, "Later", "s", "x" * 100_000) == (7,)
        bus.close()
        clock.quit()
