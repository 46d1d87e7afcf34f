"""Find by how much a tray without tags stands elsewhere than in the picture of it when it was empty.

Edges are compared, for they stay where light changes: enhanced correlation (Evangelidis and Psarakis 2008), begun where
phase correlation says; then once more without what is not the tray's, its dice.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.calibration import Calibration, Matrix, rim_corners_mm
from dicereader.frame import Pixels

Grey = NDArray[np.float32]
Mask = NDArray[np.uint8]

COARSE_PX, FINE_PX = 160, 320
"""Widths that pictures are brought to."""

STEPS = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 40, 1e-4)

OTHERWISE, TIMES_MEDIAN = 6.0, 4.0
"""What differs by more grey levels, and more times as much as most, is no part of the empty tray."""

SPECK, AROUND = np.ones((3, 3), np.uint8), np.ones((7, 7), np.uint8)
"""Smaller differences are noise; so much more around the others is left out, too."""

ALIKE = 0.97
"""The correlation of two pictures of one tray, its dice left out, is at least this."""

LEAST_LEFT = 0.4
"""This share of the tray must be seen."""


def shift_of(known: Calibration, empty: Pixels, pixels: Pixels, least_px: float) -> Matrix | None:
    """The matrix (2, 3) from the pixels of `empty`, the tray of `known`, to where the tray stands in `pixels`.

    None where the tray cannot be found, or its corners are off by less than `least_px` on average.
    """
    width = known.width_px
    rim = rim_corners_mm(known.tray)
    rim[:, :2] *= 1 + known.tray.wall_mm / known.tray.half_mm
    corners = np.array([known.project(*corner) for corner in rim])
    way = _from_here(_grey(empty, COARSE_PX), _grey(pixels, COARSE_PX), corners * COARSE_PX / width, None)
    if way is None or _further(way, corners * COARSE_PX / width) < least_px / 2 * COARSE_PX / width:
        return None
    way[:, 2] *= FINE_PX / COARSE_PX
    way = _from_here(_grey(empty, FINE_PX), _grey(pixels, FINE_PX), corners * FINE_PX / width, way)
    if way is None:
        return None
    way[:, 2] *= width / FINE_PX
    found: Matrix = np.asarray(cv2.invertAffineTransform(way), np.float64)
    return found if _further(found, corners) >= least_px else None


def moved_by(way: Matrix, points: Matrix) -> Matrix:
    """Points (n, 2) by a matrix (2, 3)."""
    there: Matrix = points @ way[:, :2].T + way[:, 2]
    return there


def _further(way: Matrix, corners: Matrix) -> float:
    """How far the corners are moved on average, in pixels."""
    return float(np.hypot(*(moved_by(way, corners) - corners).T).mean())


def _grey(pixels: Pixels, width: int) -> Grey:
    height = round(pixels.shape[0] * width / pixels.shape[1])
    small = cv2.resize(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def _edges(grey: Grey) -> Grey:
    soft = cv2.GaussianBlur(grey, (0, 0), 1.5)
    steep = cv2.magnitude(cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1))
    return np.asarray(np.sqrt(steep), np.float32)


def _from_here(empty: Grey, now: Grey, corners: Matrix, begin: Matrix | None) -> Matrix | None:
    """The matrix from the pixels of `now` to those of `empty`, whose tray has these corners; from anywhere, or from
    `begin` on."""
    tray = np.zeros(empty.shape, np.uint8)
    cv2.fillConvexPoly(tray, np.rint(corners).astype(np.int32), 255)
    then, here = _edges(empty), _edges(now)
    if begin is not None:
        starts = [begin]
    else:
        (x, y), _ = cv2.phaseCorrelate(here, then * (tray > 0))
        starts = [np.array([[1.0, 0.0, x], [0.0, 1.0, y]]), np.eye(2, 3)]
    found = [each for start in starts if (each := _correlated(then, here, start, tray)) is not None]
    if not found:
        return None
    way = max(found, key=lambda each: each[0])[1]
    bare = _bare(empty, now, way, tray)
    if np.count_nonzero(bare) < LEAST_LEFT * np.count_nonzero(tray):
        return None
    again = _correlated(then, here, way, bare)
    return again[1] if again is not None and again[0] >= ALIKE else None


def _correlated(then: Grey, here: Grey, start: Matrix, mask: Mask) -> tuple[float, Matrix] | None:
    """How well two pictures correlate where a mask of `then` is set, and the matrix that brings `here` onto `then`."""
    try:
        # Tray and camera are moved in one plane, or nearly.
        alike, way = cv2.findTransformECC(here, then, start.astype(np.float32), cv2.MOTION_EUCLIDEAN, STEPS, mask, 3)
    except cv2.error:  # OpenCV's way to say that they do not correlate
        return None
    return float(alike), np.asarray(way, np.float64)


def _bare(empty: Grey, now: Grey, way: Matrix, tray: Mask) -> Mask:
    """The mask of a tray without what lies on it now."""
    then, here = (cv2.GaussianBlur(grey, (0, 0), 1.0) for grey in (empty, now))
    back = cv2.warpAffine(here, way, empty.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
    inside = tray > 0
    gain = np.median(back[inside] / np.maximum(then[inside], 1.0))
    off = np.abs(back - gain * then)
    other = (off > max(OTHERWISE, TIMES_MEDIAN * float(np.median(off[inside])))).astype(np.uint8)
    other = np.asarray(cv2.dilate(cv2.morphologyEx(other, cv2.MORPH_OPEN, SPECK), AROUND), np.uint8)
    return np.asarray(np.where(other > 0, 0, tray), np.uint8)
