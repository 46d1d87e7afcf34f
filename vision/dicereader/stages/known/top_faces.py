"""Find candidates for the top faces of known dice from their pips: every place, turn and face that pips support."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from dicereader.data.arrays import Bools, FaceNumbers, Floats, Ints, Records
from dicereader.stages.known.bodies import Bodies, Mask
from dicereader.stages.known.pip_response import PipResponse
from dicereader.stages.known.plane import TopPlane, at_base, in_squares, points_on
from dicereader.stages.shared.layouts import FACES, HAS_PIP, LAYOUTS, SITES
from dicereader.stages.shared.sampling import sample
from dicereader.tray.calibration import DiceSet

SLACK = 0.11
"""Fraction by which the distance of two corner pips may differ from the known one, on leaning dice too."""

LEAST_FIT = 0.2
ON_BODY = 0.75
"""Fraction of a top face that must be on a body."""

BARELY = 25.0
"""Value of a mask (0 to 255), between its pixels, from which a point is on a body: the edges of bodies are soft."""

SIXES = (5, 6)
"""Indices of the layouts of a six, by the direction of its columns."""

TURNS = np.arange(0, 90, 6) * (np.pi / 180)
"""Turns, in radians, that are tried for a one: its single pip does not show the turn."""

_TOP_GRID = np.stack(np.meshgrid(np.linspace(-0.9, 0.9, 7), np.linspace(-0.9, 0.9, 7)), -1).reshape(-1, 2)
_WIDE_GRID = np.stack(np.meshgrid(np.linspace(-1.6, 1.6, 13), np.linspace(-1.6, 1.6, 13)), -1).reshape(-1, 2)
_ALONG = np.stack([np.cos(TURNS), np.sin(TURNS)], 1)
_ACROSS = np.stack([-np.sin(TURNS), np.cos(TURNS)], 1)
_GRID_TURNED = _ALONG @ _WIDE_GRID.T, _ACROSS @ _WIDE_GRID.T
"""The wide grid along and across the sides at each turn, each (turns, points)."""


@dataclass(frozen=True, eq=False)
class TopFaces(Records):
    """Candidates for top faces, as arrays of length n in pixels of level 0.

    `centre` (n, 2); `turn` in radians; `layout` an index of `LAYOUTS`; `fit` from 0 to 1 says how clearly each site
    has a pip or none; `residual` is the root mean square distance of the pips from their sites, as a fraction of the
    corner offset; `scale` the pattern's size relative to the known one; `on_body` the fraction of the face on a body.
    """

    centre: Floats
    turn: Floats
    layout: Ints
    fit: Floats
    residual: Floats
    scale: Floats
    on_body: Floats

    @property
    def face(self) -> FaceNumbers:
        """The face of each candidate."""
        return np.asarray(FACES[self.layout], np.int64)


def no_faces() -> TopFaces:
    """Return no candidates."""
    zero = np.zeros(0)
    return TopFaces(np.zeros((0, 2)), zero, zero.astype(np.intp), zero, zero, zero, zero)


@lru_cache(maxsize=8)
def pip_places(dice: DiceSet) -> tuple[tuple[Floats, Floats], ...]:
    """Return for each layout the places of its pips, and of its sites without a pip, in millimetres from the middle."""
    found = []
    for index, (_, pips) in enumerate(LAYOUTS):
        places = _sites_mm(dice, index)
        found.append((places[list(pips)], places[[k for k in range(len(SITES)) if k not in pips]]))
    return tuple(found)


def has_square_six(dice: DiceSet) -> bool:
    """Return whether a six's pips are as far apart across its columns as along them."""
    return abs(dice.six_mm / dice.corner_mm - 1) < 0.03


def _sites_mm(dice: DiceSet, layout: int) -> Floats:
    """Return the places of `SITES` on a face of a layout, in millimetres from its middle."""
    squeeze = np.ones(2)
    if layout in SIXES and not has_square_six(dice):
        # Its columns run along v if sites 5 and 6 are pips, along u if 7 and 8 are.
        squeeze[SIXES.index(layout)] = dice.six_mm / dice.corner_mm
    return np.asarray(SITES * squeeze * dice.corner_mm, np.float64)


