"""Measure the eye's errors and times on the simulated tray: `python bench/eye_bench.py [--throws N]`.

Plays N throws with hands through World, camera, settling and reader in simulated time. Prints the shares of throws that
were missed, invented or read wrong, with 95 % Wilson intervals, and the milliseconds of each part on one thread.
"""

import argparse
import random
import sys
import time
from dataclasses import dataclass, field

import cv2
from figures import share, spread

from companion.simulation.hands import SimulatedHands
from dicereader import read
from dicereader.data.frame import Frame, Pixels
from dicereader.live.settle import Settled, Settler
from dicereader.reading import DiceReading, Fate, Observation
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.sources.synthetic.world import World

STEP_S = 1 / 30
THROWS_A_TABLE = 15


@dataclass
class Counts:
    """The errors, and the times of each part."""

    throws: int = 0
    missed: int = 0
    invented: int = 0
    wrong: int = 0
    wrong_while_sure: int = 0
    unsure: int = 0
    aside: int = 0
    aside_wrong: int = 0
    still_ms: list[float] = field(default_factory=list)
    moving_ms: list[float] = field(default_factory=list)
    settle_ms: list[float] = field(default_factory=list)
    read_ms: list[float] = field(default_factory=list)
    after_rest_s: list[float] = field(default_factory=list)


class EyeTable:
    """One simulated table: hands, camera, settling and reader, on a simulated clock."""

    def __init__(self, seed: int, counts: Counts) -> None:
        self._now = 0.0
        self._counts = counts
        self.hands = SimulatedHands(seed)
        self.source = SyntheticSource(lambda: self._now, seed=seed)
        self._settler = Settler(self._read, self.source.camera)

    def play(self, world: World) -> list[Observation]:
        """Set a World, look until a second after its end, and return the observations."""
        self.source.set_world(world)
        start, told = self._now, []
        while self._now < start + world.length_s + 1.0:
            self._now += STEP_S
            begin = time.perf_counter()
            frame = self.source.next(1.0)
            drawn = time.perf_counter()
            assert isinstance(frame, Frame)
            moving = self._now - start < world.length_s
            (self._counts.moving_ms if moving else self._counts.still_ms).append((drawn - begin) * 1e3)
            reads = len(self._counts.read_ms)
            events = self._settler.feed(frame)
            if len(self._counts.read_ms) == reads:
                self._counts.settle_ms.append((time.perf_counter() - drawn) * 1e3)
            for event in events:
                if isinstance(event, Settled):
                    told.append(event.observation)
                    self._counts.after_rest_s.append(self._now - start - world.length_s)
        return told

    def _read(self, pixels: Pixels) -> DiceReading:
        begin = time.perf_counter()
        reading = read(pixels, calibration=self.source.camera, expect=6)
        self._counts.read_ms.append((time.perf_counter() - begin) * 1e3)
        return reading


def judge_throw(counts: Counts, told: list[Observation], faces: list[int]) -> None:
    """Count one throw: exactly one observation may say that these dice were thrown."""
    counts.throws += 1
    throws = [seen for seen in told if seen.episode.thrown()]
    counts.missed += not throws
    counts.invented += max(0, len(throws) - 1)
    for seen in throws[:1]:
        read = sorted(seen.reading.dice[i].face for i in seen.episode.thrown())
        counts.wrong += read != sorted(faces)
        counts.wrong_while_sure += read != sorted(faces) and seen.reading.sure
        counts.unsure += not seen.reading.sure


def judge_aside(counts: Counts, told: list[Observation], dice: int) -> None:
    """Count dice set aside: no throw may be seen, and as many dice placed as were moved."""
    counts.aside += 1
    counts.invented += sum(bool(seen.episode.thrown()) for seen in told)
    placed = [fate for seen in told[-1:] for fate in seen.episode.fates if fate is Fate.PLACED]
    counts.aside_wrong += len(placed) != dice


def main() -> int:
    """Play and print."""
    parser = argparse.ArgumentParser(description="How good and how quick the eye is on the simulated tray.")
    parser.add_argument("--throws", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    counts = Counts()
    rng = random.Random(arguments.seed)
    while counts.throws < arguments.throws:
        table = EyeTable(rng.randrange(10_000), counts)
        table.play(table.hands.still())
        for _ in range(min(THROWS_A_TABLE, arguments.throws - counts.throws)):
            again = len(table.hands.rolled) if rng.random() < 0.7 and table.hands.shelved else 6
            faces = [rng.randint(1, 6) for _ in range(again or 6)]
            judge_throw(counts, table.play(table.hands.throw(faces)), faces)
            free = 6 - len(table.hands.shelved)
            if free:
                aside = rng.sample(table.hands.rolled, rng.randint(1, min(free, len(table.hands.rolled))))
                judge_aside(counts, table.play(table.hands.shelve(aside)), len(aside))
    lines = [
        ("throws missed", share(counts.missed, counts.throws)),
        ("throws invented", share(counts.invented, counts.throws + counts.aside)),
        ("throws read wrong", share(counts.wrong, counts.throws)),
        ("wrong while sure", share(counts.wrong_while_sure, counts.throws)),
        ("throws asked about", share(counts.unsure, counts.throws)),
        ("set-asides told wrong", share(counts.aside_wrong, counts.aside)),
        ("rest to reading, s", spread(counts.after_rest_s, 2)),
        ("draw a still frame, ms", spread(counts.still_ms, 1)),
        ("draw a moving frame, ms", spread(counts.moving_ms, 1)),
        ("settle a frame, ms", spread(counts.settle_ms, 1)),
        ("read a frame, ms", spread(counts.read_ms, 1)),
    ]
    for name, value in lines:
        sys.stdout.write(f"{name:24} {value}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
