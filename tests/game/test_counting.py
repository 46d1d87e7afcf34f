"""Turns that the players count themselves because no camera sees the dice, and a game that they end early."""

import pytest
from written_games import code_of, play, refusal, scores, to_move

from farkle.errors import IllegalMoveError
from farkle.game.commands import Bank, Count, End, Roll, ThrowForStart
from farkle.game.evolve import fold
from farkle.game.machine import decide
from farkle.game.state import Phase

BASIC = "farkle-cribbage"


def test_counted_points_are_banked() -> None:
    played = play(BASIC, "Ann: counted 7, counted 12, bank")
    assert (scores(played), to_move(played)) == ((12, 0), "Ben")


def test_points_are_counted_on_from_dice_that_were_seen() -> None:
    played = play(BASIC, "Ann: 233346 > 333, counted 8, bank")
    assert scores(played) == (8, 0)


def test_a_counted_farkle_loses_the_turn_and_counts_in_a_row() -> None:
    played = play(BASIC, "Ann: counted 7, counted farkle", "Ben: counted farkle", "Ann: 334466", "Ben: counted 1, bank")
    assert scores(played) == (0, 1)
    assert played.state.seats[0].farkles == 2


def test_three_counted_farkles_cost_what_three_farkles_cost() -> None:
    farkles = ("Ann: counted farkle", "Ben: counted farkle")
    assert scores(play("christian-brothers", *farkles * 3)) == (-1000, -1000)


def test_the_camera_may_come_back_within_the_turn_with_any_number_of_dice() -> None:
    played = play(BASIC, "Ann: counted 6, 146 > 1")
    assert (played.state.turn.points, played.state.turn.dice_left, played.state.turn.counted) == (7, 2, False)


def test_counted_points_open_and_close_as_others_do() -> None:
    state = play("christian-brothers", "Ann: counted 300").state
    with pytest.raises(IllegalMoveError, match="350 to open, you have 300"):
        decide(state, Bank())
    played = play(BASIC, "Ann: counted 121, bank", "Ben: counted 7, bank")
    assert (played.state.phase, played.state.winners) == (Phase.OVER, (0,))


def test_a_counted_turn_leaves_nothing_to_take_over() -> None:
    played = play("classic", "Ann: counted 800, bank", piggyback=True)
    assert played.state.left_over is None


def test_a_counted_farkle_begins_the_game_and_ends_what_might_be_taken_over() -> None:
    begun = play(BASIC, "Ann: counted farkle").state
    assert code_of(begun, ThrowForStart(1, (6, 3))) == "starter_known"
    played = play("classic", "Ann: 111346 > 111, bank", "Ben: counted farkle", piggyback=True)
    assert played.state.left_over is None


@pytest.mark.parametrize("points", [-1, True, 1_000_001])
def test_impossible_points_are_refused(points: int) -> None:
    with pytest.raises(IllegalMoveError, match=r"expected (0 to|a whole number)"):
        decide(play(BASIC).state, Count(points))


def test_a_game_may_be_ended_early_in_the_middle_of_a_turn() -> None:
    state = play(BASIC, "Ann: 233346 > 333").state
    ended = fold(decide(state, End()), state)
    assert (ended.phase, ended.winners) == (Phase.OVER, ())
    for command in (Roll((1, 1, 1)), Count(3), End()):
        with pytest.raises(IllegalMoveError, match="the game is over"):
            decide(ended, command)


def test_a_written_game_ends_early_with_these_words_alone() -> None:
    assert "expected 'ends: early'" in refusal(BASIC, "ends: now")
