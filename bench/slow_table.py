"""The table that bench/slow_bench.py measures: its camera is a recording, and its LEDs go to a WLED on this machine."""

import json
import math
import os
import pty
import queue
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any

import cv2
import httpx
import numpy as np
from cpu_shares import CpuGroup
from figures import cpu_s

from companion.calibration.store import calibration_file
from companion.simulation.hands import SimulatedHands
from dicereader.data.frame import Pixels
from dicereader.learn import learn
from dicereader.sources.pi_camera import LORES_PX, MAIN_PX
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.sources.synthetic.world import World
from dicereader.tray.calibration import save_with_empty
from dicereader.tray.pose import posed_by_tags
from dicereader.tray.tags import find_tags

HERE = Path(__file__).resolve().parent
RATE = 30
STILL_FRAMES = 8
"""The number of frames of the still tray, which repeat. Each has its own noise."""
MOST_FRAMES = 150
WATCHDOG_S = 60.0
"""The unit's WatchdogSec."""

DARK_S = 2.0
"""An LED that lights after a press counts as its answer if it was dark for this long."""

PATIENCE_S = 60.0
START_S = 240.0
DICE = 6
AGAIN_S = 0.2

State = dict[str, Any]


class Recording:
    """A recording: it draws Worlds into files that the camera of `recorded_camera` plays, two files in turn."""

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
        """Return a picture of the tray now, in the size of the Pi's camera."""
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
        """Draw a World and start it. Return its start, by the clock of all processes."""
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
        """Return the exposure times of the frames that the eye took in this time."""
        rows = self.taken[1 : int(self.taken[0, 0]) + 1]
        return [float(at_s) for at_s, now_s in rows if from_s <= now_s <= to_s]


class Wled:
    """A WLED that receives LED frames, and records when each LED was last lit."""

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


class SlowTable:
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
        return cpu_s(self.process.pid), cpu_s(self.eyes[-1])

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


class Hearing:
    """The page's stream of states, each with the time at which it was read."""

    def __init__(self, address: str) -> None:
        self.states: queue.Queue[tuple[float, State]] = queue.Queue()
        self._events = f"{address}api/v1/events"
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with httpx.stream("GET", self._events, timeout=60) as events:
            for line in events.iter_lines():
                if line.startswith('data: {"seq"'):  # a view, and no ping
                    self.states.put((time.monotonic(), json.loads(line[5:])))

    def after(self, seq: int, patience_s: float) -> tuple[float, State] | None:
        """Return the first state with another act or a question about a throw, or None if no such state comes."""
        deadline = time.monotonic() + patience_s
        with suppress(queue.Empty):
            while (left_s := deadline - time.monotonic()) > 0:
                at_s, state = self.states.get(timeout=left_s)
                if state["seq"] > seq or (state["seq"] == seq and (state["phase"] == "asking" or state["look"])):
                    return at_s, state
        return None


def post(address: str, path: str, body: State) -> State:
    """Write over the API, again while dice still move, and return the new state."""
    deadline = time.monotonic() + PATIENCE_S
    while (answer := httpx.post(f"{address}api/v1/{path}", json=body, timeout=20)).is_error:
        if answer.status_code != HTTPStatus.CONFLICT or time.monotonic() > deadline:
            raise SystemExit(f"expected the table to take {path} {body}, got {answer.status_code}: {answer.text}")
        time.sleep(AGAIN_S)
    return answer.json()


def get(address: str) -> State:
    """Return the state now."""
    return httpx.get(f"{address}api/v1/state", timeout=20).json()
