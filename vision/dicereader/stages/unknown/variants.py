"""Transform a view for another look at what is in doubt: tone curve, CLAHE, enlargement, contrast stretch."""

from collections.abc import Iterable
from dataclasses import replace
from typing import cast

import cv2
import numpy as np

from dicereader.data.arrays import Bools, Floats, Values
from dicereader.data.frame import Pixels
from dicereader.stages.shared.rectify import PictureView, scaling, view_of
from dicereader.stages.shared.sampling import GREY

LIFT = 0.7
"""Exponent of the tone curve that brightens dark parts: a quarter of white becomes three eighths."""

CLIP_LIMIT, TILES = 4.0, 8
"""Clip limit of the adaptive histogram equalisation (CLAHE), and its tiles across and along."""

HALF_AN_OCTAVE = 2.0**0.5
"""Factor of the enlargement: dice at one end of the detector's range of sizes then are in its middle."""

MIDDLE, STRETCHED = 128.0, 200.0
"""Grey levels after a contrast stretch: of an object's median, and between its darkest and its brightest parts."""

MOST_STRETCH = 8.0
"""Factor of the contrast stretch at most: beyond it noise and JPEG blocks dominate."""

WITHIN, CORE = 0.92, 0.7
"""Fractions of an object's width and height: what is stretched, and what the stretch is measured from."""

TAIL = 0.02
"""Fraction of an object's core that counts as its darkest, and as its brightest part."""

PALE = 2.0
"""Stretch factor above which an object is pale. Objects with more contrast were not read for another reason."""

Slices = tuple[slice, slice]


def lifted(view: PictureView) -> PictureView:
    """Return the view with its dark parts brighter."""
    curve = np.rint(255 * (np.arange(256) / 255) ** LIFT).astype(np.uint8)
    return replace(view, levels=tuple(cast(Pixels, cv2.LUT(level, curve)) for level in view.levels))


def equalised(view: PictureView) -> PictureView:
    """Return the view with its brightness equalised locally (CLAHE), for dice of the ground's colour."""
    parts = cv2.cvtColor(view.levels[0], cv2.COLOR_BGR2YCrCb)
    light = np.ascontiguousarray(parts[..., 0])
    parts[..., 0] = cv2.createCLAHE(CLIP_LIMIT, (TILES, TILES)).apply(light)
    return _changed(view, cast(Pixels, cv2.cvtColor(parts, cv2.COLOR_YCrCb2BGR)))


def enlarged(view: PictureView) -> PictureView:
    """Return the view larger by half an octave."""
    width, height = view.size
    size = round(width * HALF_AN_OCTAVE), round(height * HALF_AN_OCTAVE)
    larger = cast(Pixels, cv2.resize(view.levels[0], size, interpolation=cv2.INTER_CUBIC))
    back = scaling(width / size[0], height / size[1])
    return replace(view_of(larger, view.to_picture @ back, None), gain=view.gain)


LOSSLESS = lifted, enlarged
"""Variants that lose nothing of the picture."""

VARIANTS = *LOSSLESS, equalised
"""All variants of a view, in their order. The last one sometimes loses dice, so a die that it misses says nothing."""


def stretched(view: PictureView, objects: Iterable[Floats]) -> PictureView:
    """Return the view with the contrast of some objects stretched, each given by its corners (4, 2) in level 0.

    The objects become grey: at so little contrast their colour is mostly noise.
    """
    picture = view.levels[0].copy()
    for corners in objects:
        part, grey, median, factor = _contrast(view, corners)
        if factor > 1:
            inner = _filled(part, corners, WITHIN)
            picture[part][inner] = np.clip(MIDDLE + factor * (grey[inner] - median), 0, 255).astype(np.uint8)[:, None]
    return _changed(view, picture)


def is_pale(view: PictureView, corners: Floats) -> bool:
    """Return whether an object with these corners (4, 2) has so little contrast that its pips are easily missed."""
    return _contrast(view, corners)[3] > PALE


def _changed(view: PictureView, picture: Pixels) -> PictureView:
    return replace(view_of(picture, view.to_picture, None), gain=view.gain)


def _contrast(view: PictureView, corners: Floats) -> tuple[Slices, Values, float, float]:
    """Return the part of level 0 around corners (4, 2), its grey levels, the median in the object's core, and a factor.

    By the factor the object's contrast may be stretched.
    """
    left, top = np.maximum(np.floor(corners.min(0)).astype(int), 0).tolist()
    right, bottom = np.maximum(np.ceil(corners.max(0)).astype(int) + 1, 0).tolist()
    width, height = view.size
    part = slice(min(top, height), min(bottom, height)), slice(min(left, width), min(right, width))
    grey, core = view.levels[0][part] @ GREY, _filled(part, corners, CORE)
    if not core.any():
        return part, grey, MIDDLE, 1.0
    low, median, high = np.quantile(grey[core], (TAIL, 0.5, 1 - TAIL)).tolist()
    return part, grey, median, min(STRETCHED / max(high - low, 1.0), MOST_STRETCH)


def _filled(part: Slices, corners: Floats, fraction: float) -> Bools:
    """Return which pixels of a part are within that fraction of the width and height between corners (4, 2)."""
    rows, columns = part
    mask = np.zeros((rows.stop - rows.start, columns.stop - columns.start), np.uint8)
    middle = corners.mean(0)
    inside = middle + fraction * (corners - middle) - (columns.start, rows.start)
    if mask.size:
        cv2.fillConvexPoly(mask, np.rint(inside).astype(np.int32), 1)
    return mask > 0
