"""Sides of dice: what shares an edge with a face that is up, and is bent away there, is no die of its own."""

import numpy as np
import pytest

from dicereader.stages.detector import Places
from dicereader.stages.sides import sides

TOP = ((100.0, 100.0), (20.0, 4.0), (-4.0, 20.0))


def faces(*each: tuple[tuple[float, float], tuple[float, float], tuple[float, float]]) -> Places:
    centre, u, v = (np.array(part) for part in zip(*each, strict=True))
    return Places(centre, u, v, np.ones(len(each)))


def below(out: tuple[float, float], away: float = 0.0) -> tuple[tuple[float, float], ...]:
    """A face that begins at the lower edge of `TOP`, so far away from it, and goes on as `out` says."""
    (x, y), u, v = TOP
    return (x + v[0] + out[0], y + v[1] + out[1] + away), u, out


def test_a_side_is_found_in_any_order_and_under_any_names() -> None:
    side = below((3.0, 12.0))
    turned = side[0], side[2], tuple(-n for n in side[1])
    assert sides(faces(TOP, side)).tolist() == [False, True]
    assert sides(faces(side, TOP)).tolist() == [True, False]
    assert sides(faces(TOP, turned)).tolist() == [False, True]


@pytest.mark.parametrize(
    "other",
    [
        below((-4.0, 20.0)),  # flush against the first
        below((-3.0, 17.0)),  # the same, as inexact as faces are
        below((3.0, 12.0), away=16.0),
        ((140.0, 108.0), (14.0, 14.0), (-14.0, 14.0)),  # turned, a corner at the first one's edge
    ],
    ids=["flush", "nearly flush", "apart", "turned"],
)
def test_another_die_is_no_side(other) -> None:
    assert not sides(faces(TOP, other)).any()


def test_one_face_or_none_has_no_sides() -> None:
    assert sides(faces(TOP)).tolist() == [False]
    assert sides(Places(*(np.zeros((0, 2)),) * 3, np.zeros(0))).tolist() == []
