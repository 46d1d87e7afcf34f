"""Find objects that have the size of the dice read, and their colour or that of glare, and were not read themselves."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import cast

import cv2
import numpy as np

from dicereader.data.arrays import Bools, Floats
from dicereader.data.frame import Pixels
from dicereader.stages.shared.classify import classify, classify_all_round
from dicereader.stages.shared.crops import FACE, find_crops
from dicereader.stages.shared.detector import USUAL_HALF, Candidates, find_candidates
from dicereader.stages.shared.layouts import BETWEEN, USUAL_PITCH
from dicereader.stages.shared.rectify import PictureView, view_of
from dicereader.stages.shared.sampling import CIRCLE, largest_channel, sample_level, to_level
from dicereader.stages.shared.scoring import LIKELY
from dicereader.stages.shared.whole_die import see_whole
from dicereader.stages.unknown.choose import NO_FACE, OVERLAP, ChosenDice
from dicereader.stages.unknown.search import score_likely

Blob = tuple[tuple[slice, slice], Bools]
"""A part of a picture, rows and columns, and the mask of one object in it."""

SAME_COLOUR = 0.35
"""Fraction of a colour's difference from the ground up to which a die of that colour may differ from it."""

STANDS_OUT = 0.4
"""Fraction of its colour's contrast by which an object must differ from its surroundings: paper in a lamp's light has
every colour somewhere."""

END, NEAR, FAR = 0.8, 0.45, 0.8
"""A glaring object ends like a die if its step NEAR half edges beyond its outline is at least the fraction END of the
step FAR beyond: a lamp's reflection in a table fades slowly."""

NO_PALE_DIE = 0.01
"""Probability of a face, by the network of whole dice, below which an object that the detector misses is no die."""

LIGHT_RANGE = 20.0
"""Grey levels by which dice of one colour may differ because of the light."""

HARDLY = 45.0
"""Grey levels: if half of the dice differ less from the ground, others may be invisible, and contrast is equalised."""

OTHER_SIZE = 0.5
"""Difference of the logarithms of the sizes from which an object is no die like those read."""

CLIP_LIMIT, TILES = 4.0, 8
"""Clip limit of the adaptive histogram equalisation (CLAHE), and its tiles across and along."""

GLARE = 230
"""Level of any colour channel from which a face may be in glare, which takes its colour and pips. A lamp's
reflection is not always quite white."""

_MARGIN = 12  # pixels around a piece: more than FAR half edges in the level that is examined


def find_unread(
    view: PictureView,
    chosen: ChosenDice,
    excluded: Callable[[Floats], Bools] = lambda points: np.zeros(len(points), bool),
) -> list[Floats]:
    """Return the corners, (4, 2) in pixels of level 0, of objects like the dice read that were not read.

    `excluded` tells which points of the picture (n, 2) are where no die of the tray can be.
    """
    if not len(chosen.dice):
        return []
    half = float(np.median(chosen.dice.places.half))
    level = int(np.clip(np.floor(np.log2(max(half, 1) / USUAL_HALF) + 0.5), 0, len(view.levels) - 1))
    picture, small = view.levels[level], half / 2.0**level
    dice, ground = _colours(view, chosen, level)
    contrast = np.abs(dice - ground).max(1)
    hidden = _hidden(view, chosen, half) if np.median(contrast) < HARDLY else []
    coloured = np.zeros(picture.shape[:2], np.uint8)
    for colour, slack in zip(dice, SAME_COLOUR * contrast, strict=True):
        low, high = np.clip(colour - slack, 0, 255), np.clip(colour + slack, 0, 255)
        coloured |= np.asarray(cv2.inRange(picture, low, high), np.uint8)
    glaring = np.asarray(cv2.inRange(largest_channel(picture), GLARE, 255), np.uint8)
    _clear_dice(coloured, chosen, level)
    _clear_dice(glaring, chosen, level)

    def objects(mask: Pixels, accepted: Callable[[Pixels, Bools], bool]) -> list[Floats]:
        return [
            to_level(_rectangle(piece), -level)
            for piece in _dice_like(mask, small)
            if accepted(picture[piece[0]], piece[1])
        ]

    found = objects(coloured, lambda part, mask: _stands_out(part, mask, dice, contrast))
    white = objects(glaring, lambda part, mask: _brighter(part[mask], dice) and _ends(part, mask, small))
    likely = [*_maybe_dice(view, found + white, half), *hidden]
    return [each for each in likely if not excluded(view.in_picture(each.mean(0, keepdims=True))).any()]


def _hidden(view: PictureView, chosen: ChosenDice, half: float) -> list[Floats]:
    """Return the corners (4, 2) of unread dice of that half edge that show when the contrast is equalised."""
    clearer = _equalised(view)
    candidates = find_candidates(clearer)
    gap = np.hypot(*(candidates.centre[:, None] - chosen.dice.places.centre).transpose(2, 0, 1)).min(1)
    free = (gap > OVERLAP * (candidates.half + half)) & (np.abs(np.log(candidates.half / half)) < OTHER_SIZE)
    seen = score_likely(clearer, candidates.take(free)).classified.candidates
    return list(seen.corners[see_whole(clearer, seen).probability > LIKELY])


