"""The whole table on a slow processor: `python bench/slow_bench.py [--throws N] [--shares 1,0.25,0.125]`.

`farklecrib play` and its eye run as processes, each held to a share of one core by a cgroup of its own (v1 or v2).
Their clocks run as ever. The driver of the Pi's camera takes frames of 1280 x 960 from a recording that is drawn before
each throw; a WLED on this machine receives the LED frames, a terminal presses BANK, and the page's stream tells the
score. Drawing, page and terminal are not held back. Where no cgroup can be written, one line says so.
"""

import argparse
import math
import os
import pty
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from figures import interval, share, spread
from table_bench import Hearing, State, get, post

from companion.calibration.store import calibration_file
from companion.simulation.hands import SimulatedHands
from dicereader.frame import Pixels
from dicereader.learn import learn
from dicereader.sources.pi_camera import LORES_PX, MAIN_PX
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.tray.calibration import save_with_empty
from dicereader.tray.tags import find_tags, posed_by_tags
from dicereader.world import World

HERE = Path(__file__).resolve().parent
RATE = 30
STILL_FRAMES = 8
"""Frames of the tray at rest, which repeat: each has its own noise."""

MOST_FRAMES = 150
PERIOD_US = 10_000
"""Microseconds of a quota's period: a short one resembles a slow core."""

LEAST_QUOTA_US = 1_000
"""The kernel takes no smaller quota."""

WATCHDOG_S = 60.0
"""The unit's WatchdogSec."""

DARK_S = 2.0
"""An LED that lights after a press counts as its answer if it was dark for this long."""

PATIENCE_S = 60.0
START_S = 240.0
DICE = 6
IDLE_S = 6.0
WORK = "import time\nt = time.monotonic()\nsum(i * i % 7 for i in range(3_000_000))\nw = time.monotonic() - t\n"
WORK += "print(w / time.process_time())"


class CpuGroup:
    """A cgroup of its own with a quota of processor time."""

    def __init__(self, folder: Path, core_share: float, *, v2: bool) -> None:
        self._folder = folder
        period_us = max(PERIOD_US, math.ceil(LEAST_QUOTA_US / core_share))
        quota_us = round(core_share * period_us)
        folder.mkdir()
        try:
            if v2:
                (folder / "cpu.max").write_text(f"{quota_us} {period_us}")
            else:
                (folder / "cpu.cfs_period_us").write_text(str(period_us))
                (folder / "cpu.cfs_quota_us").write_text(str(quota_us))
        except OSError:
            folder.rmdir()
            raise

    def add(self, pid: int) -> None:
        """Hold a process, and what it starts, to the quota."""
        (self._folder / "cgroup.procs").write_text(str(pid))

    def close(self) -> None:
        """Remove the group, whose processes have ended."""
        for _ in range(50):
            try:
                self._folder.rmdir()
            except OSError:
                time.sleep(0.1)
            else:
                return


def groups_root() -> tuple[Path, bool]:
    """Return the folder where groups with a quota can be made, and whether it is of cgroup v2.

    Raises:
        OSError: if there is none, or it may not be written.
    """
    mounts = [line.split() for line in Path("/proc/mounts").read_text(encoding="utf-8").splitlines()]
    found = [(Path(at), kind == "cgroup2") for _, at, kind, options, *_ in mounts if _is_cpu(kind, options, at)]
    if not found:
        raise OSError("no cgroup with the cpu controller is mounted")
    reasons = []
    for root, v2 in found:
        try:
            if v2:
                (root / "cgroup.subtree_control").write_text("+cpu")
            CpuGroup(root / f"farklecrib-try-{os.getpid()}", 0.5, v2=v2).close()
        except OSError as error:
            reasons.append(f"{root}: {error.strerror}")
        else:
            return root, v2
    raise OSError("; ".join(reasons))


def _is_cpu(kind: str, options: str, at: str) -> bool:
    if kind == "cgroup":
        return "cpu" in options.split(",")
    return kind == "cgroup2" and "cpu" in (Path(at) / "cgroup.controllers").read_text(encoding="ascii").split()


@contextmanager
def held(core_share: float) -> Iterator[tuple[CpuGroup, CpuGroup] | None]:
    """Two groups with this share of a core, for the table and its eye; None for a share of 1."""
    if core_share >= 1:
        yield None
        return
    root, v2 = groups_root()
    with ExitStack() as undo:
        made = []
        for name in ("table", "eye"):
            made.append(CpuGroup(root / f"farklecrib-{name}-{os.getpid()}", core_share, v2=v2))
            undo.callback(made[-1].close)
        yield made[0], made[1]


