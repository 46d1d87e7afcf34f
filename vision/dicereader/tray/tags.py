"""The four printed tags on the tray's corners: found in a picture, they tell where the camera is."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.errors import CalibrationError
from dicereader.frame import Pixels
from dicereader.tray.calibration import (
    DEFAULT_FOV_DEG,
    Calibration,
    Matrix,
    focal_px,
    rim_corners_mm,
    row_of,
    rows_of,
    tag_corners_mm,
)
from dicereader.tray.geometry import Tray

Posed = Callable[[float, float, float], Calibration]
"""From a horizontal field of view (degrees), the walls' height and a die's edge (mm) to a calibration."""

WORST_MISFIT = 0.004
"""A mean error of the tags' corners beyond this share of the picture's width means a tray of other measures."""

MARGIN_PX = 20

WITH_BORDER = 1.4
"""The square that a tag's plate takes, as a multiple of the black square."""

APART = 5.0
"""The tags on a tray's corners stand at least so many of their own sides apart, those on the sheet they are cut from
less."""

Tags = Mapping[int, Matrix]
"""Tags seen: number -> corners in pixels, shape (4, 2), clockwise from the printed top left."""

_SQUARE = np.array([-1 - 1j, 1 - 1j, 1 + 1j, -1 + 1j])
"""Where the tags stand, by number: clockwise from the top left, y down."""

CORNER_NAMES = ("top left", "top right", "bottom right", "bottom left")


def find_tags(pixels: Pixels) -> dict[int, Matrix]:
    """The tags seen in a picture: number -> corners in pixels, shape (4, 2), clockwise from the printed top left."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), settings)
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    # Without a margin a tag whose border touches the picture's edge is passed over.
    framed = cv2.copyMakeBorder(grey, MARGIN_PX, MARGIN_PX, MARGIN_PX, MARGIN_PX, cv2.BORDER_REPLICATE)
    corners, numbers, _ = detector.detectMarkers(framed)
    found = zip(() if numbers is None else np.ravel(numbers), corners, strict=True)
    return {int(n): np.asarray(c, np.float64).reshape(4, 2) - MARGIN_PX for n, c in found if int(n) < 4}


def on_tags(tags: Tags, points: Matrix) -> NDArray[np.bool_]:
    """Which points, shape (n, 2), lie on a printed tag or its border: the squares of its pattern pass for pips."""
    there = np.zeros(len(points), np.bool_)
    for corners in tags.values():
        middle = corners.mean(0)
        there |= inside(middle + WITH_BORDER * (corners - middle), points)
    return there


def beside_the_tray(tags: Tags, points: Matrix) -> NDArray[np.bool_]:
    """Which points, shape (n, 2), lie outside the square whose corners the four tags are, and so outside the tray: none
    where not all four are seen, or where they do not stand as on a tray's corners."""
    if len(tags) == 4:
        corners = np.array([tags[n].mean(0) for n in range(4)])
        tag_px = float(np.mean([_sides(tag) for tag in tags.values()]))
        if _sides(corners).min() > APART * tag_px and cv2.isContourConvex(corners.astype(np.float32)):
            return ~inside(corners, points)
    return np.zeros(len(points), np.bool_)


def inside(corners: Matrix, points: Matrix) -> NDArray[np.bool_]:
    """Which points, shape (n, 2), lie inside a convex quadrangle (4, 2) or on its rim."""
    quad = corners.astype(np.float32)
    return np.array([cv2.pointPolygonTest(quad, (float(x), float(y)), False) >= 0 for x, y in points], np.bool_)


def _sides(square: Matrix) -> Matrix:
    """How long the four sides of a square (4, 2) are."""
    return np.asarray(np.hypot(*(square - np.roll(square, 1, 0)).T), np.float64)


def with_hidden(tags: Tags) -> dict[int, Matrix]:
    """The tags seen, and where the others of the four must be, hidden or cut by the picture's edge: they are the
    corners of a square. Two tell its place and turn, three how it is seen aslant; from one nothing follows."""
    if not 2 <= len(tags) <= 3:
        return dict(tags)
    numbers = list(tags)
    corners = np.array([tags[n] for n in numbers]) @ (1, 1j)  # each point as x + iy
    middles = corners.mean(1)
    # A picture of the square: turned, stretched, and with three to tell so, flattened.
    terms = np.stack([np.ones(4), _SQUARE, _SQUARE.conj()][: len(tags)], 1)
    square = terms @ np.linalg.lstsq(terms[numbers], middles, rcond=None)[0]
    outline = (corners - middles[:, None]).mean(0)
    hidden = {n: square[n] + outline for n in range(4) if n not in tags}
    return dict(tags) | {n: np.stack([points.real, points.imag], 1) for n, points in hidden.items()}


