"""Find what has about the size of the dice read, and their colour or the light's, and was not read itself."""

from collections.abc import Callable, Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.frame import Pixels
from dicereader.stages.choose import Chosen
from dicereader.stages.poses import BETWEEN
from dicereader.stages.rectify import View
from dicereader.stages.roundness import LIT, ROUND, body_level, roundness
from dicereader.stages.sampling import at_level, sample, sample_spots

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Piece = tuple[tuple[slice, slice], Mask]
"""A part of a picture, rows and columns, and which of its pixels are one thing."""

ALIKE = 0.35
"""A die of a colour differs from it by at most this share of what that colour differs from the ground."""

STANDS_OUT = 0.4
"""It differs from what is around it by more than this share: paper in a lamp's light has every colour somewhere."""

WITH_SIDES, TOP = 1.6, 1.45
"""Around a die's middle, in half edges, belongs to it: what may be a side of it, and its top face alone."""

ENDS, SOON, LATER = 0.8, 0.45, 0.8
"""What a lamp has made white differs, so many half edges beyond it, from what is there by this share of what it differs
from what is so many beyond: the lamp's reflection in a table fades, a die ends."""

SHADE = 20.0
"""So many grey levels of any colour dice of one colour may differ by that light alone."""

LEAST_LEVELS = 10.0
"""Where dice and ground differ by fewer grey levels they have one colour, and nothing can be told."""

_MARGIN = 12
"""Pixels around a piece that are looked at, too: more than `LATER` half edges in the level of `body_level`."""

_PHI = np.arange(12) * (np.pi / 6)


def unread(
    view: View, chosen: Chosen, elsewhere: Callable[[Floats], Mask] = lambda points: np.zeros(len(points), np.bool_)
) -> list[Floats]:
    """The things that have about the size of the dice read, and their colour or the light's, and were not read: each
    by the corners of the rectangle around it, (4, 2) in pixels of level 0.

    `elsewhere` tells which points of the picture (n, 2) lie where no die of the tray does.
    """
    if not len(chosen.poses):
        return []
    half = float(np.median(chosen.half))
    level = body_level(view, half)
    picture, small = view.levels[level], half / 2.0**level
    bodies, ground = _colours(view, chosen, level)
    contrast = np.abs(bodies - ground).max(1)
    told = ALIKE * contrast > LEAST_LEVELS
    own, contrast = bodies[told], contrast[told]
    alike = np.zeros(picture.shape[:2], np.uint8)
    for colour, slack in zip(own, ALIKE * contrast, strict=True):
        low, high = np.clip(colour - slack, 0, 255), np.clip(colour + slack, 0, 255)
        alike |= np.asarray(cv2.inRange(picture, low, high), np.uint8)
    lit = np.asarray(cv2.inRange(picture.max(2), LIT, 255), np.uint8)
    _take_out(alike, chosen, level, WITH_SIDES)
    _take_out(lit, chosen, level, TOP)

    def things(mask: Pixels, is_one: Callable[[Piece], bool]) -> list[Floats]:
        corners = (
            at_level(_around(piece), -level)
            for piece in _dice_like(mask, small)
            if roundness(piece[1]) <= ROUND and is_one(piece)
        )
        return [each for each in corners if not elsewhere(view.in_picture(each.mean(0, keepdims=True))).any()]

    coloured = things(alike, lambda piece: _stands_out(picture[piece[0]], piece[1], own, contrast))
    white = things(
        lit, lambda piece: _lighter(picture[piece[0]][piece[1]], bodies) and _ends(picture[piece[0]], piece[1], small)
    )
    # White dice are in both.
    return [*coloured, *(each for each in white if all(_gap(each, other) > half for other in coloured))]


def _around(piece: Piece) -> Floats:
    """The corners of the rectangle around a piece, (4, 2) in pixels of its picture."""
    part, there = piece
    points = np.argwhere(there)[:, ::-1] + (part[1].start, part[0].start)
    return np.asarray(cv2.boxPoints(cv2.minAreaRect(points.astype(np.float32))), np.float64)


