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
    """Which of n places are sides of others, of those with the indices `dice` (m,), whose faces point as `slant` (m, 2)
    says if they are level."""
    places, half = seen.places, seen.places.half
    found = np.zeros(len(places), bool)
    for die, (x, y) in zip(dice, slant, strict=True):
        steep = float(np.hypot(x, y))
        if steep < ASLANT:
            continue
        up = np.array([x, y])
        u, v = places.u[die], places.v[die]
        out = np.array([side for side in (u, -u, v, -v) if side @ up < 0])
        middle = places.centre[die] + out - below(up, half[die]) / 2
        gap = np.linalg.norm(places.centre[:, None] - middle, axis=2).min(1)
        otherwise = seen.slant @ up < LIKE_A_FACE * steep**2
        found |= (gap < MEETS * half[die]) & (half < SMALLER * half[die]) & otherwise
    return found


def below(slant: Floats, half: Floats) -> Floats:
    """How far the middle of a level die's face lies from that of its bottom in the picture, (n, 2) in pixels, from the
    slant (n, 2) of its face and half its edge (n,)."""
    return slant * (2 / SEEN) * np.asarray(half)[..., None]
