"""Look closer at each place: which face lies there or that none does, where exactly, and where the face points.

Each place is cut out as a small picture, stretched and turned so that a top face is a square in its middle. A network
of some fifty thousand weights tells the face and by how much the cut was off; a second cut, put right, is told again.
`bench/training` makes the network; docs/vision.md says what it was trained on.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.stages import detector
from dicereader.stages.detector import Places
from dicereader.stages.rectify import View
from dicereader.stages.sampling import GREY, sample_spots

Floats = NDArray[np.float64]
Crops = NDArray[np.float32]
Colours = NDArray[np.float32]

WEIGHTS_FILE = Path(__file__).with_name("closeup.onnx")

SIDE = 32
"""Pixels along a crop's side."""

REACH = 1.45
"""Half of what a crop shows, in half edges: a face and what is beside it."""

ACROSS = (np.arange(SIDE) + 0.5) / SIDE * 2 * REACH - REACH
"""Where a crop's pixels lie, across and along, in half edges."""

CLASSES = 7
"""0: no top face lies just here; 1 to 6: that face."""

OUTPUTS = CLASSES + 2 + 6
"""The classes' odds, the slant (2), and the correction: of the middle (2), then of the two side vectors (4)."""

MOST_STEP = 0.4
"""A correction goes no further than this, in half edges."""

PASSES = 2

AT_ONCE = 16
"""Crops that the network sees at a time: more take more memory, and more time each."""

_LEAST_LIKELY = 1e-9
_GRID = np.stack(np.meshgrid(ACROSS, ACROSS), -1).reshape(-1, 2)
_ON_FACE = np.max(np.abs(_GRID), 1) < 0.8


@dataclass(frozen=True, eq=False)
class Seen:
    """What was seen at n places.

    `places` are put right. `said` (n, 7) is how likely each class is; every row adds up to 1. `slant` (n, 2) is where
    in the picture the face's normal points, as long as the sine of the angle to the line of sight; it means nothing
    where there is no face. `contrast` (n,) is how much pips differ from the face, in grey levels.
    """

    places: Places
    said: Floats
    slant: Floats
    contrast: Floats

    @property
    def likely(self) -> Floats:
        """How likely each place is a top face of whatever value."""
        found: Floats = 1.0 - self.said[:, 0]
        return found

    @property
    def face(self) -> NDArray[np.int64]:
        """The likeliest face of each place, 1 to 6."""
        return np.asarray(self.said[:, 1:].argmax(1) + 1, np.int64)

    def take(self, index: NDArray[np.intp]) -> "Seen":
        """Those of an index, in its order."""
        return Seen(self.places.take(index), self.said[index], self.slant[index], self.contrast[index])


def look_closer(view: View, places: Places) -> Seen:
    """What is seen at the places, and where exactly."""
    if not len(places):
        return look_there(view, places)
    for _ in range(PASSES - 1):
        places = _put_right(places, _told(find_crops(view, places))[:, CLASSES + 2 :])
    seen, correction = _looked(view, places)
    return replace(seen, places=_put_right(places, 0.5 * correction))


def look_there(view: View, places: Places) -> Seen:
    """What is seen at the places just as they are given."""
    if not len(places):
        return Seen(places, np.zeros((0, CLASSES)), np.zeros((0, 2)), np.zeros(0))
    return _looked(view, places)[0]


def look_all_round(view: View, seen: Seen) -> Seen:
    """The same places, with the mean of what is said of each from all its four sides and mirrored.

    What is said of a face has errors of its own for each way to look at it, and their mean has smaller ones.
    """
    n = len(seen.places)
    if not n:
        return seen
    other = _turned_and_mirrored(seen.places)
    looks = look_there(view, detector.joined(other))
    said = np.concatenate([seen.said, looks.said]).reshape(-1, n, CLASSES)
    odds = np.log(np.maximum(said, _LEAST_LIKELY)).mean(0)
    slant = np.concatenate([seen.slant, looks.slant]).reshape(-1, n, 2).mean(0)
    return replace(seen, said=_shares(odds), slant=np.asarray(slant, np.float64))


def _shares(odds: Floats) -> Floats:
    """How likely each class is, rows that add up to 1, from logarithms of odds up to a constant; both (n, CLASSES)."""
    grown = np.exp(odds - odds.max(1, keepdims=True))
    return np.asarray(grown / grown.sum(1, keepdims=True), np.float64)


