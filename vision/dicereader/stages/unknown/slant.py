"""Compare the slants of faces with those of level dice at the same places: find leaning dice, and sides of dice."""

import numpy as np

from dicereader.data.arrays import Bools, Floats, Ints
from dicereader.stages.shared.classify import Classified
from dicereader.stages.shared.detector import Candidates, shape_of
from dicereader.stages.shared.rectify import PictureView
from dicereader.stages.shared.whole_die import WholeDice

USUAL_ERROR = 0.06
"""Error, a sine, that the network of whole dice expects of a face of moderate size. Differences are divided by the
geometric mean of this and their own expected error, because that error grows with the slant, too."""

MOST_ERRORS = 6.0
"""Differences of slants above this number of errors all count the same; `USUAL_ERROR` says which errors."""

FROM_ABOVE = 0.85
"""Flatness of the surrounding faces below which the camera looks from the side, so that outlines tell nothing."""

USUAL_FOCUS = 1.0
"""Focal length as a fraction of the picture's longer side; phones and Pi cameras have 0.75 to 1.2."""

_SPREAD_FOCUS = 0.4
_SPREAD_TILT = 0.2
_SPREAD_SLANT = 0.09
"""Standard deviations: of the inverse focal length (as a fraction), of the camera's tilt, of a measured slant."""

SETTLED = 1e-3
"""Change of the estimate of the camera below which it is good enough."""

ASLANT = 0.12
"""Slant of a level die below which its sides are too small to be read."""

LEAST_DOWN, MOST_DOWN = 0.4, 0.85
"""How far down the middle of a side is, in half edges: the sines of 24 and 58 degrees. The classifier tells the
direction of a slant well, but not its size."""

NEXT_DIE = 1.9
"""Distance from a face's middle, in steps to its edge, from which a candidate is no side but perhaps the next die:
dice that touch are two steps apart, and the middle of a side seen at 40 degrees is 1.84 away."""

MEETS = 0.35
"""Distance, in half edges of the face, within which a candidate is at the place of a side."""

LIKE_A_FACE = 0.25
"""Fraction of a level die's slant below which a candidate does not point up."""


def leaning_features(view: PictureView, centre: Floats, whole: WholeDice, flatness: Floats) -> dict[str, Floats]:
    """Return the features by which a die leans, by name, each (n,), for the logistic formula `leans`.

    The slant of a level die grows in proportion to its distance from the point below the camera. That point and the
    growth are estimated from the dice, most of which are level, and from usual cameras. A single die can therefore
    hardly be shown to lean.

    Args:
        view: the picture.
        centre: the middles (n, 2) in pixels of level 0.
        whole: the dice as they are seen whole, with their slants (n,).
        flatness: how flat each face is beside the others (n,), see `relative_flatness`.
    """
    n = len(centre)
    level = level_slants(view, centre, whole.slant, centre)
    off = np.hypot(*(whole.slant - level).T)
    return {
        "constant": np.ones(n),
        "off": np.minimum(off / np.sqrt(USUAL_ERROR * whole.error), MOST_ERRORS) / MOST_ERRORS,
        "others": _median_of_others(off) * 5 if n > 1 else np.zeros(n),  # small or blurred dice all differ by chance
        "flat": 1 - np.minimum(flatness, 1.0),  # its outline shows that it points elsewhere
        "few": np.full(n, 1 / max(n, 1)),
    }


def relative_flatness(u: Floats, v: Floats) -> Floats:
    """Return how flat each face with side vectors (n, 2) is relative to the median of the others (n,).

    It is the shorter side over the longer: 1 for a face stretched as the others are, and if outlines tell nothing.
    """
    shapes = shape_of(u, v)[:, 1:3]
    if len(shapes) < 3:
        return np.ones(len(shapes))
    others = _median_of_others(shapes)
    flat, around = (np.exp(-2 * np.hypot(*shape.T)) for shape in (shapes - others, others))
    return np.where(around > FROM_ABOVE, flat, 1.0)


