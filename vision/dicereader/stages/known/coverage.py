"""Compare bodies with the level dice that should explain them: body beside a hull, hull without body, the rest."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.data.arrays import Floats
from dicereader.stages.known.bodies import Bodies
from dicereader.stages.known.plane import TopPlane, points_on
from dicereader.stages.known.top_faces import TopFaces
from dicereader.tray.body_fit import rounded_cube

SLACK_PX = 0.8
"""Pixels of level 1 by which hulls are drawn larger and smaller than they are: bodies have soft edges."""

THICK = 0.13
"""Distance from its outline, in edges of a die, that a body must reach somewhere to be a die: walls that moved a
little and glints are thinner."""

RIM = 0.06
"""Width of the rim around a die's hull, in edges. A die on another fills it, because it is nearer to the camera."""


@dataclass(frozen=True, eq=False)
class Coverage:
    """What n level dice explain of the bodies; all areas are fractions of a die's top.

    `beside` (n,) is body that touches a die's hull, `missing` (n,) hull without body, `sides` (n,) the
    part of the hull that is sides, `larger` (n,) the part of the rim around the hull that is body, but no other die.
    `rest` describes each thick piece of body that no hull covers as (x, y, area), its middle in pixels of level 0.
    """

    beside: Floats
    missing: Floats
    sides: Floats
    larger: Floats
    rest: tuple[tuple[float, float, float], ...]


def measure_coverage(view: TopPlane, faces: TopFaces, bodies: Bodies, round_mm: float = 0.0) -> Coverage:
    """Compare level dice, whose edges have a radius, with the bodies of level 1."""
    area = (view.edge / 2) ** 2
    mask, possible = bodies.mask, bodies.possible
    free = mask.copy()
    owner, hulls = np.zeros(mask.shape, np.uint8), np.zeros(mask.shape, np.uint8)
    missing, sides, larger = np.zeros(len(faces)), np.zeros(len(faces)), np.zeros(len(faces))
    outer, exact, inner = (_hulls(view, faces, grown, round_mm) for grown in (SLACK_PX, 0.0, -SLACK_PX))
    rims = _hulls(view, faces, RIM * view.edge / 2, round_mm)
    for n in range(len(faces)):
        sides[n] = max(cv2.contourArea(inner[n]) / 256 / area - (1 - 4 * SLACK_PX / view.edge) ** 2, 0.0)
        cv2.fillConvexPoly(free, outer[n], 0, shift=4)
        cv2.fillConvexPoly(owner, outer[n], n + 1, shift=4)
        part, corner = _window(rims[n])
        hulls[part] += _drawn(hulls[part], outer[n] - corner)
        drawn = _drawn(possible[part], inner[n] - corner)
        missing[n] = float(np.count_nonzero(drawn & (possible[part] == 0))) / area
    for n in range(len(faces)):
        part, corner = _window(rims[n])
        hull, within, rim = (_drawn(mask[part], each - corner) for each in (outer[n], exact[n], rims[n]))
        rim &= 1 - within
        alone = rim & (mask[part] > 0) & (hulls[part] == hull)
        larger[n] = float(np.count_nonzero(alone)) / max(int(np.count_nonzero(rim)), 1)
    free = np.asarray(cv2.morphologyEx(free, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8)
    count, marks, boxes, middles = cv2.connectedComponentsWithStats(free)
    beside = np.zeros(len(faces))
    depth, thick = cv2.distanceTransform(free, cv2.DIST_L2, 3), THICK * view.edge / 2
    rest = []
    for mark in range(1, count):
        x, y, width, height, pixels = (int(v) for v in boxes[mark])
        y0, x0 = max(y - 2, 0), max(x - 2, 0)
        around = np.s_[y0 : y + height + 2, x0 : x + width + 2]
        piece = (marks[around] == mark).astype(np.uint8)
        touched = np.bincount(owner[around][cv2.dilate(piece, np.ones((5, 5), np.uint8)) > 0], minlength=2)[1:]
        if touched.any():
            beside[int(touched.argmax())] += pixels / area
        if float(depth[around][piece > 0].max()) >= thick:
            across, down = (float(value) for value in middles[mark] * 2 + 0.5)
            rest.append((across, down, pixels / area))
    return Coverage(beside, missing, sides, larger, tuple(rest))


def _window(outline: NDArray[np.int32]) -> tuple[tuple[slice, slice], NDArray[np.int32]]:
    """Return the rows and columns around an outline, in sixteenths of a pixel, and their first point in the same."""
    left, top, width, height = cv2.boundingRect(outline // 16)
    x0, y0 = max(left - 1, 0), max(top - 1, 0)
    window = slice(y0, max(top + height + 2, 1)), slice(x0, max(left + width + 2, 1))
    return window, np.array([x0, y0], np.int32) * 16


def _drawn(like: NDArray[np.uint8], outline: NDArray[np.int32]) -> NDArray[np.uint8]:
    """Return a picture of this shape that is 1 inside an outline, in sixteenths of a pixel, and 0 elsewhere."""
    return np.asarray(cv2.fillConvexPoly(np.zeros_like(like), outline, 1, shift=4), np.uint8)


def _hulls(view: TopPlane, faces: TopFaces, grown: float, round_mm: float) -> list[NDArray[np.int32]]:
    """Return the outlines of level dice in level 1, in sixteenths of a pixel, larger by `grown` pixels all round."""
    solid = rounded_cube(view.edge, round_mm * view.scale) * (1 + 4 * grown / view.edge)
    # A lower plane is the tops' plane, shrunk towards the point below the camera.
    deep = np.clip(view.edge / 2 - solid[:, 2], 0.0, view.edge)
    below = np.array(view.below)
    tops = points_on(faces.centre, faces.turn, solid[:, :2])
    seen = below + (tops - below) * (view.height / (view.height + deep))[:, None]
    return [np.rint(cv2.convexHull(((each - 0.5) / 2).astype(np.float32)) * 16).astype(np.int32) for each in seen]
