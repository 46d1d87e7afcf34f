"""Choose the top faces of known dice: those that pips, network and bodies bear out and that exclude no other."""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.stages import cubes
from dicereader.stages.bodies import Bodies
from dicereader.stages.closeup import Seen, look_there
from dicereader.stages.closeup import joined as stacked
from dicereader.stages.cover import Cover, cover
from dicereader.stages.detector import Places
from dicereader.stages.guess import best_of, guess
from dicereader.stages.plane import Plane
from dicereader.stages.sampling import sample
from dicereader.stages.tone import Answer, answers, spots, tone
from dicereader.stages.tops import Tops, find_ones, find_tops, joined, none
from dicereader.tray.dice_set import DiceSet

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Window = tuple[int, int, int, int]

MOST_FACES = 12
"""So many faces the network is asked about at once: a crop takes it a tenth of a millisecond."""

PLAIN, PLAINER = 0.85, 0.95
"""A pattern that fits so well, on a body, keeps its pips: no one is looked for there."""

CLEAR_PIP = 0.55
"""The pip of a one answers at least this much."""

ALONE = 0.6
"""A body that no face explains, this share of a die's top or larger, is a die whose face is guessed."""

GUESS = 0.21
"""A guess gives way to any face that is seen."""

PIP_INSET, ONE_INSET = 0.1, 0.36
"""How far from a body's outline a pip of a top face is at least, as a share of a die's edge; and the pip of a one."""

MUCH_CLEARER = 0.45
LEAST_LOOK = 0.3
"""What must speak for a face before the network is asked."""

LEAST_WORTH = 0.2
OVERLAP = 0.88
"""Middles of dice beside each other are at least this share of an edge apart."""


@dataclass(frozen=True, eq=False)
class Level:
    """The faces chosen, as arrays of length n.

    `likely` is the network's share for the face, `rival` the most that speaks for another face at the same place,
    `slant` (n, 2) the network's slant in the view's axes, `glaring` whether only faint pips were found on that body.
    `bodies` is what lies on the tray, `cover` what of it the faces explain.
    """

    tops: Tops
    likely: Floats
    rival: Floats
    slant: Floats
    glaring: NDArray[np.bool_]
    bodies: Bodies
    cover: Cover


@dataclass(frozen=True, eq=False)
class _Seen:
    """What the search for faces looks at: view, bodies, pips (n, 2) and their answers (n,)."""

    view: Plane
    dice: DiceSet
    bodies: Bodies
    answer: Answer
    points: Floats
    strength: Floats
    middle: NDArray[np.bool_]  # whether it lies where a one's pip may


def choose_level(view: Plane, bodies: Bodies, dice: DiceSet, window: Window, lap: Callable[[str], None]) -> Level:
    """The top faces of known dice in a view, whose pixels need be right in a window (x, y, width, height) only.

    `lap` is told the name of each step when it is done.
    """
    seen = _pips(view, bodies, dice, window)
    lap("pips")
    tops, told = _asked(seen, _faces(seen))
    taken = _apart(tops, _score(tops, told), view)
    covered = cover(view, tops.take(taken), bodies.mask)
    lap("faces")
    glaring = np.zeros(len(tops), bool)
    guessed = [guess(view, x, y, bodies.mask, seen.answer, dice) for x, y, share in covered.left if share > ALONE]
    if guessed:
        more, told_more = _asked(seen, joined(*guessed))
        more = best_of(more, told_more, view.edge)
        more, told_more = _asked(seen, more)
        tops, told = joined(tops, more), stacked(told, told_more)
        glaring = np.arange(len(tops)) >= len(glaring)
        score = np.where(glaring, GUESS, _score(tops, told))
        taken = _apart(tops, score, view)
        covered = cover(view, tops.take(taken), bodies.mask)
        lap("guess")
    chosen = tops.take(taken)
    return Level(
        chosen,
        told.said[taken, chosen.face],
        _rivals(tops, told, taken, view),
        told.slant[taken],
        glaring[taken],
        bodies,
        covered,
    )


def nothing(bodies: Bodies) -> Level:
    """No faces at all."""
    zero = np.zeros(0)
    return Level(none(), zero, zero, np.zeros((0, 2)), zero.astype(bool), bodies, Cover(zero, zero, zero, ()))


def slants(view: Plane, places: Floats) -> Floats:
    """The slants of level faces at places (n, 2) of the view: where they are seen from, in its axes."""
    out = places - np.array(view.below)
    return np.asarray(out / np.hypot(np.hypot(*out.T), view.height)[:, None], np.float64)


