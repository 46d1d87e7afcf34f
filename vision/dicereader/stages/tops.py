"""From the pips of known dice to their top faces: every place, turn and face that the pips bear out."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dicereader.stages import cubes
from dicereader.stages.bodies import Mask
from dicereader.stages.plane import Plane
from dicereader.stages.poses import FACES, LAYOUTS, SITES, WANTED
from dicereader.stages.sampling import sample
from dicereader.stages.tone import Answer
from dicereader.tray.dice_set import DiceSet

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

SLACK = 0.11
"""How far the distance of two corner pips may be from the known one, as a share: leaning dice too."""

LEAST_FIT = 0.2
ON_BODY = 0.8
"""The share of a top face that must lie on a body."""

REACH = 0.35
"""A pip belongs to a site that is nearer than this share of the corner pips' offset."""

SIXES = (5, 6)
"""The layouts of a six, by the way its columns of three run."""

TURNS = np.arange(0, 90, 6) * (np.pi / 180)
"""Turns tried for a one, whose pip tells none."""

_TOP_GRID = np.stack(np.meshgrid(np.linspace(-0.9, 0.9, 7), np.linspace(-0.9, 0.9, 7)), -1).reshape(-1, 2)
_WIDE_GRID = np.stack(np.meshgrid(np.linspace(-1.6, 1.6, 13), np.linspace(-1.6, 1.6, 13)), -1).reshape(-1, 2)
_ALONG = np.stack([np.cos(TURNS), np.sin(TURNS)], 1)
_ACROSS = np.stack([-np.sin(TURNS), np.cos(TURNS)], 1)
_GRID_TURNED = _ALONG @ _WIDE_GRID.T, _ACROSS @ _WIDE_GRID.T
"""The wide grid along and across each turn's sides, each (turns, points)."""


@dataclass(frozen=True, eq=False)
class Tops:
    """Top faces that may be there, as arrays of length n in pixels of level 0.

    `centre` (n, 2); `turn` in radians; `layout` an index of `LAYOUTS`; `fit` from 0 to 1, how clearly each site has a
    pip or none; `stray` how far the pips are from their sites (root of the mean square, as a share of a die's edge);
    `scale` how large the pattern is beside the known one; `on_body` the share of the face on a body; `contrast` how
    strong its pips are beside the known ones.
    """

    centre: Floats
    turn: Floats
    layout: Ints
    fit: Floats
    stray: Floats
    scale: Floats
    on_body: Floats
    contrast: Floats

    def __len__(self) -> int:
        return len(self.fit)

    @property
    def face(self) -> NDArray[np.int64]:
        """The face each shows."""
        return np.asarray(FACES[self.layout], np.int64)

    def take(self, index: Ints | NDArray[np.bool_]) -> "Tops":
        """Those of an index or mask, in its order."""
        return Tops(*(getattr(self, name)[index] for name in _FIELDS))


_FIELDS = ("centre", "turn", "layout", "fit", "stray", "scale", "on_body", "contrast")


def joined(*parts: Tops) -> Tops:
    """Several sets of tops as one."""
    return Tops(*(np.concatenate([getattr(p, name) for p in parts]) for name in _FIELDS))


@lru_cache(maxsize=8)
def patterns(dice: DiceSet) -> tuple[tuple[int, Floats, Floats], ...]:
    """Each layout's pips, and the places where it has none, in millimetres from the face's middle."""
    found = []
    for index, (_, wanted) in enumerate(LAYOUTS):
        places = _grid(dice, index)
        bare = [k for k in range(len(SITES)) if k not in wanted]
        found.append((index, places[list(wanted)], places[bare]))
    return tuple(found)


def _square_six(dice: DiceSet) -> bool:
    """Whether a six's pips stand as far apart across its columns as along them."""
    return abs(dice.six_mm / dice.corner_mm - 1) < 0.03


def _grid(dice: DiceSet, index: int) -> Floats:
    """The places of `SITES` on a face of a layout, in millimetres from its middle."""
    squeeze = np.ones(2)
    if index in SIXES and not _square_six(dice):
        # Its columns of three run along v where sites 5 and 6 are pips, along u where 7 and 8 are.
        squeeze[SIXES.index(index)] = dice.six_mm / dice.corner_mm
    return np.asarray(SITES * squeeze * dice.corner_mm, np.float64)


