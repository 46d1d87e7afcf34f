"""Find candidates for top faces with a small fully convolutional network, in several levels of the pyramid.

The network was trained on top faces with an edge of 11 to 26 pixels (`EDGES_PX`), so every die has that size in one or
two of the levels. For every fourth pixel it gives the odds that a top face has its middle there, and the face's shape.
`bench/training` makes the network; docs/vision.md says what it was trained on.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from dicereader.data.arrays import Floats, Records, Values
from dicereader.data.frame import Pixels
from dicereader.stages.shared.network import MODELS, run
from dicereader.stages.shared.rectify import PictureView

WEIGHTS_FILE = MODELS / "detector.onnx"

STRIDE = 4
"""Pixels of a level from one of the network's cells to the next."""

EDGES_PX = (11.0, 26.0)
"""Pixels of a top face's edge in a level: the range that the network was trained to find."""

USUAL_HALF = 9.0
"""Pixels of half an edge for which the network's size output is 0, and at which objects are examined."""

OUTPUTS = 14
"""Outputs for each cell: odds of a middle (1), the middle's place (2), the shape (5, see `side_vectors`), faces (6).

The face outputs are not used: asking for them improves the training, but the classifier is more accurate.
"""

LEAST_PROBABILITY = 0.08
"""Probability below which a cell is no candidate."""

MOST_CANDIDATES, MOST_COMPARED = 80, 400
"""Candidates that are kept, and that are compared with each other: a large rough texture gives thousands."""

SMALL_PICTURE_PX = 400_000
"""Pixels below which a picture is searched at full size too: its dice may be small."""

STRIP_PX = 500_000
"""Pixels that the network is given at a time, without the overlap of `STRIP_OVERLAP`."""

STRIP_OVERLAP = 32
"""Pixels by which strips overlap: more than the network's receptive field (27) with the neighbours of its peaks."""

CORNERS = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
"""A face's corners in units of its two side vectors, in order around the face."""


@dataclass(frozen=True, eq=False)
class PlacedFaces(Records):
    """Faces with axes of their own, in pixels of level 0: the middles, and the vectors `u` and `v`, each (n, 2)."""

    centre: Floats
    u: Floats
    v: Floats

    def points(self, places: Floats) -> Floats:
        """Return places (k, 2) in units of u and v as pixels of level 0, shape (n, k, 2)."""
        return self.centre[:, None] + places[:, :1] * self.u[:, None] + places[:, 1:] * self.v[:, None]


@dataclass(frozen=True, eq=False)
class Candidates(PlacedFaces):
    """Candidates for top faces, in pixels of level 0, each an array of length n.

    `u` and `v` lead from a face's middle to the middles of two neighbouring sides. `probability` is the detector's,
    from 0 to 1.
    """

    probability: Floats

    @property
    def half(self) -> Floats:
        """Half of each face's edge, as of a square of the same area."""
        area = np.abs(self.u[:, 0] * self.v[:, 1] - self.u[:, 1] * self.v[:, 0])
        return np.asarray(np.sqrt(np.maximum(area, 1e-9)), np.float64)

    @property
    def corners(self) -> Floats:
        """Each face's corners, (n, 4, 2), in order around the face."""
        return self.points(CORNERS)


def shape_of(u: Floats, v: Floats) -> Floats:
    """Return the shape (n, 5) of faces with side vectors (n, 2), the same for all eight ways to name the sides.

    The first three numbers are half the logarithm of the matrix u uT + v vT over `USUAL_HALF`: half its trace and its
    two traceless parts, which stretch a square into the face. The last two are the cosine and sine of four times the
    square's angle.
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


def side_vectors(shape: Floats) -> tuple[Floats, Floats]:
    """Return the side vectors (n, 2) of faces with a shape (n, 5), up to the sides' names: inverts `shape_of`."""
    size, flat, skew, cos, sin = shape.T
    # The exponential of a symmetric matrix of 2 x 2 in closed form.
    stretch = np.hypot(flat, skew)
    even, odd = np.cosh(stretch), np.sinh(stretch) / np.maximum(stretch, 1e-12)
    root = np.array([[even + odd * flat, odd * skew], [odd * skew, even - odd * flat]]) * np.exp(size) * USUAL_HALF
    angle = np.arctan2(sin, cos) / 4
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-along[1], along[0]])
    return np.einsum("ijn,jn->ni", root, along), np.einsum("ijn,jn->ni", root, across)


