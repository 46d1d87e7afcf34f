"""Check faces by geometry: how well do the spots on each fit the six layouts of pips?

This knows nothing of the network's opinion. What the two disagree about is not sure.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.stages.closeup import ACROSS, Crops

Floats = NDArray[np.float64]
Values = NDArray[np.float32]

PITCHES = tuple(np.arange(0.40, 0.61, 0.04).tolist())
"""Half the distance between two corner pips, in half edges: from narrow to wide as dice have it."""

SIX_ASPECTS = (1.0, 0.82, 0.66)
"""A six's columns may stand nearer to each other than they are long."""

CORNERS = ((-1, -1), (1, 1), (-1, 1), (1, -1))
LAYOUTS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: CORNERS[:2],
    3: (*CORNERS[:2], (0, 0)),
    4: CORNERS,
    5: (*CORNERS, (0, 0)),
    6: (*CORNERS, (-1, 0), (1, 0)),
}
"""Each face's pips in units of the pitch; twos, threes and sixes lie in two ways on a square."""

ALONG_A_SIDE: dict[int, tuple[tuple[float, float], ...]] = {2: ((-1, 0), (1, 0)), 3: ((-1, 0), (0, 0), (1, 0))}
"""Twos and threes as few dice have them."""

SELDOM = 0.75
"""How much a pattern that few dice have counts beside one that most have: two spots on a line are many things."""

SPOT_PX = 1.1
"""The width of a pip's blur in a crop: a pip's radius is 0.16 to 0.25 half edges, some two pixels."""

AROUND = 2.6
"""How wide the surroundings are that a spot is compared with, as a multiple of its blur."""

LARGE_SPOT_PX = 2.0
"""The same for the large single pip that some dice have."""

AWAY = 0.27
"""So far from every pip, in half edges, begins what no pip explains."""

INSIDE = 0.85
"""Where on a face spots count, in half edges; beyond are its rim and what lies beside it."""

_FACE = slice(*np.searchsorted(ACROSS, (-INSIDE, INSIDE)).tolist())
_LINE = ACROSS[_FACE]
"""Where the pixels of a face lie, across and along, in half edges."""


@dataclass(frozen=True, eq=False)
class Patterns:
    """How well the spots on n faces fit each layout: `fits` (n, 6) from 0 to 1, and where the pips then lie.

    `ways` (n, 6) are indices of `WAYS`.
    """

    fits: Floats
    ways: NDArray[np.intp]

    @property
    def face(self) -> NDArray[np.int64]:
        """The face whose layout fits best."""
        return np.asarray(self.fits.argmax(1) + 1, np.int64)


@dataclass(frozen=True)
class Way:
    """One way in which a face's pips may lie: the pitch in half edges, how narrow a six is, whether it is turned by a
    quarter, whether two or three lie along a side."""

    face: int
    pitch: float
    aspect: float
    turned: bool
    along_a_side: bool = False

    @property
    def places(self) -> Floats:
        """The pips' places in half edges, shape (face, 2)."""
        flat = (
            np.array((ALONG_A_SIDE if self.along_a_side else LAYOUTS)[self.face], float)
            * self.pitch
            * np.array([self.aspect, 1.0])
        )
        return np.stack([-flat[:, 1], flat[:, 0]], 1) if self.turned else flat


WAYS = (
    *(
        Way(face, pitch, aspect, turned)
        for face in LAYOUTS
        for pitch in (PITCHES if face > 1 else (0.5,))
        for aspect in (SIX_ASPECTS if face == 6 else (1.0,))
        for turned in ((False, True) if face in (2, 3, 6) else (False,))
    ),
    *(Way(face, pitch, 1.0, turned, True) for face in ALONG_A_SIDE for pitch in PITCHES for turned in (False, True)),
)


@dataclass(frozen=True, eq=False)
class _Template:
    sites: NDArray[np.intp]
    others: NDArray[np.bool_]


