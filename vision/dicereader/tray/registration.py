"""Register a tray again that was moved, or whose camera was: by its tags, or by the picture of the empty tray."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from dicereader.data.arrays import Floats, Values
from dicereader.data.frame import Pixels
from dicereader.tray.calibration import Calibration, rim_corners_mm, tag_corners_mm
from dicereader.tray.pose import from_points
from dicereader.tray.tags import Tags, find_tags, find_tags_near

MOVED_PX = 2.5
"""Mean distance in pixels by which tags, or the tray's corners, must have moved."""

LEAST_TAGS = 3
"""Tags that must be seen to register by tags."""

COARSE_PX, FINE_PX = 160, 320
"""Widths in pixels of the copies in which the tray is found first, and then exactly."""

STEPS = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 40, 1e-4)

OTHERWISE, TIMES_MEDIAN = 6.0, 4.0
"""Grey levels, and multiple of the median difference, above which a pixel is not part of the empty tray."""

SPECK, MARGIN = np.ones((3, 3), np.uint8), np.ones((7, 7), np.uint8)
"""Kernels in pixels: a difference smaller than the first is noise; others are left out with the second around them."""

SAME_TRAY = 0.97
"""Correlation of two pictures of one tray at least, with what is on it left out."""

LEAST_VISIBLE = 0.4
"""Fraction of the tray that must be visible."""


@dataclass(frozen=True, eq=False)
class Registration:
    """A table where it is now: calibration, empty tray as it would look now, and the mean distance moved in pixels."""

    calibration: Calibration
    empty: Pixels | None
    by_px: float


def register(
    known: Calibration,
    empty: Pixels | None,
    pixels: Pixels,
    least_px: float = MOVED_PX,
    earlier: Tags | None = None,
) -> Registration | None:
    """Return the table registered again, or None if it has moved by less than `least_px` or cannot be found.

    With fewer than three tags in `pixels` the table is found by the picture of the empty tray, `empty`, as it was at
    the calibration `known`. `earlier` are the tags in `empty`, if they are known (`tags_of`).
    """
    if not known.fits(pixels):
        return None
    earlier = tags_of(empty) if earlier is None else earlier
    tags = find_tags_near(pixels, earlier)
    if len(tags) < LEAST_TAGS:
        tags = find_tags(pixels, quick=True)
    if len(tags) >= LEAST_TAGS:
        return _by_tags(known, empty, pixels, tags, earlier, least_px)
    return _by_picture(known, empty, pixels, least_px) if empty is not None and known.fits(empty) else None


def stands(known: Calibration, pixels: Pixels) -> bool:
    """Return whether a picture shows at least three of the tray's tags where the calibration has them."""
    tags = find_tags(pixels, quick=True)
    if len(tags) < LEAST_TAGS:
        return False
    before = known.pixels_of(np.concatenate([tag_corners_mm(known.tray, n) for n in tags]))
    return _mean_distance(np.concatenate(list(tags.values())), before) < MOVED_PX


def tags_of(empty: Pixels | None) -> Tags:
    """Return the tags in the picture of the empty tray."""
    return {} if empty is None else find_tags(empty)


def _by_tags(
    known: Calibration, empty: Pixels | None, pixels: Pixels, tags: Tags, earlier: Tags, least_px: float
) -> Registration | None:
    numbers = sorted(tags)
    points_mm = np.concatenate([tag_corners_mm(known.tray, n) for n in numbers])
    now = np.concatenate([tags[n] for n in numbers])
    before = known.pixels_of(points_mm)
    if earlier.keys() >= tags.keys():  # more accurate than the pose
        before = np.concatenate([earlier[n] for n in numbers])
    by_px = _mean_distance(now, before)
    if by_px < least_px:
        return None
    again = _calibrated(known, pixels, now, points_mm)
    # The floor fills most of the picture, so its plane decides.
    way = again.at_height(0.0) @ np.linalg.inv(known.at_height(0.0))
    return Registration(again, None if empty is None else _warped(empty, way), by_px)


def _by_picture(known: Calibration, empty: Pixels, pixels: Pixels, least_px: float) -> Registration | None:
    way = shift_of(known, empty, pixels, least_px)
    if way is None:
        return None
    points_mm = rim_corners_mm(known.tray)
    before = known.pixels_of(points_mm)
    now = transformed(way, before)
    moved_empty = _warped(empty, np.vstack([way, [0.0, 0.0, 1.0]]))
    return Registration(_calibrated(known, pixels, now, points_mm), moved_empty, _mean_distance(now, before))


def _mean_distance(now: Floats, before: Floats) -> float:
    return float(np.hypot(*(now - before).T).mean())


def _calibrated(known: Calibration, picture: Pixels, pixels: Floats, points_mm: Floats) -> Calibration:
    """Return the calibration of the same table from a picture with points of a level plane (n, 3) at pixels (n, 2)."""
    again = from_points(picture.shape, pixels, points_mm, known.tray, known.focal_px)
    return replace(again, dice=known.dice, camera=known.camera)


