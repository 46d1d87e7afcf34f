"""Find what is no die of its own, but a side of one that is seen aslant: it shares an edge with the face that is up.

Dice that lie flush against each other share an edge, too, but there one face goes on as the other does. A side is bent
away at the edge.
"""

import numpy as np
from numpy.typing import NDArray

from dicereader.stages.detector import Places

MEETS = 0.4
"""Edges are one and the same whose middles and directions are off by less than this, in half edges."""

BENT = 0.4
"""A face that goes on beyond a shared edge otherwise by more than this, in half edges, is bent away."""

SMALLER = 0.95
"""A side is seen more aslant than the face that is up, so that its edge, as of a square, is shorter than this share."""


def sides(places: Places) -> NDArray[np.bool_]:
    """Which of n faces are sides of another of them."""
    n = len(places)
    if n < 2:
        return np.zeros(n, bool)
    # Each face's four ways out from its middle, and the edges that they lead to, in order.
    out = np.stack([places.u, places.v, -places.u, -places.v], 1).reshape(-1, 2)
    edge = np.stack([places.v, places.u, places.v, places.u], 1).reshape(-1, 2)
    middle = np.repeat(places.centre, 4, 0) + out
    half = np.repeat(places.half, 4)
    unit = np.minimum(half[:, None], half)

    def apart(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
        found: NDArray[np.float64] = np.linalg.norm(a[:, None] - b, axis=2) / unit
        return found

    shared = (apart(middle, middle) < MEETS) & (np.minimum(apart(edge, edge), apart(edge, -edge)) < MEETS)
    beyond = out @ out.T < 0
    bent = apart(out, -out) > BENT
    smaller = half[:, None] < SMALLER * half
    found = shared & beyond & bent & smaller
    return np.asarray(found.reshape(n, 4, n, 4).any((1, 2, 3)), np.bool_)
