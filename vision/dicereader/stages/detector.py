"""Find top faces of dice by a small network that looks at the whole picture, in sizes half as large each.

The network was trained on dice whose top face's edge is 11 to 26 pixels (`EDGES_PX`), so every die is of that size in
one or two of the pyramid's levels. At every fourth pixel it says how likely a top face's middle is there, and how the
face lies. `bench/training` makes it; docs/vision.md says what it was trained on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.frame import Pixels
from dicereader.stages.rectify import View

Floats = NDArray[np.float64]

WEIGHTS_FILE = Path(__file__).with_name("detector.onnx")

STRIDE = 4
"""Pixels of a level from one of the network's cells to the next."""

EDGES_PX = (11.0, 26.0)
"""The edges of top faces, in a level's pixels, that the network was trained to find."""

USUAL_HALF = 9.0
"""Half an edge that the network's size of 0 stands for, in a level's pixels."""

OUTPUTS = 14
"""What the network says of each cell: odds of a middle (1), the middle's place (2), the face's shape (`vectors`; 5),
how likely each face is (6): it learns better when asked for that too, but the closer look knows more."""

LEAST = 0.08
"""Places that are less likely a die's than this are not looked at."""

MOST_PLACES, MOST_COMPARED = 80, 800
"""So many places are looked at, and so many that lie on each other are compared: in a large picture of something rough
there are thousands."""

SMALL_PICTURE_PX = 400_000
"""In pictures of fewer pixels the full size is searched too: dice in them may be small."""

AT_ONCE_PX = 500_000
"""How many pixels the network sees at a time, but for those beyond."""

BEYOND = 32
"""The network is shown so many pixels beyond a strip: its cells see 27 from their middle, and so do those beside them,
than which the likeliest must be likelier."""

CORNERS = (-1, -1), (1, -1), (1, 1), (-1, 1)
"""A face's corners in its two side vectors, one after the other around it."""


@dataclass(frozen=True, eq=False)
class Places:
    """Where top faces may be, best first, as arrays of length n in pixels of level 0.

    `centre` (n, 2) is a face's middle; `u` and `v` (n, 2) lead from there to the middles of two neighbouring sides.
    `likely` is from 0 to 1.
    """

    centre: Floats
    u: Floats
    v: Floats
    likely: Floats

    def __len__(self) -> int:
        return len(self.likely)

    @property
    def half(self) -> Floats:
        """Half of each face's edge, as of a square with the face's area."""
        area = np.abs(self.u[:, 0] * self.v[:, 1] - self.u[:, 1] * self.v[:, 0])
        return np.asarray(np.sqrt(np.maximum(area, 1e-9)), np.float64)

    @property
    def corners(self) -> Floats:
        """Each face's corners, (n, 4, 2), one after the other around it."""
        return np.stack([self.centre + i * self.u + j * self.v for i, j in CORNERS], 1)

    def take(self, index: NDArray[np.intp] | NDArray[np.bool_]) -> "Places":
        """Those of an index, in its order."""
        return Places(self.centre[index], self.u[index], self.v[index], self.likely[index])


def shape_of(u: Floats, v: Floats) -> Floats:
    """Five numbers (n, 5) that say how a face with side vectors `u`, `v` (n, 2) lies, the same for all eight ways to
    name its sides.

    The first three are half the logarithm of the matrix u uT + v vT over `USUAL_HALF`: half its trace, and its two
    traceless parts. They stretch a square into the face; how that square is turned, the cosine and sine of four times
    its angle tell.
    """
    moment = u[:, :, None] * u[:, None] + v[:, :, None] * v[:, None]
    values, axes = np.linalg.eigh(moment)
    logs = np.log(np.maximum(values, 1e-12)) / 2
    log = (axes * logs[:, None]) @ axes.transpose(0, 2, 1)
    root = (axes * np.exp(-logs)[:, None]) @ axes.transpose(0, 2, 1)
    unit = np.einsum("nij,nj->ni", root, u)
    angle = 4 * np.arctan2(unit[:, 1], unit[:, 0])
    size = (log[:, 0, 0] + log[:, 1, 1]) / 2 - np.log(USUAL_HALF)
    flat = (log[:, 0, 0] - log[:, 1, 1]) / 2
    return np.stack([size, flat, log[:, 0, 1], np.cos(angle), np.sin(angle)], 1)


