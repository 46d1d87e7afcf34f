"""Makes the pictures of docs/calibration.md: the tags that are found at a tray, and a throw with a leaning die.

Run `.venv/bin/python docs/calibrating.py`. Tray, throws and reading are the program's own.
"""

import math
import random
from pathlib import Path

import cv2
import numpy as np
from stages import write

from companion.calibration.samples import draw_samples
from dicereader import read
from dicereader.data.frame import Pixels
from dicereader.learn import learn
from dicereader.overlay import draw
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.sources.synthetic.world import DieKey, DiePath, Pose, World, multiply, turn, upright
from dicereader.tray.pose import posed_by_tags
from dicereader.tray.tags import find_tags

PICTURES = Path(__file__).parent / "pictures" / "calibration"
SEED = 7
THROWS = 4
LEANS = math.radians(30)
GREEN = (80, 220, 80)


def throw_with_a_leaning_die(half_mm: float) -> Pixels:
    """Return a picture of five level dice and one that leans on the right wall."""
    reach = 8 * (math.cos(LEANS) + math.sin(LEANS))
    level = [(5, -70.0, 60.0), (2, -10.0, 30.0), (6, 40.0, 70.0), (1, -50.0, -20.0), (3, -45.0, -100.0)]
    poses = [Pose(x, y, 8.0, upright(face, 0.5 + n)) for n, (face, x, y) in enumerate(level)]
    poses.append(Pose(half_mm - reach, 0.0, reach, multiply(turn((0.0, 1.0, 0.0), -LEANS), upright(4))))
    source = SyntheticSource(lambda: 100.0, seed=SEED)
    source.set_world(World(SEED, tuple(DiePath((DieKey(0.0, pose),)) for pose in poses)))
    frame = source.next(1.0)
    assert frame is not None
    return frame.pixels


def main() -> None:
    """Make all pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    empty, throws = draw_samples(SEED, THROWS, random.Random(SEED))
    tags = find_tags(empty)
    seen = empty.copy()
    for number, corners in tags.items():
        cv2.polylines(seen, [np.rint(corners).astype(np.int32)], True, GREEN, 3, cv2.LINE_AA)
        x, y = corners.mean(0)
        inward = (x + (70 if x < 480 else -110), y + (60 if y < 360 else -40))
        cv2.putText(seen, str(number), tuple(map(round, inward)), cv2.FONT_HERSHEY_SIMPLEX, 1.4, GREEN, 3, cv2.LINE_AA)
    write("tags.jpg", seen, PICTURES)
    known = learn(empty, throws, posed_by_tags(empty.shape, tags))
    pixels = throw_with_a_leaning_die(known.tray.half_mm)
    write("read.jpg", draw(pixels, read(pixels, calibration=known, empty=empty)), PICTURES)


if __name__ == "__main__":
    main()
