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


def stretched(view: View, things: Iterable[Floats]) -> View:
    """The same with the grey levels of some things pulled apart, each given by its four corners (4, 2) in pixels of
    level 0. Where little is left of a colour it is mostly noise, so the things become grey."""
    picture = view.levels[0]
    found = picture.copy()
    for corners in things:
        left, top = np.maximum(np.floor(corners.min(0)).astype(int), 0)
        right, bottom = np.maximum(np.ceil(corners.max(0)).astype(int) + 1, 0)
        part = np.s_[top:bottom, left:right]
        grey = picture[part] @ GREY
        middle = corners.mean(0)
        inner, core = (
            _filled(grey.shape, middle + share * (corners - middle) - (left, top)) for share in (WITHIN, CORE)
        )
        if not core.any():
            continue
        low, usual, high = np.quantile(grey[core], (SHARE, 0.5, 1 - SHARE))
        by = min(LEVELS / max(high - low, 1.0), MOST_STRETCH)
        if by > 1:
            found[part][inner] = np.clip(MIDDLE + by * (grey[inner] - usual), 0, 255).astype(np.uint8)[:, None]
    return replace(view_of(found, view.to_picture, None), gain=view.gain)


def _filled(shape: tuple[int, ...], corners: Floats) -> NDArray[np.bool_]:
    """Which pixels of a picture of that height and width lie within corners (4, 2)."""
    mask = np.zeros(shape, np.uint8)
    if mask.size:
        cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 1)
    return mask > 0
