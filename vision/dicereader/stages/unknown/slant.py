"""Compare the slants of faces with those of level dice at the same places: find leaning dice, and sides of dice."""

import numpy as np

from dicereader.data.arrays import Bools, Floats, Ints
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

FROM_LOW = 0.0, -0.55
"""Tilt of a camera that sees the table from low, in a picture that is upright. Most others look from above."""

SIDE = 0.88
"""Cosine of the angle between a face's normal and that of level dice below which it may be a die's side. It is that of
28 degrees and not of 45, because slants are found too small."""

MEETS = 0.6
"""Distance, in half edges of a die, within which a face is at the place of the die's side."""

LOW = 0.4
"""Slant of level dice from which a face that points as sides do is a side, also where no die was found beside it."""


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

    Robust regression: iteratively reweighted least squares with Cauchy weights, so that leaning dice and sides count
    little. It begins with a camera above the table and with one that looks from low; the likelier result counts.
    """
    # Unknown: the camera's tilt (two) and its inverse focal length; one row for each die and axis.
    rows, measured = _rows(view, centre), slants.T.ravel()
    prior = np.array([_SPREAD_TILT, _SPREAD_TILT, _SPREAD_FOCUS / USUAL_FOCUS]) ** -2.0
    estimates = []
    for tilt in ((0.0, 0.0), FROM_LOW):
        usual = found = np.array([*tilt, 1.0 / USUAL_FOCUS])
        for _ in range(8):
            before = found
            heft = np.tile(1 / (1 + _off(rows, found, slants) ** 2 / 4), 2) / _SPREAD_SLANT**2
            normal = (rows * heft[:, None]).T @ rows + np.diag(prior)
            found = np.linalg.solve(normal, rows.T @ (heft * measured) + prior * usual)
            if np.abs(found - before).max() < SETTLED:
                break
        cost = 2 * np.log1p(_off(rows, found, slants) ** 2 / 4).sum() + float(prior @ (found - usual) ** 2) / 2
        estimates.append((cost, found))
    _, found = min(estimates, key=lambda each: each[0])
    return np.asarray((_rows(view, at) @ found).reshape(2, len(at)).T, np.float64)


def _off(rows: Floats, camera: Floats, slants: Floats) -> Floats:
    """Return how far slants (n, 2) are off those of level dice before a camera, in standard deviations."""
    level = (rows @ camera).reshape(2, -1).T
    return np.asarray(np.hypot(*(slants - level).T) / _SPREAD_SLANT, np.float64)


def _rows(view: PictureView, centre: Floats) -> Floats:
    """Return the effect of tilt (two) and inverse focal length on the slants: a row (3) for each x, then each y."""
    width, height = view.size
    out = (centre - np.array([width / 2, height / 2])) / max(width, height)
    n = len(centre)
    rows = np.zeros((2 * n, 3))
    rows[:n, 0], rows[n:, 1] = 1.0, 1.0
    rows[:, 2] = out.T.ravel()
    return rows


def find_sides(candidates: Candidates, slants: Floats, levels: Floats, dice: Ints) -> tuple[Bools, Bools]:
    """Return which of n candidates show the side of a die, and which show a side of the given dice, each (n,).

    From low, a side may also be seen of a die whose top was not found.

    Args:
        candidates: the candidates (n,).
        slants: how they are slanted, (n, 2).
        levels: the slants of level dice at their places, (n, 2).
        dice: the indices of the dice (m,).
    """
    aslant, level = ((each**2).sum(1) for each in (slants, levels))
    cosine = (slants * levels).sum(1) + np.sqrt(np.maximum(1 - aslant, 0) * np.maximum(1 - level, 0))
    own = (cosine < SIDE) & _at_sides(candidates, dice, levels)
    return own | ((cosine < SIDE) & (level > LOW**2)), own


def _at_sides(candidates: Candidates, dice: Ints, levels: Floats) -> Bools:
    """Return which candidates have their middles where some of them, level dice, have a visible side.

    A side's middle is half an edge out from the top's middle, and half an edge down.
    """
    found = np.zeros(len(candidates), bool)
    for die in dice:
        half, level = candidates.half[die], levels[die]
        half_edge = half / (1 - min(float(level @ level), 0.9)) ** 0.25  # as it is seen straight on
        for out in (candidates.u[die], candidates.v[die], -candidates.u[die], -candidates.v[die]):
            if out @ level < 0:  # towards the camera
                side = candidates.centre[die] + out - half_edge * level
                found |= np.hypot(*(candidates.centre - side).T) < MEETS * half
    return found