def find_tops(view: Plane, points: Floats, answer: Answer, mask: Mask, dice: DiceSet) -> Tops:
    """All faces of two to six pips, best first, each place and turn once.

    `points` (n, 2) are the pips; `mask` is the bodies' at level 1.
    """
    scale = view.scale
    found = []
    a, b = np.triu_indices(len(points), 1)
    gap = points[b] - points[a]
    length = np.hypot(*gap.T) / 2
    middle = (points[a] + points[b]) / 2
    angle = np.arctan2(gap[:, 1], gap[:, 0])
    corner, six = dice.corner_mm * scale, dice.six_mm * scale
    square = np.abs(length / (corner * 2**0.5) - 1) < SLACK
    # A six that is no narrower than long has its corners where the others have theirs.
    plain = (1, 2, 3, 4, *SIXES) if _square_six(dice) else (1, 2, 3, 4)
    found.append(_scored(middle[square], angle[square] - np.pi / 4, plain, answer, dice, scale))
    if not _square_six(dice):
        oblong = np.abs(length / np.hypot(corner, six) - 1) < SLACK
        for side in (1, -1):
            for layout, tilt in zip(SIXES, (np.arctan2(corner, six), np.arctan2(six, corner)), strict=True):
                found.append(_scored(middle[oblong], angle[oblong] - side * tilt, (layout,), answer, dice, scale))
    tops = joined(*found)
    tops = distinct(tops.take(tops.fit > LEAST_FIT), 0.3 * corner)
    tops = _moved(tops, points, dice, scale)
    tops = tops.take(on(view, tops.centre, tops.turn, mask) > ON_BODY)
    return distinct(_rescored(tops, answer, dice, scale, view, mask), 0.5 * corner)


def find_ones(view: Plane, points: Floats, strength: Floats, mask: Mask) -> Tops:
    """A one around each pip, turned as the body around it is."""
    n = len(points)
    if n == 0:
        return none()
    turn, _ = turned(view, points, mask)
    zero, one = np.zeros(n), np.ones(n)
    on_body = on(view, points, turn, mask)
    tops = Tops(points, turn, zero.astype(np.intp), np.clip(strength, 0, 1), zero, one, on_body, one)
    return tops.take(on_body > ON_BODY)


def turned(view: Plane, points: Floats, mask: Mask) -> tuple[Floats, Floats]:
    """For tops with middles (n, 2) the turns whose hulls cover the bodies best, and the misfits, as shares of a top."""
    half = view.edge / 2
    spread = points[:, None] + _WIDE_GRID * half
    there = (sample(mask, (spread[..., 0] - 0.5) / 2, (spread[..., 1] - 0.5) / 2) > 127)[:, None]
    base = cubes.sunk(view, points)
    base_half = half * view.height / (view.height + view.edge)
    # A die's hull is its top, its base, and what lies halfway.
    hull = (
        _in_square(np.zeros_like(points), 1.0)
        | _in_square((points - base) / 2 / half, (1 + base_half / half) / 2)
        | _in_square((points - base) / half, base_half / half)
    )
    # What is beside may be another die.
    miss = (hull & ~there).sum(2) + 0.4 * (there & ~hull).sum(2)
    rows = np.arange(len(points))
    best = miss.argmin(1)
    before, after, here = miss[rows, best - 1], miss[rows, (best + 1) % len(TURNS)], miss[rows, best]
    off = (before - after) / np.maximum(2 * (before + after - 2 * here), 1e-6)
    per_top = (_WIDE_GRID[1, 0] - _WIDE_GRID[0, 0]) ** 2 / 4
    return TURNS[best] + np.clip(off, -0.5, 0.5) * (TURNS[1] - TURNS[0]), here * per_top


def _in_square(off: Floats, half: float) -> NDArray[np.bool_]:
    """Which points of the grid, moved by n offsets (n, 2), lie in a square of that half edge at each turn: shape (n,
    turns, points)."""
    along = np.abs((off @ _ALONG.T)[:, :, None] + _GRID_TURNED[0]) <= half
    across = np.abs((off @ _ACROSS.T)[:, :, None] + _GRID_TURNED[1]) <= half
    return np.asarray(along & across, np.bool_)


def none() -> Tops:
    """No tops at all."""
    zero = np.zeros(0)
    return Tops(np.zeros((0, 2)), zero, zero.astype(np.intp), zero, zero, zero, zero, zero)


def on(view: Plane, centre: Floats, turn: Floats, mask: Mask) -> Floats:
    """The share of each top that lies on a body."""
    cos, sin = np.cos(turn)[:, None], np.sin(turn)[:, None]
    x, y = _TOP_GRID.T * view.edge / 2
    px, py = centre[:, :1] + x * cos - y * sin, centre[:, 1:] + x * sin + y * cos
    return np.asarray((sample(mask, (px - 0.5) / 2, (py - 0.5) / 2) > 127).mean(1), np.float64)