def find_faces(view: TopPlane, pips: Floats, response: PipResponse, mask: Mask, dice: DiceSet) -> TopFaces:
    """Return the candidates with two to six pips, the best first, each place and turn once.

    Args:
        view: the plane of the dice's tops.
        pips: the pips (n, 2) in pixels of level 0.
        response: the response to pips.
        mask: where bodies may be, in level 1.
        dice: the table's dice.
    """
    scale = view.scale
    a, b = np.triu_indices(len(pips), 1)
    gap = pips[b] - pips[a]
    length = np.hypot(*gap.T) / 2
    middle = (pips[a] + pips[b]) / 2
    angle = np.arctan2(gap[:, 1], gap[:, 0])
    corner, six = dice.corner_mm * scale, dice.six_mm * scale
    diagonal = np.abs(length / (corner * 2**0.5) - 1) < SLACK
    square_six = has_square_six(dice)
    # A square six has its corners where the other faces have theirs.
    plain = (1, 2, 3, 4, *SIXES) if square_six else (1, 2, 3, 4)
    found = [_scored(middle[diagonal], angle[diagonal] - np.pi / 4, plain, response, dice, scale)]
    if not square_six:
        oblong = np.abs(length / np.hypot(corner, six) - 1) < SLACK
        for side in (1, -1):
            for layout, tilt in zip(SIXES, (np.arctan2(corner, six), np.arctan2(six, corner)), strict=True):
                found.append(_scored(middle[oblong], angle[oblong] - side * tilt, (layout,), response, dice, scale))
    faces = found[0].join(*found[1:])
    faces = _distinct(faces.take(faces.fit > LEAST_FIT), 0.3 * corner)
    faces = _aligned(faces, pips, dice, scale)
    faces = faces.take(fraction_on(view, faces.centre, faces.turn, mask, dice) > ON_BODY)
    return _distinct(_rescored(faces, response, dice, scale, view, mask), 0.5 * corner)


def find_ones(view: TopPlane, pips: Floats, strength: Floats, bodies: Bodies, dice: DiceSet) -> TopFaces:
    """Return a one around each pip (n, 2) with a response (n,), turned like the body around it."""
    n = len(pips)
    turn, _ = best_turns(view, pips, bodies)
    zero = np.zeros(n)
    on_body = fraction_on(view, pips, turn, bodies.possible, dice)
    faces = TopFaces(pips, turn, zero.astype(np.intp), np.clip(strength, 0, 1), zero, np.ones(n), on_body)
    return faces.take(on_body > ON_BODY)


def best_turns(view: TopPlane, centre: Floats, bodies: Bodies) -> tuple[Floats, Floats]:
    """Return the turns (n,) at which the hulls of dice with middles (n, 2) cover the bodies best, and the misfits.

    The misfit is an area, as a fraction of a top.
    """
    half = view.edge / 2
    points = centre[:, None] + _WIDE_GRID * half
    there, possible = (_is_on(points, mask, BARELY)[:, None] for mask in (bodies.mask, bodies.possible))
    base = at_base(view, centre)
    base_half = half * view.height / (view.height + view.edge)
    # A die's hull is its top, its base, and the square halfway.
    hull = (
        _in_turned_squares(np.zeros_like(centre), 1.0)
        | _in_turned_squares((centre - base) / 2 / half, (1 + base_half / half) / 2)
        | _in_turned_squares((centre - base) / half, base_half / half)
    )
    # Body beside the hull may be another die.
    miss = (hull & ~possible).sum(2) + 0.4 * (there & ~hull).sum(2)
    rows = np.arange(len(centre))
    best = miss.argmin(1)
    before, after, here = miss[rows, best - 1], miss[rows, (best + 1) % len(TURNS)], miss[rows, best]
    off = (before - after) / np.maximum(2 * (before + after - 2 * here), 1e-6)
    per_top = (_WIDE_GRID[1, 0] - _WIDE_GRID[0, 0]) ** 2 / 4
    return TURNS[best] + np.clip(off, -0.5, 0.5) * (TURNS[1] - TURNS[0]), here * per_top


def _in_turned_squares(off: Floats, half: float) -> Bools:
    """Return which grid points, moved by n offsets (n, 2), are in a square at each turn: (n, turns, points)."""
    along = np.abs((off @ _ALONG.T)[:, :, None] + _GRID_TURNED[0]) <= half
    across = np.abs((off @ _ACROSS.T)[:, :, None] + _GRID_TURNED[1]) <= half
    return np.asarray(along & across, np.bool_)


def fraction_on(view: TopPlane, centre: Floats, turn: Floats, mask: Mask, dice: DiceSet) -> Floats:
    """Return the fraction of each top face that is on a body.

    The base must be on a body, too, or what is behind must be on none: behind a side is the die's top. The
    base does not count for dice whose sides look like the ground: no such side is on a body.
    """
    points = points_on(centre, turn, _TOP_GRID * view.edge / 2)
    on = _is_on(points, mask, BARELY).mean(1)
    if dice.off_body > ON_BODY:
        return np.asarray(on, np.float64)
    base = at_base(view, points)
    beneath = _is_on(base, mask, BARELY).mean(1)
    behind = 2 * points - base
    beyond = ~in_squares(behind, centre, turn, view.edge / 2)
    alone = 1 - (beyond & _is_on(behind, mask, BARELY)).sum(1) / np.maximum(beyond.sum(1), 1)
    return np.asarray(np.minimum(on, np.maximum(beneath, alone)), np.float64)


