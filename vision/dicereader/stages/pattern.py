"""Fit the layouts of pips to candidates: a geometric check that is independent of the classifier.

Dice on which the two disagree are not sure.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from dicereader.arrays import Bools, FaceNumbers, Floats, Ints, Values
from dicereader.stages.closeup import ACROSS
from dicereader.stages.poses import ALONG_A_SIDE, LAYOUTS, SITES

PITCHES = tuple(np.arange(0.40, 0.61, 0.04).tolist())
"""Half the distance between two corner pips, in half edges: the range that dice have."""

SIX_ASPECTS = (1.0, 0.82, 0.66)
"""Ratios of the distance of a six's columns to their length."""

RARE = 0.75
"""Weight of the fit of a layout that few dice have: two spots on a line are often no pips."""

SPOT_PX = 1.1
"""Pixels of a crop: the blur that matches a pip, whose radius is 0.16 to 0.25 half edges."""

AROUND = 2.6
"""Blur of the surroundings that a spot is compared with, as a multiple of the spot's."""

LARGE_SPOT_PX = 2.0
"""Pixels of a crop: the blur that matches the large single pip of some dice."""

AWAY = 0.27
"""Distance from every pip, in half edges, from which a spot is unexplained."""

INSIDE = 0.85
"""Half edges from the middle of a face within which spots count; beyond are its rim and its surroundings."""

_FACE = slice(*np.searchsorted(ACROSS, (-INSIDE, INSIDE)).tolist())
_LINE = ACROSS[_FACE]
"""Positions of a face's pixels, across and along, in half edges."""


@dataclass(frozen=True, eq=False)
class PatternFits:
    """How well n faces fit each layout: `fits` (n, 6) from 0 to 1, and the best variants (n, 6) of `VARIANTS`."""

    fits: Floats
    variants: Ints

    @property
    def face(self) -> FaceNumbers:
        """The face whose layout fits best."""
        return np.asarray(self.fits.argmax(1) + 1, np.int64)


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


VARIANTS = (
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


def fit_patterns(crops: Values) -> PatternFits:
    """Return how well the spots of each crop (n, 3, SIDE, SIDE), dark or light, fit the layouts."""
    n = len(crops)
    if n == 0:
        return PatternFits(np.zeros((0, 6)), np.zeros((0, 6), np.intp))
    signal = _principal_colour(crops[:, :, _FACE, _FACE])
    small, large = _spots(signal, SPOT_PX), _spots(signal, LARGE_SPOT_PX)
    light, dark = _fits(small, large), _fits(-small, -large)
    better = (dark.fits.max(1) > light.fits.max(1))[:, None]
    return PatternFits(np.where(better, dark.fits, light.fits), np.where(better, dark.variants, light.variants))


def _principal_colour(faces: Values) -> Values:
    """Return faces (n, 3, k, k) along the colour axis in which each varies most, shape (n, k, k)."""
    flat = faces.reshape(len(faces), 3, -1)
    spread = np.einsum("nik,njk->nij", flat, flat)
    _, axes = np.linalg.eigh(spread)
    along = np.einsum("nik,ni->nk", flat, axes[:, :, -1])
    return np.asarray(along, np.float32).reshape(len(faces), *faces.shape[2:])


def _spots(signal: Values, size: float) -> Values:
    """Return the difference of each place from its surroundings (difference of Gaussians), shape as given."""
    stack = np.ascontiguousarray(signal.transpose(1, 2, 0))
    layers = []
    for first in range(0, stack.shape[2], 4):  # OpenCV blurs up to four at once
        some = np.ascontiguousarray(stack[..., first : first + 4])
        # Constant border: beyond the face the surroundings differ from it more than its pips do.
        fine, wide = (
            cv2.GaussianBlur(some, (0, 0), width, borderType=cv2.BORDER_CONSTANT) for width in (size, AROUND * size)
        )
        layers.append((fine - wide).reshape(*stack.shape[:2], -1))
    return np.asarray(np.concatenate(layers, 2).transpose(2, 0, 1), np.float32)


def _fits(small: Values, large: Values) -> PatternFits:
    n = len(small)
    # A pip may be a little off its site: take the strongest pixel around it.
    near = np.stack([cv2.dilate(one, np.ones((3, 3), np.uint8)) for one in small]).reshape(n, -1)
    wide = np.stack([cv2.dilate(one, np.ones((5, 5), np.uint8)) for one in large]).reshape(n, -1)
    plain = small.reshape(n, -1)
    fits, variants = np.full((n, 6), -np.inf), np.zeros((n, 6), np.intp)  # each face keeps its best, however poor
    for index, (variant, (pips, others)) in enumerate(zip(VARIANTS, _templates(), strict=True)):
        wanted = near[:, pips]
        if variant.face == 1:  # some dice have a large one
            wanted = np.maximum(wanted, 1.2 * wide[:, pips])
        scale = np.maximum(wanted.mean(1), 0.05)
        extra = np.maximum(plain[:, others].max(1), 0)
        fit = np.minimum(1.25 - 1.25 * np.maximum(1 - wanted.min(1) / scale, extra / scale), 1)
        if variant.layout in ALONG_A_SIDE.values():
            fit = np.minimum(RARE * fit, fit)
        better = fit > fits[:, variant.face - 1]
        fits[better, variant.face - 1], variants[better, variant.face - 1] = fit[better], index
    return PatternFits(np.maximum(fits, 0), variants)


@lru_cache(maxsize=1)
def _templates() -> tuple[tuple[Ints, Bools], ...]:
    """Return the template of each variant: the pixels of its pips, and the pixels away from all of them."""
    x, y = np.meshgrid(_LINE, _LINE)
    found = []
    for variant in VARIANTS:
        cells = np.floor((variant.pips - _LINE[0]) / (_LINE[1] - _LINE[0]) + 0.5).astype(np.intp)
        gap = np.min([np.hypot(x - px, y - py) for px, py in variant.pips], 0)
        found.append((cells[:, 1] * len(_LINE) + cells[:, 0], (gap > AWAY).ravel()))
    return tuple(found)