def common_tags(pictures: Iterable[Pixels]) -> dict[int, Matrix]:
    """The tags of several pictures of one tray that nobody moved: of each the median of its places."""
    seen: dict[int, list[Matrix]] = {}
    for picture in pictures:
        for number, corners in find_tags(picture).items():
            seen.setdefault(number, []).append(corners)
    return {number: np.asarray(np.median(places, 0), np.float64) for number, places in seen.items()}


def from_tags(pixels: Pixels, tray: Tray | None = None, horizontal_fov_deg: float = DEFAULT_FOV_DEG) -> Calibration:
    """The calibration of a picture that shows all four tags (ArUco 4x4_50, numbers 0-3 clockwise from the top left).

    Raises CalibrationError where tags are missing or are not where `tray` says.
    """
    seen = find_tags(pixels)
    tray = tray or Tray()
    there = np.concatenate([tag_corners_mm(tray, n) for n in range(4)])
    return from_points(pixels.shape, _all_four(seen), there, tray, horizontal_fov_deg)


def posed_by_tags(shape: tuple[int, ...], tags: Tags) -> Posed:
    """How a picture of (height, width) is calibrated from the four tags' corners, the tray as large as they tell.

    Raises CalibrationError where tags are missing; so does the answer where they lie in no square.
    """
    here, inside = _all_four(tags), inside_mm(tags)

    def posed(fov_deg: float, wall_mm: float, die_mm: float) -> Calibration:
        tray = replace(Tray(), inner_mm=inside, wall_height_mm=wall_mm, die_mm=die_mm)
        return from_points(shape, here, np.concatenate([tag_corners_mm(tray, n) for n in range(4)]), tray, fov_deg)

    return posed


def posed_by_corners(shape: tuple[int, ...], corners: Matrix, inside: float) -> Posed:
    """The same from the inner corners of the walls' upper edge, (4, 2) in pixels, clockwise from the top left.

    `inside` is the tray's inside width in millimetres.
    """

    def posed(fov_deg: float, wall_mm: float, die_mm: float) -> Calibration:
        tray = replace(Tray(), inner_mm=inside, wall_height_mm=wall_mm, die_mm=die_mm)
        return from_points(shape, corners, rim_corners_mm(tray), tray, fov_deg)

    return posed


def inside_mm(tags: Tags) -> float:
    """The tray's inside width as the tags tell it: how far they are apart beside how large they are printed."""
    all_four = _all_four(tags)
    middles = all_four.reshape(4, 4, 2).mean(1)
    apart = float(np.mean(np.hypot(*(middles - np.roll(middles, -1, 0)).T)))
    edges = all_four.reshape(4, 4, 2)
    edge = float(np.mean(np.hypot(*(edges - np.roll(edges, -1, 1)).transpose(2, 0, 1))))
    usual = Tray()
    return round(apart / edge * usual.tag_mm - 2 * (usual.tag_centre_mm(1)[0] - usual.half_mm), 1)


def _all_four(tags: Tags) -> Matrix:
    missing = [n for n in range(4) if n not in tags]
    if missing:
        names = ", ".join(f"{n} ({CORNER_NAMES[n]})" for n in missing)
        raise CalibrationError(f"expected the four tags 0 to 3 in the picture, missing: {names}")
    return np.concatenate([tags[n] for n in range(4)])


def from_points(shape: tuple[int, ...], here: Matrix, there: Matrix, tray: Tray, fov_deg: float) -> Calibration:
    """The calibration of a picture of (height, width) that shows points of one level plane (n, 3) at pixels (n, 2).

    Raises CalibrationError where no camera with that horizontal field of view sees them so.
    """
    height, width = shape[:2]
    focal = focal_px(width, fov_deg)
    lens = np.array([[focal, 0.0, (width - 1) / 2], [0.0, focal, (height - 1) / 2], [0.0, 0.0, 1.0]])
    # IPPE wants the plane at z = 0; of its two mirrored solutions the better comes first.
    flat = there - np.array([0.0, 0.0, there[0, 2]])
    found, turning, shift = cv2.solvePnP(flat, here, lens, None, flags=cv2.SOLVEPNP_IPPE)
    if not found:
        raise CalibrationError("expected points of one level plane, got some that no camera sees so")
    turning, shift = cv2.solvePnPRefineLM(flat, here, lens, np.zeros(5), turning, shift)
    turned = np.asarray(cv2.Rodrigues(turning)[0], np.float64)
    away = -turned.T @ np.asarray(shift, np.float64).ravel() + np.array([0.0, 0.0, there[0, 2]])
    calibration = Calibration(width, height, focal, rows_of(turned), row_of(away), tray)
    misfit = float(np.mean([math.dist(calibration.project(*p), q) for p, q in zip(there, here, strict=True)]))
    if misfit > WORST_MISFIT * width:
        raise CalibrationError(f"expected the tags where the tray has them, got a mean error of {misfit:.1f} pixels")
    return calibration