def slowdown(group: CpuGroup | None) -> float:
    """Return how many seconds pass for each processor second of a fixed loop in a group."""
    run = subprocess.run(
        [sys.executable, "-c", WORK],
        check=True,
        capture_output=True,
        preexec_fn=(lambda: group.add(os.getpid())) if group else None,
    )
    return float(run.stdout)


class Recording:
    """Draws Worlds into files that the camera of `recorded_camera` plays, two in turn."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self._now = 0.0
        self._source = SyntheticSource(lambda: self._now, seed=seed)
        self._next = 0
        self._control = self._file("control", np.zeros((2, 3)))
        self._control[:, 0] = math.inf
        self.taken = self._file("taken", np.zeros((500_000, 2)))
        sizes = {"main": (MAIN_PX[1], MAIN_PX[0], 3), "lores": (LORES_PX[1], LORES_PX[0])}
        self._frames = [
            {
                name: np.lib.format.open_memmap(folder / f"{name}-{k}.npy", "w+", np.uint8, (MOST_FRAMES, *size))
                for name, size in sizes.items()
            }
            for k in (0, 1)
        ]

    def _file(self, name: str, values: "np.ndarray[tuple[int, int], np.dtype[np.float64]]") -> "np.memmap":
        made = np.lib.format.open_memmap(self.folder / f"{name}.npy", "w+", values.dtype, values.shape)
        made[:] = values
        return made

    def picture(self) -> Pixels:
        """Return the tray now, in the size of the Pi's camera."""
        frame = self._source.next(1.0)
        assert frame is not None
        return np.asarray(cv2.resize(frame.pixels, MAIN_PX, interpolation=cv2.INTER_CUBIC), np.uint8)

    def calibrate(self, data: Path, hands: SimulatedHands, chance: random.Random) -> None:
        """Learn the table as a person teaches it, and keep it in the data folder."""
        empty = np.asarray(cv2.resize(self._source.empty_picture(), MAIN_PX, interpolation=cv2.INTER_CUBIC), np.uint8)
        thrown = []
        for _ in range(5):
            self._source.set_world(hands.throw([chance.randint(1, 6) for _ in range(DICE)]).at_rest())
            thrown.append(self.picture())
        learnt = learn(empty, thrown, posed_by_tags(empty.shape, find_tags(empty)))
        save_with_empty(learnt, empty, calibration_file(data))

    def play(self, world: World) -> float:
        """Draw a World and start it; return the start, by the clock of all processes."""
        self._source.set_world(world)
        began = self._now
        moving = math.ceil(world.length_s * RATE) + 1
        frames = self._frames[self._next]
        for number in range(moving + STILL_FRAMES):
            self._now = began + number / RATE
            main = frames["main"][number] = self.picture()
            small = cv2.resize(main, LORES_PX, interpolation=cv2.INTER_AREA)
            frames["lores"][number] = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
        start_s = time.monotonic() + 0.1
        self._control[self._next, 1:] = moving, STILL_FRAMES
        self._control[self._next, 0] = start_s
        self._next = 1 - self._next
        return start_s

    def taken_between(self, from_s: float, to_s: float) -> list[float]:
        """Return when the frames were exposed that the eye took in this time."""
        rows = self.taken[1 : int(self.taken[0, 0]) + 1]
        return [float(at_s) for at_s, now_s in rows if from_s <= now_s <= to_s]


