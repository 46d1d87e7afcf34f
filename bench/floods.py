"""A flooded table: another address asks without end, holds half-open connections and sends a huge body."""

import contextlib
import socket
import statistics
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from figures import milliseconds, resident_mb

HALF_OPEN = 200
"""So many connections are held, each with a head that never ends."""

FLOODING = 6
"""So many ask without end."""


def flood(long: bool) -> str:
    """An honest reader while another address floods the table, holds half-open connections and sends huge bodies."""
    from served import served

    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder), bound_to="0.0.0.0", writes="trusted-network") as running,  # noqa: S104
    ):
        port = running.client.base_url.port
        far = own_address()
        running.game()
        before = resident_mb()
        held = [dial(far, port) for _ in range(HALF_OPEN)]
        ending = threading.Event()
        floods = [threading.Thread(target=ask_on, args=(far, port, ending), daemon=True) for _ in range(FLOODING)]
        for each in floods:
            each.start()
        honest = [milliseconds(lambda: running.client.get("/api/v1/state")) for _ in range(1000 if long else 200)]
        ending.set()
        for each in floods:
            each.join()
        began = time.monotonic()
        half_open = sum(not ended(each, 12 - (time.monotonic() - began)) for each in held)
        status = huge(far, port)
        grown = resident_mb() - before
    p99 = statistics.quantiles(honest, n=100)[98]
    return (
        f"honest reader's p99 {p99:.0f} ms, n {len(honest)}; {half_open} of {HALF_OPEN} half-open connections after"
        f" 12 s; memory {grown:+.1f} MB; a body of 200 MB gets {status}"
    )


def own_address() -> str:
    """This machine's address on its network, or a second one of its own."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))
            return str(asked.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def dial(host: str, port: int) -> socket.socket:
    """A connection on which the head of a request has begun."""
    made = socket.create_connection((host, port), 5)
    with contextlib.suppress(OSError):
        made.sendall(b"GET / HT")
    return made


def ask_on(host: str, port: int, ending: threading.Event) -> None:
    """Ask again and again, as fast as one is answered."""
    while not ending.is_set():
        try:
            with urllib.request.urlopen(f"http://{host}:{port}/api/v1/state", timeout=5) as answer:
                answer.read()
        except OSError:
            ending.wait(0.005)


def huge(host: str, port: int) -> int:
    """What a write of 200 MB is answered, sent as far as it is taken."""
    with socket.create_connection((host, port), 20) as made:
        head = f"POST /api/v1/keep HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: http://{host}:{port}\r\n"
        made.sendall(f"{head}Content-Type: application/json\r\nContent-Length: 200000000\r\n\r\n".encode())
        try:
            for _ in range(200):
                made.sendall(b" " * 1_000_000)
        except OSError:
            pass
        try:
            said = made.recv(100)
        except OSError:
            return 0
    return int(said.split()[1]) if said.startswith(b"HTTP/1.1 ") else 0


def ended(connection: socket.socket, within_s: float) -> bool:
    """Whether the other side has ended a connection, or does within a time."""
    with connection:
        connection.settimeout(max(within_s, 0.001))
        try:
            while connection.recv(4096):
                pass
        except TimeoutError:
            return False
        except OSError:
            pass
    return True
