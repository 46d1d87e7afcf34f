"""How much speaks for each place being the top face of a die, before its neighbours are looked at."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dicereader.stages import closeup
from dicereader.stages.closeup import Seen
from dicereader.stages.rectify import View
from dicereader.stages.weights import logistic, odds

Floats = NDArray[np.float64]

SPREAD, KNOWN_SPREAD = 0.3, 0.08
"""How much the logarithms of faces' sizes differ in one picture, and where a calibration gives the size."""

LEAST = 0.35
"""What must speak for a place at least, from 0 to 1, to be read as a die."""

HINT = 0.15
"""From here on a place that was not read as a die is one that may have been: the reading is in doubt."""

OVER = 0.5
"""From here on a place is so clearly a face that no other may lie over it."""

ALIKE = 0.15
"""Sizes this close, as logarithms, are the same."""


def worth_features(seen: Seen) -> dict[str, Floats]:
    """What the worth is reckoned from, by name, each (n,).

    The fit of the pips' pattern adds nothing on photographs of sets that were left out (decision 33).
    """
    return {
        "constant": np.ones(len(seen.face)),
        "said": odds(seen.likely),  # by the closer look
        "found": odds(seen.places.likely),  # by the detector
        "clear": np.log(np.clip(seen.contrast, 4, 80) / 40),
    }


@dataclass(frozen=True, eq=False)
class Weighed:
    """Places that were looked at closely, and how much speaks for each, from 0 to 1 (n,)."""

    seen: Seen
    worth: Floats

    @property
    def half(self) -> Floats:
        """Half of each face's edge, in pixels of level 0."""
        return self.seen.places.half

    def take(self, index: NDArray[np.intp]) -> "Weighed":
        """Those of an index, in its order."""
        return Weighed(self.seen.take(index), self.worth[index])


def weigh(seen: Seen) -> Weighed:
    """How much speaks for each place."""
    return Weighed(seen, logistic("worth", worth_features(seen)))


def joined(first: Weighed, second: Weighed) -> Weighed:
    """Two sets of places as one."""
    return Weighed(closeup.joined(first.seen, second.seen), np.concatenate([first.worth, second.worth]))


def right_size(view: View, half: Floats, usual: float) -> Floats:
    """How well faces of these half edges go with the usual one, from 0 to 1."""
    spread = SPREAD if view.die_px is None else KNOWN_SPREAD
    off = np.abs(np.log(half / usual))
    alike: Floats = np.exp(-0.5 * (np.maximum(off - ALIKE, 0) / spread) ** 2)
    return alike
