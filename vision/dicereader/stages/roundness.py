"""Tell what is round, a coin or a screw's head, from dice."""

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.stages.detector import Places
from dicereader.stages.rectify import View
from dicereader.stages.sampling import at_level

Mask = NDArray[np.bool_]

ROUND = 0.85
"""What fills more of the ellipse around it is no die: a square fills 0.64, one whose corners are rounded by a quarter
of its edge 0.83; so does a whole die with its sides, however aslant it is seen."""

LIT = 240
"""What is this bright in one of its colours, or brighter, may be a face from which light takes colour and pips. Some
dice's corners are cut by a sphere, and then it is round."""

BODY_PX = 9.0
"""Half a die's edge in the picture in which bodies are looked at."""

AROUND = 2.0
"""So many half edges from its middle the ground is seen around a body."""

_LEAST_LEVELS = 20.0


def body_level(view: View, half: float) -> int:
    """The level of the pyramid in which half an edge of so many pixels of level 0 is nearest to `BODY_PX`."""
    return int(np.clip(np.floor(np.log2(max(half, 1) / BODY_PX) + 0.5), 0, len(view.levels) - 1))


def roundness(there: Mask) -> float:
    """The share of the ellipse around a mask's piece that is set: what is round is one where it is seen aslant.

    The piece is stretched until it spreads alike in all directions; then the ellipse is a circle.
    """
    spots = np.stack(np.nonzero(there), 1).astype(np.float64)
    off = spots - spots.mean(0)
    # A pixel is no point: by itself it spreads by a twelfth.
    spread, axes = np.linalg.eigh(off.T @ off / len(off) + np.eye(2) / 12)
    stretched = off @ axes * np.sqrt(np.sqrt(spread.prod()) / spread)
    _, reach = cv2.minEnclosingCircle(stretched.astype(np.float32))
    return float(len(off) / (np.pi * (reach + 0.5) ** 2))


def round_things(view: View, places: Places) -> Mask:
    """Which of n places are round things that differ from the ground, and are not white with light."""
    found = [_is_round(view, centre, float(half)) for centre, half in zip(places.centre, places.half, strict=True)]
    return np.array(found, dtype=np.bool_)


def _is_round(view: View, centre: NDArray[np.float64], half: float) -> bool:
    level = body_level(view, half)
    picture, small = view.levels[level], half / 2.0**level
    x, y = np.rint(at_level(centre, level)).astype(int).tolist()
    reach = round(1.5 * AROUND * small)
    left, top = max(0, x - reach), max(0, y - reach)
    part = picture[top : y + reach + 1, left : x + reach + 1].astype(np.float32)
    rows, columns = np.indices(part.shape[:2])
    gap = np.hypot(columns + left - x, rows + top - y) / small
    middle, around = gap < 0.6, (gap > 0.9 * AROUND) & (gap < 1.1 * AROUND)
    if not (middle.any() and around.any()):  # out of the picture, or as large as it is
        return False
    inside, ground = np.median(part[middle], 0), np.median(part[around], 0)
    step = float(np.abs(inside - ground).max())
    if step < _LEAST_LEVELS or inside.max() >= LIT:
        return False
    alike = (np.abs(part - inside).max(2) < step / 2).astype(np.uint8)
    _, marks = cv2.connectedComponents(cv2.morphologyEx(alike, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))
    thing = (marks == marks[min(y - top, len(marks) - 1), min(x - left, marks.shape[1] - 1)]) & (marks > 0)
    return bool(thing.any() and (gap[thing] < AROUND).all() and roundness(thing) > ROUND)
