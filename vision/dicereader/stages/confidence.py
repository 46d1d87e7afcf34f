"""How sure each die is: a logistic formula over what speaks for it, with weights that `make fit-confidence` makes."""

import tomllib
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dicereader.stages.choose import Chosen
from dicereader.stages.rectify import View

Floats = NDArray[np.float64]

WEIGHTS_FILE = Path(__file__).with_name("confidence.toml")

FEATURES = (
    "constant",
    "said",  # the network's odds for the face, as a logarithm
    "agrees",  # the pips' pattern shows the same face
    "fit",
    "quality",
    "support",
    "right_size",
    "rival",
    "one",  # a single pip has no pattern to bear it out
    "two",
    "small",  # pips of less than 4 pixels
    "faint",  # pips of less than 60 grey levels
    "hints",  # something else may be a die
    "stray",  # pips that lie on no die
    "lone_edges",  # a one whose edges are not seen
    "known",  # a calibration gives the dice's size
)


def features(view: View, chosen: Chosen) -> Floats:
    """What the confidence of each die is reckoned from, shape (n, len(FEATURES))."""
    poses = chosen.poses
    n = len(poses)
    one = (poses.face == 1).astype(float)
    likely = np.clip(chosen.likely, 1e-4, 1 - 1e-4)
    columns = [
        np.ones(n),
        np.log(likely / (1 - likely)) / 4,
        chosen.agrees,
        poses.fit,
        poses.quality,
        chosen.support,
        chosen.right_size,
        np.minimum(chosen.rival * 4, 1.0),
        one,
        poses.face == 2,
        np.maximum(np.log(4.0 / poses.r), 0.0),
        np.maximum(np.log(60.0 / poses.contrast), 0.0),
        np.full(n, min(chosen.hints, 3) / 3),
        np.full(n, min(chosen.stray, 4) / 4),
        one * (1 - chosen.support),
        np.full(n, float(view.die_px is not None)),
    ]
    return np.stack([np.asarray(column, np.float64) for column in columns], 1)


def confidences(view: View, chosen: Chosen) -> Floats:
    """The probability, from 0 to 1, that each die's face is right."""
    found: Floats = 1 / (1 + np.exp(-features(view, chosen) @ weights()))
    return found


@lru_cache(maxsize=1)
def weights() -> Floats:
    """The weights of `FEATURES`, from the file beside this module."""
    table = tomllib.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))["weights"]
    return np.array([float(table[name]) for name in FEATURES])
