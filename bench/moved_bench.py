"""How well a moved tray without tags is found by its picture: `python bench/moved_bench.py [RIG...]`.

The rigs' tags are painted over. Every picture is asked as it is, where the tray has not moved, and with tray and dice
cut out and pushed over the table at random, a third of them in dimmer light.
"""

import argparse
import sys
import time

import cv2
import numpy as np
from figures import share, spread
from picture_sets import REPO, SHARED, read_set, set_folder
from rig_bench import calibrated

from dicereader.data.arrays import Floats
from dicereader.data.frame import Pixels
from dicereader.data.pictures import load
from dicereader.live.tray_reader import NUDGED_PX
from dicereader.tray.calibration import Calibration
from dicereader.tray.registration import shift_of, transformed
from dicereader.tray.tags import find_tags

PUSH_PX, TURN_DEG = 20.0, 3.0
"""Standard deviations of pushes, for pictures 960 pixels wide, and of turns."""

OUTER_MM = 25.0
"""From the inner walls to where the tray's plates end."""


def untagged(pixels: Pixels) -> Pixels:
    """The picture with its tags painted over."""
    plain = pixels.copy()
    for corners in find_tags(pixels).values():
        middle = corners.mean(0)
        cv2.fillConvexPoly(plain, np.rint(middle + 1.5 * (corners - middle)).astype(np.int32), (90, 90, 90))
    return plain


def pushed(known: Calibration, pixels: Pixels, push: Floats) -> Pixels:
    """The tray of a picture with all in it moved by a matrix (2, 3), the table under it as it was."""
    reach, high = known.tray.half_mm + OUTER_MM, known.tray.wall_height_mm
    outline = [known.project(x * reach, y * reach, high) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    tray = np.zeros(pixels.shape[:2], np.uint8)
    cv2.fillConvexPoly(tray, np.rint(outline).astype(np.int32), 255)
    size = pixels.shape[1::-1]
    there = cv2.warpAffine(pixels, push, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(np.where(cv2.warpAffine(tray, push, size)[..., None] > 127, there, pixels), np.uint8)


def main() -> int:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description="How well a moved tray without tags is found by its picture.")
    parser.add_argument("rigs", nargs="*", type=set_folder)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    folders = arguments.rigs or sorted((SHARED / "rigs").glob("*"))
    if not folders:
        sys.stdout.write(f"skipped: rigs, for there is no {SHARED.relative_to(REPO.parent)} beside the repository\n")
        return 0
    rng = np.random.default_rng(1)
    invented = found = n = 0
    off, still_ms, moved_ms = [], [], []
    for folder in folders:
        known, empty, _ = calibrated(folder, 6)
        bare = untagged(empty)
        inside = known.tray.half_mm
        points = np.array([known.project(x, y, 0.0) for x in (-inside, inside) for y in (-inside, inside)])
        for picture in read_set(folder).pictures[1:]:
            n += 1
            pixels = untagged(load(picture.path))
            begin = time.perf_counter()
            invented += shift_of(known, bare, pixels, NUDGED_PX) is not None
            still_ms.append((time.perf_counter() - begin) * 1e3)
            middle = pixels.shape[1] / 2, pixels.shape[0] / 2
            push = cv2.getRotationMatrix2D(middle, rng.normal(0, TURN_DEG), 1.0)
            push[:, 2] += rng.normal(0, PUSH_PX * pixels.shape[1] / 960, 2)
            there = pushed(known, pixels, push)
            if n % 3 == 0:
                there = np.asarray(there * 0.6, np.uint8)
            begin = time.perf_counter()
            way = shift_of(known, bare, there, NUDGED_PX)
            moved_ms.append((time.perf_counter() - begin) * 1e3)
            if way is not None:
                found += 1
                off.append(float(np.hypot(*(transformed(way, points) - transformed(push, points)).T).max()))
    sys.stdout.write(f"a tray without tags, {n} pictures of {len(folders)} rigs\n")
    sys.stdout.write(f"  stood still, told moved   {share(invented, n)}\n")
    sys.stdout.write(f"  pushed, and found         {share(found, n)}\n")
    sys.stdout.write(f"  worst corner off, px      {spread(off, 2)}\n")
    sys.stdout.write(f"  ms where it stood still   {spread(still_ms, 1)}\n")
    sys.stdout.write(f"  ms where it was pushed    {spread(moved_ms, 1)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
