"""Whole throws on film: how soon after the last die lies still the right reading comes, and what an idle table costs.

`python bench/clip_bench.py [FOLDER]`: clips with a `truth.jsonl` beside them ("rest_s": when the last die lay still).
"""

import argparse
import json
import sys
import time
from pathlib import Path

import cv2
from figures import resident_mb, share, spread

from dicereader.errors import CalibrationError
from dicereader.live.faults import FaultDetector
from dicereader.live.settle import Settled, Settler
from dicereader.reader import read_pixels
from dicereader.sources.recorded import clip_frames
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.tray.tags import from_tags

SOON_S = 0.6
IDLE_RATE = 10


def clips(folder: Path) -> None:
    """The readings of each clip against its truth."""
    right = early = count = 0
    waits: list[float] = []
    for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines():
        truth = json.loads(line)
        frames = list(clip_frames(folder / truth["image"]))
        try:
            known = from_tags(frames[0].pixels)
        except CalibrationError:
            known = None
        settler = Settler(lambda pixels, known=known: read_pixels(pixels, calibration=known), known)  # type: ignore[misc]
        detector, told, suspect = FaultDetector(), [], 0
        for frame in frames:
            detector.look(frame)
            suspect += detector.suspect
            if not detector.suspect:
                told += [(frame.at_s, event) for event in settler.feed(frame) if isinstance(event, Settled)]
        count += 1
        early += any(at_s < truth["rest_s"] for at_s, _ in told)
        faces = sorted(die["pips"] for die in truth["dice"])
        at_s, event = told[0] if told else (float("inf"), None)
        seen = sorted(event.observation.reading.faces) if event else []
        good = seen == faces and at_s - truth["rest_s"] <= SOON_S
        right += good
        waits += [at_s - truth["rest_s"]]
        if not good:
            print(f"  {truth['image']}: {seen} after {waits[-1]:.2f} s, expected {faces}; suspect frames: {suspect}")
    print(f"right within {SOON_S} s       {share(right, count)}")
    print(f"read before at rest      {share(early, count)}")
    print(f"rest to reading, s       {spread(waits, 2)}")


def idle(frames: int) -> None:
    """What an idle table costs for so many frames, their drawing apart, and whether memory grows."""
    now = 0.0
    source = SyntheticSource(lambda: now, seed=3)
    settler, detector = (
        Settler(lambda pixels: read_pixels(pixels, calibration=source.camera), source.camera),
        FaultDetector(),
    )
    spent, before = 0.0, 0.0
    for n in range(frames):
        now += 1 / IDLE_RATE
        frame = source.next(1.0)
        assert frame is not None
        begin = time.process_time()
        detector.look(frame)
        settler.feed(frame)
        if n == frames // 10:
            before = resident_mb()
        spent += time.process_time() - begin if n >= frames // 10 else 0.0
    share_of_core = spent / (0.9 * frames / IDLE_RATE)
    print(f"idle at {IDLE_RATE} a second     {100 * share_of_core:.1f} % of a core, n {round(0.9 * frames)} frames")
    print(f"memory grew meanwhile    {resident_mb() - before:.1f} MB")


def main() -> int:
    parser = argparse.ArgumentParser(description="Clips of throws, and what an idle table costs.")
    parser.add_argument("folder", type=Path, nargs="?", default=Path("../shared/data/clips"))
    parser.add_argument("--idle-s", type=int, default=120, help="how long the idle table is watched, in its own time")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    if (arguments.folder / "truth.jsonl").exists():
        clips(arguments.folder)
    else:
        print(f"no clips in {str(arguments.folder)!r}: left out")
    idle(arguments.idle_s * IDLE_RATE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
