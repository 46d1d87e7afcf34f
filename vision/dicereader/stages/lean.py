"""Tell which dice lean: their faces point elsewhere than those of level dice at the same place would."""

import numpy as np
from numpy.typing import NDArray

from dicereader.stages.detector import shape_of
from dicereader.stages.rectify import View

Floats = NDArray[np.float64]

LEANS, TIMES_MEDIAN, SURELY = 0.2, 3.0, 0.35
"""A die leans whose slant is this far from a level die's (the sine of 12 degrees, most of which is seen), and so many
times as far as the picture's median: where dice are small or blurred, all of them are off by chance. But one that is
off by the last of these (20 degrees) leans in any picture."""

FEW_LEAN = 0.23
"""The same of one die or two, where none or one can be compared with: the sine of 13 degrees."""

CLEAR_PX, MOST_UNCLEAR = 16.0, 1.5
"""Of dice whose half edge is smaller than this many pixels a crop has more of them than the picture. A slant is told
the less well there, and must be as many times as large, up to so many times."""

FLAT, OF_LIMIT = 0.88, 0.7
"""A face that is this much flatter than those around it, shorter side over longer, needs only this share of the slant:
where pips tell little of where a face points, its outline tells that it points elsewhere."""

FROM_ABOVE = 0.85
"""Where the faces around it are flatter than this themselves, the camera looks from the side, and outlines differ."""

TOO_STEEP = 0.58
"""A face seen as much aslant as this (35 degrees) is no level die's under any camera that looks down."""

USUAL_FOCUS = 1.0
"""A camera's focal length as a share of its picture's longer side; phones and Pi cameras have 0.75 to 1.2."""

_SPREAD_FOCUS = 0.4
_SPREAD_TILT = 0.2
_SPREAD_KNOWN = 0.03
_SPREAD_SEEN = 0.09
"""Standard deviations: of the inverse focal length (as a share), of the camera's tilt where it is
not known and where a calibration gives it, of a slant as it is seen."""


def leaning(view: View, places: Floats, slants: Floats, half: Floats, flat: Floats) -> NDArray[np.bool_]:
    """Which dice lean, from their places and slants (n, 2), half edges (n,), in pixels of level 0 and in the picture's
    axes, and how flat each is beside the others (n,), see `flatness`.

    The slant of a level die grows in proportion to its distance from the point right below the camera. Where that is
    and how fast it grows is known from a calibration; without one the dice themselves tell, most of them being level,
    beside what cameras usually are. A single die can therefore hardly be told to lean.
    """
    if len(places) == 0:
        return np.zeros(0, bool)
    off = np.hypot(*(slants - level_slant(view, places, slants, places)).T)
    unclear = np.clip(CLEAR_PX / half, 1.0, MOST_UNCLEAR)
    many = np.clip(TIMES_MEDIAN * np.median(off), LEANS * unclear, SURELY)
    limit = (FEW_LEAN * unclear if len(off) < 3 else many) * np.where(flat < FLAT, OF_LIMIT, 1.0)
    steep = np.hypot(*slants.T) > TOO_STEEP
    return np.asarray((off > limit) | steep, np.bool_)


def flatness(u: Floats, v: Floats) -> Floats:
    """How much flatter each face with side vectors (n, 2) is than the others of its picture are in the middle, shorter
    side over longer (n,): 1 where it is stretched as they are, and where that tells nothing."""
    shapes = shape_of(u, v)[:, 1:3]
    if len(shapes) < 3:
        return np.ones(len(shapes))
    others = np.stack([np.median(np.delete(shapes, n, 0), 0) for n in range(len(shapes))])
    flat, around = (np.exp(-2 * np.hypot(*shape.T)) for shape in (shapes - others, others))
    return np.where(around > FROM_ABOVE, flat, 1.0)


def level_slant(view: View, places: Floats, slants: Floats, at: Floats) -> Floats:
    """The slants (m, 2) that level dice `at` these places (m, 2) would have, as those of the dice at `places` (n, 2)
    say, most of which are level."""
    tilt = _SPREAD_TILT if view.eye is None else _SPREAD_KNOWN
    n = len(places)
    # Unknown: the camera's tilt (two) and its inverse focal length; a row for each die and axis.
    rows = _rows(view, places)
    seen = slants.T.ravel()
    prior = np.array([tilt, tilt, _SPREAD_FOCUS / USUAL_FOCUS]) ** -2.0
    usual = np.array([0.0, 0.0, 1.0 / USUAL_FOCUS])
    weight = np.ones(n)
    found = usual
    for _ in range(8):
        heft = np.tile(weight, 2) / _SPREAD_SEEN**2
        bend = (rows * heft[:, None]).T @ rows + np.diag(prior)
        found = np.linalg.solve(bend, rows.T @ (heft * seen) + prior * usual)
        off = np.hypot(*(slants - (rows @ found).reshape(2, n).T).T) / _SPREAD_SEEN
        weight = 1 / (1 + (off / 2) ** 2)  # Cauchy's: a die that leans has little say
    return np.asarray((_rows(view, at) @ found).reshape(2, len(at)).T, np.float64)


def _rows(view: View, places: Floats) -> Floats:
    """What the tilt (two) and the inverse focal length add to the slants at n places: a row (3) for each x, then y."""
    if view.eye is not None:
        # Known, but the network says less than is so where dice are drawn or blurred: how much, the dice tell.
        out = (places - np.array(view.eye[:2])) / view.eye[2]
    else:
        width, height = view.size
        out = (places - np.array([width / 2, height / 2])) / max(width, height)
    n = len(places)
    rows = np.zeros((2 * n, 3))
    rows[:n, 0], rows[n:, 1] = 1.0, 1.0
    rows[:, 2] = out.T.ravel()
    return rows
