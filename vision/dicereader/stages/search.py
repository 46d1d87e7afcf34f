"""Search a picture for places that may be faces: coarsely, and finely only where the dice found so are small."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dicereader.stages.closeup import find_crops, look_closer
from dicereader.stages.detector import EDGES_PX, Places, find_places, levels_of
from dicereader.stages.pattern import WAYS, find_patterns
from dicereader.stages.poses import PIP_TO_HALF
from dicereader.stages.rectify import View
from dicereader.stages.worth import ALIKE, HINT, LEAST, OVER, Weighed, weigh

Floats = NDArray[np.float64]

UNLIKELY = 0.02
"""Places that the closer look finds less likely a face than this are dropped at once."""

OTHER_SIZE = 0.5
"""Where the size is known, places whose size's logarithm is this far off are no dice."""

LARGEST_PX = 400
"""A larger face is none that lies on a table: a tray, say, with dice for its pips."""

CLEAR = 0.85
"""What must speak for one place at least, from 0 to 1, before the dice's size is believed without a finer look."""

MUCH_SMALLER = 0.35
"""A face this much smaller than another that it lies on is no mark on it: the larger one is not a die's."""

Lap = Callable[[str], None]


def search(view: View, among: Callable[[Places], Places], lap: Lap) -> tuple[Weighed, float | None]:
    """The places, weighed, and the half edge in pixels that the dice have in common; None where there are none.

    `among` gives those of the places found that may be dice, `lap` is told each step that is done. The finest level is
    most of the work, and shows nothing of dice that are larger than the detector knows them there.
    """
    levels = levels_of(view)
    if view.die_px is None and len(levels) > 1:
        weighed, usual = _at(view, levels[1:], among, lap)
        if usual is not None and 2 * usual > EDGES_PX[1] * 2.0 ** levels[0] and weighed.worth.max() > CLEAR:
            return weighed, usual
    return _at(view, levels, among, lap)


def faces_only(view: View, weighed: Weighed) -> Weighed:
    """The places; worth 0 where the face of a smaller die is taken for a pip, and that die is not the only such one."""
    found, half, places = weighed.worth.copy(), weighed.half, weighed.seen.places
    clear = half[weighed.worth > OVER]
    large = np.flatnonzero((weighed.worth > HINT) & (clear.min(initial=np.inf) < MUCH_SMALLER * half))
    ways = find_patterns(find_crops(view, places.take(large))).ways[np.arange(len(large)), weighed.seen.face[large] - 1]
    for n, index in zip(large, ways, strict=True):
        smaller = places.centre[(weighed.worth > OVER) & (half < MUCH_SMALLER * half[n])]
        way, pip = WAYS[index].places, PIP_TO_HALF * half[n]
        pips = places.centre[n] + way[:, :1] * places.u[n] + way[:, 1:] * places.v[n]
        on_pip = (np.hypot(*(pips[:, None] - smaller).transpose(2, 0, 1)) < pip).any(0)
        beside = np.hypot(*(smaller[on_pip][:, None] - smaller).transpose(2, 0, 1)) > 2 * pip
        if beside.any():
            found[n] = 0.0
    return replace(weighed, worth=found)


def _at(view: View, levels: Sequence[int], among: Callable[[Places], Places], lap: Lap) -> tuple[Weighed, float | None]:
    places = find_places(view, levels)
    if view.die_px is not None:
        places = places.take(np.abs(np.log(2 * places.half / view.die_px)) < OTHER_SIZE)
    places = among(places)
    lap("detector")
    seen = look_closer(view, places)
    seen = seen.take(np.flatnonzero((seen.likely > UNLIKELY) & (2 * seen.places.half < LARGEST_PX)))
    weighed = faces_only(view, weigh(seen))
    lap("closeup")
    return weighed, view.die_px / 2 if view.die_px is not None else _common_half(weighed.worth, weighed.half)


def _common_half(worth: Floats, half: Floats) -> float | None:
    """The half edge most faces agree on. None: no dice."""
    # So that a few good faces outweigh a carpet of poor ones. What is large is seldom like a face by chance.
    weight = np.where(worth > LEAST, worth**4, 0.0) * half
    if not weight.any():
        return None
    votes = np.exp(-0.5 * (np.log(half[:, None] / half) / ALIKE) ** 2) @ weight
    near = np.abs(np.log(half / half[votes.argmax()])) < ALIKE
    return float(np.exp(np.average(np.log(half[near]), weights=weight[near])))
