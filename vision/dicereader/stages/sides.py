"""Find what is no die of its own, but a side of one that is seen aslant.

Where the sides of a level die lie, its face and the camera's slant tell: the middle of a side is half an edge out from
the face's middle, and half an edge down. What lies there and does not point up as the dice do is that side.
"""

import numpy as np
from numpy.typing import NDArray

from dicereader.stages.closeup import Seen

Floats = NDArray[np.float64]

SEEN = 0.6
"""So much of a slant is what the closer look says: it takes slants for smaller than they are."""

ASLANT = 0.12
"""Of dice seen less aslant than this, as the closer look says it, no side is large enough to be read."""

MEETS = 0.4
"""What lies this near to where a side must be is that side, in half edges of the face."""

SMALLER = 0.98
"""A side is seen more aslant than its face, and so is smaller than this share of it."""

LIKE_A_FACE = 0.5
"""What points up by this share of what its neighbour's face does is a face, too."""


def sides(seen: Seen, dice: NDArray[np.intp], slant: Floats) -> NDArray[np.bool_]:
    """Which of n places are sides of those with the indices `dice` (m,), as far as these are level: then their faces
    point as `slant` (m, 2) says."""
    places, half = seen.places, seen.places.half
    found = np.zeros(len(places), bool)
    for die, up in zip(dice, slant, strict=True):
        upwards = seen.slant @ up / max(float(up @ up), 1e-9)
        if np.hypot(*up) < ASLANT or upwards[die] <= 0:
            continue
        u, v = places.u[die], places.v[die]
        out = np.array([side for side in (u, -u, v, -v) if side @ up < 0])
        middle = places.centre[die] + out - up / SEEN * half[die]
        gap = np.linalg.norm(places.centre[:, None] - middle, axis=2).min(1)
        found |= (gap < MEETS * half[die]) & (half < SMALLER * half[die]) & (upwards < LIKE_A_FACE)
    return found