class Wled:
    """Receives LED frames as a WLED does, and notes when each LED was last alight."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._frame = bytearray()
        self._lit_s: dict[int, float] = {}
        self._pressed_s = math.inf
        self._answered_s = math.inf
        self.frames = 0
        threading.Thread(target=self._receive, daemon=True).start()

    def press(self) -> None:
        """Wait for an answer from now on."""
        self._answered_s, self._pressed_s = math.inf, time.monotonic()

    def answer_s(self) -> float:
        """Return the seconds from the press to the first frame with an LED that had been dark."""
        return self._answered_s - self._pressed_s

    def _receive(self) -> None:
        while True:
            packet = self._socket.recv(2048)
            offset, part = int.from_bytes(packet[4:8], "big"), packet[10:]
            self._frame[offset : offset + len(part)] = part
            if packet[0] & 1:
                self._shown(time.monotonic())

    def _shown(self, now: float) -> None:
        self.frames += 1
        lit = np.flatnonzero(np.frombuffer(bytes(self._frame), np.uint8).reshape(-1, 3).any(1)).tolist()
        if now > self._pressed_s and self._answered_s == math.inf:
            if any(self._pressed_s - self._lit_s.get(led, -math.inf) > DARK_S for led in lit):
                self._answered_s = now
        elif now < self._pressed_s or self._answered_s < math.inf:
            self._lit_s.update(dict.fromkeys(lit, now))


@dataclass
class Measures:
    """What one share of a core gave. Times in seconds."""

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


class Table:
    """`farklecrib play` and its eye, held to a share of a core; their log and notifications."""

    def __init__(self, folder: Path, data: Path, wled: Wled, groups: tuple[CpuGroup, CpuGroup] | None) -> None:
        self.log: list[str] = []
        self.eyes: list[int] = []
        self.watchdog_s: list[float] = []
        self._groups = groups
        self._notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._notices.bind(str(folder / "notify"))
        config = folder / "config.toml"
        config.write_text(
            '[camera]\nsource = "picamera2"\n[buttons]\ndriver = "keyboard"\n[web]\nport = 0\n'
            f'[leds]\ndriver = "wled:127.0.0.1:{wled.port}"\n'
        )
        self._keys, terminal = pty.openpty()
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join((str(HERE / "recorded_camera"), os.environ.get("PYTHONPATH", ""))),
            "FARKLECRIB_RECORDING": str(folder),
            "NOTIFY_SOCKET": str(folder / "notify"),
            "WATCHDOG_USEC": str(round(WATCHDOG_S * 1e6)),
        }
        environment.pop("WATCHDOG_PID", None)
        self.began_s = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", "play", "--config", config, "--data", data, "--players", "Ann,Ben"],
            stdin=terminal,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            preexec_fn=(lambda: groups[0].add(os.getpid())) if groups else None,
        )
        os.close(terminal)
        self.address = ""
        self._ready = threading.Event()
        for work in (self._read_log, self._hold_eyes, self._take_notices):
            threading.Thread(target=work, daemon=True).start()
        if not self._ready.wait(START_S):
            raise SystemExit(f"expected the table's page within {START_S:g} s, got:\n" + "".join(self.log))
        self.ready_s = time.monotonic() - self.began_s

    def press(self, key: str) -> None:
        """Press a key of the terminal."""
        os.write(self._keys, key.encode())

    def cpu_s(self) -> tuple[float, float]:
        """Return the processor seconds of table and eye until now."""
        return _cpu_s(self.process.pid), _cpu_s(self.eyes[-1])

    def close(self) -> None:
        """End the table as Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _read_log(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log.append(line)
            if found := re.search(r"page at (http\S+)", line):
                self.address = found[1]

    def _hold_eyes(self) -> None:
        while self.process.poll() is None:
            for children in Path(f"/proc/{self.process.pid}/task").glob("*/children"):
                with suppress(OSError):
                    for pid in map(int, children.read_text(encoding="ascii").split()):
                        command = Path(f"/proc/{pid}/cmdline").read_bytes()
                        if pid not in self.eyes and b"dicereader.live.eye" in command:
                            if self._groups:
                                self._groups[1].add(pid)
                            self.eyes.append(pid)
            time.sleep(0.02)

    def _take_notices(self) -> None:
        while True:
            notice = self._notices.recv(4096)
            if notice == b"READY=1":
                self._ready.set()
            elif notice == b"WATCHDOG=1":
                self.watchdog_s.append(time.monotonic())


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def throw_on(
    table: Table, recording: Recording, hands: SimulatedHands, hearing: Hearing, chance: random.Random, found: Measures
) -> State | None:
    """Throw six dice, and measure until the score is told; return the state then, None without one."""
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


def play_on(table: Table, state: State, wled: Wled, found: Measures) -> None:
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


def measure(core_share: float, throws: int, seed: int) -> Iterator[str]:
    """Play so many throws with a share of a core; yield every figure."""
    found, chance, hands = Measures(), random.Random(seed), SimulatedHands(seed)
    with ExitStack() as undo:
        groups = undo.enter_context(held(core_share))
        slow = [slowdown(groups[0] if groups else None) for _ in range(5)]
        yield f"seconds a processor second    {interval(slow, 2)}, n {len(slow)}"
        folder = Path(undo.enter_context(tempfile.TemporaryDirectory()))
        data = Path(undo.enter_context(tempfile.TemporaryDirectory()))
        recording, wled = Recording(folder, seed), Wled()
        recording.calibrate(data, hands, chance)
        recording.play(hands.still())
        table = Table(folder, data, wled, groups)
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
    """Every figure, with its n and its interval."""
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure each share, and print."""
    parser = argparse.ArgumentParser(description="The whole table on a slow processor.")
    parser.add_argument("--throws", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shares", default="1,0.25,0.125", help="shares of one core, 1 for no quota")
    given = parser.parse_args(arguments)
    try:
        groups_root()
    except OSError as error:
        sys.stdout.write(f"left out: expected a cgroup with a quota of processor time to write, got {error}\n")
        return 0
    for core_share in map(float, given.shares.split(",")):
        sys.stdout.write(f"{core_share:g} of a core each, load {os.getloadavg()[0]:.1f}\n")
        for line in measure(core_share, given.throws, given.seed):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
