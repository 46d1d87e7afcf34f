"""Notice that the tray, or the camera over it, was moved, and calibrate anew: from its tags, or by its picture."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.frame import Pixels
from dicereader.tray.calibration import Calibration, Matrix, rim_corners_mm, tag_corners_mm
from dicereader.tray.tags import Tags, find_tags, from_points

MOVED_PX = 2.5
"""Tags, or the tray's corners, that are this far from where they were on average have moved."""

LEAST_TAGS = 3


@dataclass(frozen=True, eq=False)
class Moved:
    """The table as it stands now: its calibration, its empty tray as it would look from here, and how far in pixels it
    stands from where it stood, on average."""

    calibration: Calibration
    empty: Pixels | None
    by_px: float


def moved(known: Calibration, empty: Pixels | None, pixels: Pixels, least_px: float = MOVED_PX) -> Moved | None:
    """The table registered again, where it stands elsewhere than it did by so much; None where it does not.

    `empty` is the empty tray's picture of `known`. Where fewer than three tags are seen in `pixels` that picture must
    tell; where it shows too little, or there is none, nobody can tell, and the answer is None. Raises CalibrationError
    where the tags are not where any camera would see this tray's.
    """
    if not known.fits(pixels):
        return None
    tags = find_tags(pixels)
    if len(tags) >= LEAST_TAGS:
        return _by_tags(known, empty, pixels, tags, least_px)
    return _by_picture(known, empty, pixels, least_px) if empty is not None and known.fits(empty) else None


def _by_tags(known: Calibration, empty: Pixels | None, pixels: Pixels, tags: Tags, least_px: float) -> Moved | None:
    numbers = sorted(tags)
    there = np.concatenate([tag_corners_mm(known.tray, n) for n in numbers])
    here = np.concatenate([tags[n] for n in numbers])
    before = _seen_before(empty, numbers)
    if before is None:
        before = np.array([known.project(*place) for place in there])
    by_px = _apart(here, before)
    if by_px < least_px:
        return None
    again = _calibrated(known, pixels, here, there)
    if empty is None:
        return Moved(again, None, by_px)
    # The floor fills most of the picture: its plane decides.
    way = again.at_height(0.0) @ np.linalg.inv(known.at_height(0.0))
    return Moved(again, _shifted(empty, way), by_px)


def _by_picture(known: Calibration, empty: Pixels, pixels: Pixels, least_px: float) -> Moved | None:
    way = shift_of(known, empty, pixels, least_px)
    if way is None:
        return None
    there = rim_corners_mm(known.tray)
    before = np.array([known.project(*corner) for corner in there])
    here = moved_by(way, before)
    shifted = _shifted(empty, np.vstack([way, [0.0, 0.0, 1.0]]))
    return Moved(_calibrated(known, pixels, here, there), shifted, _apart(here, before))


def _apart(here: Matrix, before: Matrix) -> float:
    """How far points (n, 2) are from where they were, on average."""
    return float(np.hypot(*(here - before).T).mean())


def _calibrated(known: Calibration, pixels: Pixels, here: Matrix, there: Matrix) -> Calibration:
    """The same table, of which a picture shows points of one level plane (n, 3) at pixels (n, 2)."""
    fov = 2 * float(np.degrees(np.arctan(known.width_px / 2 / known.focal_px)))
    again = from_points(pixels.shape, here, there, known.tray, fov)
    return replace(again, dice=known.dice, camera=known.camera)


def _shifted(empty: Pixels, way: Matrix) -> Pixels:
    """The empty tray's picture after a homography (3, 3)."""
    size = empty.shape[1], empty.shape[0]
    shifted = cv2.warpPerspective(empty, way, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(shifted, np.uint8)


def _seen_before(empty: Pixels | None, numbers: list[int]) -> Matrix | None:
    """Where the tags are in the empty tray's picture, if it shows them all: nearer to the truth than the pose."""
    if empty is None:
        return None
    tags = find_tags(empty)
    return np.concatenate([tags[n] for n in numbers]) if all(n in tags for n in numbers) else None


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
