"""Measure how fast many phones see an act: `python bench/phones_bench.py [--turns N]`.

The real program plays a game of twelve, each of whom holds a phone. Sixty more clients watch. All 72 read its stream of
views, each at an address of its own, in network namespaces. A stranger at one more address asks for pages without end.
The figure is the time from sending a press to the last byte of its view at the last client. Program, clients and
stranger share this machine's cores.
"""

import argparse
import http.client
import itertools
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from pathlib import Path

import table_program
from crowd import Crowd, crowd
from figures import cpu_s, mean_and_spread
from namespaces import inside

PHONES, WATCHERS = 12, 60
THROWN = [1, 2, 3, 4, 6, 6]
"""A throw of few points, so that the game does not end."""

WARM = 6
"""The turns before the measurement begins."""

CONNECTIONS = 4
"""The stranger's connections, each of which asks for the next page as soon as the last has come."""

PAGES = (
    *("/", "/wall", "/phone", "/games", "/games/now", "/games/now/throws", "/standing", "/statistics", "/fairness"),
    *("/rules", "/rules/farkle-cribbage", "/score-sheet", "/boards/12.json", "/api/v1/state", "/api/v1/games"),
)


@dataclass
class PressTimesOfMany:
    """Milliseconds of each press: to its view at the last client, to its own answer, and of the table's processor."""

    last: list[float] = field(default_factory=list)
    answer: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)


def turn(met: Crowd, found: PressTimesOfMany) -> None:
    """Throw, then let the phone of the player to move press KEEP and BANK, and measure each press."""
    with inside(met.here.namespace):
        thrown = met.table.throw(THROWN)
    phone, pid = met.phones[thrown["to_move"]], met.table.process.pid
    met.streams.all_have(thrown["version"])
    for button in ("keep", "bank"):
        began_s, spent_s = time.monotonic(), cpu_s(pid)
        version = phone.api("POST", f"buttons/{button}", {"press": "tap"})["version"]
        found.answer.append(1e3 * (time.monotonic() - began_s))
        met.streams.all_have(version)
        found.cpu.append(1e3 * (cpu_s(pid) - spent_s))
        found.last.append(1e3 * (max(each.came_s(version) for each in met.streams.all) - began_s))
    for each in met.streams.all:
        del each.views[:-1]


def ask_on(host: str, port: int, address: str, ending: Event) -> "Counter[str]":
    """Ask for one page after the other on one connection. Return the counts of the answers by status."""
    connection, counts = http.client.HTTPConnection(host, port, timeout=60, source_address=(address, 0)), Counter[str]()
    for page in itertools.cycle(PAGES):
        if ending.is_set():
            break
        try:
            connection.request("GET", page, headers={"accept": "text/html", "accept-encoding": "gzip"})
            answer = connection.getresponse()
            answer.read()
            counts[str(answer.status)] += 1
        except (OSError, http.client.HTTPException):
            counts["none"] += 1
            connection.close()
    connection.close()
    return counts


def ask_as_stranger(host: str, port: int, address: str, ending: Event, answers: "Queue[Counter[str]]") -> None:
    """Ask on all connections until the end, and give the counts of the answers."""
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        asked = [pool.submit(ask_on, host, port, address, ending) for _ in range(CONNECTIONS)]
    answers.put(sum((each.result() for each in asked), Counter[str]()))


@contextmanager
def stranger(met: Crowd) -> Iterator[None]:
    """Let a stranger ask for pages from a process of its own, and print how many answers it got."""
    context = get_context("spawn")
    ending, answers = context.Event(), context.Queue()
    place = met.place
    given = (place.table, met.port, place.addresses[-1], ending, answers)
    process = context.Process(target=ask_as_stranger, args=given, daemon=True)
    with inside(place.namespace):
        process.start()
    began_s = time.monotonic()
    yield
    ending.set()
    counts, took_s = answers.get(), time.monotonic() - began_s
    process.join()
    sys.stdout.write(f"the stranger got {counts.total() / took_s:.0f} answers a second, by status {dict(counts)}\n")


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How fast many phones see an act.")
    parser.add_argument("--turns", type=int, default=50, help="turns that are measured, of two presses each")
    arguments = parser.parse_args()
    if not table_program.may_make_namespaces():
        return 0
    sys.stdout.write(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    found = PressTimesOfMany()
    with tempfile.TemporaryDirectory() as data, crowd(Path(data), PHONES, WATCHERS) as met, stranger(met):
        for _ in range(WARM):
            turn(met, PressTimesOfMany())
        for _ in range(arguments.turns):
            turn(met, found)
        ended = met.streams.ended
    for name, values in (
        ("press to the last of all, ms", found.last),
        ("press to its own answer, ms", found.answer),
        ("the table's processor, ms", found.cpu),
    ):
        sys.stdout.write(f"{name:30}{mean_and_spread(values, 0)}\n")
    sys.stdout.write(f"{'streams that ended':30}{ended}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
