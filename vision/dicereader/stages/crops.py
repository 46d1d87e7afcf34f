"""Cut out what lies at a pose as a small square picture, turned and scaled so that every die looks alike."""

import numpy as np
from numpy.typing import NDArray

from dicereader.stages.poses import BETWEEN, Poses, squared
from dicereader.stages.rectify import View
from dicereader.stages.sampling import sample_spots

Crops = NDArray[np.float32]

SIDE = 32
"""Pixels along a crop's side."""

REACH = 2.75
"""Half of what a crop shows, in units of the pitch: a face and what is beside it."""

_LINE = (np.arange(SIDE) + 0.5) / SIDE * 2 * REACH - REACH
_GRID = np.stack(np.meshgrid(_LINE, _LINE), -1).reshape(-1, 2)


def find_crops(view: View, poses: Poses) -> Crops:
    """A crop of each pose, shape (n, 2, SIDE, SIDE), the pose's u to the right and its v down.

    The first channel is the brightness over the face's own, pips always dark; the second how far the colour is from
    the face's. Both are in units of the pips' contrast and end at 3.
    """
    crops = np.zeros((len(poses), 2, SIDE, SIDE), np.float32)
    # A crop's pixel is this many of level 0: the level below which nothing is lost.
    scale = np.maximum(poses.pitch * 2 * REACH / SIDE, 1e-3)
    levels = np.clip(np.floor(np.log2(scale) + 0.5), 0, len(view.levels) - 1).astype(int)
    for level in np.unique(levels):
        which = np.flatnonzero(levels == level)
        some = squared(poses.take(which))
        own = np.median(sample_spots(view.levels[level], some.points(BETWEEN), level), 1)
        spots = some.points(_GRID)
        colour = sample_spots(view.levels[level], spots, level) - own[:, None]
        contrast = np.maximum(some.contrast, 8)[:, None]
        grey = colour @ np.array([0.114, 0.587, 0.299], np.float32) * some.sign[:, None]
        far = np.abs(colour).max(2)
        both = np.stack([grey, far], 1) / contrast[:, None]
        crops[which] = np.clip(both, -3, 3).reshape(-1, 2, SIDE, SIDE)
    return crops
