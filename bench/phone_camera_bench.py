"""Measure a phone as the camera: `python bench/phone_camera_bench.py [--throws N] [--minutes M] [--seed S]`.

`farklecrib play --camera phone` runs as a process of its own, with its eye. A sender in the place of a phone's browser
shows a drawn tray at 15 pictures a second of 1280 x 960, and sends them as the page does: over TLS, the newest one
after the answer to the one before, as many and as good as the answer asks for. Each throw is of six dice and is banked.
The time of a throw goes from the last motion in the film to the score in the page's stream. With minutes the bench goes
on for that long, and the growth of game and eye is printed: memory, threads and file descriptors.
"""

import argparse
import http.client
import json
import os
import random
import signal
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
from figures import address_in, cpu_s, interval, share, spread
from slow_table import PATIENCE_S, Hearing, State, get, post
from throw_bench import may_win

from companion.simulation.hands import SimulatedHands
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.sources.synthetic.world import World

LIMIT_S = 0.8
"""The longest time of 95 of 100 throws."""

RATE = 15
SIZE_PX = (1280, 960)
GOOD, IDLE = 85, 60
"""The qualities of JPEG that the table asks for, as OpenCV counts them."""

STILL_PICTURES = 6
"""Pictures of the tray at rest, which repeat; each has its own noise."""

FILM_THROWS = 12
"""Throws of the film; then the dice are shelved, and it begins again."""

PAUSE_S = 1.0, 4.0
"""The least and the most seconds between two throws: after three seconds the table asks for fewer pictures."""

LOOKS = 10
"""The first and the last measurements of a process of which the medians are compared."""

LOOK_S = 10.0


@dataclass(frozen=True)
class Clip:
    """One act on the tray: its pictures while something moves, and then the tray at rest in both qualities."""

    thrown: tuple[int, ...]
    length_s: float
    moving: list[bytes]
    still: dict[int, list[bytes]]


def jpeg(source: SyntheticSource, *qualities: int) -> list[bytes]:
    """Return the next picture as a phone of `SIZE_PX` sends it."""
    frame = source.next(1.0)
    assert frame is not None
    large = cv2.resize(frame.pixels, SIZE_PX, interpolation=cv2.INTER_CUBIC)
    return [cv2.imencode(".jpg", large, [cv2.IMWRITE_JPEG_QUALITY, each])[1].tobytes() for each in qualities]


def film(seed: int) -> list[Clip]:
    """Draw a tray on which six dice are thrown again and again, and at last laid on the shelf."""
    now_s = 0.0
    hands, source, chance = SimulatedHands(seed), SyntheticSource(lambda: now_s, seed=seed), random.Random(seed)
    throws = [tuple(chance.randint(1, 6) for _ in range(6)) for _ in range(FILM_THROWS)]
    acts: list[tuple[tuple[int, ...], Callable[[], World]]] = [((), hands.still)]
    acts += [(faces, lambda faces=faces: hands.throw(faces)) for faces in throws]  # type: ignore[misc]
    acts.append(((), lambda: hands.shelve(range(6))))
    clips = []
    for faces, act in acts:
        source.set_world(world := act())
        moving = []
        for _ in range(round(world.length_s * RATE)):
            moving += jpeg(source, GOOD)
            now_s += 1 / RATE
        now_s += 1.0
        pairs = [jpeg(source, GOOD, IDLE) for _ in range(STILL_PICTURES)]
        still = {GOOD: [good for good, _ in pairs], IDLE: [idle for _, idle in pairs]}
        clips.append(Clip(faces, world.length_s, moving, still))
    return clips


