"""Measure the whole table on a slow processor: `python bench/slow_bench.py [--throws N] [--shares "1,4 B,Zero 2 W"]`.

`farklecrib play` and its eye run as processes, each held to a share of one core by a cgroup of its own (v1 or v2).
Their clocks run at normal speed. The driver of the Pi's camera takes frames of 1280 x 960 from a recording that is
drawn before each throw. A WLED on this machine receives the LED frames, a terminal presses BANK, and the page's stream
gives the score. Drawing, page and terminal are not limited. If no cgroup can be written, one line says so.

A Pi's name stands for the share of a core with which a reading of a known tray takes as long as expected on that Pi
(`READING_MS`).
"""

import argparse
import math
import os
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import islice, pairwise
from multiprocessing import Pool
from pathlib import Path

import cv2
from cpu_shares import groups_root, held, slowdown
from eye_bench import known_table, throws_on
from figures import interval, milliseconds, share, spread
from slow_table import (
    DARK_S,
    DICE,
    PATIENCE_S,
    RATE,
    START_S,
    WATCHDOG_S,
    Hearing,
    Recording,
    SlowTable,
    State,
    Wled,
    get,
    post,
)

from companion.simulation.hands import SimulatedHands
from dicereader.data.frame import Pixels
from dicereader.reader import read_pixels
from dicereader.sources.synthetic.source import SyntheticSource

IDLE_S = 6.0
WORK = "reading, known tray"
"""The work by which this machine is compared with a Pi."""

READING_MS = {"Zero 2 W": 162.0, "3 B": 137.0, "3 B+": 121.0, "4 B": 64.0, "5": 35.0}
"""The estimated milliseconds of this work on one core of a Pi, within a factor of 2 (docs/arm.md)."""

READINGS = 60
"""The number of readings whose median counts, without the first."""


@dataclass
class Measures:
    """The figures of one share of a core. Times are in seconds."""

    plain_s: list[float] = field(default_factory=list)
    more_votes_s: list[float] = field(default_factory=list)
    asked: int = 0
    untold: int = 0
    wrong: int = 0
    light_s: list[float] = field(default_factory=list)
    unlit: int = 0
    paint_s: list[float] = field(default_factory=list)
    offered: int = 0
    looked_at: int = 0
    gaps_s: list[float] = field(default_factory=list)


def throw_on(
    table: SlowTable,
    recording: Recording,
    hands: SimulatedHands,
    hearing: Hearing,
    chance: random.Random,
    found: Measures,
) -> State | None:
    """Throw six dice and measure the time until the page has the score. Return the state then, or None without one."""
    before = get(table.address)
    faces = [chance.randint(1, 6) for _ in range(DICE)]
    world = hands.throw(faces, range(DICE))
    rest = max(path.keys[-1].t_s for path in world.dice)
    start_s = recording.play(world)
    told = hearing.after(before["seq"], PATIENCE_S)
    if told is None:
        found.untold += 1
        return None
    at_s, state = told
    taken = recording.taken_between(start_s, at_s)
    found.offered += round((at_s - start_s) * RATE)
    found.looked_at += len(taken)
    if len(taken) > 1:
        found.gaps_s.append(max(b - a for a, b in pairwise(taken)))
    if state["seq"] == before["seq"]:
        found.asked += 1
        if state["phase"] != "asking":
            with suppress(SystemExit):
                post(table.address, "roll", {"roll": faces})
        return get(table.address)
    found.wrong += sorted(state["roll"]) != sorted(faces)
    took_s = at_s - start_s - rest
    (found.plain_s if state["phase"] == "choosing" else found.more_votes_s).append(took_s)
    return state


def play_on(table: SlowTable, state: State, wled: Wled, found: Measures) -> None:
    """Press BANK if it is lit, and measure until the board answers; open another game after the last turn."""
    while state["phase"] == "asking":  # a question may end by itself, when the eye sees again
        with suppress(SystemExit):
            post(table.address, "answer", {"answer": state["question"]["answers"][0]})
        state = get(table.address)
    if state["phase"] == "choosing":
        time.sleep(DARK_S)
        wled.press()
        table.press("b")
        deadline = time.monotonic() + PATIENCE_S
        while wled.answer_s() == math.inf and time.monotonic() < deadline:
            time.sleep(0.01)
        if wled.answer_s() < math.inf:
            found.light_s.append(wled.answer_s())
        else:
            found.unlit += 1
    time.sleep(1.0)
    if get(table.address)["phase"] == "over":
        post(table.address, "game", {"rules": "farkle-cribbage", "players": ["Ann", "Ben"]})


