"""Find the camera's pose from points of a level plane, such as the corners of the printed tags, and likely lenses."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from dicereader.data.arrays import Floats
from dicereader.data.frame import Pixels
from dicereader.errors import CalibrationError
from dicereader.tray.calibration import (
    DEFAULT_FOV_DEG,
    Calibration,
    camera_matrix,
    focal_px,
    rim_corners_mm,
    tag_corners_mm,
)
from dicereader.tray.geometry import PAPER, Tray
from dicereader.tray.tags import Tags, find_tags, missing_tags, tray_of

WORST_MISFIT = 0.004
"""Mean error of the tags' corners, as a fraction of the picture's width, above which the tray has other measures."""

POINT_OFF = 0.0003
"""Standard deviation of a tag's corner, as a fraction of the picture's width: 0.4 pixels of 1280."""

FOVS = tuple(range(38, 95, 4))
"""Fields of view in degrees that are tried first."""

FOVS_APART = 4.0
"""Distance of the fields of view that are tried first."""

USUAL_SPREAD, KNOWN_SPREAD = 0.15, 0.12
"""Standard deviations of a lens from the usual one, and from its published field, as a fraction.

The second is the narrowest of five values that place dice no worse. On 24 drawn tables the camera's height is then
46 mm too large instead of 61, and dice are off by 0.65 pixels instead of 0.72; with 0.05 the height is 13 mm too large,
and dice are off by more.
"""


def from_tags(pixels: Pixels, tray: Tray | None = None, fov_deg: float = DEFAULT_FOV_DEG) -> Calibration:
    """Return the calibration of a picture that shows all four tags of a tray, of a field `fov_deg` degrees across."""
    tags = find_tags(pixels)
    corners = _all_four(tags)
    tray = tray or (PAPER if tray_of(tags).paper else Tray())
    return from_points(pixels.shape, corners, _all_tag_corners_mm(tray), tray, focal_px(pixels.shape[1], fov_deg))


@dataclass(frozen=True, eq=False)
class PoseSolver:
    """Solves for the camera's pose, if lens, walls and dice are known, from points of a level plane in one picture.

    `shape` is the picture's height and width, `pixels` (n, 2) are the points, `usual` is the tray, and `points_of`
    gives the points on a tray, (n, 3) in millimetres.
    """

    shape: tuple[int, ...]
    pixels: Floats
    usual: Tray
    points_of: Callable[[Tray], Floats]

    def __call__(self, fov_deg: float, wall_mm: float, die_mm: float) -> Calibration:
        """Return the calibration for a field of view across the picture, the walls' height and a die's edge.

        `CalibrationError` reaches the caller if no such camera sees the points at these pixels.
        """
        tray = replace(self.usual, wall_height_mm=0.0 if self.usual.paper else wall_mm, die_mm=die_mm)
        return from_points(self.shape, self.pixels, self.points_of(tray), tray, focal_px(self.shape[1], fov_deg))

    def off(self, fov_deg: float) -> float:
        """Return the points' squared errors for a field of view, in standard deviations; infinite if none fits.

        A plane that is seen aslant tells the field of view; one seen from above does not.
        """
        try:
            known = self(fov_deg, self.usual.wall_height_mm, self.usual.die_mm)
        except CalibrationError:
            return math.inf
        errors = known.pixels_of(self.points_of(known.tray)) - self.pixels
        return float((errors**2).sum()) / (POINT_OFF * self.shape[1]) ** 2


def posed_by_tags(shape: tuple[int, ...], tags: Tags) -> PoseSolver:
    """Return the solver for a picture of (height, width) with all four tags, which also tell which tray it is."""
    return PoseSolver(shape, _all_four(tags), tray_of(tags), _all_tag_corners_mm)


def posed_by_corners(shape: tuple[int, ...], corners: Floats, inside: float) -> PoseSolver:
    """Return the solver for a picture of (height, width) in which the tray's corners are known.

    Args:
        shape: the picture's height and width.
        corners: the inner corners of the walls' upper edge, (4, 2) in pixels, clockwise from the top left.
        inside: the tray's inside width in millimetres.
    """
    return PoseSolver(shape, corners, Tray(inner_mm=inside), rim_corners_mm)


def _all_four(tags: Tags) -> Floats:
    """Return the corners of all four tags, (16, 2).

    Raises:
        CalibrationError: if a tag is missing.
    """
    missing = missing_tags(tags)
    if missing:
        raise CalibrationError(f"expected the four tags 0 to 3 in the picture, missing: {missing}")
    return np.concatenate([tags[n] for n in range(4)])


def _all_tag_corners_mm(tray: Tray) -> Floats:
    """Return the corners of all four tags on a tray, (16, 3)."""
    return np.concatenate([tag_corners_mm(tray, n) for n in range(4)])


def from_points(shape: tuple[int, ...], pixels: Floats, points_mm: Floats, tray: Tray, focal: float) -> Calibration:
    """Return the calibration of a picture that shows points of a level plane at known pixels.

    Args:
        shape: the picture's height and width.
        pixels: where the points are seen, (n, 2).
        points_mm: where they are on the tray, (n, 3), all at one height.
        tray: the tray's measures.
        focal: the camera's focal length in pixels.

    Raises:
        CalibrationError: if no such camera sees the points at these pixels.
    """
    height, width = shape[:2]
    lens = camera_matrix(width, height, focal)
    # IPPE needs the plane at z = 0; of its two mirrored solutions the better comes first.
    flat = points_mm - np.array([0.0, 0.0, points_mm[0, 2]])
    found, turning, shift = cv2.solvePnP(flat, pixels, lens, None, flags=cv2.SOLVEPNP_IPPE)
    if not found:
        raise CalibrationError("expected points of one level plane, got some that no camera sees so")
    turning, shift = cv2.solvePnPRefineLM(flat, pixels, lens, np.zeros(5), turning, shift)
    turned = np.asarray(cv2.Rodrigues(turning)[0], np.float64)
    x, y, z = (-turned.T @ np.asarray(shift, np.float64).ravel() + np.array([0.0, 0.0, points_mm[0, 2]])).tolist()
    first, second, third = ((a, b, c) for a, b, c in turned.tolist())
    calibration = Calibration(width, height, focal, (first, second, third), (x, y, z), tray)
    misfit = float(np.hypot(*(calibration.pixels_of(points_mm) - pixels).T).mean())
    if misfit > WORST_MISFIT * width:
        raise CalibrationError(f"expected the tags where the tray has them, got a mean error of {misfit:.1f} pixels")
    return calibration


class LensPrior:
    """What the tags and the usual lenses say about the field of view, before any die is seen."""

    def __init__(self, posed: PoseSolver, known_fov_deg: float | None) -> None:
        self._posed, self._off = posed, lru_cache(posed.off)
        self._usual = known_fov_deg or DEFAULT_FOV_DEG
        self._spread = USUAL_SPREAD if known_fov_deg is None else KNOWN_SPREAD
        self._least = 0.0
        first = min(FOVS, key=self.odds_against)
        fine = [first + FOVS_APART * step for step in np.linspace(-1, 1, 17).tolist()]
        self.likeliest = float(min(fine, key=self.odds_against))
        self._least = self._off(self.likeliest)  # tags that are bent or blurred fit no field of view well

    def odds_against(self, fov_deg: float) -> float:
        """Return twice the negative logarithm of a field's likelihood, up to a constant."""
        wide = math.log(math.tan(math.radians(fov_deg) / 2) / math.tan(math.radians(self._usual) / 2))
        return (wide / self._spread) ** 2 + self._off(fov_deg) - self._least
