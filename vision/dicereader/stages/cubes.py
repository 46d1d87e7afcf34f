"""Where a level die of known size is seen in the plane of the dice's tops: its top, its base, its hull."""

import numpy as np
from numpy.typing import NDArray

from dicereader.stages.plane import Plane

Floats = NDArray[np.float64]

CORNERS = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])


def tops(centre: Floats, turn: Floats, edge: float) -> Floats:
    """The top faces' corners, shape (n, 4, 2), of dice with middles (n, 2), turns (n,) and an edge, in pixels."""
    cos, sin = np.cos(turn)[:, None], np.sin(turn)[:, None]
    x, y = CORNERS.T * edge / 2
    return np.asarray(centre[:, None] + np.stack([x * cos - y * sin, x * sin + y * cos], 2), np.float64)


def sunk(view: Plane, points: Floats, share: float = 1.0) -> Floats:
    """Where points (..., 2) of the tops' plane are seen when they lie that share of a die's edge lower.

    From a camera at a known place a lower plane is the same plane drawn together towards the point below it.
    """
    below = np.array(view.below)
    return np.asarray(below + (points - below) * (view.height / (view.height + share * view.edge)), np.float64)


def inside(points: Floats, centre: Floats, turn: Floats, half: Floats | float) -> NDArray[np.bool_]:
    """Which of points (n, k, 2) lie in squares with middles (n, 2), turns (n,) and half an edge, shape (n, k)."""
    away = points - centre[:, None]
    cos, sin = np.cos(turn)[:, None], np.sin(turn)[:, None]
    along = np.abs(away[..., 0] * cos + away[..., 1] * sin)
    across = np.abs(away[..., 1] * cos - away[..., 0] * sin)
    return np.maximum(along, across) <= half