def _pips(view: Plane, bodies: Bodies, dice: DiceSet, window: Window) -> _Seen:
    x, y, wide, high = window
    toned = tone(view.levels[0][y : y + high, x : x + wide], dice, bodies.light)
    part = bodies.mask[y // 2 : (y + high) // 2, x // 2 : (x + wide) // 2]
    large = np.asarray(cv2.resize(part, (wide, high), interpolation=cv2.INTER_NEAREST), np.uint8)
    answer = answers(toned, large, dice.pip_mm * view.scale, (x, y))
    points, strength = spots(answer, dice.pip_mm * view.scale)
    deep = cv2.distanceTransform(bodies.mask, cv2.DIST_L2, 3)
    inset = 2 * sample(np.asarray(deep, np.float32), (points[:, 0] - 0.5) / 2, (points[:, 1] - 0.5) / 2)
    far = inset > PIP_INSET * view.edge
    return _Seen(view, dice, bodies, answer, points[far], strength[far], inset[far] > ONE_INSET * view.edge)


def _faces(seen: _Seen) -> Tops:
    """All faces of the clear pips, most worth first."""
    found = find_tops(seen.view, seen.points, seen.answer, seen.bodies.mask, seen.dice)
    alone = (seen.strength > CLEAR_PIP) & seen.middle & ~_on_plain(seen.view, found, seen.points)
    ones = find_ones(seen.view, seen.points[alone], seen.strength[alone], seen.bodies.mask)
    tops = joined(found, ones)
    worth = tops.fit * (0.3 + tops.on_body) * np.exp(-4 * np.abs(tops.scale - 1)) * np.where(tops.face == 1, 0.8, 1.0)
    order = np.argsort(-worth, kind="stable")
    tops, worth = tops.take(order), worth[order]
    gap = np.hypot(*(tops.centre[:, None] - tops.centre).transpose(2, 0, 1))
    # What lies over a face that is much clearer cannot be chosen beside it.
    behind = ((gap < OVERLAP * seen.view.edge) & (worth > worth[:, None] + MUCH_CLEARER)).any(1)
    return tops.take(np.flatnonzero((worth > LEAST_LOOK) & ~behind)[:MOST_FACES])


def _asked(seen: _Seen, tops: Tops) -> tuple[Tops, Seen]:
    return tops, look_there(seen.view, as_places(seen.view, tops))


def _score(tops: Tops, told: Seen) -> Floats:
    said = told.said[np.arange(len(tops)), tops.face]
    return np.asarray((0.25 + 0.75 * said) * tops.fit * tops.on_body * np.exp(-6 * np.abs(tops.scale - 1)), np.float64)


def _on_plain(view: Plane, patterns: Tops, points: Floats) -> NDArray[np.bool_]:
    """Which points lie on a face that is plainly there, or on that die's sides."""
    # Two or three pips lie like a face's by chance, on a top and on a side of it.
    many = patterns.face > 3
    plain = (patterns.fit > np.where(many, PLAIN, PLAINER)) & (patterns.on_body > np.where(many, 0.95, 0.99))
    plain &= (patterns.stray < np.where(many, 0.1, 0.04)) & (np.abs(patterns.scale - 1) < np.where(many, 0.1, 0.03))
    patterns = patterns.take(plain)
    if len(patterns) == 0 or len(points) == 0:
        return np.zeros(len(points), bool)
    spread = np.broadcast_to(points, (len(patterns), *points.shape))
    on = cubes.inside(spread, patterns.centre, patterns.turn, view.edge / 2)
    on |= cubes.inside(spread, cubes.sunk(view, patterns.centre), patterns.turn, view.edge / 2)
    return np.asarray(on.any(0), np.bool_)


def as_places(view: Plane, tops: Tops) -> Places:
    """The faces as the closer look wants them."""
    n = len(tops)
    cos, sin = view.edge / 2 * np.cos(tops.turn), view.edge / 2 * np.sin(tops.turn)
    return Places(tops.centre, np.stack([cos, sin], 1), np.stack([-sin, cos], 1), np.ones(n))


def _apart(tops: Tops, score: Floats, view: Plane, least: float = LEAST_WORTH) -> Ints:
    """The best faces that lie beside each other."""
    taken: list[int] = []
    for n in np.argsort(-score, kind="stable"):
        if score[n] < least:
            break
        gap = np.hypot(*(tops.centre[taken] - tops.centre[n]).T) if taken else np.zeros(0)
        if np.all(gap > OVERLAP * view.edge):
            taken.append(int(n))
    return np.array(taken, np.intp)


def _rivals(tops: Tops, told: Seen, taken: Ints, view: Plane) -> Floats:
    best = np.zeros(len(taken))
    for k, n in enumerate(taken):
        near = np.hypot(*(tops.centre - tops.centre[n]).T) < 0.3 * view.edge
        others = told.said[near, 1:].copy()
        others[:, tops.face[n] - 1] = 0
        best[k] = others.max(initial=0.0)
    return best
