"""A flooded table: another address sends requests to both ports, holds half-open connections, and sends a huge body."""

import contextlib
import math
import socket
import ssl
import statistics
import tempfile
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from figures import milliseconds, resident_mb, spread
from table_program import table

from companion.storage.data_folder import open_storage

HALF_OPEN = 200
"""The number of connections held open at each port, with a header or a handshake that never ends."""

FLOODING = 3
"""The number of clients that send requests without end to each port, each request with a connection of its own."""


def flood(long: bool) -> str:
    """Measure an honest reader while another address floods the table with requests, connections and huge bodies."""
    from served import served

    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder), bound_to="0.0.0.0", tls=True) as running,  # noqa: S104
    ):
        port, tls_port = running.client.base_url.port, running.secure.port
        far = own_address()
        running.game()
        before = resident_mb()
        held = [dial(far, port, b"GET / HT") for _ in range(HALF_OPEN)]
        held += [dial(far, tls_port, b"\x16\x03\x01\x02\0\x01") for _ in range(HALF_OPEN)]
        ending = threading.Event()
        asked = (f"http://{far}:{port}/api/v1/state", f"https://{far}:{tls_port}/api/v1/state")
        floods = [threading.Thread(target=ask_on, args=(url, ending), daemon=True) for url in asked * FLOODING]
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
        f"honest reader's p99 {p99:.0f} ms, n {len(honest)}; {half_open} of {len(held)} half-open connections after"
        f" 12 s; memory {grown:+.1f} MB; a body of 200 MB gets {status}"
    )


def games_flood(long: bool) -> str:
    """Measure a press while twenty connections of one address ask for the list of many games."""
    count = 12_500 if long else 1800
    with tempfile.TemporaryDirectory() as folder:
        many_games(Path(folder), count)
        with table(Path(folder)) as running, ThreadPoolExecutor(20) as clients:
            page = f"{running.ready().address}games"
            ask_for_games(page, 1)
            ending = time.monotonic() + (30 if long else 10)
            asked = [clients.submit(ask_for_games, page, 10**6, ending) for _ in range(20)]
            presses: list[float] = []
            while time.monotonic() < ending:
                presses.append(milliseconds(lambda: running.post("buttons/keep", {"press": "tap"})))
                time.sleep(0.02)
            sizes = [size for each in asked for size in each.result()]
    return f"{count} games, ms: a press {spread(presses, 1)}; {len(sizes)} pages of {max(sizes) / 1000:.0f} kB"


def many_games(folder: Path, count: int) -> None:
    """Write a journal of this many games, all copies of one that was played."""
    from hosted import Connected, hosted

    with hosted(folder) as table:
        table.game().throws("111346").taps("bank").throws("344662").taps("bank").throws("123455").taps("bank")
        played = table.host.state.acts
    connected = Connected()
    storage = open_storage(folder, time.time, connecting=connected)
    connected.set("synchronous=OFF")
    for number in range(1, count):
        for act in played:
            storage.journal.append(1 + number, act.number + number * len(played), time.time(), act.events)
    storage.close()


def ask_for_games(page: str, most: int, ending: float = math.inf) -> list[int]:
    """Ask for the list of games `most` times, or until a monotonic time. Return the bytes of each answer."""
    sizes: list[int] = []
    while len(sizes) < most and time.monotonic() < ending:
        with contextlib.suppress(OSError), urllib.request.urlopen(page, timeout=60) as answer:
            sizes.append(len(answer.read()))
    return sizes


def own_address() -> str:
    """Return this machine's address in its network, or a loopback address."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))
            return str(asked.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def dial(host: str, port: int, sent: bytes) -> socket.socket:
    """Open a connection and send the beginning of a request's header, or of a handshake."""
    made = socket.create_connection((host, port), 5)
    with contextlib.suppress(OSError):
        made.sendall(sent)
    return made


def ask_on(url: str, ending: threading.Event) -> None:
    """Send one request after the other, each as soon as the last is answered, and trust any certificate."""
    trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # without this machine's authorities, which take memory
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    while not ending.is_set():
        try:
            with urllib.request.urlopen(url, timeout=5, context=trusting) as answer:
                answer.read()
        except OSError:
            ending.wait(0.005)


def huge(host: str, port: int) -> int:
    """Send a write of 200 MB as far as the table accepts it. Return the status of the answer."""
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
    """Return whether the other side has ended a connection, or ends it within a time."""
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
