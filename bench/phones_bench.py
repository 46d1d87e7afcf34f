"""Measure how fast many phones see an act: `python bench/phones_bench.py [--turns N] [--before FOLDER]`.

The real program plays a game of twelve, each of whom holds a phone. Sixty more clients watch. All 72 show the page or
its stream of views, each at an address of its own, in network namespaces; two are real Chromium, one of them a phone.
A stranger at one more address asks for pages without end. The figure is the time from sending a press to the last byte
of its view at the last client. Programs, clients and browsers share this machine's cores.

`--before` names another checkout, whose program is measured in turn; the ratio of the two is printed.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from figures import cpu_s, interval, spread

ROOT = Path(__file__).resolve().parent.parent
for folder in ("companion", "table", "system"):
    sys.path.insert(0, str(ROOT / "tests" / folder))

PHONES, WATCHERS = 12, 60
LIMIT_MS = 250.0
CHROMIUM = Path("/usr/bin/chromium")
THROWN = [1, 2, 3, 4, 6, 6]
"""A throw of few points, so that the game does not end."""

WARM = 6
"""The turns before the measurement begins."""

SEEN = """
const seen = [], waiting = [];
window.shown = (version) => new Promise((done) => { waiting.push([version, done]); look(); });
const look = () => {
  for (const [version, done] of waiting.splice(0)) {
    const found = seen.find(([each]) => each >= version);
    if (found) done(found[1]);
    else waiting.push([version, done]);
  }
};
const Source = window.EventSource;
window.EventSource = class extends Source {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", (event) => {
      const at = performance.timeOrigin + performance.now();
      seen.push([Number(/"version":(\\d+)/.exec(event.data)[1]), at]);
      look();
    });
  }
};
"""
"""A script for the pages: `shown` gives the time, in milliseconds since 1970, when the page had a view."""


@dataclass
class Held:
    """What the program's process holds."""

    memory_mb: float
    threads: int
    files: int

    @classmethod
    def by(cls, pid: int) -> "Held":
        """Return what a process holds now."""
        status = dict(line.split(":\t", 1) for line in Path(f"/proc/{pid}/status").read_text("utf-8").splitlines())
        return cls(
            int(status["VmRSS"].split()[0]) / 1e3,
            int(status["Threads"]),
            sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir()),
        )


@dataclass
class Measured:
    """The figures of one program; times are in milliseconds, one for each press."""

    last: list[float] = field(default_factory=list)
    streams: list[float] = field(default_factory=list)
    browsers: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    pages: dict[str, int] = field(default_factory=dict)
    asked_s: float = 0.0
    ended: int = 0

    def lines(self) -> Iterator[str]:
        """Yield every figure."""
        yield f"press to the last of all, ms      {spread(self.last, 0)}; {interval(self.last, 0)}"
        yield f"to the last stream's bytes, ms    {spread(self.streams, 0)}; {interval(self.streams, 0)}"
        if self.browsers:
            yield f"to the later browser's script, ms {spread(self.browsers, 0)}"
        yield f"to the press's own answer, ms     {spread(self.answers, 0)}"
        first, final = self.held[0], self.held[-1]
        yield (
            f"memory {first.memory_mb:.1f} to {final.memory_mb:.1f} MB, threads {first.threads} to {final.threads},"
            f" files {first.files} to {final.files}; processor {interval(self.cpu, 0)} ms a press"
        )
        rate = sum(self.pages.values()) / self.asked_s
        yield f"the stranger got {rate:.0f} answers a second, by status {self.pages}; streams that ended: {self.ended}"


