"""Find the pips of faces for a calibration: the layout of each face, its pose, and the measured places of its pips."""

from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np

from dicereader.data.arrays import Bools, FaceNumbers, Floats, Ints, Values
from dicereader.stages.shared.crops import FACE, colours_at, tones_of
from dicereader.stages.shared.detector import Candidates, PlacedFaces
from dicereader.stages.shared.layouts import FACES, LAYOUTS, PIP_TO_HALF, SITES
from dicereader.stages.shared.rectify import PictureView
from dicereader.stages.shared.sampling import pip_brightness, sample_level

PITCHES = tuple(np.arange(0.40, 0.61, 0.04).tolist())
"""Half the distance between two corner pips, in half edges: the range that dice have."""

SIX_ASPECTS = (1.0, 0.82, 0.66)
"""Ratios of the distance of a six's columns to their length."""

SPOT_PX = 1.1
"""Pixels of a crop: the blur that matches a pip, whose radius is 0.16 to 0.25 half edges."""

ROUNDS = 3
"""Iterations of the measurement."""

RAY_STEPS = np.arange(0.1, 2.2, 0.1)
"""Distances along a ray from a pip's middle, in units of its assumed radius."""

INNER, RING = slice(None, 5), slice(14, 17)
"""The steps that are inside a pip, and the ones at which the face around the pip is seen."""

FARTHEST = 0.6
"""Distance from its site, as a fraction of the pitch, at which a pip belongs to another site."""

SMALLEST, LARGEST = 0.4, 2.5
"""Factors of a pip's usual radius between which a measured radius is plausible."""

_ANGLES = np.arange(16) * (2 * np.pi / 16)
_RAYS = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], 1)
_COMPLEX = np.array([1, 1j])

_THERE = np.array([[k < len(sites) for k in range(6)] for _, sites in LAYOUTS])
_PLACES = np.stack([np.pad(SITES[list(sites)], ((0, 6 - len(sites)), (0, 0))) for _, sites in LAYOUTS])
"""Which of six pips each layout has, (layouts, 6), and their places in units of u and v, (layouts, 6, 2)."""

_SOLUTIONS = np.stack(
    [np.linalg.pinv(np.insert(places, 0, 1, 1) * there[:, None]) for places, there in zip(_PLACES, _THERE, strict=True)]
)
"""The least-squares solutions (layouts, 3, 6): from six pips to centre, u and v."""


@dataclass(frozen=True)
class Variant:
    """One variant of a face's layout.

    `layout` is an index of `LAYOUTS`, `pitch` in half edges, `aspect` the ratio of a narrow six; `turned` variants are
    turned by a quarter.
    """

    layout: int
    pitch: float
    aspect: float
    turned: bool

    @property
    def pips(self) -> Floats:
        """The pips' places in half edges, shape (face, 2)."""
        flat = SITES[list(LAYOUTS[self.layout][1])] * self.pitch * np.array([self.aspect, 1.0])
        return np.stack([-flat[:, 1], flat[:, 0]], 1) if self.turned else flat


@cache
def variants_of(face: int) -> tuple[Variant, ...]:
    """Return the variants of a face's layout that dice have."""
    return tuple(
        Variant(face - 1, pitch, aspect, turned)
        for pitch in (PITCHES if face > 1 else (0.5,))
        for aspect in (SIX_ASPECTS if face == 6 else (1.0,))
        for turned in ((False, True) if face in (2, 3, 6) else (False,))
    )


@dataclass(frozen=True, eq=False)
class Poses(PlacedFaces):
    """Face poses as arrays of length n, in pixels of level 0.

    A site (i, j) is at centre + i u + j v. `layout` is an index of `LAYOUTS`, `r` the pips' radius, and `sign` their
    polarity: darker (1) or lighter (-1) than the face.
    """

    layout: Ints
    r: Floats
    sign: Floats

    @property
    def face(self) -> FaceNumbers:
        """The face of each pose."""
        return np.asarray(FACES[self.layout], np.int64)

    @property
    def pitch(self) -> Floats:
        """Half the distance of corner pips: the mean of u and v, a little more for a narrow six."""
        u, v = np.hypot(*self.u.T), np.hypot(*self.v.T)
        stretch = np.maximum(u, v) / np.maximum(np.minimum(u, v), 1e-9)
        return np.asarray(np.sqrt(u * v) * np.where(self.face == 6, stretch**0.1, 1.0), np.float64)

    def sites(self, n: int) -> Floats:
        """Return the sites (k, 2) of the pips of pose `n`, in units of u and v."""
        return np.asarray(SITES[list(LAYOUTS[int(self.layout[n])][1])], np.float64)


def find_poses(view: PictureView, candidates: Candidates, face: FaceNumbers) -> Poses:
    """Return the poses of candidates (n,) with these faces (n,), fitted to their pips in the picture."""
    poses = _roughly(view, candidates, face)
    for _ in range(ROUNDS if len(poses) else 0):
        poses = _fitted(view, poses)
    return poses


