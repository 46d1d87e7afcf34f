"""The parameters of a matrix: a few for each run, the others for `make test-all`."""

from collections.abc import Iterable

import pytest


def sampled(values: Iterable[object], *each_run: object) -> list[object]:
    """Return the values as parameters. All but those of each run are exhaustive."""
    return [pytest.param(value, marks=() if value in each_run else pytest.mark.exhaustive) for value in values]
