"""Learn a table's calibration from pictures, and count the throws that it reads without doubt."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dicereader.data.frame import Pixels
from dicereader.learn import learn
from dicereader.reader import read_pixels
from dicereader.tray.calibration import Calibration
from dicereader.tray.pose import posed_by_corners, posed_by_tags
from dicereader.tray.tags import common_tags


@dataclass(frozen=True)
class CalibrationOutcome:
    """A learnt calibration, and how many of the throws it reads without doubt."""

    calibration: Calibration
    sure: int
    throws: int


def learn_tray(
    empty: Pixels,
    throws: Sequence[Pixels],
    corners: list[list[float]] | None,
    inside_mm: float,
    die_mm: float,
    camera: str,
    known_fov_deg: float | None = None,
) -> CalibrationOutcome:
    """Learn a calibration from the empty tray and the throws. `CalibrationError` reaches the caller if that fails.

    Args:
        empty: the empty tray.
        throws: at least one throw on it.
        corners: the tray's inner corners in pixels, clockwise from the top left; None locates the tray by its tags.
        inside_mm: the width of the tray inside, used with `corners`.
        die_mm: the length of a die's edge.
        camera: the camera's name, as written after `--camera`.
        known_fov_deg: the published field of view of the camera in degrees across the picture, None if unknown.
    """
    if corners is None:
        posed = posed_by_tags(empty.shape, common_tags([empty, *throws]))
    else:
        posed = posed_by_corners(empty.shape, np.array(corners, np.float64), inside_mm)
    known = replace(learn(empty, throws, posed, die_mm, known_fov_deg), camera=camera)
    sure = sum(read_pixels(throw, calibration=known, empty=empty).sure for throw in throws)
    return CalibrationOutcome(known, sure, len(throws))
