"""Score classified candidates with a logistic formula, whose weights `make fit-confidence` fits."""

import tomllib
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dicereader.data.arrays import Floats, Ints, Records
from dicereader.stages.shared.classify import Classified
from dicereader.stages.shared.detector import Candidates
from dicereader.stages.shared.network import MODELS

WEIGHTS_FILE = MODELS / "confidence.toml"

SPREAD = 0.3
"""Standard deviation of the logarithm of the faces' sizes in one picture."""

LEAST = 0.35
"""Score from which a candidate is read as a die."""

HINT = 0.15
"""Score from which a candidate that was not read may be a die: the reading is in doubt."""

UNLIKELY = 0.02
"""Probability or score below which a candidate is no die. By the score of its first crop half of all candidates are
dropped, and 7 of 1,684 that would be read as dice."""

LIKELY = 0.5
"""Probability, score or confidence from which something is more likely than not."""

SAME_SIZE = 0.15
"""Difference of the logarithms of two sizes that count as the same."""


@dataclass(frozen=True, eq=False)
class Scored(Records):
    """Classified candidates with their scores (n,) from 0 to 1: how likely each is the top face of a die."""

    classified: Classified
    score: Floats

    @property
    def half(self) -> Floats:
        """Half of each face's edge, in pixels of level 0."""
        return self.classified.candidates.half


def score(classified: Classified) -> Scored:
    """Return the candidates with their scores."""
    return Scored(classified, logistic("score", score_features(classified)))


def score_features(classified: Classified) -> dict[str, Floats]:
    """Return the features of the score by name, each (n,).

    The fit of the pips' pattern adds nothing on photographs of sets that were left out of the fit.
    """
    return {
        "constant": np.ones(len(classified)),
        "classifier": odds(classified.probability),
        "detector": odds(classified.candidates.probability),
        "contrast": np.log(np.clip(classified.contrast, 4, 80) / 40),
    }


def confidences(places: Candidates, probability: Floats) -> Floats:
    """Return the probability, from 0 to 1, that each die's face is right; see `confidence_features`."""
    return logistic("confidence", confidence_features(places, probability))


def confidence_features(places: Candidates, probability: Floats) -> dict[str, Floats]:
    """Return the features of the confidence by name, each (n,).

    Args:
        places: the faces, with the detector's probability of any face.
        probability: that of each die's own face by both networks.
    """
    return {"constant": np.ones(len(places)), "networks": odds(probability), "detector": odds(places.probability)}


def size_likelihood(half: Floats, usual: float) -> Floats:
    """Return how well the sizes of faces agree with the usual half edge, from 0 to 1."""
    off = np.abs(np.log(half / usual))
    return np.asarray(np.exp(-0.5 * (np.maximum(off - SAME_SIZE, 0) / SPREAD) ** 2), np.float64)


def best_apart(centre: Floats, score: Floats, half: Floats, overlap: float, least: float) -> Ints:
    """Return the best candidates that do not overlap, the best first (non-maximum suppression).

    Args:
        centre: the middles (n, 2).
        score: the scores (n,).
        half: half of each face's edge (n,).
        overlap: two candidates overlap if they are nearer to each other than this fraction of both half edges.
        least: the score below which a candidate is left out.
    """
    kept: list[int] = []
    for n in np.argsort(-score, kind="stable"):
        if score[n] < least:
            break
        if np.all(np.hypot(*(centre[kept] - centre[n]).T) > overlap * (half[kept] + half[n])):
            kept.append(int(n))
    return np.array(kept, np.intp)


def logistic(formula: str, features: dict[str, Floats]) -> Floats:
    """Return the logistic formula of this name, from 0 to 1, for features (n,) by name."""
    fitted = weights()[formula]
    total = sum((fitted[name] * np.asarray(values, np.float64) for name, values in features.items()), np.float64(0.0))
    return np.asarray(1 / (1 + np.exp(-total)), np.float64)


def odds(probability: Floats) -> Floats:
    """Return a quarter of the log odds of a probability, to make them about as large as the other features."""
    some = np.clip(probability, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(some / (1 - some)) / 4, np.float64)


@lru_cache(maxsize=1)
def weights() -> dict[str, dict[str, float]]:
    """Return the weights of each formula by feature."""
    table: dict[str, dict[str, float]] = tomllib.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))
    return table