class SendingPhone(threading.Thread):
    """The sender: shows one clip after the other, and sends as `camera.js` does."""

    def __init__(self, address: str, first: Clip) -> None:
        super().__init__(daemon=True)
        parts = urllib.parse.urlsplit(address)
        trusting = ssl._create_unverified_context()  # noqa: S323 - the certificate is the table's own
        self._line = http.client.HTTPSConnection(str(parts.hostname), parts.port, timeout=PATIENCE_S, context=trusting)
        self._clip, self._began_s = first, time.monotonic()
        self._ended = threading.Event()
        self.sent: list[tuple[float, int, float]] = []  # when a picture was sent, its bytes, the seconds to its answer

    def show(self, clip: Clip) -> float:
        """Begin another clip; return the time of its last motion."""
        self._clip, self._began_s = clip, time.monotonic()
        return self._began_s + clip.length_s

    def end(self) -> None:
        """Send no more."""
        self._ended.set()
        self.join(PATIENCE_S)

    def run(self) -> None:
        """Become the camera, and send pictures until the end."""
        self._ask("/api/v1/camera", b'{"over": true}', "application/json")
        wanted: State = {"every_ms": 66, "quality": GOOD / 100}
        while not self._ended.is_set():
            began_s = time.monotonic()
            picture = self._picture(began_s, round(100 * wanted["quality"]))
            wanted = json.loads(self._ask("/api/v1/camera/pictures", picture, "image/jpeg"))
            self.sent.append((began_s, len(picture), time.monotonic() - began_s))
            self._ended.wait(max(0.0, wanted["every_ms"] / 1000 - (time.monotonic() - began_s)))

    def _picture(self, now_s: float, quality: int) -> bytes:
        clip, number = self._clip, int((now_s - self._began_s) * RATE)
        if number < len(clip.moving):
            return clip.moving[number]
        return clip.still[quality][number % STILL_PICTURES]

    def _ask(self, path: str, body: bytes, kind: str) -> bytes:
        self._line.request("POST", path, body, {"content-type": kind})
        answer = self._line.getresponse()
        said = answer.read()
        if answer.status >= http.client.BAD_REQUEST:
            raise SystemExit(f"expected the table to take {kind}, got {answer.status}: {said!r}")
        return said


@dataclass
class HeldByProcess:
    """What a process holds, measured again and again: megabytes of memory, threads, file descriptors."""

    name: str
    pid: int
    began_s: float
    cpu_began_s: float
    looks: list[tuple[float, float, float]] = field(default_factory=list)

    def look(self) -> None:
        """Measure once."""
        status = dict(line.split(":", 1) for line in Path(f"/proc/{self.pid}/status").read_text().splitlines())
        descriptors = sum(1 for _ in Path(f"/proc/{self.pid}/fd").iterdir())
        self.looks.append((int(status["VmRSS"].split()[0]) / 1000, int(status["Threads"]), descriptors))

    def lines(self) -> Iterator[str]:
        """Yield the medians of the first and the last measurements."""
        busy = (cpu_s(self.pid) - self.cpu_began_s) / (time.monotonic() - self.began_s)
        yield f"{self.name}, % of a core          {100 * busy:.0f}"
        for place, what in enumerate(("MB", "threads", "descriptors")):
            values = [look[place] for look in self.looks]
            first, last = statistics.median(values[:LOOKS]), statistics.median(values[-LOOKS:])
            yield f"{self.name}, {what:20} {first:.1f} to {last:.1f}, most {max(values):.1f}, n {len(values)}"


def held(name: str, pid: int) -> HeldByProcess:
    """Return the measurements of a process, none yet."""
    return HeldByProcess(name, pid, time.monotonic(), cpu_s(pid))


@dataclass
class ScoreTimes:
    """Seconds from the last motion to the score, and what went wrong."""

    plain_s: list[float] = field(default_factory=list)
    more_votes_s: list[float] = field(default_factory=list)
    asked: int = 0
    missed: int = 0
    wrong: int = 0
    offered: int = 0
    sent: int = 0


def throw(address: str, hearing: Hearing, phone: SendingPhone, clip: Clip, found: ScoreTimes) -> None:
    """Show a throw, measure the time to its score, and bank it."""
    before = get(address)
    began_s = time.monotonic()
    rests_s = phone.show(clip)
    told = hearing.after(before["seq"], clip.length_s + 8.0)
    ended_s = time.monotonic()
    state = told[1] if told is not None else before
    if told is None:
        found.missed += 1
    elif state["throw_seq"] == before["throw_seq"]:
        found.asked += 1
        state = post(address, "answer", {"answer": state["question"]["answers"][0]}) if state["question"] else state
    else:
        goes_on = state["phase"] == "choosing"
        found.wrong += goes_on and sorted(state["roll"]) != sorted(clip.thrown)
        plain = goes_on and not may_win(state) and not before["first_turn"]
        (found.plain_s if plain else found.more_votes_s).append(told[0] - rests_s)
    found.offered += round((ended_s - began_s) * RATE)
    found.sent += sum(began_s <= at_s < ended_s for at_s, _, _ in phone.sent[-1000:])
    if state["phase"] == "choosing" and "bank" in state["legal"]:
        post(address, "buttons/bank", {"press": "tap"})


