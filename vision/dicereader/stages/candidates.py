"""Gather all places that may be a die's top face: patterns of two to six pips, and single pips with a square around."""

import numpy as np
from numpy.typing import NDArray

from dicereader.stages.pips import Pips
from dicereader.stages.poses import Poses, joined
from dicereader.stages.rectify import View
from dicereader.stages.segment import HALF, Squares, find_squares

Floats = NDArray[np.float64]

MOST_PATTERNS = 160
MOST_SINGLES = 80

LEAST_PATTERN = 0.02
"""Patterns whose fit times quality is less are not looked at again."""

LEAST_SQUARE = 0.3
"""The share of a square's outline that must be seen around a single pip."""

PIP_TO_HALF = (0.1, 0.42)
"""A single pip's radius as a share of half a die's edge: from small to as large as dice have it."""


def distinct(poses: Poses, limit: int = MOST_PATTERNS) -> Poses:
    """The best of those that lie on each other with much the same size."""
    worth = poses.fit * (0.2 + poses.quality) * (poses.face + 1.0)
    poses = poses.take(np.argsort(-worth, kind="stable"))
    pitch = poses.pitch
    gap = np.hypot(*(poses.centre[:, None] - poses.centre).transpose(2, 0, 1))
    same = (gap < 0.5 * pitch) & (np.abs(np.log(pitch[:, None] / pitch)) < 0.2)
    gone = np.zeros(len(poses), bool)
    keep = []
    for n in range(len(poses)):
        if not gone[n]:
            keep.append(n)
            gone |= same[n]
        if len(keep) == limit:
            break
    return poses.take(np.array(keep, np.intp))


def solid(pips: Pips) -> Pips:
    """Those that may be a single pip: clear, and on an even ground."""
    return pips.take((pips.quality > 0.45) & (pips.spread < 0.4))


def ones(pips: Pips, half: Floats, turn: Floats) -> Poses:
    """Poses of a one around each pip, with half an edge (n,) in pixels and a turn (n,) in radians."""
    pitch = (half / HALF)[:, None]
    u = pitch * np.stack([np.cos(turn), np.sin(turn)], 1)
    v = pitch * np.stack([-np.sin(turn), np.cos(turn)], 1)
    n = len(pips)
    grey = pips.ring @ np.array([0.114, 0.587, 0.299])
    centre = np.stack([pips.x, pips.y], 1)
    layout = np.zeros(n, np.intp)
    return Poses(centre, u, v, layout, np.ones(n), pips.r, pips.sign, grey, pips.contrast, pips.quality)


def free_ones(view: View, pips: Pips) -> Poses:
    """Poses of a one where some square is seen around a pip, of whatever size; `fit` is the square's support."""
    some = solid(pips)
    squares = find_squares(view, some)
    ratio = some.r / squares.half
    good = (squares.support > LEAST_SQUARE) & (ratio > PIP_TO_HALF[0]) & (ratio < PIP_TO_HALF[1])
    found = ones(some.take(good), squares.half[good], squares.turn[good])
    support = squares.support[good]
    best = np.argsort(-support * found.quality, kind="stable")[:MOST_SINGLES]
    return found.take(best)


def sized_ones(view: View, pips: Pips, half: float) -> Poses:
    """Poses of a one around each pip where dice have half an edge of `half` pixels."""
    some = solid(pips)
    some = some.take((some.r > PIP_TO_HALF[0] * half) & (some.r < PIP_TO_HALF[1] * half))
    squares = find_squares(view, some, half)
    seen = squares.support > LEAST_SQUARE
    some, squares = some.take(seen), Squares(squares.half[seen], squares.turn[seen], squares.support[seen])
    best = np.argsort(-squares.support * some.quality, kind="stable")[:MOST_SINGLES]
    return ones(some.take(best), np.full(len(best), half), squares.turn[best])


def find_candidates(view: View, pips: Pips, poses: Poses) -> Poses:
    """All that may be a top face, each place and size once; single pips only where the dice's size is not known."""
    patterns = distinct(poses.take(poses.fit * poses.quality > LEAST_PATTERN))
    return patterns if view.die_px is not None else joined(patterns, free_ones(view, pips))
