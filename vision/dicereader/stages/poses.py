"""From pips to poses: which of them lie together as a face of a die, where and how turned."""

from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dicereader.stages.pips import Pips
from dicereader.stages.rectify import View
from dicereader.stages.sampling import sample_spots

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
)
"""Each face's pips as places in `SITES`; a six lies in two ways."""

WANTED = np.array([[1.0 if k in sites else 0.0 for k in range(len(SITES))] for _, sites in LAYOUTS])
FACES = np.array([face for face, _ in LAYOUTS])

PITCH = 0.26
"""Half the distance between two corner pips as a share of the die's edge: the middle of what dice have."""

PITCHES = (0.19, 0.32)
BETWEEN = np.array([(i, j) for i in (-1.4, -0.5, 0.5, 1.4) for j in (-1.4, -0.5, 0.5, 1.4) if abs(i * j) < 1.5])
"""Places of a face where no layout has a pip."""

SIX_ASPECTS = (1.0, 0.8, 0.6)
"""A six's columns may stand nearer to each other than the length of its columns."""

_RING = 1.6 * np.array([(1.0, 0.0), (0.5, 0.866), (-0.5, 0.866), (-1.0, 0.0), (-0.5, -0.866), (0.5, -0.866)])
_DISC = np.array([(0.0, 0.0), (0.5, 0.0), (-0.5, 0.0), (0.0, 0.5), (0.0, -0.5)])


@dataclass(frozen=True, eq=False)
class Poses:
    """Faces that may be there, as arrays of length n in pixels of level 0.

    `centre`, `u`, `v` have shape (n, 2): a site (i, j) is at centre + i u + j v. `layout` is an index of `LAYOUTS`;
    `fit` is from 0 to 1: how clearly each site has a pip or none; `r` is the pips' radius, `sign` their polarity,
    `base` the face's grey level, `contrast` the pips', `quality` from 0 to 1 how
    much they look like pips.
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
    quality: Floats

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


_FIELDS = ("centre", "u", "v", "layout", "fit", "r", "sign", "base", "contrast", "quality")


def joined(*parts: Poses) -> Poses:
    """Several sets of poses as one."""
    return Poses(*(np.concatenate([getattr(p, name) for p in parts]) for name in _FIELDS))


def squared(poses: Poses) -> Poses:
    """The poses with u and v of one length: a six's columns may stand close together on a square face."""
    u, v, pitch = np.hypot(*poses.u.T), np.hypot(*poses.v.T), poses.pitch
    return replace(poses, u=poses.u * (pitch / u)[:, None], v=poses.v * (pitch / v)[:, None])


def find_poses(view: View, pips: Pips) -> Poses:
    """All poses of two to six pips that the picture bears out; many lie over each other."""
    first, second = _pairs(view, pips)
    found = []
    for aspect in SIX_ASPECTS:
        for side in (1, -1) if aspect != 1.0 else (1,):
            poses = _frames(pips, first, second, aspect, side)
            poses = evidence(view, poses, only_six=aspect != 1.0)
            found.append(poses.take(poses.fit > 0.1))
    poses = joined(*found)
    return evidence(view, refined(poses, pips))


def _pairs(view: View, pips: Pips) -> tuple[Ints, Ints]:
    """Pips that may stand at opposite corners of one face."""
    r = pips.r
    i, j = np.triu_indices(len(pips), 1)
    gap = np.hypot(pips.x[i] - pips.x[j], pips.y[i] - pips.y[j])
    mean = (r[i] + r[j]) / 2
    good = (gap > 4.4 * mean) & (gap < 14.0 * mean) & (pips.sign[i] == pips.sign[j])
    i, j, gap = i[good], j[good], gap[good]
    good = (np.abs(np.log(r[i] / r[j])) < 0.4) & (np.abs(np.log(pips.contrast[i] / pips.contrast[j])) < 0.8)
    good &= np.abs(pips.ring[i] - pips.ring[j]).max(1) < 0.4 * np.minimum(pips.contrast[i], pips.contrast[j]) + 40
    if view.die_px is not None:
        pitch = gap / 8**0.5 / view.die_px
        good &= (pitch > PITCHES[0]) & (pitch < PITCHES[1])
    return i[good], j[good]


def _frames(pips: Pips, i: Ints, j: Ints, aspect: float, side: int) -> Poses:
    """Poses with pips i and j at sites 0 and 1; |u| is `aspect` times |v|."""
    a = np.stack([pips.x[i], pips.y[i]], 1)
    b = np.stack([pips.x[j], pips.y[j]], 1)
    e = (b - a) / 2
    angle = side * np.arctan(aspect)
    cos, sin = np.cos(angle), np.sin(angle)
    v = np.stack([e[:, 0] * cos - e[:, 1] * sin, e[:, 0] * sin + e[:, 1] * cos], 1) * cos
    grey = np.array([0.114, 0.587, 0.299])
    base = (pips.ring[i] + pips.ring[j]) @ grey / 2
    return Poses(
        (a + b) / 2,
        e - v,
        v,
        np.ones(len(i), np.intp),
        np.zeros(len(i)),
        (pips.r[i] + pips.r[j]) / 2,
        pips.sign[i],
        base,
        np.minimum(pips.contrast[i], pips.contrast[j]),
        np.zeros(len(i)),
    )


