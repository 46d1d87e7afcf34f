"""Notice that the tray, or the camera over it, was moved, and calibrate anew from its tags."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from dicereader.calibration import Calibration, Matrix, tag_corners_mm
from dicereader.frame import Pixels
from dicereader.tags import Tags, find_tags, from_points

MOVED_PX = 2.5
"""Tags that all are this far from where they were on average have moved; less is noise."""

LEAST_TAGS = 3


@dataclass(frozen=True, eq=False)
class Moved:
    """The table as it stands now: its calibration, and its empty tray as it would look from here."""

    calibration: Calibration
    empty: Pixels | None


def moved(known: Calibration, empty: Pixels | None, pixels: Pixels, seen: Tags | None = None) -> Moved | None:
    """The table registered again, where its tags are elsewhere than they were; None where they are where they were.

    `empty` is the empty tray's picture of `known`, `seen` the tags of `pixels` where they have been looked for. Where
    fewer than three tags are seen nobody can tell, and the answer is None. Raises CalibrationError where the tags are
    not where any camera would see this tray's.
    """
    tags = find_tags(pixels) if seen is None else seen
    if len(tags) < LEAST_TAGS or not known.fits(pixels):
        return None
    numbers = sorted(tags)
    there = np.concatenate([tag_corners_mm(known.tray, n) for n in numbers])
    here = np.concatenate([tags[n] for n in numbers])
    before = _seen_before(empty, numbers)
    if before is None:
        before = np.array([known.project(*place) for place in there])
    if float(np.mean(np.hypot(*(here - before).T))) < MOVED_PX:
        return None
    fov = 2 * float(np.degrees(np.arctan(known.width_px / 2 / known.focal_px)))
    again = from_points(pixels.shape, here, there, known.tray, fov)
    again = replace(again, dice=known.dice, camera=known.camera)
    if empty is None:
        return Moved(again, None)
    # The floor fills most of the picture: its plane decides.
    way = again.at_height(0.0) @ np.linalg.inv(known.at_height(0.0))
    size = known.width_px, known.height_px
    shifted = cv2.warpPerspective(empty, way, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return Moved(again, np.asarray(shifted, np.uint8))


def _seen_before(empty: Pixels | None, numbers: list[int]) -> Matrix | None:
    """Where the tags are in the empty tray's picture, if it shows them all: nearer to the truth than the pose."""
    if empty is None:
        return None
    tags = find_tags(empty)
    return np.concatenate([tags[n] for n in numbers]) if all(n in tags for n in numbers) else None
