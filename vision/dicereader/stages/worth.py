"""How much speaks for each place being the top face of a die, before its size and its neighbours are looked at."""

import numpy as np
from numpy.typing import NDArray

from dicereader.stages.closeup import Seen, colours_at, crops_of, tones_of
from dicereader.stages.pattern import Patterns, find_patterns
from dicereader.stages.rectify import View
from dicereader.stages.weights import logistic, odds

Floats = NDArray[np.float64]


def worth_features(view: View, seen: Seen) -> tuple[dict[str, Floats], Patterns]:
    """What the worth is reckoned from, by name, each (n,); and the patterns of the pips."""
    colours = colours_at(view, seen.places)
    patterns = find_patterns(crops_of(colours))
    _, contrast, _ = tones_of(colours)
    each = np.arange(len(seen.face))
    return {
        "constant": np.ones(len(each)),
        "said": odds(seen.likely),  # by the closer look
        "found": odds(seen.places.likely),  # by the detector
        "fit": patterns.fits[each, seen.face - 1],  # of the pips' pattern to the face that is said
        "agrees": (patterns.face == seen.face).astype(np.float64),
        "clear": np.log(np.clip(contrast, 4, 80) / 40),
    }, patterns


def find_worth(view: View, seen: Seen) -> tuple[Floats, Patterns]:
    """From 0 to 1 for each place; and the patterns of its pips."""
    features, patterns = worth_features(view, seen)
    return logistic("worth", features), patterns