def find_patterns(crops: Crops) -> Patterns:
    """How well the spots on each crop (n, 3, SIDE, SIDE) fit the layouts, dark spots or light ones."""
    n = len(crops)
    if n == 0:
        return Patterns(np.zeros((0, 6)), np.zeros((0, 6), np.intp))
    signal = _along_pips(crops[:, :, _FACE, _FACE])
    small, large = _spots(signal, SPOT_PX), _spots(signal, LARGE_SPOT_PX)
    light, dark = _fits(small, large), _fits(-small, -large)
    better = (dark.fits.max(1) > light.fits.max(1))[:, None]
    return Patterns(np.where(better, dark.fits, light.fits), np.where(better, dark.ways, light.ways))


def _along_pips(faces: Values) -> Values:
    """Each face (n, 3, k, k) in the one colour in which it varies most, shape (n, k, k)."""
    flat = faces.reshape(len(faces), 3, -1)
    spread = np.einsum("nik,njk->nij", flat, flat)
    _, axes = np.linalg.eigh(spread)
    along = np.einsum("nik,ni->nk", flat, axes[:, :, -1])
    return np.asarray(along, np.float32).reshape(len(faces), *faces.shape[2:])


def _spots(signal: Values, size: float) -> Values:
    """How much each place differs from what is around it, shape as given."""
    stack = np.ascontiguousarray(signal.transpose(1, 2, 0))
    layers = []
    for first in range(0, stack.shape[2], 4):  # OpenCV blurs up to four at once
        some = np.ascontiguousarray(stack[..., first : first + 4])
        spots = _blurred(some, size) - _blurred(some, AROUND * size)
        layers.append(spots.reshape(*stack.shape[:2], -1))
    return np.asarray(np.concatenate(layers, 2).transpose(2, 0, 1), np.float32)


def _blurred(some: Values, size: float) -> Values:
    """With nothing beyond the face: what lies there differs from it more than its pips do."""
    return np.asarray(cv2.GaussianBlur(some, (0, 0), size, borderType=cv2.BORDER_CONSTANT), np.float32)


def _fits(small: Values, large: Values) -> Patterns:
    n = len(small)
    # A pip may lie a little beside its site: the strongest of the pixels around.
    near = np.stack([cv2.dilate(one, np.ones((3, 3), np.uint8)) for one in small]).reshape(n, -1)
    wide = np.stack([cv2.dilate(one, np.ones((5, 5), np.uint8)) for one in large]).reshape(n, -1)
    plain = small.reshape(n, -1)
    fits, ways = np.full((n, 6), -np.inf), np.zeros((n, 6), np.intp)  # poor or not, each face keeps its best way
    for index, (way, template) in enumerate(zip(WAYS, _templates(), strict=True)):
        wanted = near[:, template.sites]
        if way.face == 1:  # some dice have a large one
            wanted = np.maximum(wanted, 1.2 * wide[:, template.sites])
        scale = np.maximum(wanted.mean(1), 0.05)
        extra = np.maximum(plain[:, template.others].max(1), 0)
        fit = np.minimum(1.25 - 1.25 * np.maximum(1 - wanted.min(1) / scale, extra / scale), 1)
        if way.along_a_side:
            fit = np.minimum(SELDOM * fit, fit)
        better = fit > fits[:, way.face - 1]
        fits[better, way.face - 1], ways[better, way.face - 1] = fit[better], index
    return Patterns(np.maximum(fits, 0), ways)


@lru_cache(maxsize=1)
def _templates() -> tuple[_Template, ...]:
    x, y = np.meshgrid(_LINE, _LINE)
    found = []
    for way in WAYS:
        cells = np.floor((way.places - _LINE[0]) / (_LINE[1] - _LINE[0]) + 0.5).astype(np.intp)
        gap = np.min([np.hypot(x - px, y - py) for px, py in way.places], 0)
        others = (gap > AWAY).ravel()
        found.append(_Template(cells[:, 1] * len(_LINE) + cells[:, 0], others))
    return tuple(found)
