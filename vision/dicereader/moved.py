"""Notice that the tray, or the camera over it, was moved, and calibrate anew: from its tags, or by its picture."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from dicereader.calibration import Calibration, Matrix, rim_corners_mm, tag_corners_mm
from dicereader.frame import Pixels
from dicereader.shift import moved_by, shift_of
from dicereader.tags import Tags, find_tags, from_points

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