class Measurement:
    """One running program with its phones, watchers, browsers and stranger."""

    def __init__(self, stack: ExitStack, python_path: str, browsers: bool, stranger: bool) -> None:
        """Start the program and let everybody in.

        Args:
            stack: Ends everything.
            python_path: Where the program's code lies; empty for this checkout.
            browsers: Whether two of the clients are real browsers.
            stranger: Whether a stranger asks for pages.
        """
        from namespaces import Client, inside, let_in, network, program_inside
        from running import table
        from streams import Streams

        self.net = stack.enter_context(network())
        crowd = self.net.place(PHONES + WATCHERS + 1)
        rooms = [self.net.place(1) for _ in range(2)] if browsers else []
        data = stack.enter_context(tempfile.TemporaryDirectory())
        with inside(self.net.table), given_path(python_path):
            self.table = stack.enter_context(table(Path(data), "--host", "0.0.0.0"))  # noqa: S104
        port = int(self.table.ready().address.rstrip("/").rpartition(":")[2])
        self.here = Client(self.net.table, "127.0.0.1", port)
        homes = [(crowd, address) for address in crowd.addresses]
        for number, room in zip((0, PHONES), rooms, strict=False):
            homes[number] = (room, room.addresses[0])  # the first phone and the first watcher are browsers
        self.phones = [Client(place.namespace, place.table, port, address) for place, address in homes[:PHONES]]
        self.names = [f"Player {number}" for number in range(1, PHONES + 1)]
        let_in(self.here, self.phones, self.names)
        self.here.api("POST", "game", {"rules": "farkle-cribbage", "players": self.names})
        for phone, name in zip(self.phones, self.names, strict=True):
            phone.api("PUT", "seat", {"player": name})
        self.streams = Streams()
        stack.callback(self.streams.close)
        cookies = [each.cookie for each in self.phones] + [""] * WATCHERS
        for (place, address), cookie in zip(homes, cookies, strict=False):
            if place is crowd:
                self.streams.open(place, address, port, cookie)
        self.streams.all_have(0)
        self.pages = []
        if browsers:
            from playwright.sync_api import sync_playwright

            play = stack.enter_context(sync_playwright())
            for room, cookie in zip(rooms, (self.phones[0].cookie, ""), strict=True):
                program = program_inside(room.namespace, CHROMIUM, Path(data))
                self.pages.append(open_page(play, program, f"http://{room.table}:{port}/", cookie))
        place, address = homes[-1]
        self.stranger = None
        if stranger:
            script = [sys.executable, str(ROOT / "bench" / "stranger.py"), place.table, str(port), address]
            with inside(place.namespace):
                self.stranger = subprocess.Popen(script, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            stack.callback(self.stranger.kill)
        self.began_s = time.monotonic()
        self.turns = 0
        self.found = Measured()

    def turn(self) -> None:
        """Throw, then let the phone of the player to move press KEEP and BANK, and measure each press."""
        from people import asks, reply

        streams = self.streams
        before = streams.latest["throw_seq"]
        while self.here.asks("POST", "/api/v1/simulator/throw", {"dice": THROWN})[0] == 409:
            time.sleep(0.05)  # the eye has not looked at the tray yet
        while True:
            view = streams.until_view(lambda view: view["throw_seq"] > before or asks(view))
            if view["throw_seq"] > before:
                break
            path, body = reply(view, THROWN)
            self.here.asks("POST", f"/api/v1/{path}", body)
            streams.until_view(lambda new, old=view: new["version"] > old["version"])
        phone = self.phones[self.names.index(streams.latest["to_move"])]
        if self.turns == WARM:
            self.found.held.append(Held.by(self.table.process.pid))
        for button in ("keep", "bank"):
            began_s, wall_ms = time.monotonic(), time.time() * 1e3
            spent_s = cpu_s(self.table.process.pid)
            version = phone.api("POST", f"buttons/{button}", {"press": "tap"})["version"]
            answered_s = time.monotonic()
            streams.all_have(version)
            spent_s = cpu_s(self.table.process.pid) - spent_s
            came = [1e3 * (each.came_s(version) - began_s) for each in streams.all]
            shown = [page.evaluate("shown", version) - wall_ms for page in self.pages]
            if self.turns >= WARM:
                self.found.last.append(max(came + shown))
                self.found.streams.append(max(came))
                self.found.answers.append(1e3 * (answered_s - began_s))
                self.found.cpu.append(1e3 * spent_s)
                self.found.browsers += [max(shown)] if shown else []
        self.turns += 1
        for each in streams.all:
            del each.views[:-1]

    def end(self) -> Measured:
        """Return what was found."""
        self.found.held.append(Held.by(self.table.process.pid))
        self.found.ended = self.streams.ended
        self.found.asked_s = time.monotonic() - self.began_s
        if self.stranger is not None:
            self.found.pages = json.loads(self.stranger.communicate()[0])
        return self.found


@contextmanager
def given_path(path: str) -> Iterator[None]:
    """Let programs that start in this block take their code from these folders first."""
    before = os.environ.get("PYTHONPATH")
    if path:
        os.environ["PYTHONPATH"] = path
    yield
    if path and before is None:
        del os.environ["PYTHONPATH"]
    elif path:
        os.environ["PYTHONPATH"] = before or ""


def open_page(play: Any, program: Path, address: str, cookie: str) -> Any:
    """Open the table's page in a Chromium of its own, with the cookie of a phone."""
    browser = play.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
    context = browser.new_context(viewport={"width": 390, "height": 664})
    context.add_init_script(SEEN)
    if cookie:
        name, _, value = cookie.partition("=")
        context.add_cookies([{"name": name, "value": value, "url": address}])
    page = context.new_page()
    page.goto(address)
    page.evaluate("shown(0)")
    return page


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How fast many phones see an act.")
    parser.add_argument("--turns", type=int, default=50, help="turns that are measured, of two presses each")
    parser.add_argument("--before", type=Path, help="another checkout, whose program is measured in turn")
    parser.add_argument("--no-browsers", action="store_true", help="72 streams without a Chromium")
    parser.add_argument("--no-stranger", action="store_true", help="nobody asks for pages beside them")
    arguments = parser.parse_args()
    from namespaces import as_root, lacking

    if reason := lacking():
        sys.stdout.write(f"left out: {reason}\n")
        return 0
    if os.geteuid():
        command = as_root(*sys.argv)
        os.execvp(command[0], command)  # noqa: S606
    browsers = not arguments.no_browsers and CHROMIUM.exists()
    if not browsers:
        sys.stdout.write("without browsers\n")
    sys.stdout.write(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    paths = {"this checkout": ""}
    if arguments.before is not None:
        paths["before"] = os.pathsep.join(str(arguments.before / each) for each in ("firmware", "board", "vision"))
    found: dict[str, Measured] = {}
    for name, path in paths.items():
        with ExitStack() as stack:
            measurement = Measurement(stack, path, browsers, not arguments.no_stranger)
            for _ in range(WARM + arguments.turns):
                measurement.turn()
            found[name] = measurement.end()
        sys.stdout.write(f"{name}\n" + "".join(f"  {line}\n" for line in found[name].lines()))
        sys.stdout.flush()
    if "before" in found:
        now, before = found["this checkout"], found["before"]
        took = statistics.median(now.last) / statistics.median(before.last)
        cpu = statistics.fmean(now.cpu) / statistics.fmean(before.cpu)
        sys.stdout.write(f"ratio to before: median press {took:.2f}, processor a press {cpu:.2f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
