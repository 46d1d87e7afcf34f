"""The weights of the two logistic formulas, from the file that `make fit-confidence` writes."""

import tomllib
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

WEIGHTS_FILE = Path(__file__).with_name("confidence.toml")


def logistic(formula: str, features: dict[str, Floats]) -> Floats:
    """From 0 to 1: the formula of that name, of features (n,) by their names."""
    weights = _weights()[formula]
    total = sum((weights[name] * np.asarray(values, np.float64) for name, values in features.items()), np.float64(0.0))
    return np.asarray(1 / (1 + np.exp(-total)), np.float64)


def odds(likely: Floats) -> Floats:
    """The logarithm of the odds of a probability, a quarter of it, so that it is about as large as other features."""
    some = np.clip(likely, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(some / (1 - some)) / 4, np.float64)


def forget() -> None:
    """Read the file anew when it is next needed."""
    _weights.cache_clear()


@lru_cache(maxsize=1)
def _weights() -> dict[str, dict[str, float]]:
    table: dict[str, dict[str, float]] = tomllib.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))
    return table