def _warped(empty: Pixels, way: Floats) -> Pixels:
    """Return the empty tray's picture after a homography (3, 3)."""
    size = empty.shape[1], empty.shape[0]
    warped = cv2.warpPerspective(empty, way, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(warped, np.uint8)


def shift_of(known: Calibration, empty: Pixels, pixels: Pixels, least_px: float) -> Floats | None:
    """Return the matrix (2, 3) from pixels of `empty`, the tray of `known`, to pixels of the tray in `pixels`.

    None if the tray cannot be found, or its corners have moved by less than `least_px` on average.
    """
    width = known.width_px
    rim = rim_corners_mm(known.tray)
    rim[:, :2] += np.sign(rim[:, :2]) * known.tray.wall_mm
    corners = known.pixels_of(rim)
    way = _aligned(empty, pixels, COARSE_PX, corners * COARSE_PX / width, None)
    if way is None or _moved_px(way, corners * COARSE_PX / width) < least_px / 2 * COARSE_PX / width:
        return None
    way[:, 2] *= FINE_PX / COARSE_PX
    way = _aligned(empty, pixels, FINE_PX, corners * FINE_PX / width, way)
    if way is None:
        return None
    way[:, 2] *= width / FINE_PX
    found: Floats = np.asarray(cv2.invertAffineTransform(way), np.float64)
    return found if _moved_px(found, corners) >= least_px else None


def transformed(way: Floats, points: Floats) -> Floats:
    """Return points (n, 2) after an affine matrix (2, 3)."""
    return np.asarray(points @ way[:, :2].T + way[:, 2], np.float64)


def _moved_px(way: Floats, corners: Floats) -> float:
    return _mean_distance(transformed(way, corners), corners)


def _grey(pixels: Pixels, width: int) -> Values:
    height = round(pixels.shape[0] * width / pixels.shape[1])
    small = cv2.resize(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def _edges(grey: Values) -> Values:
    soft = cv2.GaussianBlur(grey, (0, 0), 1.5)
    steep = cv2.magnitude(cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1))
    return np.asarray(np.sqrt(steep), np.float32)


def _aligned(empty: Pixels, pixels: Pixels, width: int, corners: Floats, start: Floats | None) -> Floats | None:
    """Return the matrix from copies of `pixels` to copies of `empty`, both of this width.

    `corners` are the tray's in the copy of `empty`; without `start` the tray may be anywhere.
    """
    before, now = _grey(empty, width), _grey(pixels, width)
    tray = np.zeros(before.shape, np.uint8)
    cv2.fillConvexPoly(tray, np.rint(corners).astype(np.int32), 255)
    before_edges, now_edges = _edges(before), _edges(now)
    if start is not None:
        starts = [start]
    else:
        (x, y), _ = cv2.phaseCorrelate(now_edges, before_edges * (tray > 0))
        starts = [np.array([[1.0, 0.0, x], [0.0, 1.0, y]]), np.eye(2, 3)]
    found = [each for start in starts if (each := _correlated(before_edges, now_edges, start, tray)) is not None]
    if not found:
        return None
    way = max(found, key=lambda each: each[0])[1]
    visible = _visible(before, now, way, tray)
    if np.count_nonzero(visible) < LEAST_VISIBLE * np.count_nonzero(tray):
        return None
    again = _correlated(before_edges, now_edges, way, visible)
    return again[1] if again is not None and again[0] >= SAME_TRAY else None


def _correlated(before: Values, now: Values, start: Floats, mask: Pixels) -> tuple[float, Floats] | None:
    """Return the correlation of two pictures within a mask of `before`, and the matrix from `now` to `before`.

    Maximises the enhanced correlation coefficient (ECC); None if it does not converge.
    """
    try:
        # Tray and camera move in one plane, or nearly.
        correlation, way = cv2.findTransformECC(
            now, before, start.astype(np.float32), cv2.MOTION_EUCLIDEAN, STEPS, mask, 3
        )
    except cv2.error:
        return None
    return float(correlation), np.asarray(way, np.float64)


def _visible(before: Values, now: Values, way: Floats, tray: Pixels) -> Pixels:
    """Return the mask of a tray without the objects that are on it now."""
    then, here = (cv2.GaussianBlur(grey, (0, 0), 1.0) for grey in (before, now))
    back = cv2.warpAffine(here, way, before.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
    inside = tray > 0
    gain = np.median(back[inside] / np.maximum(then[inside], 1.0))
    off = np.abs(back - gain * then)
    other = (off > max(OTHERWISE, TIMES_MEDIAN * float(np.median(off[inside])))).astype(np.uint8)
    other = np.asarray(cv2.dilate(cv2.morphologyEx(other, cv2.MORPH_OPEN, SPECK), MARGIN), np.uint8)
    return np.asarray(np.where(other > 0, 0, tray), np.uint8)
