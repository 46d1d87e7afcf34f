"""Notice that the tray, or the camera over it, was moved, and calibrate anew: from its tags, or by its picture."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from dicereader.calibration import Calibration, Matrix, rim_corners_mm, tag_corners_mm
from dicereader.frame import Pixels
from dicereader.shift import moved_by, shift_of
from dicereader.tags import Tags, find_tags, from_points

MOVED_PX = 2.5
"""Tags, or the tray's corners, that are this far from where they were on average have moved; less is noise."""

LEAST_TAGS = 3


@dataclass(frozen=True, eq=False)
class Moved:
    """The table as it stands now: its calibration, and its empty tray as it would look from here."""

    calibration: Calibration
    empty: Pixels | None


def moved(known: Calibration, empty: Pixels | None, pixels: Pixels, seen: Tags | None = None) -> Moved | None:
    """The table registered again, where it stands elsewhere than it did; None where it stands where it stood.

    `empty` is the empty tray's picture of `known`, `seen` the tags of `pixels` where they have been looked for. Where
    fewer than three tags are seen the empty tray's picture must tell; where that shows too little, or there is none,
    nobody can tell, and the answer is None. Raises CalibrationError where the tags are not where any camera would see
    this tray's.
    """
    if not known.fits(pixels):
        return None
    tags = find_tags(pixels) if seen is None else seen
    if len(tags) >= LEAST_TAGS:
        return _by_tags(known, empty, pixels, tags)
    return _by_picture(known, empty, pixels) if empty is not None and known.fits(empty) else None


def _by_tags(known: Calibration, empty: Pixels | None, pixels: Pixels, tags: Tags) -> Moved | None:
    numbers = sorted(tags)
    there = np.concatenate([tag_corners_mm(known.tray, n) for n in numbers])
    here = np.concatenate([tags[n] for n in numbers])
    before = _seen_before(empty, numbers)
    if before is None:
        before = np.array([known.project(*place) for place in there])
    if float(np.mean(np.hypot(*(here - before).T))) < MOVED_PX:
        return None
    again = _calibrated(known, pixels, here, there)
    if empty is None:
        return Moved(again, None)
    # The floor fills most of the picture: its plane decides.
    way = again.at_height(0.0) @ np.linalg.inv(known.at_height(0.0))
    return Moved(again, _shifted(empty, way))


def _by_picture(known: Calibration, empty: Pixels, pixels: Pixels) -> Moved | None:
    way = shift_of(known, empty, pixels, MOVED_PX)
    if way is None:
        return None
    there = rim_corners_mm(known.tray)
    here = moved_by(way, np.array([known.project(*corner) for corner in there]))
    return Moved(_calibrated(known, pixels, here, there), _shifted(empty, np.vstack([way, [0.0, 0.0, 1.0]])))


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
