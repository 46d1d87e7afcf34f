"""Photographs as throws: the next photograph that fits is the throw. The others are skipped and counted."""

import pytest
from photo_evening import Evening
from tables import faces, observation

from companion.errors import BusyError, RefusedError
from companion.simulation.photo_source import PhotoThrows


@pytest.mark.parametrize(
    ("photos", "skipped"),
    [(["233346"], {}), (["2333", "11", "233346"], {"count": 2}), (["111222?", "233346"], {"not sure": 1})],
)
def test_the_next_photograph_that_fits_is_the_throw_and_others_are_counted(photos: list[str], skipped: dict) -> None:
    evening = Evening(*photos).throw()
    assert (evening.view.roll, evening.album.skipped) == (faces("233346"), skipped)


def test_the_photographs_say_which_dice_are_thrown_and_lie_where_they_are() -> None:
    with pytest.raises(RefusedError, match="the photographs say which dice are thrown"):
        Evening("233346").album.throw(faces("111111"))
    with pytest.raises(RefusedError, match="photographed dice cannot be moved"):
        Evening("233346").album.shelve((0,))


def test_each_throw_is_another_photograph() -> None:
    evening = Evening("233346", "146").throw().keeps("333").throw()
    assert (evening.view.roll, evening.view.turn_points) == (faces("146"), 6)


def test_no_photograph_is_shown_unless_it_was_asked_for() -> None:
    evening = Evening("233346", "111222")
    evening.album.observed(evening.folder.pictures[0])
    assert (evening.view.roll, evening.view.seq) == ((), 1)


def test_if_no_photograph_fits_one_is_shown_and_the_table_says_what_is_missing() -> None:
    evening = Evening("23334", "11").throw()
    assert (evening.view.phase, evening.view.roll, evening.album.stuck) == ("to_throw", (), "")
    assert "One die missing" in evening.view.message.text


def test_if_no_photograph_fits_autoplay_gets_an_error_and_no_guess() -> None:
    evening = Evening("23334", "233346?", banking=True).throw()
    assert evening.album.stuck == (
        "expected a photograph of six dice that is read for sure, got none (skipped: 2 count, 1 not sure)"
    )
    assert (evening.view.seq, evening.view.question) == (1, None)


def test_autoplay_banks_a_turn_that_the_next_photograph_does_not_go_on_with() -> None:
    evening = Evening("233346", "111222", banking=True).throw().keeps("333").throw()
    view = evening.view
    assert (view.players[0].score, view.to_move, view.roll) == (8, "Ben", faces("111222"))
    assert evening.album.skipped == {}


def test_without_autoplay_no_turn_is_banked_for_a_player() -> None:
    evening = Evening("233346", "111222", "146").throw().keeps("333").throw()
    assert (evening.view.players[0].score, evening.view.roll) == (0, faces("146"))


@pytest.mark.parametrize("error", [RefusedError("not now"), TimeoutError()])
def test_a_photograph_is_skipped_if_its_bank_is_not_answered(error: Exception) -> None:
    evening = Evening("233346", "111222", "146", banking=True).throw().keeps("333")

    def fails(_: object) -> None:
        raise error

    evening.bank = fails
    evening.throw()
    assert (evening.view.roll, evening.album.skipped) == (faces("146"), {"count": 1})


def test_a_second_throw_while_a_photograph_is_read_is_refused() -> None:
    evening = Evening("233346", "111222")
    evening.album.throw(None)
    with pytest.raises(BusyError, match="a photograph is being read"):
        evening.album.throw(None)
    assert evening.look().folder.given == 1


def test_a_throw_before_the_eye_has_opened_its_folder_waits_for_it() -> None:
    evening = Evening("233346")
    album = PhotoThrows(evening.feed, evening.folder.advance, evening.accept)
    evening.album = album
    album.throw(None)
    assert evening.look().view.roll == ()
    album.hello(False)
    assert evening.look().view.roll == faces("233346")


def test_an_eye_that_was_started_anew_is_asked_again() -> None:
    evening = Evening("233346")
    evening.folder.away = True
    evening.throw()
    evening.folder.away = False
    evening.album.hello(False)
    assert evening.look().view.roll == faces("233346")


def test_a_throw_that_the_game_does_not_allow_says_why() -> None:
    evening = Evening("233346").throw()
    with pytest.raises(RefusedError, match="keep a die first"):
        evening.throw()


def test_a_clip_throws_by_itself() -> None:
    evening = Evening("233346")
    evening.album.hello(True)
    evening.album.throw(None)
    assert evening.folder.asked == 0
    evening.album.observed(observation("111222"))
    assert evening.view.roll == faces("111222")


def test_a_clip_of_six_dice_after_a_turn_under_autoplay_is_the_next_players() -> None:
    evening = Evening("233346", banking=True)
    evening.album.hello(True)
    evening.album.observed(observation("233346"))
    evening.keeps("333").album.observed(observation("111222"))
    assert (evening.view.players[0].score, evening.view.to_move, evening.view.roll) == (8, "Ben", faces("111222"))


def test_a_bank_that_ends_the_game_needs_no_further_photograph() -> None:
    evening = Evening("233346", "344462", "233346", banking=True, target="1").throw()
    evening.keeps("333").throw().keeps("444").throw()
    assert (evening.view.phase, evening.album.skipped, evening.folder.given) == ("over", {"count": 1}, 3)
