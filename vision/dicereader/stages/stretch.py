"""Pull apart what little is seen on dice in doubt and on what was not read: pips that light, or the lack of it, has
nearly taken from a face."""

from collections.abc import Iterable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.stages.rectify import View, view_of
from dicereader.stages.sampling import GREY

Floats = NDArray[np.float64]

MIDDLE, LEVELS = 128.0, 200.0
"""What is as bright as most of a thing becomes as bright as this, and so many grey levels lie between its darkest and
its brightest parts."""

MOST_STRETCH = 8.0
"""Grey levels are pulled apart so many times at most: beyond that noise and a small JPEG's blocks are all there is."""

WITHIN, CORE = 0.92, 0.7
"""What is pulled apart is so much of a thing's width and height, and so much of them tells by how much: its rim is
neither face nor ground."""

SHARE = 0.02
"""A thing's darkest and its brightest parts are such a share of its core, each."""

PALE = 2.0
"""What may be pulled apart more than so many times is pale. What has more contrast was not read for another reason: it
leans, say."""

Part = tuple[slice, slice]


def stretched(view: View, things: Iterable[Floats]) -> View:
    """The same with the grey levels of some things pulled apart, each given by its four corners (4, 2) in pixels of
    level 0. Where little is left of a colour it is mostly noise, so the things become grey."""
    found = view.levels[0].copy()
    for corners in things:
        part, grey = _grey(view, corners)
        usual, by = _stretch(grey, _filled(part, corners, CORE))
        if by > 1:
            inner = _filled(part, corners, WITHIN)
            found[part][inner] = np.clip(MIDDLE + by * (grey[inner] - usual), 0, 255).astype(np.uint8)[:, None]
    return replace(view_of(found, view.to_picture, None), gain=view.gain)


def is_pale(view: View, corners: Floats) -> bool:
    """Whether a thing with these corners (4, 2) has so little contrast that its pips are easily missed."""
    part, grey = _grey(view, corners)
    return _stretch(grey, _filled(part, corners, CORE))[1] > PALE


def _grey(view: View, corners: Floats) -> tuple[Part, NDArray[np.float32]]:
    """The part of the picture around corners (4, 2), and its grey levels."""
    left, top = np.maximum(np.floor(corners.min(0)).astype(int), 0).tolist()
    right, bottom = np.maximum(np.ceil(corners.max(0)).astype(int) + 1, 0).tolist()
    height, width = view.levels[0].shape[:2]
    part = slice(min(top, height), min(bottom, height)), slice(min(left, width), min(right, width))
    return part, view.levels[0][part] @ GREY


def _stretch(grey: NDArray[np.float32], core: NDArray[np.bool_]) -> tuple[float, float]:
    """The usual grey level of a thing's core, and how many times its levels may be pulled apart."""
    if not core.any():
        return MIDDLE, 1.0
    low, usual, high = np.quantile(grey[core], (SHARE, 0.5, 1 - SHARE)).tolist()
    return usual, min(LEVELS / max(high - low, 1.0), MOST_STRETCH)


def _filled(part: Part, corners: Floats, share: float) -> NDArray[np.bool_]:
    """Which pixels of a part lie within that share of the width and height between corners (4, 2)."""
    rows, columns = part
    mask = np.zeros((rows.stop - rows.start, columns.stop - columns.start), np.uint8)
    middle = corners.mean(0)
    inside = middle + share * (corners - middle) - (columns.start, rows.start)
    if mask.size:
        cv2.fillConvexPoly(mask, np.rint(inside).astype(np.int32), 1)
    return mask > 0
