"""Compare bodies with the level dice that are said to explain them: what is beside, what is missing, what is left."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.stages import cubes
from dicereader.stages.bodies import Mask
from dicereader.stages.plane import Plane
from dicereader.stages.tops import Tops

Floats = NDArray[np.float64]

SLACK_PX = 0.8
"""How much larger and smaller hulls are drawn than they are, in pixels of level 1: bodies end softly."""

THICK = 0.13
"""What is nowhere further from its outline than this share of an edge is no die: walls that moved a little, glints."""

NEAR = 0.3
"""Body further than this from a die's hull, in edges, is not that die's: along a wall that moved it runs on and on."""

SPECK = 0.01
"""What is left and smaller than this share of a die's top is noise."""


@dataclass(frozen=True, eq=False)
class Cover:
    """What n level dice explain of the bodies, all areas as shares of a die's top.

    `beside` (n,) is body that touches a die's hull and lies near it, `missing` (n,) hull without body, `sides` (n,) how
    much of the hull is no top but sides. `left` holds middle and area of each thick piece of body that no hull covers:
    (x, y, share), in pixels of level 0.
    """

    beside: Floats
    missing: Floats
    sides: Floats
    left: tuple[tuple[float, float, float], ...]


def cover(view: Plane, tops: Tops, mask: Mask) -> Cover:
    """Compare level dice with the bodies' mask of level 1."""
    area = (view.edge / 2) ** 2
    free = mask.copy()
    owner = np.zeros(mask.shape, np.uint8)
    missing, sides = np.zeros(len(tops)), np.zeros(len(tops))
    outer, inner = _hulls(view, tops, SLACK_PX), _hulls(view, tops, -SLACK_PX)
    wide_around = _hulls(view, tops, NEAR * view.edge / 2)
    for n in range(len(tops)):
        sides[n] = max(cv2.contourArea(inner[n]) / 256 / area - (1 - 4 * SLACK_PX / view.edge) ** 2, 0.0)
        cv2.fillConvexPoly(free, outer[n], 0, shift=4)
        cv2.fillConvexPoly(owner, outer[n], n + 1, shift=4)
        left, top, wide, high = cv2.boundingRect(inner[n] // 16)
        x0, y0 = max(left - 1, 0), max(top - 1, 0)
        part = mask[y0 : max(top + high + 2, 1), x0 : max(left + wide + 2, 1)]
        drawn = np.zeros(part.shape, np.uint8)
        cv2.fillConvexPoly(drawn, inner[n] - np.array([x0, y0]) * 16, 255, shift=4)
        drawn[max(view.rail[0] - y0, 0) : max(view.rail[1] - y0, 0)] = 0
        missing[n] = float(np.count_nonzero((drawn > 0) & (part == 0))) / area
    free = np.asarray(cv2.morphologyEx(free, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8)
    count, marks, boxes, middles = cv2.connectedComponentsWithStats(free)
    beside = np.zeros(len(tops))
    deep, thick = cv2.distanceTransform(free, cv2.DIST_L2, 3), THICK * view.edge / 2
    pieces = []
    for mark in range(1, count):
        x, y, wide, high, pixels = (int(v) for v in boxes[mark])
        if pixels < SPECK * area:
            continue
        y0, x0 = max(y - 2, 0), max(x - 2, 0)
        around_it = np.s_[y0 : y + high + 2, x0 : x + wide + 2]
        piece = (marks[around_it] == mark).astype(np.uint8)
        touched = np.bincount(owner[around_it][cv2.dilate(piece, np.ones((5, 5), np.uint8)) > 0], minlength=2)[1:]
        if touched.any():
            n = int(touched.argmax())
            near = np.zeros_like(piece)
            cv2.fillConvexPoly(near, wide_around[n] - np.array([x0, y0]) * 16, 1, shift=4)
            beside[n] += float(np.count_nonzero(piece & near)) / area
        if float(deep[y : y + high, x : x + wide][marks[y : y + high, x : x + wide] == mark].max()) < thick:
            continue
        pieces.append((float(middles[mark][0] * 2 + 0.5), float(middles[mark][1] * 2 + 0.5), pixels / area))
    return Cover(beside, missing, sides, tuple(pieces))


def _hulls(view: Plane, tops: Tops, grown: float) -> list[NDArray[np.int32]]:
    """The outlines of level dice in level 1, in sixteenths of a pixel, so many pixels larger on every side."""
    top = cubes.tops(tops.centre, tops.turn, view.edge + 4 * grown)
    both = (np.concatenate([top, cubes.sunk(view, top)], 1) - 0.5) / 2
    return [np.rint(cv2.convexHull(each.astype(np.float32)) * 16).astype(np.int32) for each in both]
