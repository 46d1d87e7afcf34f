"""Where faces lie, with their pips: the nine places that a face can have pips at."""

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

SITES = np.array([(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)], float)
"""Where a face can have pips, in units of the pose's `u` and `v`: two diagonals, the middle, the sides' middles."""

LAYOUTS: tuple[tuple[int, tuple[int, ...]], ...] = (
    (1, (4,)),
    (2, (0, 1)),
    (3, (0, 1, 4)),
    (4, (0, 1, 2, 3)),
    (5, (0, 1, 2, 3, 4)),
    (6, (0, 1, 2, 3, 5, 6)),
    (6, (0, 1, 2, 3, 7, 8)),
    (2, (5, 6)),
    (3, (5, 4, 6)),
)
"""Each face's pips as places in `SITES`; a six lies in two ways, and on some dice two and three lie along a side."""

USUAL = range(7)
"""The layouts without those that few dice have."""

ALONG_A_SIDE = {2: 7, 3: 8}
"""The layouts of twos and threes that lie along a side."""

WANTED = np.array([[1.0 if k in sites else 0.0 for k in range(len(SITES))] for _, sites in LAYOUTS])
FACES = np.array([face for face, _ in LAYOUTS])

BETWEEN = np.array([(i, j) for i in (-1.4, -0.5, 0.5, 1.4) for j in (-1.4, -0.5, 0.5, 1.4) if abs(i * j) < 1.5])
"""Places of a face where no layout has a pip."""

PIP_TO_HALF = 0.18
"""A pip's radius as a share of half a die's edge: the middle of what dice have."""


@dataclass(frozen=True, eq=False)
class Poses:
    """Faces that may be there, as arrays of length n in pixels of level 0.

    `centre`, `u`, `v` have shape (n, 2): a site (i, j) is at centre + i u + j v. `layout` is an index of `LAYOUTS`;
    `fit` is from 0 to 1: how clearly each site has a pip or none; `r` is the pips' radius, `sign` their polarity,
    `base` the face's grey level, `contrast` the pips'.
    """

    centre: Floats
    u: Floats
    v: Floats
    layout: Ints
    fit: Floats
    r: Floats
    sign: Floats
    base: Floats
    contrast: Floats

    def __len__(self) -> int:
        return len(self.fit)

    @property
    def face(self) -> NDArray[np.int64]:
        """The face each shows."""
        return cast(NDArray[np.int64], FACES[self.layout])

    @property
    def pitch(self) -> Floats:
        """Half the distance of corner pips: the mean of u and v, a little more where a six is narrow."""
        u, v = np.hypot(*self.u.T), np.hypot(*self.v.T)
        stretch = np.maximum(u, v) / np.maximum(np.minimum(u, v), 1e-9)
        return np.asarray(np.sqrt(u * v) * np.where(self.face == 6, stretch**0.1, 1.0), np.float64)

    def take(self, index: Ints | NDArray[np.bool_]) -> "Poses":
        """Those of an index or mask, in its order."""
        return Poses(*(getattr(self, name)[index] for name in _FIELDS))

    def points(self, places: Floats) -> Floats:
        """Places (k, 2) in units of u and v as pixels of level 0, shape (n, k, 2)."""
        return self.centre[:, None] + places[:, :1] * self.u[:, None] + places[:, 1:] * self.v[:, None]


_FIELDS = ("centre", "u", "v", "layout", "fit", "r", "sign", "base", "contrast")
