"""Fit the layouts of pips to faces: which layout a face has, in which direction, and how far apart its pips are."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from dicereader.data.arrays import Bools, Floats, Ints, Values
from dicereader.stages.shared.crops import FACE
from dicereader.stages.shared.layouts import ALONG_A_SIDE, LAYOUTS, SITES

PITCHES = tuple(np.arange(0.40, 0.61, 0.04).tolist())
"""Half the distance between two corner pips, in half edges: the range that dice have."""

SIX_ASPECTS = (1.0, 0.82, 0.66)
"""Ratios of the distance of a six's columns to their length."""

RARE = 0.75
"""Weight of the fit of a layout that few dice have: two spots on a line are often no pips."""

SPOT_PX = 1.1
"""Pixels of a crop: the blur that matches a pip, whose radius is 0.16 to 0.25 half edges."""

SURROUNDINGS = 2.6
"""Blur of the surroundings that a spot is compared with, as a multiple of the spot's."""

LARGE_SPOT_PX = 2.0
"""Pixels of a crop: the blur that matches the large single pip of some dice."""

AWAY = 0.27
"""Distance from every pip, in half edges, from which a spot is unexplained."""

INSIDE = 0.85
"""Half edges from the middle of a face within which spots count; beyond are its rim and its surroundings."""

_FACE = slice(*np.searchsorted(FACE.across, (-INSIDE, INSIDE)).tolist())
_LINE = FACE.across[_FACE]
"""Positions of a face's pixels, across and along, in half edges."""


@dataclass(frozen=True, eq=False)
class PatternFits:
    """How well n faces fit each layout: `fits` (n, 6) from 0 to 1, and the best variants (n, 6) of `LAYOUTS_TRIED`."""

    fits: Floats
    variants: Ints


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
    def face(self) -> int:
        """The face, 1 to 6."""
        return LAYOUTS[self.layout][0]

    @property
    def pips(self) -> Floats:
        """The pips' places in half edges, shape (face, 2)."""
        flat = SITES[list(LAYOUTS[self.layout][1])] * self.pitch * np.array([self.aspect, 1.0])
        return np.stack([-flat[:, 1], flat[:, 0]], 1) if self.turned else flat


LAYOUTS_TRIED = (
    *(
        Variant(face - 1, pitch, aspect, turned)
        for face in range(1, 7)
        for pitch in (PITCHES if face > 1 else (0.5,))
        for aspect in (SIX_ASPECTS if face == 6 else (1.0,))
        for turned in ((False, True) if face in (2, 3, 6) else (False,))
    ),
    *(
        Variant(layout, pitch, 1.0, turned)
        for layout in ALONG_A_SIDE.values()
        for pitch in PITCHES
        for turned in (False, True)
    ),
)

_FACES = np.array([variant.face for variant in LAYOUTS_TRIED])
_RARE = np.isin([variant.layout for variant in LAYOUTS_TRIED], list(ALONG_A_SIDE.values()))


def fit_patterns(crops: Values) -> PatternFits:
    """Return how well the spots of each crop (n, 3, SIDE, SIDE), dark or light, fit the layouts."""
    n = len(crops)
    if n == 0:
        return PatternFits(np.zeros((0, 6)), np.zeros((0, 6), np.intp))
    signal = _principal_colour(crops[:, :, _FACE, _FACE])
    small, large = _spots(signal, SPOT_PX), _spots(signal, LARGE_SPOT_PX)
    both = _fits(np.concatenate([small, -small]), np.concatenate([large, -large]))
    each = np.arange(n)
    better = np.where(both.fits[n:].max(1) > both.fits[:n].max(1), each + n, each)
    return PatternFits(both.fits[better], both.variants[better])


def _principal_colour(faces: Values) -> Values:
    """Return faces (n, 3, k, k) along the colour axis in which each varies most, shape (n, k, k)."""
    flat = faces.reshape(len(faces), 3, -1)
    spread = np.einsum("nik,njk->nij", flat, flat)
    _, axes = np.linalg.eigh(spread)
    along = np.einsum("nik,ni->nk", flat, axes[:, :, -1])
    return np.asarray(along, np.float32).reshape(len(faces), *faces.shape[2:])


def _spots(signal: Values, size: float) -> Values:
    """Return the difference of each place from its surroundings (difference of Gaussians), shape as given."""
    fine, wide = (blur @ signal @ blur.T for blur in (_blur(size), _blur(SURROUNDINGS * size)))
    return np.asarray(fine - wide, np.float32)


@lru_cache(maxsize=4)
def _blur(size: float) -> Values:
    """Return the matrix (k, k) that blurs a column of a face's pixels by a Gaussian.

    Beyond the face the surroundings count as 0, the face's median: they differ from it more than its pips do.
    """
    kernel = np.ravel(cv2.getGaussianKernel(round(8 * size + 1) | 1, size, cv2.CV_32F))
    padded = np.pad(kernel, len(_LINE))
    middle = len(padded) // 2
    return np.stack([padded[middle - row : middle - row + len(_LINE)] for row in range(len(_LINE))])


def _fits(small: Values, large: Values) -> PatternFits:
    """Return how well light spots, found with a small and a large blur (n, k, k), fit the layouts."""
    n = len(small)
    sites, pips, away = _templates()
    # A pip may be a little off its site: take the strongest pixel around it.
    near = np.stack([cv2.dilate(one, np.ones((3, 3), np.uint8)) for one in small]).reshape(n, -1)[:, sites]
    wide = np.stack([cv2.dilate(one, np.ones((5, 5), np.uint8)) for one in large]).reshape(n, -1)[:, sites]
    # The one of some dice has a large pip.
    wanted = np.where((_FACES == 1)[:, None], np.maximum(near, 1.2 * wide), near)
    scale = np.maximum(np.where(np.arange(6) < pips[:, None], wanted, 0).sum(2) / pips, 0.05)
    extra = np.where(away, small.reshape(n, 1, -1), np.float32(0)).max(2)
    fit = np.minimum(1.25 - 1.25 * np.maximum(1 - wanted.min(2) / scale, extra / scale), 1)
    fit = np.where(_RARE, np.minimum(RARE * fit, fit), fit)
    best = np.stack([np.where(face == _FACES, fit, -np.inf).argmax(1) for face in range(1, 7)], 1)
    return PatternFits(np.maximum(np.take_along_axis(fit, best, 1), 0), best)


@lru_cache(maxsize=1)
def _templates() -> tuple[Ints, Ints, Bools]:
    """Return the template of each of m variants.

    These are the pixels of its pips (m, 6), the last one repeated; how many pips it has (m,); and which pixels are away
    from all of them (m, pixels).
    """
    x, y = np.meshgrid(_LINE, _LINE)
    sites, away = [], []
    for variant in LAYOUTS_TRIED:
        cells = np.floor((variant.pips - _LINE[0]) / (_LINE[1] - _LINE[0]) + 0.5).astype(np.intp)
        sites.append(np.pad(cells[:, 1] * len(_LINE) + cells[:, 0], (0, 6 - len(cells)), "edge"))
        away.append((np.min([np.hypot(x - px, y - py) for px, py in variant.pips], 0) > AWAY).ravel())
    return np.stack(sites), np.array([len(variant.pips) for variant in LAYOUTS_TRIED]), np.stack(away)
