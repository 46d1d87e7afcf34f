"""The holes of a track and the places of a board: a longer track walks the same places again."""

import pytest

from farkle.rules import ruleset
from pegboard import track as tracks
from pegboard.track import spot_of, walks


@pytest.mark.parametrize(
    ("hole", "track", "lap", "spot"),
    [
        *((-3, 121, 120, 0), (0, 121, 120, 0), (1, 121, 120, 1), (120, 121, 120, 120), (121, 121, 120, 121)),
        *((0, 241, 120, 0), (120, 241, 120, 120), (121, 241, 120, 1), (240, 241, 120, 120), (300, 241, 120, 121)),
        *((60, 61, 60, 60), (61, 61, 60, 61), (61, 121, 60, 1), (60, 61, 120, 60), (61, 61, 120, 121)),
        *((91, 182, 91, 91), (92, 182, 91, 1), (181, 182, 91, 90), (182, 182, 91, 92)),
    ],
)
def test_a_hole_has_one_place_on_the_board(hole: int, track: int, lap: int, spot: int) -> None:
    assert spot_of(hole, track, lap) == spot


def test_a_longer_track_walks_round_again() -> None:
    assert [walks(*each) for each in ((121, 120), (241, 120), (182, 91), (61, 120), (122, 60))] == [1, 2, 2, 1, 3]


def test_rules_and_boards_have_the_same_shortest_and_longest_track() -> None:
    assert (ruleset.FEWEST_HOLES, ruleset.MOST_HOLES) == (tracks.FEWEST_HOLES, tracks.MOST_HOLES)
