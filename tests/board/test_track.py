"""The track: holes, streets, laps."""

import pytest

from pegboard.errors import TrackError
from pegboard.track import GAME_SPOT, Spot, Track


def test_a_short_track_has_a_place_for_each_hole():
    track = Track(121)
    assert [track.spot(hole) for hole in (0, 1, 120, 121)] == [Spot(0, 0), Spot(1, 0), Spot(120, 0), Spot(GAME_SPOT, 0)]


def test_a_long_track_walks_the_same_wood_twice():
    track = Track(241)
    assert track.spot(121) == Spot(1, 1)
    assert track.spot(240) == Spot(120, 1)
    assert track.spot(241) == Spot(GAME_SPOT, 1)


def test_no_two_holes_of_a_track_share_a_place_in_a_lap():
    for holes in (121, 241):
        spots = [Track(holes).spot(hole) for hole in range(holes + 1)]
        assert len(set(spots)) == holes + 1


@pytest.mark.parametrize(("position", "hole"), [(-20, 0), (0, 0), (57, 57), (121, 121), (140, 121)])
def test_a_position_off_the_track_stays_on_the_board(position, hole):
    assert Track(121).hole_at(position) == hole


@pytest.mark.parametrize("holes", [0, 120, 242, -1])
def test_other_lengths_are_refused(holes):
    with pytest.raises(TrackError, match="121 or 241"):
        Track(holes)


@pytest.mark.parametrize("hole", [-1, 122])
def test_a_hole_off_the_track_is_refused(hole):
    with pytest.raises(TrackError, match="expected a hole from 0 to 121"):
        Track(121).spot(hole)
