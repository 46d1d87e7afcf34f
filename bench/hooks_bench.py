"""Measure presses at a table that much depends on: `python bench/hooks_bench.py [--presses N] [--acts N]`.

Two tables run side by side, each as a program of its own. One has hooks that hang (URLs that do not answer, commands
that do not end, listeners that do not return), a broker that lets it in and then reads nothing, and many watchers; the
other has nothing of that. Presses go to both in turn. The figure is the ratio of the times from a press to its answer
with the new view.

Then a table in this process takes many acts while its hooks hang, and the memory is printed.
"""

import argparse
import http.client
import json
import os
import random
import selectors
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from multiprocessing import get_context
from pathlib import Path

import table_program
from figures import mean_and_spread, resident_mb

from companion.app import Program
from companion.config_files import load_config
from companion.launch import Launch
from companion.table.state.inputs import ChooseSelection, NewGame, ReadingSettled

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "table"))
from tables import observation

THROWN = [1, 1, 5, 4, 4, 6]
CHOICES = ((1,), (1, 1))
"""Dice of the throw, chosen in turn: each choice is an act, and needs no new throw."""

LISTENER = "import threading\ndef on_event(event): threading.Event().wait()\n"
GAME_ACTS = 200
WARM = 10
PAUSE_S = 0.25
"""Seconds between two presses, in which the watchers get the view of the last one."""

PATIENCE_S = 60.0
SAMPLES = 2000


@contextmanager
def load(folder: Path, hooks: int) -> Iterator[Path]:
    """Give a configuration whose hooks all hang, of three kinds in turn, and whose broker reads nothing."""
    listener, file = folder / "hangs.py", folder / "config.toml"
    listener.write_text(LISTENER, encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0), backlog=128) as deaf, socket.create_server(("127.0.0.1", 0)) as broker:
        threading.Thread(target=let_in, args=(broker, []), daemon=True).start()
        address = f"http://127.0.0.1:{deaf.getsockname()[1]}/"
        kinds = (f"url = '{address}'", "command = ['sleep', '3600']", f"listener = '{listener}'")
        sections = [f"[[hook]]\n{kinds[number % 3]}\n" for number in range(hooks)]
        if hooks:
            sections.append(f"[mqtt]\nhost = '127.0.0.1'\nport = {broker.getsockname()[1]}\n")
        file.write_text("".join(sections), encoding="utf-8")
        yield file


def let_in(broker: socket.socket, held: list[socket.socket]) -> None:
    """Let every client in (MQTT 3.1.1, 3.2), and read nothing of what it sends then."""
    with suppress(OSError):  # the broker's end
        while True:
            held.append(broker.accept()[0])
            held[-1].recv(1)
            held[-1].sendall(bytes((0x20, 2, 0, 0)))


def watch(port: int, watchers: int) -> None:
    """Read so many streams of views without end, each from an address of its own."""
    selector = selectors.DefaultSelector()
    for number in range(watchers):
        made = socket.create_connection(("127.0.0.1", port), PATIENCE_S, (f"127.0.1.{1 + number}", 0))
        made.sendall(f"GET /api/v1/events HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n".encode())
        selector.register(made, selectors.EVENT_READ)
    while True:
        for key, _ in selector.select():
            if not key.fileobj.recv(1 << 16):  # type: ignore[union-attr]
                selector.unregister(key.fileobj)


class Pressed:
    """A table with a throw to choose from, and the milliseconds of its presses."""

    def __init__(self, table: table_program.Table) -> None:
        self.times: list[float] = []
        self._port = int(table.address.rstrip("/").rpartition(":")[2])
        self._number = count()
        table_program.begin_game(table)
        table.throw(THROWN)

    def watched(self, watchers: int) -> None:
        """Let watchers read its views in a process of their own, which ends with this one."""
        get_context("spawn").Process(target=watch, args=(self._port, watchers), daemon=True).start()

    def press(self) -> None:
        """Choose dice, others than the last time, and note the time to the answer."""
        number = next(self._number)
        address = f"127.0.2.{1 + number % 250}"  # a client may write five times a second
        began_s = time.perf_counter()
        client = http.client.HTTPConnection("127.0.0.1", self._port, PATIENCE_S, (address, 0))
        body = json.dumps({"dice": CHOICES[number % 2]})
        client.request("POST", "/api/v1/keep", body, {"content-type": "application/json"})
        answer = client.getresponse()
        told = answer.read()
        self.times.append(1e3 * (time.perf_counter() - began_s))
        client.close()
        if answer.status != http.HTTPStatus.OK:
            raise SystemExit(f"expected the table to take a choice, got {answer.status}: {told!r}")


