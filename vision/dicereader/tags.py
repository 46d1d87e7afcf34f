"""The four printed tags on the tray's corners: found in a picture, they tell where the camera is."""

import math

import cv2
import numpy as np

from dicereader.calibration import DEFAULT_FOV_DEG, Calibration, Matrix, focal_px, row_of, rows_of, tag_corners_mm
from dicereader.errors import CalibrationError
from dicereader.frame import Pixels
from dicereader.tray import Tray

WORST_MISFIT = 0.004
"""A mean error of the tags' corners beyond this share of the picture's width means a tray of other measures."""

_CORNERS = ("top left", "top right", "bottom right", "bottom left")


def find_tags(pixels: Pixels) -> dict[int, Matrix]:
    """The tags seen in a picture: number -> corners in pixels, shape (4, 2), clockwise from the printed top left."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), settings)
    corners, numbers, _ = detector.detectMarkers(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY))
    found = zip(() if numbers is None else np.ravel(numbers), corners, strict=True)
    return {int(n): np.asarray(c, np.float64).reshape(4, 2) for n, c in found if int(n) < 4}


def from_tags(pixels: Pixels, tray: Tray | None = None, horizontal_fov_deg: float = DEFAULT_FOV_DEG) -> Calibration:
    """The calibration of a picture that shows all four tags (ArUco 4x4_50, numbers 0-3 clockwise from the top left).

    Raises CalibrationError where tags are missing or are not where `tray` says.
    """
    tray = tray or Tray()
    seen = find_tags(pixels)
    missing = [n for n in range(4) if n not in seen]
    if missing:
        names = ", ".join(f"{n} ({_CORNERS[n]})" for n in missing)
        raise CalibrationError(f"expected the four tags 0 to 3 in the picture, missing: {names}")
    height, width = pixels.shape[:2]
    focal = focal_px(width, horizontal_fov_deg)
    lens = np.array([[focal, 0.0, (width - 1) / 2], [0.0, focal, (height - 1) / 2], [0.0, 0.0, 1.0]])
    there = np.concatenate([tag_corners_mm(tray, n) for n in range(4)])
    here = np.concatenate([seen[n] for n in range(4)])
    # IPPE wants the plane at z = 0; of its two mirrored solutions the better comes first.
    flat = there - np.array([0.0, 0.0, there[0, 2]])
    found, turning, shift = cv2.solvePnP(flat, here, lens, None, flags=cv2.SOLVEPNP_IPPE)
    if not found:
        raise CalibrationError("expected four tags on one plane, got points that no camera sees so")
    turning, shift = cv2.solvePnPRefineLM(flat, here, lens, np.zeros(5), turning, shift)
    turned = np.asarray(cv2.Rodrigues(turning)[0], np.float64)
    away = -turned.T @ np.asarray(shift, np.float64).ravel() + np.array([0.0, 0.0, there[0, 2]])
    calibration = Calibration(width, height, focal, rows_of(turned), row_of(away), tray)
    misfit = float(np.mean([math.dist(calibration.project(*p), q) for p, q in zip(there, here, strict=True)]))
    if misfit > WORST_MISFIT * width:
        raise CalibrationError(f"expected the tags where the tray has them, got a mean error of {misfit:.1f} pixels")
    return calibration