def _is_on(points: Floats, mask: Mask, least: float = 127) -> Bools:
    """Return which points of level 0 are on a mask of level 1."""
    return np.asarray(sample(mask, (points[..., 0] - 0.5) / 2, (points[..., 1] - 0.5) / 2) > least, np.bool_)


def _scored(
    centre: Floats, turn: Floats, layouts: tuple[int, ...], response: PipResponse, dice: DiceSet, scale: float
) -> TopFaces:
    """Return the poses, each with the best of some layouts, which all have their sites at the same places."""
    n = len(centre)
    seen = response.at(points_on(centre, turn, _sites_mm(dice, layouts[0]) * scale))
    fits = _fit(seen[:, None], HAS_PIP[list(layouts)])
    best = fits.argmax(1) if n else np.zeros(0, np.intp)
    fit = np.clip(fits[np.arange(n), best], 0, 1)
    zero = np.zeros(n)
    return TopFaces(centre, turn, np.array(layouts, np.intp)[best], fit, zero, np.ones(n), zero)


def _fit(seen: Floats, wanted: Floats) -> Floats:
    """Return how well responses at sites fit the wanted pips, which are 1 or 0; sites are the last axis."""
    wrong = np.where(wanted > 0, np.maximum(0.8 - seen, 0), np.maximum(seen - 0.25, 0))
    return np.asarray(1 - 0.8 * wrong.max(-1, initial=0.0) - 1.2 * wrong.mean(-1), np.float64)


def _rescored(
    faces: TopFaces, response: PipResponse, dice: DiceSet, scale: float, view: TopPlane, mask: Mask
) -> TopFaces:
    seen = np.zeros((len(faces), len(SITES)))
    # All layouts but an oblong six have their sites at the places of layout 0.
    grids = np.where(np.isin(faces.layout, SIXES) & (not has_square_six(dice)), faces.layout, 0)
    for layout in np.unique(grids):
        some = grids == layout
        seen[some] = response.at(points_on(faces.centre[some], faces.turn[some], _sites_mm(dice, int(layout)) * scale))
    fit = np.clip(_fit(seen, HAS_PIP[faces.layout]), 0, 1)
    return replace(faces, fit=fit, on_body=fraction_on(view, faces.centre, faces.turn, mask, dice))


def _distinct(faces: TopFaces, near: float) -> TopFaces:
    """Return the best of the candidates at one place with one face and nearly the same turn, the best first."""
    faces = faces.take(np.argsort(-faces.fit, kind="stable"))
    gap = np.hypot(*(faces.centre[:, None] - faces.centre).transpose(2, 0, 1))
    apart = np.abs((faces.turn[:, None] - faces.turn + np.pi / 4) % (np.pi / 2) - np.pi / 4)
    same = (gap < near) & (apart < 0.2) & (faces.face[:, None] == faces.face)
    first = np.argmax(same, 1) == np.arange(len(faces)) if len(faces) else np.zeros(0, bool)
    return faces.take(np.asarray(first, np.bool_))


def _aligned(faces: TopFaces, pips: Floats, dice: DiceSet, scale: float) -> TopFaces:
    """Return the faces moved and turned onto the pips at their sites, with `residual` and `scale` measured."""
    centre, turn = faces.centre.copy(), faces.turn.copy()
    residual, size = np.zeros(len(faces)), np.ones(len(faces))
    for layout, (places, _) in enumerate(pip_places(dice)):
        some = np.flatnonzero(faces.layout == layout)
        if len(some) == 0:
            continue
        places = places * scale
        expected = points_on(centre[some], turn[some], places)
        gap = np.hypot(*(expected[:, :, None] - pips).transpose(3, 0, 1, 2))
        there = pips[gap.argmin(2)]
        middle = there.mean(1)
        away = there - middle[:, None]
        x, y = places.T
        along = (away[..., 0] * x + away[..., 1] * y).sum(1)
        across = (away[..., 1] * x - away[..., 0] * y).sum(1)
        centre[some], turn[some] = middle, np.arctan2(across, along)
        size[some] = np.hypot(along, across) / (places**2).sum()
        left = there - points_on(middle, turn[some], places)
        residual[some] = np.sqrt((left**2).sum(2).mean(1)) / (dice.corner_mm * scale)
    return replace(faces, centre=centre, turn=turn, residual=residual, scale=size)