def _equalised(view: PictureView) -> PictureView:
    """Return the view with its brightness equalised locally (CLAHE)."""
    parts = cv2.cvtColor(view.levels[0], cv2.COLOR_BGR2YCrCb)
    light = np.ascontiguousarray(parts[..., 0])
    parts[..., 0] = cv2.createCLAHE(CLIP_LIMIT, (TILES, TILES)).apply(light)
    clearer = cast(Pixels, cv2.cvtColor(parts, cv2.COLOR_YCrCb2BGR))
    return replace(view_of(clearer, view.to_picture), gain=view.gain)


def _maybe_dice(view: PictureView, objects: list[Floats], half: float) -> list[Floats]:
    """Return the objects that may be dice of that half edge: both networks see something of a face in them."""
    if not objects:
        return []
    corners = np.stack(objects)
    sides = corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0]
    u, v = (half * side / np.hypot(*side.T)[:, None] for side in sides)
    seen = classify(view, Candidates(corners.mean(1), u, v, np.ones(len(corners))))
    face = classify_all_round(seen, find_crops(view, seen.candidates)).probability > NO_FACE
    may_be = face & (see_whole(view, seen.candidates).probability > NO_PALE_DIE)
    return [each for each, maybe in zip(objects, may_be, strict=True) if maybe]


def _rectangle(piece: Blob) -> Floats:
    """Return the corners of the smallest rectangle around a piece, (4, 2) in pixels of its picture."""
    part, mask = piece
    points = np.argwhere(mask)[:, ::-1] + (part[1].start, part[0].start)
    return np.asarray(cv2.boxPoints(cv2.minAreaRect(points.astype(np.float32))), np.float64)


def _colours(view: PictureView, chosen: ChosenDice, level: int) -> tuple[Floats, Floats]:
    """Return each die's colour between its pips, and that of the ground around it, both (n, 3)."""
    picture = view.levels[level]
    own = np.median(sample_level(picture, chosen.dice.places.points(USUAL_PITCH * BETWEEN), level), 1)
    around = chosen.dice.places.centre[:, None] + 2.6 * chosen.dice.places.half[:, None, None] * CIRCLE
    ground = np.median(sample_level(picture, around, level), 1)
    return np.asarray(own, np.float64), np.asarray(ground, np.float64)


def _clear_dice(mask: Pixels, chosen: ChosenDice, level: int) -> None:
    """Clear the dice that were read from a mask."""
    for (x, y), half in zip(chosen.dice.places.centre, chosen.dice.places.half, strict=True):
        spot = round(float(to_level(x, level))), round(float(to_level(y, level)))
        cv2.circle(mask, spot, round(FACE.reach * float(half) / 2.0**level), 0, cv2.FILLED)


def _dice_like(mask: Pixels, half: float) -> Iterator[Blob]:
    """Yield the pieces of a mask that are as large and compact as a die of that half edge, each with a margin.

    Such a piece, with its holes, is a rectangle about as large as a die with at most one side face.
    """
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    outlines, levels = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    for n, outline in enumerate(outlines):
        x, y, w, h = cv2.boundingRect(outline)
        if levels[0, n, 3] >= 0 or not 1.1 * half < max(w, h) < 5 * half:  # a hole, or of another size
            continue
        _, (width, height), _ = cv2.minAreaRect(outline)
        short, long = sorted((width + 1, height + 1))
        left, top = max(0, x - _MARGIN), max(0, y - _MARGIN)
        part = slice(top, y + h + _MARGIN), slice(left, x + w + _MARGIN)
        piece = np.zeros_like(mask[part])
        cv2.drawContours(piece, [outline], 0, 1, cv2.FILLED, offset=(-left, -top))
        if 1.1 * half < short and long < 3.1 * half and piece.sum() > 0.7 * short * long:
            yield part, piece > 0


def _brighter(colours: Pixels, dice: Floats) -> bool:
    """Return whether colours (n, 3) may be those of a die like one of `dice` in glare: light only adds."""
    return bool((np.median(colours, 0) > dice - LIGHT_RANGE).all(1).any())


def _stands_out(picture: Pixels, mask: Bools, own: Floats, contrast: Floats) -> bool:
    """Return whether a piece differs from its surroundings as the dice of its colour differ from the ground."""
    step = _step(picture, mask, 2)
    inside = np.median(picture[mask], 0)
    return step is None or step > STANDS_OUT * float(contrast[np.abs(own - inside).max(1).argmin()])


def _ends(picture: Pixels, mask: Bools, half: float) -> bool:
    """Return whether a piece ends as a die of that half edge does, and does not fade into its surroundings."""
    near, far = (_step(picture, mask, round(reach * half)) for reach in (NEAR, FAR))
    return near is None or far is None or near > END * far


def _step(picture: Pixels, mask: Bools, beyond: int) -> float | None:
    """Return the difference between a piece and the ring `beyond` pixels outside it, None outside the picture."""
    piece = mask.astype(np.uint8)
    inner, outer = (cv2.dilate(piece, np.ones((2 * n + 1,) * 2, np.uint8)) > 0 for n in (beyond - 1, beyond))
    ring = outer & ~inner
    if not ring.any():
        return None
    return float(np.median(np.abs(picture[ring] - np.median(picture[mask], 0)).max(1)))
