"""Tell round objects, such as coins and screw heads, from dice."""

import cv2
import numpy as np

from dicereader.data.arrays import Bools

ROUND = 0.85
"""Fraction of its enclosing ellipse above which an object is round.

A square fills 0.64 of it, one with corners rounded by a quarter of its edge 0.83; so does a whole die with its sides,
seen at any slant.
"""


def roundness(mask: Bools) -> float:
    """Return the fraction of the enclosing ellipse that a mask fills; a circle seen at a slant is an ellipse.

    The mask is stretched until it spreads equally in all directions; then the ellipse is a circle.
    """
    points = np.stack(np.nonzero(mask), 1).astype(np.float64)
    off = points - points.mean(0)
    # A pixel is a square and not a point: its own variance is a twelfth.
    spread, axes = np.linalg.eigh(off.T @ off / len(off) + np.eye(2) / 12)
    stretched = off @ axes * np.sqrt(np.sqrt(spread.prod()) / spread)
    _, reach = cv2.minEnclosingCircle(stretched.astype(np.float32))
    return float(len(off) / (np.pi * (reach + 0.5) ** 2))
