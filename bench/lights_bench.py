"""Measure the lights: `python bench/lights_bench.py` prints their share of one core at 60 frames a second.

Measured is the work from the board view to the bytes for a strip, on four lanes of 121 holes (597 LEDs), with budget
and gamma. One run is a second of one state of the board. The share is CPU time of the thread, without waits, divided by
the duration of the frames.
"""

import argparse
import sys
import time
from collections.abc import Mapping
from dataclasses import replace

from figures import interval, spread

from pegboard.animation import Animator
from pegboard.layouts import load_layout
from pegboard.palette import mark
from pegboard.pegs import BoardView, Effect, LaneView, Prompt, Status
from pegboard.power import current_ma
from pegboard.track import Hole

FPS = 60
LAYOUT = load_layout("long-board-4")
LANES = tuple(LaneView(mark(side), Hole(20 * side), Hole(20 * side + 9), farkles=1) for side in range(4))
PLAY = BoardView(LANES, turn=0)
FAR = replace(PLAY, lanes=tuple(replace(lane, back=Hole(100), front=Hole(121)) for lane in LANES))

STATES: Mapping[str, tuple[BoardView, Effect | None]] = {
    "play": (PLAY, None),
    "four walks at once": (FAR, None),
    "hot dice": (PLAY, Effect.SPARKLE),
    "attract": (replace(PLAY, status=Status.ATTRACT), None),
    "a question": (replace(PLAY, status=Status.ASK, prompt=Prompt((Hole(9), Hole(15)))), None),
    "four winners": (replace(FAR, status=Status.OVER, leaders=(0, 1, 2, 3)), None),
}


def run(view: BoardView, effect: Effect | None, seconds: float) -> tuple[float, float]:
    """Return the share of a core that these frames take, and the largest current of one of them, in amperes."""
    animator = Animator(LAYOUT)
    animator.show(PLAY, 0.0)
    animator.show(view, 1.0, effect)
    frames = int(seconds * FPS)
    began = time.thread_time()
    drawn = [animator.frame(1.0 + number / FPS) for number in range(frames)]
    took = time.thread_time() - began
    return took / seconds, max(current_ma(frame) for frame in drawn) / 1000


def main() -> int:
    """Measure each state, and print."""
    parser = argparse.ArgumentParser(description="What the lights cost.")
    parser.add_argument("--times", type=int, default=20)
    arguments = parser.parse_args()
    sys.stdout.write(f"{LAYOUT.leds} LEDs, {FPS} frames a second, share of one core of this machine\n")
    for name, (view, effect) in STATES.items():
        run(view, effect, 0.5)  # build everything that is made only once
        shares, amperes = zip(*(run(view, effect, 5.0) for _ in range(arguments.times)), strict=True)
        percent = [100 * share for share in shares]
        sys.stdout.write(f"{name:20}{interval(percent, 2)} %; {spread(percent, 2)}; at most {max(amperes):.2f} A\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
