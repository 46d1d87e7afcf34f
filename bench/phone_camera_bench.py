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
import ssl
import statistics
import sys
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
from figures import cpu_s, share, spread
from table_program import PATIENCE_S, State, Table, accepted, asks, begin_game, new_table, until_read
from throw_bench import ScoreTimes

from companion.simulation.hands import SimulatedHands
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.sources.synthetic.world import World

LIMIT_S = 0.8
"""The longest time of 95 of 100 throws."""

SCORED_S = 8.0
"""Seconds after the last motion in which a throw must be scored."""

OPTIONS = ("--host", "127.0.0.1", "--tls-port", "0", "--camera", "phone", "--players", "Ann,Ben", "--start", "Ann")
SECURE = "HTTPS, for phones that play: "
"""What the table says before the address to which a phone sends its pictures."""

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
        yield f"{f'{self.name}, % of a core':30}{100 * busy:.0f}"
        for place, what in enumerate(("MB", "threads", "descriptors")):
            values = [look[place] for look in self.looks]
            first, last = statistics.median(values[:LOOKS]), statistics.median(values[-LOOKS:])
            yield f"{f'{self.name}, {what}':30}{first:.1f} to {last:.1f}, most {max(values):.1f}, n {len(values)}"


def held(name: str, pid: int) -> HeldByProcess:
    """Return the measurements of a process, none yet."""
    return HeldByProcess(name, pid, time.monotonic(), cpu_s(pid))


def throw(table: Table, phone: SendingPhone, clip: Clip, found: ScoreTimes) -> tuple[float, float]:
    """Show a throw, measure the time to its score, and bank it. Return the times of its begin and of its score."""
    if table.get("state")["phase"] == "over":
        begin_game(table)
    before = table.get("state")
    began_s = time.monotonic()
    rests_s = phone.show(clip)
    try:
        state = table.until(lambda state: state["seq"] > before["seq"] or asks(state), clip.length_s + SCORED_S)
    except AssertionError:
        state = before
        found.missed += 1
    else:
        found.add(before, state, clip.thrown, time.monotonic() - rests_s)
    ended_s = time.monotonic()
    if state["question"]:
        state = accepted(table, "answer", {"answer": state["question"]["answers"][0]})
    if state["phase"] == "choosing" and "bank" in state["legal"]:
        accepted(table, "buttons/bank", {"press": "tap"})
    return began_s, ended_s


def measure(throws: int, minutes: float, seed: int) -> Iterator[str]:
    """Play, and yield every figure."""
    clips, chance, found = film(seed), random.Random(seed), ScoreTimes()
    with new_table(*OPTIONS) as table:
        table.says(SECURE)
        secure = next(line for line in table.said if SECURE in line).split()[-1]
        phone = SendingPhone(secure, clips[0])
        phone.start()
        until_read(table)
        processes = [held("game", table.process.pid), held("eye", table.children()[0])]
        began_s = looked_s = time.monotonic()
        throws_s: list[tuple[float, float]] = []
        while len(throws_s) < throws or time.monotonic() < began_s + 60 * minutes:
            for clip in clips[1:]:
                if time.monotonic() >= looked_s + LOOK_S:
                    looked_s = time.monotonic()
                    for process in processes:
                        process.look()
                time.sleep(chance.uniform(*PAUSE_S))
                if clip.thrown:
                    throws_s.append(throw(table, phone, clip, found))
                else:
                    phone.show(clip)
                    time.sleep(clip.length_s + 1.0)
        took_s = time.monotonic() - began_s
        yield from found.lines("last motion to score, s", LIMIT_S)
        yield f"{'pictures sent':30}{len(phone.sent)}, {len(phone.sent) / took_s:.1f} a second"
        offered = sum(round((end_s - begin_s) * RATE) for begin_s, end_s in throws_s)
        sent = sum(begin_s <= at_s < end_s for begin_s, end_s in throws_s for at_s, _, _ in phone.sent)
        yield f"{'dropped during throws':30}{share(offered - sent, offered)}"
        yield f"{'bytes a second':30}{sum(size for _, size, _ in phone.sent) / took_s / 1000:,.0f} kB"
        yield f"{'picture to answer, ms':30}{spread([1000 * seconds for _, _, seconds in phone.sent], 1)}"
        for process in processes:
            yield from process.lines()
        phone.end()


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