def paints(address: str, times: int) -> list[float]:
    """Return the seconds from the navigation to the page's first paint, each in a browser without cache."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return []
    found = []
    chromium = Path("/usr/bin/chromium")
    if not chromium.exists():
        return []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for _ in range(times):
            page = browser.new_context().new_page()
            page.goto(address, wait_until="load", timeout=PATIENCE_S * 1e3)
            entry = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
            page.wait_for_function(entry, timeout=PATIENCE_S * 1e3)
            found.append(page.evaluate(entry) / 1e3)
            page.context.close()
        browser.close()
    return found


def measure(part: float, throws: int, seed: int) -> Iterator[str]:
    """Play this many throws with a share of a core. Yield every figure."""
    found, chance, hands = Measures(), random.Random(seed), SimulatedHands(seed)
    with ExitStack() as undo:
        groups = undo.enter_context(held(part))
        slow = [slowdown(groups[0] if groups else None) for _ in range(5)]
        yield f"wall seconds per CPU second   {interval(slow, 2)}, n {len(slow)}"
        folder = Path(undo.enter_context(tempfile.TemporaryDirectory()))
        data = Path(undo.enter_context(tempfile.TemporaryDirectory()))
        recording, wled = Recording(folder, seed), Wled()
        recording.calibrate(data, hands, chance)
        recording.play(hands.still())
        table = SlowTable(folder, data, wled, groups)
        undo.callback(table.close)
        hearing = Hearing(table.address)
        deadline = time.monotonic() + START_S
        while get(table.address)["reading"] is None and time.monotonic() < deadline:
            time.sleep(0.1)
        yield f"page ready, first reading, s  {table.ready_s:.1f}, {time.monotonic() - table.began_s:.1f}"
        time.sleep(4.0)
        began, before = time.monotonic(), table.cpu_s()
        time.sleep(IDLE_S)
        used = [(b - a) / (time.monotonic() - began) for a, b in zip(before, table.cpu_s(), strict=True)]
        yield f"idle: table, eye, % of a core {100 * used[0]:.1f}, {100 * used[1]:.1f}"
        began, before = time.monotonic(), table.cpu_s()
        for _ in range(throws):
            state = throw_on(table, recording, hands, hearing, chance, found)
            if state is not None:
                play_on(table, state, wled, found)
        found.paint_s = paints(table.address, 5)
        yield from printed(found)
        gaps = [b - a for a, b in pairwise(table.watchdog_s)]
        yield f"watchdog, longest wait of {WATCHDOG_S:g} s {max(gaps, default=0.0):.1f}"
        yield f"eyes started, of them again   {len(table.eyes)}, {len(table.eyes) - 1}"
        said = [line.strip() for line in table.log if re.search(" warning | error |frames a second", line)]
        yield from (f"  log: {line}" for line in dict.fromkeys(said))


def printed(found: Measures) -> Iterator[str]:
    """Return the lines of every figure, with its n and its interval."""
    told = len(found.plain_s) + len(found.more_votes_s)
    for name, values in (
        ("settled to score, s", found.plain_s),
        ("  where the turn ended, s", found.more_votes_s),
        ("press to light, s", found.light_s),
        ("page's first paint, s", found.paint_s),
        ("longest gap of a throw, s", found.gaps_s),
    ):
        yield f"{name:30}" + (f"{interval(values, 2)}; {spread(values, 2)}" if values else "none")
    yield f"frames of throws dropped      {share(found.offered - found.looked_at, max(1, found.offered))}"
    yield f"throws wrong                  {share(found.wrong, told)}"
    yield f"throws asked about, not told  {found.asked}, {found.untold}"
    if found.unlit:
        yield f"presses without light         {found.unlit}"


def named(text: str) -> list[str]:
    """Return the command's argument: shares of a core, above 0 and up to 1, or models of Pis, with commas between."""
    for name in (names := text.split(",")):
        if name not in READING_MS:
            try:
                good = 0 < float(name) <= 1
            except ValueError:
                good = False
            if not good:
                models = ", ".join(READING_MS)
                raise argparse.ArgumentTypeError(f"expected shares above 0 and up to 1, or of {models}, got {name!r}")
    return names


class Readings:
    """Readings of a known tray, to compare this machine with a Pi."""

    def __init__(self, seed: int) -> None:
        cv2.setNumThreads(1)
        calibration, empty = known_table(seed)
        self._read = partial(read_pixels, calibration=calibration, empty=empty, expect=DICE)
        self._throws = list(islice(throws_on(SyntheticSource(lambda: 0.0, seed=seed), seed), READINGS))

    def wall_ms(self, part: float) -> float:
        """Return the milliseconds by the clock of a reading with that share of a core: the median."""
        with held(part) as groups, Pool(1, (lambda: groups[1].add(os.getpid())) if groups else None) as one:
            return statistics.median(one.map(self._timed, self._throws)[1:])

    def _timed(self, pixels: Pixels) -> float:
        return milliseconds(lambda: self._read(pixels))

    def share_of(self, name: str) -> float:
        """Return a share of one core, given as a number or by the Pi that it resembles; see `named`."""
        if name not in READING_MS:
            return float(name)
        wanted_ms = READING_MS[name]
        part = self.wall_ms(1.0) / wanted_ms
        for _ in range(3):  # with a small share each slice of work begins with cold caches
            part *= self.wall_ms(part) / wanted_ms
        return part


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure each share and print."""
    parser = argparse.ArgumentParser(description="The whole table on a slow processor.")
    parser.add_argument("--throws", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--shares", type=named, default="1,4 B,Zero 2 W", help="shares of one core, 1 for no quota, or Pis' names"
    )
    given = parser.parse_args(arguments)
    try:
        groups_root()
    except OSError as error:
        sys.stdout.write(f"left out: expected a cgroup with a quota of processor time to write, got {error}\n")
        return 0
    readings = Readings(given.seed)
    for name in given.shares:
        part = readings.share_of(name)
        sys.stdout.write(f"{name}: {part:.3g} of a core each, load {os.getloadavg()[0]:.1f}\n")
        sys.stdout.write(f"{WORK + ', ms':30}median {readings.wall_ms(part):.0f}, n {READINGS - 1}\n")
        for line in measure(part, given.throws, given.seed):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
