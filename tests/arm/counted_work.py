"""Do pieces of work under QEMU's counting plugin: each piece's name goes to standard error between two marks.

tests/arm/count.py runs this file and makes the counts. A piece is done once before it is counted, as some is made once.
"""

import contextlib
import os
import random
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2

REPO = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPO / folder) for folder in ("bench", "tests/companion", "tests/table")]

from eye_bench import known_table  # noqa: E402
from hosted import hosted  # noqa: E402
from lights_bench import FAR, PLAY  # noqa: E402

from companion.simulation.hands import SimulatedHands  # noqa: E402
from dicereader.data.frame import Frame  # noqa: E402
from dicereader.live.settle import Settler  # noqa: E402
from dicereader.reader import read_pixels  # noqa: E402
from dicereader.sources.synthetic.source import SyntheticSource  # noqa: E402
from pegboard.animation import Animator  # noqa: E402
from pegboard.layouts import load_layout  # noqa: E402

MARK = -4242
SEED = 7
STEP_S = 1 / 30


def mark() -> None:
    """Make the plugin write the number of instructions so far."""
    with contextlib.suppress(OSError):
        os.close(MARK)


def counted(name: str, work: Callable[[], object]) -> None:
    """Do the work between two marks, and name it."""
    mark()
    work()
    mark()
    os.write(2, f"done {name}\n".encode())


def readings() -> None:
    """Read photographs without a calibration, and drawn throws on a tray that was learnt."""
    for number, file in enumerate(sorted((REPO / "tests/pictures/trays").glob("*.jpg"))[::6]):
        pixels = cv2.imread(str(file))
        if number == 0:
            read_pixels(pixels)
        counted("reading, unknown tray", partial(read_pixels, pixels))
    calibration, empty = known_table(SEED)
    read_known = partial(read_pixels, calibration=calibration, empty=empty, expect=6)
    now_s = 0.0
    source, hands, chance = SyntheticSource(lambda: now_s, seed=SEED), SimulatedHands(SEED), random.Random(SEED)
    for number in range(6):
        source.set_world(hands.throw([chance.randint(1, 6) for _ in range(6)]).at_rest())
        frame = source.next(1.0)
        assert isinstance(frame, Frame)
        work = partial(read_known, frame.pixels.copy())
        work() if number == 0 else counted("reading, known tray", work)
    settler = Settler(read_known, calibration)
    for number in range(60):  # the tray rests: after its votes the settler only watches
        now_s += STEP_S
        frame = source.next(1.0)
        assert isinstance(frame, Frame)
        frame = replace(frame, pixels=frame.pixels.copy())
        settler.feed(frame) if number < 50 else counted("frame of a tray at rest", partial(settler.feed, frame))


def lights() -> None:
    """Draw frames of the lights while pegs walk and while they stand, as bench/lights_bench.py does."""
    for name, view in (("LED frame, at rest", PLAY), ("LED frame, four walks", FAR)):
        animator = Animator(load_layout("long-board-4"))
        animator.show(PLAY, 0.0)
        animator.show(view, 1.0)
        animator.frame(1.0)
        for number in range(1, 21):
            counted(name, partial(animator.frame, 1.0 + number / 60))


def presses() -> None:
    """Press BANK in a game with its journal on disk; the waits for the disk run no instructions."""
    with tempfile.TemporaryDirectory() as folder, hosted(Path(folder)) as table:
        table.game()
        for number in range(11):
            table.throws("233346")
            work = partial(table.taps, "bank")
            work() if number == 0 else counted("press", work)
            assert table.view.phase == "to_throw", table.view.phase


if __name__ == "__main__":
    cv2.setNumThreads(1)  # as the eye does
    lights()
    presses()
    readings()