def measure(throws: int, minutes: float, seed: int) -> Iterator[str]:
    """Play, and yield every figure."""
    clips, chance, found = film(seed), random.Random(seed), ScoreTimes()
    with tempfile.TemporaryDirectory() as data:
        options = ["--data", data, "--port", "0", "--host", "127.0.0.1", "--tls-port", "0", "--camera", "phone"]
        options += ["--players", "Ann,Ben", "--start", "Ann"]
        command = [sys.executable, "-m", "companion", "play", *options]
        table = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            assert table.stderr is not None
            said: list[str] = []
            while not said or not said[-1].startswith("HTTPS, "):
                said.append(table.stderr.readline())
            address, secure = address_in(said), said[-1].split()[-1]
            threading.Thread(target=table.stderr.read, daemon=True).start()
            hearing = Hearing(address)
            phone = SendingPhone(secure, clips[0])
            phone.start()
            deadline_s = time.monotonic() + PATIENCE_S
            while get(address)["reading"] is None and time.monotonic() < deadline_s:
                time.sleep(0.1)
            children = (each.read_text() for each in Path(f"/proc/{table.pid}/task").glob("*/children"))
            eye = int("".join(children).split()[0])
            processes = [held("game", table.pid), held("eye", eye)]
            began_s = looked_s = time.monotonic()
            shown = 0
            while shown < throws or time.monotonic() < began_s + 60 * minutes:
                for clip in clips[1:]:
                    if time.monotonic() >= looked_s + LOOK_S:
                        looked_s = time.monotonic()
                        for process in processes:
                            process.look()
                    time.sleep(chance.uniform(*PAUSE_S))
                    if clip.thrown:
                        throw(address, hearing, phone, clip, found)
                        shown += 1
                    else:
                        phone.show(clip)
                        time.sleep(clip.length_s + 1.0)
                    if get(address)["phase"] == "over":
                        game = {"rules": "farkle-cribbage", "players": ["Ann", "Ben"], "start": "Ann"}
                        post(address, "game", game)
            yield from printed(found, phone, time.monotonic() - began_s)
            for process in processes:
                yield from process.lines()
            phone.end()
            table.send_signal(signal.SIGINT)
            table.wait(PATIENCE_S)
        finally:
            if table.poll() is None:
                table.kill()
                table.wait()


def printed(found: ScoreTimes, phone: SendingPhone, took_s: float) -> Iterator[str]:
    """Yield the figures of throws and pictures."""
    for name, values in (
        ("last motion to score, s", found.plain_s),
        ("  more votes, first turn, s", found.more_votes_s),
    ):
        yield f"{name:28} " + (f"{interval(values, 2)}; {spread(values, 2)}" if values else "none")
    for name, values in (("scored within", found.plain_s), ("  of all throws", found.plain_s + found.more_votes_s)):
        yield f"{name} {LIMIT_S:g} s".ljust(29) + share(sum(value <= LIMIT_S for value in values), len(values))
    yield f"throws missed, asked, wrong  {found.missed}, {found.asked}, {found.wrong}"
    sent = list(phone.sent)
    dropped = found.offered - found.sent
    yield f"pictures sent                {len(sent)}, {len(sent) / took_s:.1f} a second"
    yield f"dropped during throws        {share(dropped, found.offered)}"
    yield f"bytes a second               {sum(size for _, size, _ in sent) / took_s / 1000:,.0f} kB"
    yield f"picture to answer, ms        {spread([1000 * seconds for _, _, seconds in sent], 1)}"


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="A phone as the camera: from the last motion to the score.")
    parser.add_argument("--throws", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=0.0, help="go on for at least this long")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    sys.stdout.write(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    for line in measure(arguments.throws, arguments.minutes, arguments.seed):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
