"""Tracks of any length: the target follows where it is the track's end, elsewhere the points of a hole."""

from dataclasses import replace

import pytest
from tables import Table

from companion.errors import RefusedError, TrackRefusedError
from companion.table.state.draft import BoardTracks
from companion.table.state.inputs import EditLobby, NewGame
from companion.words import english
from farkle.errors import RuleSetError
from farkle.rules.catalogue import catalogue, find_rule_set

SHORT = BoardTracks((61, 121), drawn=False)


def built(tracks: BoardTracks = SHORT) -> Table:
    """Return a table whose board has these tracks."""
    table = Table()
    table.state = replace(table.state, tracks=tracks)
    return table


@pytest.mark.parametrize("track", [11, 61, 91, 121, 241, 1001])
def test_a_game_to_the_tracks_end_has_its_target_there(track: int) -> None:
    view = Table().start(track=track).view
    assert (view.track, view.target, view.finish) == (track, track, track)


@pytest.mark.parametrize("rules", [each for each in catalogue() if not each.to_track_end], ids=lambda each: each.key)
def test_points_a_hole_are_the_smallest_multiple_of_the_sheets_unit_that_fits(rules) -> None:  # type: ignore[no-untyped-def]
    unit = min(rules.tracks.values())
    for track in (11, 31, 61, 91, 120, 121, 241, 361, 1001):
        ratio = rules.points_a_hole(track)
        assert ratio % unit == 0
        assert rules.switches.target <= ratio * track, "it fits"
        assert ratio == unit or rules.switches.target > (ratio - unit) * track, "and no smaller one does"
        assert rules.fits(track)


@pytest.mark.parametrize(("track", "finish"), [(61, 50), (121, 100), (241, 200), (91, 66)])
def test_a_game_to_ten_thousand_fits_every_track(track: int, finish: int) -> None:
    table = Table()
    table.take(NewGame("classic", ("Ann", "Ben"), track=track))
    assert (table.view.track, table.view.target, table.view.finish, table.view.settings) == (track, 10_000, finish, {})


def test_a_house_target_takes_more_points_a_hole_on_a_track_that_the_sheet_does_not_name() -> None:
    table = Table()
    for track in (61, 121):  # the sheet names 100 points a hole for the longer one
        table.take(NewGame("classic", ("Ann", "Ben"), settings={"target": 5000}, track=track))
        assert table.view.finish == 50


def test_where_points_are_pegs_a_target_beyond_the_end_is_refused() -> None:
    with pytest.raises(RefusedError, match="100 points do not fit on 61 holes with 1 point a hole: at most 61 do"):
        Table().start(settings={"target": 100}, track=61)


def test_no_track_is_shorter_than_ten_holes_or_longer_than_a_thousand() -> None:
    for track in (10, 1002, True, "61"):
        with pytest.raises(RuleSetError, match="expected a track of 11 to 1001 holes, got"):
            find_rule_set("classic").points_a_hole(track)  # type: ignore[arg-type]


def test_what_follows_from_the_track_is_no_house_rule_in_a_rematch() -> None:
    table = Table().start(track=61)
    table.take(EditLobby(open=True))
    assert (table.view.lobby.settings, table.view.lobby.track, table.view.lobby.tracks) == ({}, 61, (61, 121, 241))
    table.take(NewGame("classic", ("Ann", "Ben"), settings={"one_peg_per_hole": 1}, track=61))
    assert table.view.settings == {"one_peg_per_hole": 1, "points_a_hole": 200}
    table.take(EditLobby(open=True))
    assert (table.view.lobby.settings, table.view.lobby.track) == ({"one_peg_per_hole": 1}, 61)


def test_a_built_board_refuses_other_tracks_and_names_its_own() -> None:
    said = "this board has a track of 61 or 121 holes, not of 241"
    for given in (EditLobby(track=241), NewGame("farkle-cribbage", ("Ann", "Ben"), track=241)):
        with pytest.raises(TrackRefusedError) as refused:
            built().take(given)
        assert str(refused.value) == said
    table = built()
    table.take(EditLobby(track=61))
    assert (table.view.lobby.track, table.view.lobby.tracks) == (61, (61, 121))


def test_a_game_without_a_track_takes_one_that_the_board_has() -> None:
    assert built().start().view.track == 121
    ring = built(BoardTracks((31, 61), drawn=False))
    ring.take(NewGame("classic", ("Ann", "Ben")))
    assert (ring.view.track, ring.view.finish) == (31, 28)


def test_a_target_that_no_track_of_the_board_fits_is_refused_before_the_game() -> None:
    table = built()
    table.take(EditLobby(settings={"target": 200}))
    assert english().text(table.view.lobby.problem).startswith("200 points do not fit on 121 holes")
    with pytest.raises(RefusedError, match="200 points do not fit on 121 holes"):
        table.start(settings={"target": 200})


def test_a_kept_game_goes_on_though_the_board_has_not_its_track() -> None:
    table = Table().start(track=241).throws("233346").taps("bank")
    table.state = replace(table.state, tracks=SHORT)
    assert table.throws("233346").taps("bank").view.track == 241
    table.undoes()
    assert table.view.lobby.tracks == (61, 121)