def evidence(view: View, poses: Poses, only_six: bool = False) -> Poses:
    """The poses with the layout that their sites' brightness fits best, and how well (`fit`)."""
    layout, fit = poses.layout.copy(), np.zeros(len(poses))
    if len(poses) == 0:
        return poses
    levels = np.clip(np.floor(np.log2(np.maximum(poses.r, 1) / 2.2)), 0, len(view.greys) - 1).astype(int)
    for level, sign in sorted(set(zip(levels.tolist(), poses.sign.tolist(), strict=True))):
        which = np.flatnonzero((levels == level) & (poses.sign == sign))
        some = poses.take(which)
        grey = view.brightness(level, sign)
        # Against what is close around, so that glare across the face does no harm.
        dark = _local(grey, level, some.points(SITES), some) * sign / some.contrast[:, None]
        rough = _roughness(grey, level, some)
        wrong = np.where(WANTED > 0, np.maximum(0.75 - dark[:, None], 0), np.maximum(dark[:, None] - 0.15, 0))
        if only_six:
            wrong[:, FACES != 6] = 9.0
        misfit = wrong.max(2) * 0.7 + wrong.mean(2) * 1.5
        best = misfit.argmin(1)
        # A single pip has no pattern to bear it out: its face must be even nearly everywhere.
        rough = np.where(FACES[best] == 1, rough[:, 1], rough[:, 0])
        layout[which] = best
        fit[which] = np.clip(1 - misfit.min(1) * 1.3, 0, 1) * np.clip(1.35 - 1.3 * rough, 0, 1)
    return replace(poses, layout=layout, fit=np.minimum(fit, 1.0))


def _roughness(grey: NDArray[np.uint8], level: int, poses: Poses) -> Floats:
    """How uneven each face is between its sites, light that falls aslant left out, as a share of the contrast.

    Two measures, shape (n, 2): the second forgives no place.
    """
    free = poses.points(BETWEEN)
    seen = sample_spots(grey, free, level)
    slope = np.column_stack((np.ones(len(BETWEEN)), BETWEEN))
    rest = seen - seen @ (slope @ np.linalg.pinv(slope)).T
    # What is lighter is glare, what is darker might be a pip; with light pips both might.
    rest = rest / poses.contrast[:, None]
    rest = np.where(rest < 0, -rest, np.where(poses.sign[:, None] > 0, 0.4, 0.8) * rest)
    rest = np.sort(rest, 1)
    return np.stack([rest[:, -5:-2].mean(1), rest[:, -4:].mean(1)], 1).astype(np.float64)


def _local(grey: NDArray[np.uint8], level: int, points: Floats, poses: Poses) -> Floats:
    """How much darker each point (n, k, 2) is than the ring around it, in grey levels, shape (n, k)."""
    r = poses.r[:, None, None, None]
    spots = np.concatenate([points[:, :, None] + _DISC * r, points[:, :, None] + _RING * r], 2)
    seen = sample_spots(grey, spots, level)
    n = len(_DISC)
    return np.asarray(np.median(seen[..., n:], 2) - seen[..., :n].mean(2), np.float64)


def refined(poses: Poses, pips: Pips) -> Poses:
    """The poses moved onto the pips found at their sites, `fit` lowered by poor or missing pips.

    Those that would be no square fall away: a face seen from above is one, to within what perspective does.
    """
    parts = [_moved(poses.take(poses.layout == n), pips, n) for n in range(1, len(LAYOUTS))]
    return joined(*parts)


def others(poses: Poses, pips: Pips, face: int) -> Floats:
    """How many more pips like theirs lie on the faces than they should."""
    there = np.stack([pips.x, pips.y], 1)
    away = there - poses.centre[:, None]
    i = (away * poses.u[:, None]).sum(2) / (poses.u**2).sum(1)[:, None]
    j = (away * poses.v[:, None]).sum(2) / (poses.v**2).sum(1)[:, None]
    like = (pips.sign == poses.sign[:, None]) & (pips.quality > 0.35)
    like &= (np.abs(np.log(pips.r / poses.r[:, None])) < 0.35) & (pips.contrast > 0.5 * poses.contrast[:, None])
    inside: Floats = (like & (np.maximum(np.abs(i), np.abs(j)) < 1.35)).sum(1).astype(np.float64)
    return np.maximum(inside - face, 0.0)


def _moved(poses: Poses, pips: Pips, layout: int) -> Poses:
    if len(poses) == 0 or len(pips) == 0:
        return poses.take(np.zeros(0, np.intp))
    face, sites = LAYOUTS[layout]
    places = SITES[list(sites)]
    points = poses.points(places)
    gap = np.hypot(points[..., 0, None] - pips.x, points[..., 1, None] - pips.y)
    gap[np.broadcast_to(pips.sign != poses.sign[:, None, None], gap.shape)] = np.inf
    match = gap.argmin(2)
    found = np.take_along_axis(gap, match[..., None], 2)[..., 0] < 0.45 * poses.pitch[:, None]
    there = np.stack([pips.x[match], pips.y[match]], 2)
    alike = np.exp(-0.5 * (np.log(pips.r[match] / poses.r[:, None]) / 0.25) ** 2)
    worth = np.where(found, pips.quality[match] * alike, 0.0)
    # Of four and more pips one may be lost in glare: the sites' brightness still tells.
    weakest = np.sort(worth, 1)[:, 1 if face >= 4 else 0]
    poses = replace(poses, quality=(0.5 * worth.mean(1) + 0.5 * weakest) * 0.6 ** others(poses, pips, face))
    good = found.sum(1) >= face - 1
    if face >= 4:
        target = np.where(found[..., None], there, points)
        solve = np.linalg.pinv(np.column_stack((np.ones(face), places)))
        centre, u, v = (solve @ target).transpose(1, 0, 2)
        lu, lv = np.hypot(*u.T), np.hypot(*v.T)
        skew = np.abs((u * v).sum(1)) / (lu * lv)
        good &= (skew < 0.25) & (np.maximum(lu, lv) / np.minimum(lu, lv) < (2.0 if face == 6 else 1.3))
        poses = replace(poses, centre=centre, u=u, v=v)
    return poses.take(good)
