"""Measure how long a page is stale after a loss: `python bench/stale_bench.py [--browser webkit] [--runs N]`.

Two pages show one table, each in a network namespace of its own. The first loses its packets, in both directions and
without an error. The second stands behind a proxy that freezes: what is open then stays open and dead for ever, and
what comes meanwhile is not answered. During the loss another game begins. The figure is the time from the end of the
loss until the page shows it. WebKit is MiniBrowser, driven over WebDriver (Debian: webkit2gtk-driver, xvfb).
"""

import argparse
import http.client
import json
import os
import random
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import table_program
from figures import mean_and_spread, share
from namespaces import Client, inside, network, program_inside
from running import PATIENCE_S, table
from table_program import CHROMIUM, NO_CHROMIUM

LIMIT_S, SAID_S = 3.0, 5.0
REST_S = 16.0
"""Seconds before each loss: the table ends connections that a page left idle, which would be dead afterwards."""

NOBODY = "02:00:00:00:00:01"
"""A hardware address that no interface has: packets to it are lost without an error."""

MINI_BROWSER = next(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"), None)
SHOWN = "return (document.querySelector('.player .who')?.textContent ?? '') + "
SHOWN += "(document.querySelector('#room[data-lost]') ? ' lost' : '')"
"""A script that returns the first player on the page, and whether it says that the table does not answer."""

Look = Callable[[], str]


class Proxy:
    """A proxy that passes connections on, until it freezes them."""

    def __init__(self, namespace: int, to: tuple[str, int]) -> None:
        """Listen on loopback of a namespace, and pass connections on from there."""
        self._inside = lambda: inside(namespace)
        self._to = to
        self._open: list[socket.socket] = []
        self._frozen = False
        self._dead: list[socket.socket] = []  # they stay open
        with self._inside():
            self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}/"
        threading.Thread(target=self._serve, daemon=True).start()

    def freeze(self) -> None:
        """Pass nothing more on, on any connection that is open or comes."""
        self._frozen = True
        self._dead += self._open
        self._open.clear()

    def thaw(self) -> None:
        """Pass on what comes from now on."""
        self._frozen = False

    def _serve(self) -> None:
        peers: dict[socket.socket, socket.socket] = {}
        while True:
            for ready in select.select([self._listener, *self._open], [], [], 0.02)[0]:
                if ready is self._listener:
                    near = self._listener.accept()[0]
                    if self._frozen:
                        self._dead.append(near)
                        continue
                    with self._inside():
                        far = socket.create_connection(self._to)
                    peers |= {near: far, far: near}
                    self._open += [near, far]
                elif ready in self._open:
                    data = b""
                    with suppress(OSError):
                        data = ready.recv(1 << 16)
                        peers[ready].sendall(data)
                    if not data:
                        for each in (ready, peers[ready]):
                            each.close()
                            with suppress(ValueError):
                                self._open.remove(each)


@contextmanager
def chromium(play: Any, namespace: int, address: str) -> Iterator[Look]:
    """Open a page in a Chromium of its own in a namespace, by Playwright."""
    with tempfile.TemporaryDirectory() as folder:
        program = program_inside(namespace, CHROMIUM, Path(folder))
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.goto(address)
        yield lambda: str(page.evaluate(f"() => {{ {SHOWN} }}"))
        browser.close()


@contextmanager
def webkit(_: Any, namespace: int, address: str) -> Iterator[Look]:
    """Open a page in a WebKit of its own in a namespace."""
    with tempfile.TemporaryDirectory() as home, inside(namespace):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        command = ["xvfb-run", "--auto-servernum", "WebKitWebDriver", f"--port={port}"]
        environment = {**os.environ, "HOME": home, "XDG_RUNTIME_DIR": home}
        driver = subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )

    def ask(method: str, path: str, body: object = None) -> Any:
        sent = None if body is None else json.dumps(body)
        wire = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        with inside(namespace):
            wire.request(method, path, sent, {"content-type": "application/json"})
        return json.loads(wire.getresponse().read())["value"]

    def listens() -> bool:
        with inside(namespace), suppress(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port)).close()
            return True
        return False

    end_s = time.monotonic() + PATIENCE_S
    while not listens() and time.monotonic() < end_s:
        time.sleep(0.1)
    options = {"binary": str(MINI_BROWSER), "args": ["--automation"]}
    try:
        made = ask("POST", "/session", {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}})
        session = f"/session/{made['sessionId']}"
        ask("POST", f"{session}/url", {"url": address})
        yield lambda: str(ask("POST", f"{session}/execute/sync", {"script": SHOWN, "args": []}))
        ask("DELETE", session)
    finally:
        os.killpg(driver.pid, 15)
        driver.wait()


BROWSERS = {"chromium": chromium, "webkit": webkit}


