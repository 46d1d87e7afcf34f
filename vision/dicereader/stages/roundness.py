"""Tell round objects, such as coins and screw heads, from dice."""

import cv2
import numpy as np

from dicereader.arrays import Bools, Floats
from dicereader.stages.detector import Candidates
from dicereader.stages.rectify import PictureView
from dicereader.stages.sampling import to_level

ROUND = 0.85
"""Fraction of its enclosing ellipse above which an object is round.

A square fills 0.64 of it, one with corners rounded by a quarter of its edge 0.83; so does a whole die with its sides,
seen at any slant.
"""

GLARE = 240
"""Level of any colour channel from which a face may be in glare, which takes its colour and pips.

The corners of some dice are cut by a sphere; a glaring face of them is round.
"""

BODY_PX = 9.0
"""Pixels of half a die's edge in the level in which objects are examined."""

GROUND_AT = 2.0
"""Half edges from an object's middle at which the ground around it is seen."""

SHAPE_CONTRAST = 20.0
"""Grey levels by which an object must differ from the ground to have a shape."""


def object_level(view: PictureView, half: float) -> int:
    """Return the pyramid level in which half an edge of `half` pixels of level 0 is nearest to `BODY_PX`."""
    return int(np.clip(np.floor(np.log2(max(half, 1) / BODY_PX) + 0.5), 0, len(view.levels) - 1))


def roundness(mask: Bools) -> float:
    """Return the fraction of the enclosing ellipse that a mask fills; a circle seen at a slant is an ellipse.

    The mask is stretched until it spreads equally in all directions; then the ellipse is a circle.
    """
    points = np.stack(np.nonzero(mask), 1).astype(np.float64)
    off = points - points.mean(0)
    # A pixel is no point: by itself it spreads by a twelfth.
    spread, axes = np.linalg.eigh(off.T @ off / len(off) + np.eye(2) / 12)
    stretched = off @ axes * np.sqrt(np.sqrt(spread.prod()) / spread)
    _, reach = cv2.minEnclosingCircle(stretched.astype(np.float32))
    return float(len(off) / (np.pi * (reach + 0.5) ** 2))


def are_round(view: PictureView, candidates: Candidates) -> Bools:
    """Return which candidates are round objects that differ from the ground and are not in glare."""
    pairs = zip(candidates.centre, candidates.half, strict=True)
    return np.array([_is_round(view, centre, float(half)) for centre, half in pairs], dtype=np.bool_)


def _is_round(view: PictureView, centre: Floats, half: float) -> bool:
    level = object_level(view, half)
    picture, small = view.levels[level], half / 2.0**level
    x, y = np.rint(to_level(centre, level)).astype(int).tolist()
    reach = round(1.5 * GROUND_AT * small)
    left, top = max(0, x - reach), max(0, y - reach)
    part = picture[top : y + reach + 1, left : x + reach + 1].astype(np.float32)
    rows, columns = np.indices(part.shape[:2])
    gap = np.hypot(columns + left - x, rows + top - y) / small
    middle, around = gap < 0.6, (gap > 0.9 * GROUND_AT) & (gap < 1.1 * GROUND_AT)
    if not (middle.any() and around.any()):  # outside the picture, or as large as it is
        return False
    inside, ground = np.median(part[middle], 0), np.median(part[around], 0)
    step = float(np.abs(inside - ground).max())
    if step < SHAPE_CONTRAST or inside.max() >= GLARE:
        return False
    same = (np.abs(part - inside).max(2) < step / 2).astype(np.uint8)
    _, marks = cv2.connectedComponents(cv2.morphologyEx(same, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))
    found = (marks == marks[min(y - top, len(marks) - 1), min(x - left, marks.shape[1] - 1)]) & (marks > 0)
    return bool(found.any() and (gap[found] < GROUND_AT).all() and roundness(found) > ROUND)