def find_candidates(view: PictureView, levels: Sequence[int] | None = None, *known: Candidates) -> Candidates:
    """Return the candidates in these levels (default: `levels_of`), at most `MOST_CANDIDATES`, the likeliest first.

    `known` are candidates of other levels, which are compared with them.
    """
    first, *others = [_at_level(view, level) for level in (levels_of(view) if levels is None else levels)]
    return _suppressed(first.join(*others, *known))


def levels_of(view: PictureView) -> list[int]:
    """Return the levels of the pyramid in which dice have the size that the network finds."""
    levels = list(range(len(view.levels)))
    width, height = view.size
    return levels if width * height < SMALL_PICTURE_PX else levels[1:] or levels


def _suppressed(candidates: Candidates) -> Candidates:
    """Return the candidates without those at the place and of the size of a likelier one (non-maximum suppression)."""
    candidates = candidates.take(np.argsort(-candidates.probability, kind="stable")[:MOST_COMPARED])
    half = candidates.half
    gap = np.hypot(*(candidates.centre[:, None] - candidates.centre).transpose(2, 0, 1))
    same = (gap < 0.6 * np.maximum(half[:, None], half)) & (np.abs(np.log(half[:, None] / half)) < 0.5)
    gone = np.zeros(len(candidates), bool)
    keep: list[int] = []
    for n in range(len(candidates)):
        if not gone[n] and len(keep) < MOST_CANDIDATES:
            keep.append(n)
            gone |= same[n]
    return candidates.take(np.array(keep, np.intp))


def _at_level(view: PictureView, level: int) -> Candidates:
    """Return the candidates of one level; a large level is searched in strips, which takes less memory."""
    picture = view.levels[level]
    height, width = picture.shape[:2]
    high = height if height * width <= STRIP_PX else max(STRIDE, STRIP_PX // width // STRIDE * STRIDE)
    first, *others = [_in_rows(picture, top, min(height, top + high), level) for top in range(0, height, high)]
    return first.join(*others)


def _in_rows(picture: Pixels, first: int, last: int, level: int) -> Candidates:
    """Return the candidates between two rows of a level's picture, the same as if the network saw all of it."""
    height, width = picture.shape[:2]
    top, bottom = max(0, first - STRIP_OVERLAP), min(height, last + STRIP_OVERLAP)
    framed = cv2.copyMakeBorder(
        picture[top:bottom], 0, (top - bottom) % STRIDE, 0, -width % STRIDE, cv2.BORDER_REPLICATE
    )
    batch = np.asarray(cv2.dnn.blobFromImage(framed, 1 / 64.0, mean=(128, 128, 128)), np.float32)
    return decode(run(WEIGHTS_FILE, batch)[0], 2.0**level, top, range(first // STRIDE, -(-last // STRIDE)))


def decode(outputs: Values, scale: float, top: int, within: range) -> Candidates:
    """Return the candidates in the network's outputs (OUTPUTS, rows, columns) for a part of a level.

    Args:
        outputs: what the network gives.
        scale: pixels of level 0 per pixel of the level.
        top: the row of the level at which the part begins.
        within: the level's rows of cells whose candidates are wanted.
    """
    odds = outputs[0]
    threshold = np.log(LEAST_PROBABILITY / (1 - LEAST_PROBABILITY))
    peak = (odds >= cv2.dilate(odds, np.ones((3, 3), np.uint8))) & (odds > threshold)
    rows, columns = np.nonzero(peak)
    above = top // STRIDE
    inside = (rows + above >= within.start) & (rows + above < within.stop)
    rows, columns = rows[inside], columns[inside]
    cells = outputs[:, rows, columns].T.astype(np.float64)
    middle = np.stack([columns, rows + above], 1) * STRIDE + (STRIDE - 1) / 2 + cells[:, 1:3] * STRIDE
    u, v = side_vectors(cells[:, 3:8])
    return Candidates((middle + 0.5) * scale - 0.5, u * scale, v * scale, 1 / (1 + np.exp(-cells[:, 0])))