def sites(centre: Floats, turn: Floats, places: Floats) -> Floats:
    """Places (k, 2) of a face in pixels as points of level 0, shape (n, k, 2)."""
    cos, sin = np.cos(turn)[:, None], np.sin(turn)[:, None]
    x, y = places.T
    return np.asarray(np.stack([x * cos - y * sin, x * sin + y * cos], 2) + centre[:, None], np.float64)


def _scored(
    centre: Floats, turn: Floats, layouts: tuple[int, ...], answer: Answer, dice: DiceSet, scale: float
) -> Tops:
    """The poses with that one of some layouts that fits best; all of them have their sites in the same places."""
    n = len(centre)
    seen = answer.at(sites(centre, turn, _grid(dice, layouts[0]) * scale))[:, None]
    wrong = np.where(WANTED[list(layouts)] > 0, np.maximum(0.8 - seen, 0), np.maximum(seen - 0.25, 0))
    fits = 1 - 0.8 * wrong.max(2) - 1.2 * wrong.mean(2)
    best = fits.argmax(1) if n else np.zeros(0, np.intp)
    fit = np.clip(fits[np.arange(n), best], 0, 1)
    zero = np.zeros(n)
    return Tops(centre, turn, np.array(layouts, np.intp)[best], fit, zero, np.ones(n), zero, np.ones(n))


def _rescored(tops: Tops, answer: Answer, dice: DiceSet, scale: float, view: Plane, mask: Mask) -> Tops:
    seen = np.zeros((len(tops), len(SITES)))
    for index in np.unique(np.where(np.isin(tops.layout, SIXES) & ~_square_six(dice), tops.layout, 0)):
        some = tops.layout == index if index else ~np.isin(tops.layout, SIXES) | _square_six(dice)
        seen[some] = answer.at(sites(tops.centre[some], tops.turn[some], _grid(dice, int(index)) * scale))
    wrong = np.where(WANTED[tops.layout] > 0, np.maximum(0.8 - seen, 0), np.maximum(seen - 0.25, 0))
    fit = np.clip(1 - 0.8 * wrong.max(1, initial=0.0) - 1.2 * wrong.mean(1), 0, 1)
    return Tops(
        tops.centre,
        tops.turn,
        tops.layout,
        fit,
        tops.stray,
        tops.scale,
        on(view, tops.centre, tops.turn, mask),
        tops.contrast,
    )


def distinct(tops: Tops, near: float) -> Tops:
    """The best of those that lie on one place with one face and much the same turn, best first."""
    tops = tops.take(np.argsort(-tops.fit, kind="stable"))
    gap = np.hypot(*(tops.centre[:, None] - tops.centre).transpose(2, 0, 1))
    apart = np.abs((tops.turn[:, None] - tops.turn + np.pi / 4) % (np.pi / 2) - np.pi / 4)
    same = (gap < near) & (apart < 0.2) & (tops.face[:, None] == tops.face)
    first = np.argmax(same, 1) == np.arange(len(tops)) if len(tops) else np.zeros(0, bool)
    return tops.take(np.asarray(first, np.bool_))


def _moved(tops: Tops, points: Floats, dice: DiceSet, scale: float) -> Tops:
    """The tops moved and turned onto the pips found at their sites; `stray` and `scale` measured."""
    centre, turn = tops.centre.copy(), tops.turn.copy()
    stray, size = np.zeros(len(tops)), np.ones(len(tops))
    for index, pips, _ in patterns(dice):
        some = np.flatnonzero(tops.layout == index)
        if len(some) == 0:
            continue
        places = pips * scale
        wanted = sites(centre[some], turn[some], places)
        gap = np.hypot(*(wanted[:, :, None] - points).transpose(3, 0, 1, 2))
        match = gap.argmin(2)
        found = np.take_along_axis(gap, match[..., None], 2)[..., 0] < REACH * dice.corner_mm * scale
        there = np.where(found[..., None], points[match], wanted)
        mid = there.mean(1)
        away = there - mid[:, None]
        x, y = places.T
        along = (away[..., 0] * x + away[..., 1] * y).sum(1)
        across = (away[..., 1] * x - away[..., 0] * y).sum(1)
        centre[some], turn[some] = mid, np.arctan2(across, along)
        size[some] = np.hypot(along, across) / (places**2).sum()
        left = (there - sites(mid, turn[some], places)) * found[..., None]
        stray[some] = np.sqrt((left**2).sum((1, 2)) / np.maximum(found.sum(1), 1)) / (dice.corner_mm * scale)
    return Tops(centre, turn, tops.layout, tops.fit, stray, size, tops.on_body, tops.contrast)