def _roughly(view: PictureView, candidates: Candidates, face: FaceNumbers) -> Poses:
    """Return the poses of candidates with these faces, each by the variant of its face that has the clearest pips."""
    colours = colours_at(view, candidates)
    sign = tones_of(colours)[2]
    light = -sign[:, None].astype(np.float32) * pip_brightness(colours, sign[:, None])
    crops = light.reshape(-1, FACE.side, FACE.side)
    variants = [best_variant(crop, number) for crop, number in zip(crops, face.tolist(), strict=True)]
    turned = np.array([variant.turned for variant in variants], bool).reshape(-1, 1)
    u, v = np.where(turned, candidates.v, candidates.u), np.where(turned, -candidates.u, candidates.v)
    pitch = np.array([variant.pitch for variant in variants]).reshape(-1, 1)
    return Poses(
        centre=candidates.centre,
        u=u * pitch * np.array([variant.aspect for variant in variants]).reshape(-1, 1),
        v=v * pitch,
        layout=np.array([variant.layout for variant in variants], np.intp),
        r=PIP_TO_HALF * candidates.half,
        sign=sign,
    )


def best_variant(crop: Values, face: int) -> Variant:
    """Return the variant of a face whose faintest pip is clearest in a crop (side, side) with light pips."""
    spots = cv2.GaussianBlur(crop, (0, 0), SPOT_PX)

    def faintest(variant: Variant) -> float:
        x, y = np.floor((variant.pips / FACE.reach + 1) * FACE.side / 2).astype(int).T
        return float(spots[y, x].min())

    return max(variants_of(face), key=faintest)


def _fitted(view: PictureView, poses: Poses) -> Poses:
    """Return the poses fitted once by least squares. A pose whose pips are not where they should be stays the same."""
    places, there = _PLACES[poses.layout], _THERE[poses.layout]
    count = there.sum(1)
    expected = poses.centre[:, None] + places[..., :1] * poses.u[:, None] + places[..., 1:] * poses.v[:, None]
    pips, reach = _measured(view, poses, expected, there)
    near = (np.hypot(*(pips - expected).transpose(2, 0, 1)) < FARTHEST * poses.pitch[:, None]).all(1)
    each, reach = np.arange(len(poses)), np.sort(reach, 1)
    size = (reach[each, (count - 1) // 2] + reach[each, count // 2]) / 2  # their median
    fits = near & (size / poses.r > SMALLEST) & (size / poses.r < LARGEST)
    # Pips on one line tell only a turn and a scale: the quotient of their distances as complex numbers.
    after, before = (np.where(count > 1, (ends[:, 1] - ends[:, 0]) @ _COMPLEX, 1) for ends in (pips, expected))
    sides = np.stack([poses.u, poses.v], 1) @ _COMPLEX * (after / before)[:, None]
    middle = (np.where(there, pips @ _COMPLEX, 0).sum(1) / count)[:, None]
    fitted = np.where((count > 3)[:, None], _SOLUTIONS[poses.layout] @ pips @ _COMPLEX, np.hstack([middle, sides]))
    as_before = np.stack([poses.centre, poses.u, poses.v], 1)
    found = np.where(fits[:, None, None], np.stack([fitted.real, fitted.imag], 2), as_before)
    return replace(poses, centre=found[:, 0], u=found[:, 1], v=found[:, 2], r=np.where(fits, size, poses.r))


def _measured(view: PictureView, poses: Poses, expected: Floats, there: Bools) -> tuple[Floats, Floats]:
    """Return each pip's middle (n, 6, 2) and radius (n, 6): each ray ends where it crosses half of the contrast.

    Where no pip is `there` (n, 6), its middle is the expected one and its radius infinite.
    """
    owner = np.nonzero(there)[0]
    sign, r = poses.sign[owner, None, None], poses.r[owner, None, None]
    rays = expected[there][:, None, None] + r[..., None] * RAY_STEPS[:, None, None] * _RAYS
    signed = pip_brightness(sample_level(view.levels[0], rays, 0), sign).astype(np.float64) * sign
    inside, outside = signed[:, INNER].mean((1, 2)), np.median(signed[:, RING], (1, 2))
    beyond = signed > ((inside + outside) / 2)[:, None, None]
    first = np.where(beyond.any(1), beyond.argmax(1), RING.start)
    reach = r[:, 0] * RAY_STEPS[first]
    reach = np.minimum(reach, 1.5 * np.median(reach, 1)[:, None])
    pips, radius = expected.copy(), np.full(there.shape, np.inf)
    pips[there] += 2 * (reach[..., None] * _RAYS).mean(1)
    radius[there] = np.median(reach, 1)
    return pips, radius