def top(values: Sequence[float]) -> float:
    """Return the 95th percentile."""
    return sorted(values)[int(0.95 * len(values))]


def ratio_of(loaded: Sequence[float], plain: Sequence[float]) -> str:
    """Return the ratio of the 95th percentiles with its 95 % interval, by bootstrap."""
    chance = random.Random(1)
    drawn = sorted(
        top(chance.choices(loaded, k=len(loaded))) / top(chance.choices(plain, k=len(plain))) for _ in range(SAMPLES)
    )
    low, high = drawn[int(0.025 * SAMPLES)], drawn[int(0.975 * SAMPLES)]
    return f"{top(loaded) / top(plain):.2f} ({low:.2f} to {high:.2f}), n {len(loaded)} and {len(plain)}"


def press_both(presses: int, hooks: int, watchers: int) -> None:
    """Press at both tables in turn, and print the times and their ratio."""
    with ExitStack() as stack:
        folders = [Path(stack.enter_context(tempfile.TemporaryDirectory())) for _ in range(3)]
        file = stack.enter_context(load(folders[2], hooks))
        tables = [
            stack.enter_context(table_program.table(folder, *options)).ready()
            for folder, options in zip(folders, ((), ("--config", str(file))), strict=False)
        ]
        plain, loaded = (Pressed(table) for table in tables)
        loaded.watched(watchers)
        time.sleep(2.0)  # until the watchers are there
        for number in range(WARM + presses):
            for each in random.Random(number).sample((plain, loaded), 2):
                each.press()
                time.sleep(PAUSE_S)
        for name, each in (("without", plain), ("with", loaded)):
            del each.times[:WARM]
            sys.stdout.write(f"press to its answer {name:8} ms: {mean_and_spread(each.times, 1)}\n")
        sys.stdout.write(f"ratio of the 95th percentiles: {ratio_of(loaded.times, plain.times)}\n")


def remember(acts: int, hooks: int) -> None:
    """Take acts while the hooks hang, and print the memory at each quarter."""
    thrown = observation("".join(map(str, THROWN)))
    with tempfile.TemporaryDirectory() as data, load(Path(data), hooks) as file:
        config = load_config(file, {"web.port": 0})
        made = Program(Launch(config, Path(data) / "games", eye=False))
        try:
            made.start()
            for number in range(acts):
                if number % GAME_ACTS == 0:
                    began = [NewGame("farkle-cribbage", ("Ann", "Ben")), ReadingSettled(thrown, "synthetic")]
                    for each in began:
                        made.host.submit(each).result(PATIENCE_S)
                made.host.submit(ChooseSelection(CHOICES[number % 2])).result(PATIENCE_S)
                if (number + 1) % (acts // 4) == 0:
                    sys.stdout.write(f"after {number + 1} acts with {hooks} hooks: {resident_mb():.0f} MB\n")
        finally:
            made.close()


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Presses while others that are told what happens hang.")
    parser.add_argument("--presses", type=int, default=400, help="presses at each table")
    parser.add_argument("--hooks", type=int, default=20)
    parser.add_argument("--watchers", type=int, default=66)
    parser.add_argument("--acts", type=int, default=4000, help="acts while memory is measured; an hour has 500")
    arguments = parser.parse_args()
    sys.stdout.write(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    press_both(arguments.presses, arguments.hooks, arguments.watchers)
    for hooks in (0, arguments.hooks):
        remember(arguments.acts, hooks)
    return 0


if __name__ == "__main__":
    sys.exit(main())
