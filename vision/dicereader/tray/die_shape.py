"""The shape of a die: a cube with round edges and corners."""

import numpy as np

from dicereader.data.arrays import Floats

_CORNERS = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
_OCTANT = np.array([(x, y, z) for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0) if x + y + z > 0])


def rounded_cube(edge: float, radius: float) -> Floats:
    """Return points (n, 3) whose convex hull is nearly a cube around 0 with edges and corners of a radius."""
    core = edge / 2 - radius
    ways = _OCTANT / np.sqrt((_OCTANT**2).sum(1))[:, None]
    return np.asarray(((core + radius * ways) * _CORNERS[:, None]).reshape(-1, 3), np.float64)
