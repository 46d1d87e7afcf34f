"""Face poses with the places of their pips, and the measurement of the pips to a fraction of a pixel."""

from dataclasses import dataclass, replace

import numpy as np

from dicereader.arrays import FaceNumbers, Floats, Ints, Records
from dicereader.stages.rectify import PictureView
from dicereader.stages.sampling import pip_brightness, sample_level

SITES = np.array([(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)], float)
"""Sites of pips on a face, in units of the pose's `u` and `v`: two diagonals, the middle, the sides' middles."""

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
"""Faces and the `SITES` of their pips; a six has two layouts, and a few dice have two and three along a side."""

USUAL = range(7)
"""Indices of the layouts that most dice have."""

ALONG_A_SIDE = {2: 7, 3: 8}
"""Indices of the layouts of twos and threes along a side."""

HAS_PIP = np.array([[1.0 if k in sites else 0.0 for k in range(len(SITES))] for _, sites in LAYOUTS])
FACES = np.array([face for face, _ in LAYOUTS])

BETWEEN = np.array([(i, j) for i in (-1.4, -0.5, 0.5, 1.4) for j in (-1.4, -0.5, 0.5, 1.4) if abs(i * j) < 1.5])
"""Places of a face where no layout has a pip, in units of the pose's `u` and `v`."""

PIP_TO_HALF = 0.18
"""Pip radius as a fraction of half a die's edge: the middle of what dice have."""

ROUNDS = 3
"""Iterations of the measurement."""

STEPS = np.arange(0.1, 2.2, 0.1)
"""Distances along a ray from a pip's middle, in units of its assumed radius."""

INNER, RING = slice(None, 5), slice(14, 17)
"""The steps that are inside a pip, and the ones at which the face around the pip is seen."""

FARTHEST = 0.6
"""Distance from its site, as a fraction of the pitch, at which a pip belongs to another site."""

SMALLEST, LARGEST = 0.4, 2.5
"""Factors of a pip's usual radius between which a measured radius is plausible."""

_ANGLES = np.arange(16) * (2 * np.pi / 16)
_RAYS = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], 1)


@dataclass(frozen=True, eq=False)
class Poses(Records):
    """Face poses as arrays of length n, in pixels of level 0.

    `centre`, `u`, `v` have shape (n, 2): a site (i, j) is at centre + i u + j v. `layout` is an index of `LAYOUTS`;
    `fit` from 0 to 1 says how clearly each site has a pip or none; `r` is the pips' radius, `sign` their polarity,
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

    @property
    def face(self) -> FaceNumbers:
        """The face each shows."""
        return np.asarray(FACES[self.layout], np.int64)

    @property
    def pitch(self) -> Floats:
        """Half the distance of corner pips: the mean of u and v, a little more for a narrow six."""
        u, v = np.hypot(*self.u.T), np.hypot(*self.v.T)
        stretch = np.maximum(u, v) / np.maximum(np.minimum(u, v), 1e-9)
        return np.asarray(np.sqrt(u * v) * np.where(self.face == 6, stretch**0.1, 1.0), np.float64)

    def points(self, places: Floats) -> Floats:
        """Return places (k, 2) in units of u and v as pixels of level 0, shape (n, k, 2)."""
        return self.centre[:, None] + places[:, :1] * self.u[:, None] + places[:, 1:] * self.v[:, None]

    def sites(self, n: int) -> Floats:
        """Return the sites (k, 2) of the pips of pose `n`, in units of u and v."""
        return np.asarray(SITES[list(LAYOUTS[int(self.layout[n])][1])], np.float64)


def measure_pips(view: PictureView, poses: Poses) -> Poses:
    """Return the poses with `centre`, `u`, `v` and `r` fitted to the pips in the picture."""
    for _ in range(ROUNDS):
        poses = _fitted(view, poses)
    return poses


def _fitted(view: PictureView, poses: Poses) -> Poses:
    centre, u, v, radius = poses.centre.copy(), poses.u.copy(), poses.v.copy(), poses.r.copy()
    for n in range(len(poses)):
        one = poses.take(np.array([n]))
        sites = one.sites(0)
        expected = one.points(sites)[0]
        pips, reach = _measured(view, one, expected)
        near = np.hypot(*(pips - expected).T) < FARTHEST * one.pitch[0]
        size = float(np.median(reach))
        if not near.all() or not SMALLEST < size / float(one.r[0]) < LARGEST:
            continue
        radius[n] = size
        if len(sites) >= 4:
            rows = np.column_stack((np.ones(len(sites)), sites))
            centre[n], u[n], v[n] = np.linalg.lstsq(rows, pips, rcond=None)[0]
            continue
        middle = pips.mean(0)
        if len(sites) > 1:  # pips on one line tell only a turn and a scale
            before, now = (sites - sites.mean(0)) @ np.stack([one.u[0], one.v[0]]), pips - middle
            length = (before**2).sum()
            turn = (before * now).sum() / length
            skew = (before[:, 0] * now[:, 1] - before[:, 1] * now[:, 0]).sum() / length
            both = np.array([[turn, skew], [-skew, turn]])
            u[n], v[n] = one.u[0] @ both, one.v[0] @ both
        centre[n] = middle - sites.mean(0) @ np.stack([u[n], v[n]])
    return replace(poses, centre=centre, u=u, v=v, r=radius)


def _measured(view: PictureView, pose: Poses, pips: Floats) -> tuple[Floats, Floats]:
    """Return each pip's middle (k, 2) and radius (k,): each ray ends where it crosses half of the contrast."""
    sign, r = float(pose.sign[0]), float(pose.r[0])
    rays = pips[:, None, None] + r * STEPS[:, None, None] * _RAYS
    signed = pip_brightness(sample_level(view.levels[0], rays, 0), sign).astype(np.float64) * sign
    inside, outside = signed[:, INNER].mean((1, 2)), np.median(signed[:, RING], (1, 2))
    beyond = signed > ((inside + outside) / 2)[:, None, None]
    first = np.where(beyond.any(1), beyond.argmax(1), RING.start)
    reach = r * STEPS[first]
    reach = np.minimum(reach, 1.5 * np.median(reach, 1)[:, None])
    return pips + 2 * (reach[..., None] * _RAYS).mean(1), np.median(reach, 1)