def _turned_and_mirrored(places: Places) -> list[Places]:
    """The seven other ways to look at faces: each quarter turn, and all four mirrored."""
    u, v = places.u, places.v
    turned = [(u, v), (v, -u), (-u, -v), (-v, u)]
    ways = [*turned[1:], *((-across, along) for across, along in turned)]
    return [replace(places, u=across, v=along) for across, along in ways]


def joined(first: Seen, second: Seen) -> Seen:
    """What was seen at two sets of places as one."""
    return Seen(
        detector.joined([first.places, second.places]),
        np.concatenate([first.said, second.said]),
        np.concatenate([first.slant, second.slant]),
        np.concatenate([first.contrast, second.contrast]),
    )


def _looked(view: View, places: Places) -> tuple[Seen, Floats]:
    colours = colours_at(view, places)
    told = _told(crops_of(colours))
    axes = np.stack([places.u, places.v], 1)
    axes = axes / np.maximum(np.linalg.norm(axes, axis=2, keepdims=True), 1e-9)
    slant = np.einsum("nij,ni->nj", axes, told[:, CLASSES : CLASSES + 2])
    seen = Seen(places, _shares(told[:, :CLASSES]), np.asarray(slant, np.float64), tones_of(colours)[1])
    return seen, told[:, CLASSES + 2 :]


def find_crops(view: View, places: Places) -> Crops:
    """A crop of each place, shape (n, 3, SIDE, SIDE), its u to the right and its v down; see `crops_of`."""
    return crops_of(colours_at(view, places))


def crops_of(colour: Colours) -> Crops:
    """The network's crops: colours over the face's own, in units of how much the face varies, ending at 3."""
    face = colour[:, _ON_FACE]
    over = colour - np.median(face, 1)[:, None]
    varies = np.quantile(np.abs(over[:, _ON_FACE]).max(2), 0.95, axis=1)
    over /= np.maximum(varies, 10.0)[:, None, None]
    return np.ascontiguousarray(np.clip(over, -3, 3).transpose(0, 2, 1)).reshape(-1, 3, SIDE, SIDE)


def tones_of(colour: Colours) -> tuple[Floats, Floats, Floats]:
    """The grey level of each face, how much its pips differ from it, and whether they are darker (1) or lighter (-1).

    Arrays of length n.
    """
    grey = colour[:, _ON_FACE] @ GREY
    low, base, high = np.quantile(grey, (0.04, 0.5, 0.96), axis=1).astype(np.float64)
    return base, np.maximum(base - low, high - base), np.where(base - low >= high - base, 1.0, -1.0)


def colours_at(view: View, places: Places) -> Colours:
    """The colours (blue, green, red) at each place's grid, row by row: shape (n, SIDE * SIDE, 3)."""
    colours = np.zeros((len(places), SIDE * SIDE, 3), np.float32)
    # A crop's pixel is this many of level 0: the level below which nothing is lost.
    scale = np.maximum(places.half * 2 * REACH / SIDE, 1e-3)
    levels = np.clip(np.floor(np.log2(scale) + 0.5), 0, len(view.levels) - 1).astype(int)
    for level in np.unique(levels):
        some = places.take(levels == level)
        spots = some.centre[:, None] + _GRID[:, :1] * some.u[:, None] + _GRID[:, 1:] * some.v[:, None]
        colours[levels == level] = sample_spots(view.levels[level], spots, level)
    return colours


def _put_right(places: Places, correction: Floats) -> Places:
    by = np.clip(correction, -MOST_STEP, MOST_STEP)
    u, v = places.u, places.v
    return replace(
        places,
        centre=places.centre + by[:, :1] * u + by[:, 1:2] * v,
        u=u + by[:, 2:3] * u + by[:, 3:4] * v,
        v=v + by[:, 4:5] * u + by[:, 5:6] * v,
    )


def _told(crops: Crops) -> Floats:
    net = _network()
    said = np.empty((len(crops), OUTPUTS))
    for first in range(0, len(crops), AT_ONCE):
        part = slice(first, first + AT_ONCE)
        net.setInput(crops[part])
        said[part] = net.forward().reshape(-1, OUTPUTS)
    return said


@lru_cache(maxsize=1)
def _network() -> "cv2.dnn.Net":
    return cv2.dnn.readNetFromONNX(str(WEIGHTS_FILE))