def lacks(browser: str) -> str:
    """Return what this machine lacks for a browser; empty if nothing."""
    if browser == "chromium":
        return "" if CHROMIUM else NO_CHROMIUM
    missing = [each for each in ("WebKitWebDriver", "xvfb-run") if shutil.which(each) is None]
    if MINI_BROWSER is None or missing:
        return "expected WebKitGTK's MiniBrowser, its driver and Xvfb (Debian: webkit2gtk-driver, xvfb)"
    return ""


def measure(browser: str, losses_s: list[float]) -> Iterator[tuple[str, float, float, float]]:
    """Lose the connection for each of these times.

    Yields:
        The kind of loss, its seconds, the seconds until the page was right, and those until it said the loss.
    """
    from playwright.sync_api import sync_playwright

    with ExitStack() as stack:
        net = stack.enter_context(network())
        data = stack.enter_context(tempfile.TemporaryDirectory())
        wireless, proxied = net.place(1), net.place(1)
        with inside(net.table):
            running = stack.enter_context(table(Path(data), "--host", "0.0.0.0"))  # noqa: S104
        port = int(running.ready().address.rstrip("/").rpartition(":")[2])
        here = Client(net.table, "127.0.0.1", port)
        begin(here, "Before")
        proxy = Proxy(proxied.namespace, (proxied.table, port))
        opened = partial(BROWSERS[browser], stack.enter_context(sync_playwright()))
        pages = {
            "packets": stack.enter_context(opened(wireless.namespace, f"http://{wireless.table}:{port}/")),
            "proxy": stack.enter_context(opened(proxied.namespace, proxy.address)),
        }
        until(pages, "Before")

        def packets(lost: bool) -> None:
            for namespace, device, far in (
                (net.table, "cable0", wireless.addresses[0]),
                (wireless.namespace, "cable", wireless.table),
            ):
                change = f"replace {far} lladdr {NOBODY} nud permanent" if lost else f"del {far}"
                with inside(namespace):
                    subprocess.run(["ip", "neigh", *change.split(), "dev", device], check=True)

        for number, loss_s in enumerate(losses_s, 1):
            time.sleep(REST_S)
            packets(lost=True)
            proxy.freeze()
            began_s = time.monotonic()
            begin(here, f"Run {number}")
            said: dict[str, float] = {}
            while time.monotonic() - began_s < loss_s:
                for name in pages.keys() - said.keys():
                    if pages[name]().endswith(" lost"):
                        said[name] = time.monotonic() - began_s
                time.sleep(0.02)
            packets(lost=False)
            proxy.thaw()
            for name, took_s in until(pages, f"Run {number}").items():
                yield name, loss_s, took_s, said.get(name, PATIENCE_S)


def begin(here: Any, name: str) -> None:
    """Begin a game, whose first player shows which one it is."""
    here.api("POST", "game", {"rules": "farkle-cribbage", "players": [name, "Ben"]})


def until(pages: dict[str, Look], name: str) -> dict[str, float]:
    """Wait until each page shows a player and no loss; return the seconds that each took."""
    began_s = time.monotonic()
    took: dict[str, float] = {}
    while len(took) < len(pages) and time.monotonic() - began_s < PATIENCE_S:
        for each in pages.keys() - took.keys():
            if pages[each]() == name:
                took[each] = time.monotonic() - began_s
        time.sleep(0.02)
    return {each: took.get(each, PATIENCE_S) for each in pages}


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How long a page is stale after a loss.")
    parser.add_argument("--browser", choices=BROWSERS, default="chromium")
    parser.add_argument("--runs", type=int, default=20, help="losses of 6 to 10 seconds")
    parser.add_argument("--long", type=int, default=0, help="losses of a minute beside them")
    arguments = parser.parse_args()
    if not table_program.may_make_namespaces(lacks(arguments.browser)):
        return 0
    chance = random.Random(1)
    losses_s = [60.0] * arguments.long + [chance.uniform(6.0, 10.0) for _ in range(arguments.runs)]
    found: dict[str, list[tuple[float, float]]] = {}
    for name, loss_s, took_s, said_s in measure(arguments.browser, losses_s):
        found.setdefault(name, []).append((took_s, said_s))
        sys.stdout.write(f"{arguments.browser}, {name}: {loss_s:.1f} s lost, said after {said_s:.2f} s, ")
        sys.stdout.write(f"right {took_s:.2f} s after its end\n")
        sys.stdout.flush()
    right = True
    for name, runs in found.items():
        took, said = map(list, zip(*runs, strict=True))
        within = sum(each <= LIMIT_S for each in took)
        right = right and within == len(took)
        sys.stdout.write(f"{arguments.browser}, {name}: within {LIMIT_S:.0f} s {share(within, len(took))}; ")
        sys.stdout.write(f"{mean_and_spread(took, 2)}, most {max(took):.2f}; ")
        sys.stdout.write(f"said within {SAID_S:.0f} s {share(sum(each <= SAID_S for each in said), len(said))}\n")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
