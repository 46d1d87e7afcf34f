"""The holes of a track and the places of a board: a track of 241 walks the same places twice."""

import pytest

from pegboard.track import GAME_SPOT, spot_of


@pytest.mark.parametrize(
    ("hole", "track", "spot"),
    [
        *((-3, 121, 0), (0, 121, 0), (1, 121, 1), (120, 121, 120), (121, 121, GAME_SPOT)),
        *((0, 241, 0), (120, 241, 120), (121, 241, 1), (240, 241, 120), (241, 241, GAME_SPOT), (300, 241, GAME_SPOT)),
    ],
)
def test_a_hole_has_one_place_on_the_board(hole: int, track: int, spot: int) -> None:
    assert spot_of(hole, track) == spot
