"""Choose which faces are there: places that do not overlap, of much the same size, and that most speaks for."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dicereader.stages.again import look_again
from dicereader.stages.closeup import Seen, colours_at, find_crops, look_all_round, tones_of
from dicereader.stages.detector import Places
from dicereader.stages.lean import level_slant
from dicereader.stages.pattern import WAYS, Patterns, find_patterns
from dicereader.stages.pips import measured
from dicereader.stages.poses import ALONG_A_SIDE, PIP_TO_HALF, Poses
from dicereader.stages.rectify import View
from dicereader.stages.roundness import round_things
from dicereader.stages.search import faces_only, search
from dicereader.stages.sides import sides
from dicereader.stages.worth import ALIKE, HINT, LEAST, OVER, Weighed, right_size, weigh

Floats = NDArray[np.float64]

BODY, ALIKE_BODY = 0.3, 0.22
"""A place that the detector finds this likely, and whose size is this close to the dice's, is one too, whatever is seen
on it: light takes the pips from dice."""

SHADOW = 0.8
"""What is darker than this share of the darkest die read is no die that light has taken the pips from, but a shadow."""

CERTAIN = 0.6
PLAIN, SOMEWHAT, FAINT = 0.9, 0.3, 0.1
"""Beside a face that so much speaks for, another of its size is one, too, which the closer look finds so plain and the
detector so likely, if this much speaks for it: pale pips on pale dice, glare."""

FAINT_HINT = 0.03
"""From here on a place may be a die where nothing was read at all."""

SAME = 1.0
"""Places nearer to each other than this, in half edges, are two looks at one die."""

APART = 0.8
"""Faces whose middles are nearer than this share of both their half edges overlap."""


@dataclass(frozen=True, eq=False)
class Chosen:
    """The dice found: poses that do not overlap, and what speaks for each, as arrays of length n.

    `likely` is the network's opinion of the face, `found` the detector's that there is one, `worth` how much speaks for
    that (`stages.worth`), `slant` (n, 2) where in the picture the face's normal points (`closeup.Seen`). `agrees` is
    whether the pips' pattern shows the same face, and `margin` how much better it fits this face than any other.
    `off_size` is how far its size is from the others', as a logarithm, `rival` how likely another face is. `half` is
    half of each die's edge in pixels, `contested` whether another look at it, good enough by itself, shows another
    face, `nearest` how far in pixels the next place is that is clearly a face too, read or not. `usual` is the half
    edge they have in common, None where there are no dice; `hints` (m, 4, 2) are the corners of places that were not
    read and may be dice.
    """

    poses: Poses
    likely: Floats
    found: Floats
    worth: Floats
    slant: Floats
    agrees: NDArray[np.bool_]
    margin: Floats
    off_size: Floats
    rival: Floats
    half: Floats
    contested: NDArray[np.bool_]
    nearest: Floats
    usual: float | None
    hints: Floats


def choose(
    view: View,
    among: Callable[[Places], Places] = lambda places: places,
    lap: Callable[[str], None] = lambda _: None,
) -> Chosen:
    """The set of faces that do not overlap and that most speaks for, `among` those of the places found."""
    weighed, usual = search(view, among, lap)
    if usual is None:
        return _nobody(view, weighed)
    weighed = faces_only(view, look_again(view, weighed, usual))
    lap("again")
    seen, worth, half = weighed.seen, weighed.worth, weighed.half
    off = np.abs(np.log(half / usual))
    score = worth * right_size(view, half, usual)
    faint = (seen.likely > PLAIN) & (seen.places.likely > SOMEWHAT) & (off < ALIKE) & (worth > FAINT)
    if (score > CERTAIN).any():
        score = np.where(faint, np.maximum(score, LEAST), score)
    taken, aside = _but_sides(view, seen, score)
    score, worth = np.where(aside, 0.0, score), np.where(aside, 0.0, worth)
    some = look_all_round(view, seen.take(taken))
    lap("all round")
    patterns = find_patterns(find_crops(view, some.places))
    each = np.arange(len(taken))
    fit = patterns.fits[each, some.face - 1]
    poses = measured(view, poses_of(view, some.places, some.face, patterns))
    lap("pattern")
    bodies = np.flatnonzero((seen.places.likely > BODY) & (off < ALIKE_BODY) & (score < LEAST))
    bodies = bodies[tones_of(colours_at(view, seen.places.take(bodies)))[0] > SHADOW * poses.base.min(initial=255.0)]
    bodies = bodies[~round_things(view, seen.places.take(bodies))]
    may_be = np.where(worth > CERTAIN, np.maximum(score, LEAST), score)  # of another size, too
    may_be[bodies] = LEAST
    return Chosen(
        poses=poses,
        likely=some.said[each, some.face],
        found=some.places.likely,
        worth=worth[taken],
        slant=some.slant,
        agrees=patterns.face == some.face,
        margin=fit - _best_but(patterns.fits, some.face - 1),
        off_size=off[taken],
        rival=_best_but(some.said[:, 1:], some.face - 1),
        half=half[taken],
        contested=_contested(seen, some.face, score, taken, half),
        nearest=_nearest(seen.places, score, taken, half),
        usual=usual,
        hints=_hints(view, seen, may_be, taken, bodies, usual),
    )


def poses_of(view: View, places: Places, face: NDArray[np.int64], patterns: Patterns) -> Poses:
    """The faces as poses, with their pips where the pattern has them."""
    n = len(places)
    each = np.arange(n)
    ways = [WAYS[way] for way in patterns.ways[each, face - 1]]
    turned = np.array([way.turned for way in ways], bool).reshape(-1, 1)
    u, v = np.where(turned, places.v, places.u), np.where(turned, -places.u, places.v)
    pitch = np.array([way.pitch for way in ways]).reshape(-1, 1)
    base, contrast, sign = tones_of(colours_at(view, places))
    layout = [ALONG_A_SIDE[way.face] if way.along_a_side else way.face - 1 for way in ways]
    return Poses(
        centre=places.centre,
        u=u * pitch * np.array([way.aspect for way in ways]).reshape(-1, 1),
        v=v * pitch,
        layout=np.array(layout, np.intp),
        fit=patterns.fits[each, face - 1],
        r=PIP_TO_HALF * places.half,
        sign=sign,
        base=base,
        contrast=contrast,
    )


def _best_but(values: Floats, own: NDArray[np.int64]) -> Floats:
    """The largest of each row (n, 6) but its own one."""
    others = values.copy()
    others[np.arange(len(values)), own] = 0.0
    best: Floats = others.max(1, initial=0.0)
    return best


def _apart(places: Places, score: Floats, half: Floats) -> NDArray[np.intp]:
    """The best places that lie beside each other."""
    taken: list[int] = []
    for n in np.argsort(-score, kind="stable"):
        if score[n] < LEAST:
            break
        gap = np.hypot(*(places.centre[taken] - places.centre[n]).T) if taken else np.zeros(0)
        if np.all(gap > APART * (half[taken] + half[n])):
            taken.append(int(n))
    return np.array(taken, np.intp)


def _but_sides(view: View, seen: Seen, score: Floats) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """The best places that lie beside each other and are no sides of dice, and which of all are sides of these."""
    places, half = seen.places, seen.places.half
    first = _apart(places, score, half)

    def sides_of(dice: NDArray[np.intp]) -> NDArray[np.bool_]:
        return sides(seen, dice, level_slant(view, places.centre[first], seen.slant[first], places.centre[dice]))

    # A side may speak for itself more clearly than its die's own face does.
    taken = _apart(places, np.where(sides_of(np.flatnonzero(score >= LEAST)), 0.0, score), half)
    aside = sides_of(taken)
    return taken[~aside[taken]], aside


def _nearest(places: Places, score: Floats, taken: NDArray[np.intp], half: Floats) -> Floats:
    """How far from each chosen place the next one is that is clearly a face of another die, in pixels."""
    gap = np.hypot(*(places.centre[taken][:, None] - places.centre).transpose(2, 0, 1))
    other = (score > OVER) & (gap > 0.7 * half[taken][:, None]) & (np.abs(np.log(half / half[taken][:, None])) < 0.25)
    return np.asarray(np.where(other, gap, np.inf).min(1, initial=np.inf), np.float64)


def _contested(
    seen: Seen, face: NDArray[np.int64], score: Floats, taken: NDArray[np.intp], half: Floats
) -> NDArray[np.bool_]:
    """Which chosen places another one lies on that shows another than their `face` and would be a die by itself."""
    gap = np.hypot(*(seen.places.centre[taken][:, None] - seen.places.centre).transpose(2, 0, 1))
    over = gap < SAME * np.minimum(half[taken][:, None], half)
    other = (seen.face != face[:, None]) & (score >= LEAST)
    return np.asarray((over & other).any(1), np.bool_)


def _hints(
    view: View, seen: Seen, score: Floats, taken: NDArray[np.intp], bodies: NDArray[np.intp], usual: float
) -> Floats:
    """The corners (m, 4, 2) of places that were not chosen and may be dice nevertheless: on no die, and from all sides
    somewhat like one of the usual size or clearly like one of another, or `bodies` without pips."""
    places, half = seen.places, seen.places.half
    left = np.flatnonzero(score > HINT)
    gap = np.hypot(*(places.centre[left][:, None] - places.centre[taken]).transpose(2, 0, 1))
    free = left[np.all(gap > 0.75 * (half[left][:, None] + half[taken]), 1)]
    again = weigh(look_all_round(view, seen.take(free))).worth
    like = (again * right_size(view, half[free], usual) > HINT) | (again > CERTAIN)
    free = free[like | np.isin(free, bodies)]
    return places.take(free[_apart(places.take(free), np.maximum(score[free], LEAST), half[free])]).corners


def _nobody(view: View, weighed: Weighed) -> Chosen:
    somewhat = weighed.seen.take(np.flatnonzero(weighed.worth > FAINT_HINT))
    hints = somewhat.places.take(weigh(look_all_round(view, somewhat)).worth > FAINT_HINT).corners
    none = np.zeros(0)
    nowhere = np.zeros((0, 2))
    poses = Poses(nowhere, nowhere, nowhere, none.astype(np.intp), none, none, none, none, none)
    return Chosen(
        poses, none, none, none, nowhere, none.astype(bool), none, none, none, none, none.astype(bool), none,
        usual=None, hints=hints,
    )  # fmt: skip