def _gap(one: Floats, other: Floats) -> float:
    """How far the middles of two rectangles are apart."""
    return float(np.hypot(*(one.mean(0) - other.mean(0))))


def _colours(view: View, chosen: Chosen, level: int) -> tuple[Floats, Floats]:
    """Each die's colour between its pips, and that of the ground around it, both (n, 3)."""
    picture = view.levels[level]
    own = np.median(sample_spots(picture, chosen.poses.points(BETWEEN), level), 1)
    around = 2.6 * chosen.half[:, None]
    x = chosen.poses.centre[:, :1] + around * np.cos(_PHI)
    y = chosen.poses.centre[:, 1:] + around * np.sin(_PHI)
    ground = np.median(sample(picture, at_level(x, level), at_level(y, level)), 1)
    return np.asarray(own, np.float64), np.asarray(ground, np.float64)


def _take_out(mask: Pixels, chosen: Chosen, level: int, reach: float) -> None:
    """Clear what belongs to the dice that were read, so many half edges around their middles."""
    for (x, y), half in zip(chosen.poses.centre, chosen.half, strict=True):
        spot = round(float(at_level(x, level))), round(float(at_level(y, level)))
        cv2.circle(mask, spot, round(reach * float(half) / 2.0**level), 0, cv2.FILLED)


def _dice_like(mask: Pixels, half: float) -> Iterator[Piece]:
    """The pieces of a mask that are as large and compact as a die of that half edge, each with a little around it."""
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    _, marks, boxes, _ = cv2.connectedComponentsWithStats(mask)
    for n, (x, y, w, h, _) in enumerate(boxes[1:].tolist()):
        part = slice(max(0, y - _MARGIN), y + h + _MARGIN), slice(max(0, x - _MARGIN), x + w + _MARGIN)
        if 1.1 * half < max(w, h) < 5 * half and _compact(there := marks[part] == n + 1, half):
            yield part, there


def _compact(there: Mask, half: float) -> bool:
    """Whether what is set, with its holes, is a rectangle about as large as a die of that half edge, with a side face
    at most."""
    outlines, _ = cv2.findContours(there.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    whole = cv2.drawContours(np.zeros(there.shape, np.uint8), outlines, -1, 1, cv2.FILLED)
    _, (width, height), _ = cv2.minAreaRect(np.concatenate(outlines))
    short, long = sorted((width + 1, height + 1))
    return bool(1.1 * half < short and long < 3.1 * half and whole.sum() > 0.7 * short * long)


def _lighter(colours: Floats | Pixels, own: Floats) -> bool:
    """Whether a piece of those colours (n, 3) may be a die like one of those read, under a lamp: light only adds."""
    return bool((np.median(colours, 0) > own - SHADE).all(1).any())


def _stands_out(picture: Pixels, there: Mask, own: Floats, contrast: Floats) -> bool:
    """Whether a piece differs from what is around it as the dice of its colour do from the ground."""
    step = _step(picture, there, 2)
    inside = np.median(picture[there], 0)
    return step is None or step > STANDS_OUT * float(contrast[np.abs(own - inside).max(1).argmin()])


def _ends(picture: Pixels, there: Mask, half: float) -> bool:
    """Whether a piece ends as a die of that half edge does, and does not fade over what is around it."""
    soon, later = (_step(picture, there, round(reach * half)) for reach in (SOON, LATER))
    return soon is None or later is None or soon > ENDS * later


def _step(picture: Pixels, there: Mask, beyond: int) -> float | None:
    """How much a piece differs from what is so many pixels beyond it; None where that is out of the picture."""
    mask = there.astype(np.uint8)
    inner, outer = (cv2.dilate(mask, np.ones((2 * n + 1,) * 2, np.uint8)) > 0 for n in (beyond - 1, beyond))
    ring = outer & ~inner
    if not ring.any():
        return None
    return float(np.median(np.abs(picture[ring] - np.median(picture[there], 0)).max(1)))
