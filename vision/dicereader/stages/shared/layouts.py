"""Layouts of pips: which places of a face have one."""

import numpy as np

SITES = np.array([(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)], float)
"""Sites of pips on a face: two diagonals, the middle, the sides' middles. Corner pips are 2 units apart."""

LAYOUTS: tuple[tuple[int, tuple[int, ...]], ...] = (
    (1, (4,)),
    (2, (0, 1)),
    (3, (0, 1, 4)),
    (4, (0, 1, 2, 3)),
    (5, (0, 1, 2, 3, 4)),
    (6, (0, 1, 2, 3, 5, 6)),
    (6, (0, 1, 2, 3, 7, 8)),
)
"""Faces and the `SITES` of their pips; a six has two layouts.

The outermost pips of a face come first.
"""

HAS_PIP = np.array([[1.0 if k in sites else 0.0 for k in range(len(SITES))] for _, sites in LAYOUTS])
FACES = np.array([face for face, _ in LAYOUTS])

PIP_TO_HALF = 0.18
"""Pip radius as a fraction of half a die's edge: the middle of what dice have."""

USUAL_PITCH = 0.5
"""The unit of `SITES` as a fraction of half a die's edge: the middle of what dice have."""

BETWEEN = np.array([(i, j) for i in (-1.4, -0.5, 0.5, 1.4) for j in (-1.4, -0.5, 0.5, 1.4) if abs(i * j) < 1.5])
"""Places of a face where no layout has a pip, in the units of `SITES`."""