def _median_of_others(values: Floats) -> Floats:
    """Return for each of n rows, at least two, the median of all others; shape as `values`."""
    others = np.broadcast_to(values, (len(values), *values.shape))[~np.eye(len(values), dtype=np.bool_)]
    return np.asarray(np.median(others.reshape(len(values), -1, *values.shape[1:]), 1), np.float64)


def level_slants(view: PictureView, centre: Floats, slants: Floats, at: Floats) -> Floats:
    """Return the slants (m, 2) of level dice at places `at` (m, 2), estimated from the dice at `centre` (n, 2).

    Robust regression: iteratively reweighted least squares with Cauchy weights, so that leaning dice count little.
    """
    n = len(centre)
    # Unknown: the camera's tilt (two) and its inverse focal length; one row for each die and axis.
    rows = _rows(view, centre)
    measured = slants.T.ravel()
    prior = np.array([_SPREAD_TILT, _SPREAD_TILT, _SPREAD_FOCUS / USUAL_FOCUS]) ** -2.0
    usual = np.array([0.0, 0.0, 1.0 / USUAL_FOCUS])
    weight = np.ones(n)
    found = usual
    for _ in range(8):
        before, heft = found, np.tile(weight, 2) / _SPREAD_SLANT**2
        normal = (rows * heft[:, None]).T @ rows + np.diag(prior)
        found = np.linalg.solve(normal, rows.T @ (heft * measured) + prior * usual)
        off = np.hypot(*(slants - (rows @ found).reshape(2, n).T).T) / _SPREAD_SLANT
        weight = 1 / (1 + (off / 2) ** 2)
        if np.abs(found - before).max() < SETTLED:
            break
    return np.asarray((_rows(view, at) @ found).reshape(2, len(at)).T, np.float64)


def _rows(view: PictureView, centre: Floats) -> Floats:
    """Return the effect of tilt (two) and inverse focal length on the slants: a row (3) for each x, then each y."""
    width, height = view.size
    out = (centre - np.array([width / 2, height / 2])) / max(width, height)
    n = len(centre)
    rows = np.zeros((2 * n, 3))
    rows[:n, 0], rows[n:, 1] = 1.0, 1.0
    rows[:, 2] = out.T.ravel()
    return rows


def are_sides(classified: Classified, dice: Ints, slants: Floats) -> Bools:
    """Return which of n candidates are visible sides of the dice with these indices (m,), if those are level.

    The middle of a side is half an edge out from the face's middle, and half an edge down. A candidate there that
    does not point up as the dice do is that side. `slants` (m, 2) are those of level dice at the places of `dice`.
    """
    half = classified.candidates.half
    found = np.zeros(len(half), bool)
    for die, level in zip(dice, slants, strict=True):
        upwards = classified.slant @ level / max(float(level @ level), 1e-9)
        if np.hypot(*level) < ASLANT or upwards[die] <= 0:
            continue
        up = level / np.hypot(*level)
        found |= _at_a_side(classified.candidates, die, up) & (half < half[die]) & (upwards < LIKE_A_FACE)
    return found


def _at_a_side(candidates: Candidates, die: int, up: Floats) -> Bools:
    """Return which candidates have their middle at a visible side of one of them; `up` has length one."""
    found = np.zeros(len(candidates), bool)
    for out in (candidates.u[die], candidates.v[die], -candidates.u[die], -candidates.v[die]):
        if out @ up < 0:  # towards the camera
            off = candidates.centre - candidates.centre[die]
            beyond = (off - out) / candidates.half[die]
            down = np.clip(-beyond @ up, LEAST_DOWN, MOST_DOWN)
            gap = np.hypot(*(beyond + down[:, None] * up).T)
            found |= (gap < MEETS) & (off @ out < NEXT_DIE * float(out @ out))
    return found