def vectors(shape: Floats) -> tuple[Floats, Floats]:
    """The side vectors (n, 2) of faces of a shape (n, 5): what `shape_of` was made of, up to the sides' names."""
    size, flat, skew, cos, sin = shape.T
    log = np.stack([size + flat, skew, skew, size - flat], 1).reshape(-1, 2, 2)
    values, axes = np.linalg.eigh(log)
    root = (axes * np.exp(values)[:, None]) @ axes.transpose(0, 2, 1) * USUAL_HALF
    angle = np.arctan2(sin, cos) / 4
    u = np.stack([np.cos(angle), np.sin(angle)], 1)
    v = np.stack([-np.sin(angle), np.cos(angle)], 1)
    return np.einsum("nij,nj->ni", root, u), np.einsum("nij,nj->ni", root, v)


def find_places(view: View, levels: Sequence[int] | None = None) -> Places:
    """The places of the view that look like top faces, each once, at most `MOST_PLACES`; of all levels worth a look, or
    of these."""
    return distinct(joined([_at_level(view, level) for level in (levels_of(view) if levels is None else levels)]))


def levels_of(view: View) -> list[int]:
    """The levels of the pyramid in which dice have the size that the network finds."""
    levels = list(range(len(view.levels)))
    if view.die_px is not None:
        known = [n for n in levels if EDGES_PX[0] <= view.die_px / 2**n <= EDGES_PX[1]]
        return known or levels[:1]
    width, height = view.size
    return levels if width * height < SMALL_PICTURE_PX else levels[1:] or levels


def joined(parts: list[Places]) -> Places:
    """Several sets of places as one."""
    return Places(
        np.concatenate([part.centre for part in parts]),
        np.concatenate([part.u for part in parts]),
        np.concatenate([part.v for part in parts]),
        np.concatenate([part.likely for part in parts]),
    )


def distinct(places: Places) -> Places:
    """The likeliest of those that lie on each other with much the same size, best first."""
    places = places.take(np.argsort(-places.likely, kind="stable")[:MOST_COMPARED])
    half = places.half
    gap = np.hypot(*(places.centre[:, None] - places.centre).transpose(2, 0, 1))
    same = (gap < 0.6 * np.maximum(half[:, None], half)) & (np.abs(np.log(half[:, None] / half)) < 0.5)
    gone = np.zeros(len(places), bool)
    keep: list[int] = []
    for n in range(len(places)):
        if not gone[n] and len(keep) < MOST_PLACES:
            keep.append(n)
            gone |= same[n]
    return places.take(np.array(keep, np.intp))


def _at_level(view: View, level: int) -> Places:
    """What the network finds in a level, strip by strip where it is large, for that takes less memory."""
    picture = view.levels[level]
    height, width = picture.shape[:2]
    high = height if height * width <= AT_ONCE_PX else max(STRIDE, AT_ONCE_PX // width // STRIDE * STRIDE)
    return joined([_in_rows(picture, first, min(height, first + high), level) for first in range(0, height, high)])


def _in_rows(picture: Pixels, first: int, last: int, level: int) -> Places:
    """What the network finds between two rows of a level's picture, as it would where it sees the whole."""
    height, width = picture.shape[:2]
    top, bottom = max(0, first - BEYOND), min(height, last + BEYOND)
    framed = cv2.copyMakeBorder(
        picture[top:bottom], 0, (top - bottom) % STRIDE, 0, -width % STRIDE, cv2.BORDER_REPLICATE
    )
    net = _network(level)
    net.setInput(cv2.dnn.blobFromImage(framed, 1 / 64.0, mean=(128, 128, 128)))
    told = np.asarray(net.forward(), np.float32)[0]
    return places_of(told, 2.0**level, top, range(first // STRIDE, -(-last // STRIDE)))


def places_of(told: NDArray[np.float32], scale: float, top: int, within: range) -> Places:
    """The places in what the network says of a part of a level (OUTPUTS, rows, columns) that begins `top` pixels down:
    those in the level's rows of cells `within`. The level's pixels are `scale` of level 0."""
    odds = told[0]
    peak = (odds >= cv2.dilate(odds, np.ones((3, 3), np.uint8))) & (odds > np.log(LEAST / (1 - LEAST)))
    rows, columns = np.nonzero(peak)
    above = top // STRIDE
    inside = np.isin(rows + above, within)
    rows, columns = rows[inside], columns[inside]
    said = told[:, rows, columns].T.astype(np.float64)
    middle = np.stack([columns, rows + above], 1) * STRIDE + (STRIDE - 1) / 2 + said[:, 1:3] * STRIDE
    u, v = vectors(said[:, 3:8])
    return Places(
        (middle + 0.5) * scale - 0.5,
        u * scale,
        v * scale,
        1 / (1 + np.exp(-said[:, 0])),
    )


@lru_cache(maxsize=8)
def _network(level: int) -> "cv2.dnn.Net":
    """The network, one for each level: it keeps buffers of its input's size."""
    del level
    return cv2.dnn.readNetFromONNX(str(WEIGHTS_FILE))
