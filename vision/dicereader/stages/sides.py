"""Find what is no die of its own, but a side of one that is seen aslant.

Where the sides of a level die lie, its face and the camera's slant tell: the middle of a side is half an edge out from
the face's middle, and half an edge down. What lies there and does not point up as the dice do is that side.
"""

import numpy as np
from numpy.typing import NDArray

from dicereader.stages.closeup import Seen
from dicereader.stages.detector import Places

Floats = NDArray[np.float64]

ASLANT = 0.12
"""Of dice seen less aslant than this, as the closer look says it, no side is large enough to be read."""

LEAST_DOWN, MOST_DOWN = 0.4, 0.85
"""So far down lies the middle of a side, in half edges: the sines of 24 and 58 degrees. The closer look tells
well where a face points, but not how far it is seen aslant."""

NEXT_DIE = 1.75
"""From here on, in steps from a face's middle to its edge, lies no side, but perhaps the next die: two that touch lie
two such steps apart."""

MEETS = 0.35
"""What lies this near to where a side must be is that side, in half edges of the face."""

LIKE_A_FACE = 0.25
"""What points up by less than this share of what a level die does there is no face of one."""


def sides(seen: Seen, dice: NDArray[np.intp], slant: Floats) -> NDArray[np.bool_]:
    """Which of n places are sides of those with the indices `dice` (m,), as far as these are level: then their faces
    point as `slant` (m, 2) says."""
    half = seen.places.half
    found = np.zeros(len(half), bool)
    for die, level in zip(dice, slant, strict=True):
        upwards = seen.slant @ level / max(float(level @ level), 1e-9)
        if np.hypot(*level) < ASLANT or upwards[die] <= 0:
            continue
        up = level / np.hypot(*level)
        found |= _meets(seen.places, die, up) & (half < half[die]) & (upwards < LIKE_A_FACE)
    return found


def _meets(places: Places, die: int, up: Floats) -> NDArray[np.bool_]:
    """Which of n places have their middle where a visible side of one of them must have it; `up` is of length one."""
    found = np.zeros(len(places), bool)
    for out in (places.u[die], places.v[die], -places.u[die], -places.v[die]):
        if out @ up < 0:  # towards the camera
            off = places.centre - places.centre[die]
            beyond = (off - out) / places.half[die]
            down = np.clip(-beyond @ up, LEAST_DOWN, MOST_DOWN)
            gap = np.hypot(*(beyond + down[:, None] * up).T)
            found |= (gap < MEETS) & (off @ out < NEXT_DIE * float(out @ out))
    return found
