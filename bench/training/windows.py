"""Make examples for the detector: small windows of pictures, reduced so that dice have the detector's size.

A window comes with a map of the right answer for every cell (`Window`). Cells with an unknown answer (dice that are
hidden, cut, at a large slant, or labelled by a box alone) do not count in the loss.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.stages.shared.detector import EDGES_PX, STRIDE, shape_of

SIDE = 128
"""Pixels along a window's side."""

CELLS = SIDE // STRIDE
NEAR = 0.45
"""A cell this close to a face's middle, in half edges, gives the face's place and shape."""

SLACK = 1.22
"""Faces outside `EDGES_PX` by less than this factor may be found or not: they do not count in the loss."""


@dataclass(frozen=True, eq=False)
class Truth:
    """The top faces of a picture, as arrays of length n in its pixels: middles (n, 2), side vectors (n, 2), values.

    `asked` marks the faces that must be found; the others may be missed. `posed` marks the faces whose place and shape
    are known.
    """

    centre: NDArray[np.float64]
    u: NDArray[np.float64]
    v: NDArray[np.float64]
    face: NDArray[np.int64]
    asked: NDArray[np.bool_]
    posed: NDArray[np.bool_]

    @property
    def half(self) -> NDArray[np.float64]:
        """Return half of each face's edge."""
        area = np.abs(self.u[:, 0] * self.v[:, 1] - self.u[:, 1] * self.v[:, 0])
        return np.asarray(np.sqrt(area), np.float64)


Window = tuple[NDArray[np.uint8], NDArray[np.float16]]
"""Pixels (SIDE, SIDE, 3) and the right answers of every cell (10, CELLS, CELLS): a middle's presence from 0 to 1, its
weight in the loss, the middle's place (2), the shape (5), the face 1 to 6 (0: does not count)."""


def windows(pixels: NDArray[np.uint8], truth: Truth, rng: np.random.Generator, count: int) -> list[Window]:
    """Return `count` windows of a picture, three quarters of them with a die of the right size near the middle."""
    found = []
    for _ in range(count):
        edge = float(np.exp(rng.uniform(*np.log(EDGES_PX))))
        wanted = np.flatnonzero(truth.asked)
        if len(wanted):
            one = int(rng.choice(wanted))
            scale = edge / (2 * truth.half[one])
            if rng.random() < 0.25:  # dice of other sizes must not be found
                scale *= rng.choice([0.25, 0.35, 2.0, 3.0, 5.0])
            about = truth.centre[one]
        else:
            scale, about = float(np.exp(rng.uniform(np.log(0.1), 0.0))), rng.uniform(0, pixels.shape[1::-1])
        if scale > 1.3:
            continue
        found.append(_window(pixels, truth, scale, about, rng))
    return found


def _window(
    pixels: NDArray[np.uint8], truth: Truth, scale: float, about: Sequence[float], rng: np.random.Generator
) -> Window:
    left, top = np.asarray(about) * scale - SIDE / 2 + rng.uniform(-0.35, 0.35, 2) * SIDE
    # Reduced by areas, as in the detector's pyramid, and not by single pixels.
    x0, y0 = int(np.floor(left / scale)), int(np.floor(top / scale))
    size = int(np.ceil(SIDE / scale))
    height, width = pixels.shape[:2]
    part = pixels[max(0, y0) : max(0, min(height, y0 + size)), max(0, x0) : max(0, min(width, x0 + size))]
    border = max(0, -y0), max(0, y0 + size - height), max(0, -x0), max(0, x0 + size - width)
    if part.size == 0:
        part, border = pixels[:1, :1], (0, size - 1, 0, size - 1)
    part = cv2.copyMakeBorder(part, *border, cv2.BORDER_REPLICATE)
    seen = np.asarray(cv2.resize(part, (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.uint8)
    by = SIDE / size
    centre = (truth.centre - (x0, y0) + 0.5) * by - 0.5
    return seen, _asked(centre, truth.u * by, truth.v * by, truth)


def _asked(
    centre: NDArray[np.float64], u: NDArray[np.float64], v: NDArray[np.float64], truth: Truth
) -> NDArray[np.float16]:
    target = np.zeros((10, CELLS, CELLS))
    target[1] = 1.0
    line = np.arange(CELLS) * STRIDE + (STRIDE - 1) / 2
    x, y = np.meshgrid(line, line)
    nearest = np.full((CELLS, CELLS), np.inf)
    shapes = shape_of(u, v) if len(u) else np.zeros((0, 5))
    half = np.sqrt(np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]))
    for n, (cx, cy) in enumerate(centre):
        gap = np.hypot(x - cx, y - cy) / half[n]
        edge = 2 * half[n]
        right = EDGES_PX[0] <= edge <= EDGES_PX[1]
        nearly = EDGES_PX[0] / SLACK <= edge <= EDGES_PX[1] * SLACK
        if not truth.asked[n] or (nearly and not right):
            target[1][gap < 1.2] = 0.0
            continue
        if not nearly:
            continue
        here = gap < nearest
        nearest = np.where(here, gap, nearest)
        best = np.unravel_index(gap.argmin(), gap.shape)
        bump = np.exp(-0.5 * (gap / 0.22) ** 2)
        if not truth.posed[n]:
            target[1][(gap < 0.9) & (gap > 0.45)] = 0.0
            bump = np.exp(-0.5 * (gap / 0.3) ** 2)
        target[0] = np.maximum(target[0], bump)
        if gap[best] < 0.6:
            target[0][best] = 1.0
            target[1][best] = 1.0
        told = here & (gap < NEAR)
        target[9][told] = truth.face[n]
        if truth.posed[n]:
            target[2][told] = (cx - x[told]) / STRIDE
            target[3][told] = (cy - y[told]) / STRIDE
            target[4:9, told] = shapes[n][:, None]
        else:
            target[2:9, told] = np.nan
    return target.astype(np.float16)
