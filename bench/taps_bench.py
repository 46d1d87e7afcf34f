"""Measure whether quick taps lose dice: `python bench/taps_bench.py [--runs N]`.

A page in Chromium plays at the real program, through a proxy that keeps each byte back. Of 1 1 1 2 4 6 the ones are
tapped: the first, the second, and the third three times, so that 1 1 1 are chosen at the end. The figure is how often
the table has chosen them, for each pause between taps.
"""

import argparse
import select
import socket
import sys
import tempfile
import threading
import time
from collections import deque
from contextlib import ExitStack, suppress
from pathlib import Path

from figures import share

ROOT = Path(__file__).resolve().parent.parent
for folder in ("companion", "table", "system"):
    sys.path.insert(0, str(ROOT / "tests" / folder))

GAPS_MS = (0, 20, 50)
LATENCIES_MS = (0, 300)
TAPS = (0, 1, 2, 2, 2)
PATIENCE_S = 60.0
NO_LONG_PRESS = "const wait = setTimeout; window.setTimeout = (f, ms) => (ms === 500 ? 0 : wait(f, ms));"
"""A script for the page: on a busy machine a tap would become a long press, which corrects a die."""

CHROMIUMS = (Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium"))


class SlowProxy:
    """A proxy that keeps what it passes on back, half of the latency in each direction."""

    def __init__(self, port: int, latency_s: float) -> None:
        self._port = port
        self._half_s = latency_s / 2
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}/"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        peers: dict[socket.socket, socket.socket] = {}
        late: deque[tuple[float, socket.socket, bytes]] = deque()
        while True:
            for ready in select.select([self._listener, *peers], [], [], 0.002)[0]:
                if ready is self._listener:
                    near, far = ready.accept()[0], socket.create_connection(("127.0.0.1", self._port))
                    peers |= {near: far, far: near}
                    continue
                data = b""
                with suppress(OSError):
                    data = ready.recv(1 << 16)
                late.append((time.monotonic() + self._half_s, peers[ready], data))
                if not data:
                    del peers[ready]
            while late and late[0][0] <= time.monotonic():
                _, to, data = late.popleft()
                with suppress(OSError):
                    to.sendall(data) if data else to.shutdown(socket.SHUT_WR)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Whether quick taps lose dice.")
    parser.add_argument("--runs", type=int, default=20, help="throws for each pause and latency")
    runs = parser.parse_args().runs
    program = next(filter(Path.exists, CHROMIUMS), None)
    if program is None:
        sys.stdout.write("left out: expected Chromium (Debian: chromium-headless-shell)\n")
        return 0
    from playwright.sync_api import sync_playwright
    from running import table

    right = True
    with ExitStack() as stack:
        data = stack.enter_context(tempfile.TemporaryDirectory())
        running = stack.enter_context(table(Path(data)))
        port = int(running.ready().address.rstrip("/").rpartition(":")[2])
        play = stack.enter_context(sync_playwright())
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        stack.callback(browser.close)
        running.post("game", {"rules": "farkle-cribbage", "players": ["Ann", "Ben"]})
        running.throw([1, 1, 1, 2, 4, 6])
        for latency_ms in LATENCIES_MS:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.add_init_script(NO_LONG_PRESS)
            page.goto(SlowProxy(port, latency_ms / 1e3).address)
            ones = page.locator("#roll .rolled[data-face='1']")
            for gap_ms in GAPS_MS:
                found = 0
                for _ in range(runs):
                    running.post("keep", {"dice": []})
                    page.locator("#room:not([data-unsent]):not(:has(#roll .chosen)) #roll .rolled").first.wait_for()
                    boxes = [ones.nth(number).bounding_box() for number in range(3)]
                    for box in (boxes[number] for number in TAPS):
                        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
                        time.sleep(gap_ms / 1e3)
                    page.locator("#room:not([data-unsent]) #roll .chosen").first.wait_for()
                    chosen = running.get("state")["chosen"]
                    found += chosen is not None and chosen["dice"] == [1, 1, 1]
                right = right and found == runs
                sys.stdout.write(f"latency {latency_ms} ms, pause {gap_ms} ms: 1 1 1 chosen {share(found, runs)}\n")
                sys.stdout.flush()
            page.close()
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
