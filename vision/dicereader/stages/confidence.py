"""How sure each die is: a logistic formula over what speaks for it, with weights that `make fit-confidence` makes."""

import numpy as np
from numpy.typing import NDArray

from dicereader.stages.choose import Chosen
from dicereader.stages.weights import logistic, odds

Floats = NDArray[np.float64]


TOGETHER = 0.85
"""All dice of a sure reading are right with at least this probability, as the formula says it: it is made from all dice
read, also those beside which something else is in doubt, and without such doubts they are right more often."""

USUAL_OFF = 0.08
"""Sizes of dice of one picture differ so much, as logarithms: some are nearer to the camera."""


def features(chosen: Chosen) -> dict[str, Floats]:
    """What the confidence of each die is reckoned from, by name, each (n,)."""
    poses = chosen.poses
    n = len(poses)
    return {
        "constant": np.ones(n),
        "said": odds(chosen.likely),  # the network's odds for the face
        "found": odds(chosen.found),  # the detector's odds that a face is there
        "worth": odds(chosen.worth),
        "agrees": chosen.agrees.astype(np.float64),  # the pips' pattern shows the same face
        "fit": poses.fit,
        "margin": chosen.margin,
        "odd_size": np.maximum(chosen.off_size - USUAL_OFF, 0) * 5,  # 1: larger or smaller by a third
        "rival": np.minimum(chosen.rival * 4, 1.0),
        "one": (poses.face == 1).astype(np.float64),  # a single pip has no pattern to bear it out
        "two": (poses.face == 2).astype(np.float64),
        "small": np.maximum(np.log(4.0 / poses.r), 0.0),  # pips of less than 4 pixels
        "faint": np.maximum(np.log(60.0 / np.maximum(poses.contrast, 1.0)), 0.0),  # and of less than 60 grey levels
        "hints": np.full(n, min(len(chosen.hints), 3) / 3),  # something else may be a die
    }


def confidences(chosen: Chosen) -> Floats:
    """The probability, from 0 to 1, that each die's face is right."""
    return logistic("confidence", features(chosen))


def least_sure(confidence: Floats) -> NDArray[np.intp]:
    """The dice that speak against a sure reading: the fewest without which all others are right as `TOGETHER` wants.

    That one die may be wrong, or another, adds up: six dice of 0.97 each are all right in 83 of 100 throws.
    """
    order = np.argsort(confidence, kind="stable")
    all_right = np.cumprod(confidence[order][::-1])[::-1]  # this die and all surer ones
    return np.asarray(order[all_right < TOGETHER], np.intp)
