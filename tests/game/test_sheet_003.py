"""Sir Albert Farkle (sheet 003): each row of the catalogue, with its examples."""

import pytest
from written_games import (
    ended,
    kept,
    play,
    points,
    refusal,
    refused_settings,
    rules_of,
    scores,
    to_move,
    winners,
    worth,
)

ALBERT = "sir-albert"
OPENS = "111246 > 111, bank"


# --- 003-1 and 003-2: the chart ---


@pytest.mark.parametrize(
    ("dice", "worth_it"),
    {
        "1": 100,
        "5": 50,
        "111": 1000,
        "222": 200,
        "666": 600,
        "2222": 400,
        "22222": 800,
        "222222": 1600,
        "111111": 8000,
        "1111": 2000,
        "66666": 2400,
        "5555": 1000,
    }.items(),
)
def test_003_1_each_further_equal_die_doubles(dice: str, worth_it: int) -> None:
    assert worth(ALBERT, dice) == worth_it


def test_003_2_three_pairs_are_500_and_one_of_each_1500() -> None:
    assert worth(ALBERT, "115566") == 500
    assert worth(ALBERT, "115566", "1155") == 300
    assert worth(ALBERT, "123456") == 1500


def test_003_2_four_and_two_are_not_three_pairs() -> None:
    assert worth(ALBERT, "222244") is None
    assert worth(ALBERT, "222244", "2222") == 400
    assert worth(ALBERT, "222244", pairs_may_repeat=True) == 500


def test_003_2_four_ones_and_two_fives_are_worth_more_apart() -> None:
    assert worth(ALBERT, "111155", pairs_may_repeat=True) == 2100


# --- 003-3: the opening ---


def test_003_3_600_do_not_open_at_1000() -> None:
    assert refusal(ALBERT, "Ann: 666234 > 666, bank") == "1000 to open, you have 600"


def test_003_3_600_open_at_350() -> None:
    assert scores(play("sir-albert-350", "Ann: 666234 > 666, bank")) == (600, 0)
    assert scores(play(ALBERT, "Ann: 666234 > 666, bank", opening_min=350)) == (600, 0)


def test_003_3_it_is_asked_again_on_every_turn_until_it_is_reached() -> None:
    lines = ("Ann: 666234 > 666, 234", "Ben: 223446", "Ann: 666234 > 666, bank")
    assert refusal(ALBERT, *lines) == "1000 to open, you have 600"


def test_003_3_once_open_any_score_may_be_banked() -> None:
    lines = (f"Ann: {OPENS}", "Ben: 223446", "Ann: 522346 > 5, bank")
    assert scores(play(ALBERT, *lines)) == (1050, 0)


# --- 003-4 and 003-5 ---


def test_003_4_a_farkle_loses_the_turn() -> None:
    played = play(ALBERT, "scores: Ann 1500, Ben 0", "Ann: 111246 > 111, 246")
    assert (ended(played), scores(played), to_move(played)) == ([("Ann", 0, "farkle")], (1500, 0), "Ben")


def test_003_5_all_or_some_of_the_scoring_dice_may_be_removed() -> None:
    assert kept(ALBERT, "111546") == {"1", "11", "111", "5", "15", "115", "1115"}


def test_003_5_at_least_one_is_removed() -> None:
    assert refusal(ALBERT, "Ann: 111246, bank") == "keep a die first"


def test_003_5_only_some_of_four_equal_dice_may_be_removed() -> None:
    assert worth(ALBERT, "222234", "222") == 200


# --- 003-6: the forced throw ---


def test_003_6_six_that_score_in_one_throw_must_be_thrown_again() -> None:
    assert "must be thrown again" in refusal(ALBERT, "Ann: 111555 > 111555, bank")


def test_003_6_then_the_turn_may_be_banked() -> None:
    assert scores(play(ALBERT, "Ann: 111555 > 111555, 122346 > 1, bank")) == (1600, 0)


def test_003_6_every_such_throw_forces_once_more() -> None:
    assert "must be thrown again" in refusal(ALBERT, "Ann: 111555 > 111555, 123456 > 123456, bank")


def test_003_6_six_over_several_throws_force_nothing() -> None:
    assert scores(play(ALBERT, "Ann: 111246 > 111, 555 > 555, bank")) == (1500, 0)


def test_003_6_nothing_is_forced_where_a_die_is_left() -> None:
    assert scores(play(ALBERT, "Ann: 111555 > 11155, bank")) == (1100, 0)


# --- 003-7: the end ---

LEADS = ("scores: Ann 10100, Ben 9100", "final: Ann", "start: Ben")


def test_003_7_the_others_have_one_more_turn_to_pass() -> None:
    assert winners(play(ALBERT, *LEADS, "Ben: 111246 > 111, 126 > 1, bank")) == ("Ben",)
    assert winners(play(ALBERT, *LEADS, "Ben: 223446")) == ("Ann",)


def test_003_7_an_equal_score_leaves_the_first() -> None:
    played = play(ALBERT, *LEADS, "Ben: 111246 > 111, bank")
    assert (scores(played), winners(played)) == ((10_100, 10_100), ("Ann",))


def test_003_7_also_who_threw_earlier_in_the_round() -> None:
    lines = ("scores: Ann 9000, Ben 9000", "Ann: 223446", f"Ben: {OPENS}")
    assert not play(ALBERT, *lines).state.over
    assert winners(play(ALBERT, *lines, "Ann: 223446")) == ("Ben",)


# --- 003-8: variations ---


def test_003_8_350_may_be_asked_in_every_turn() -> None:
    lines = ("scores: Ann 1500, Ben 0", "Ann: 333246 > 333, bank")
    assert refusal(ALBERT, *lines, min_bank=350) == "350 at least in a turn, you have 300"
    assert scores(play(ALBERT, lines[0], "Ann: 333546 > 3335, bank", min_bank=350)) == (1850, 0)


def test_003_8_the_forced_throw_may_hold_over_several_throws() -> None:
    assert "must be thrown again" in refusal(ALBERT, "Ann: 111246 > 111, 555 > 555, bank", forced_hot="any")
    assert "must be thrown again" in refusal(ALBERT, "Ann: 111555 > 111555, bank", forced_hot="any")


def test_003_8_nothing_is_forced_where_the_house_says_so() -> None:
    assert scores(play(ALBERT, "Ann: 111555 > 111555, bank", forced_hot="none")) == (1500, 0)


def test_003_8_it_may_be_played_with_five_dice() -> None:
    played = play(ALBERT, "Ann: 11124 > 111", n_dice=5)
    assert (points(played), played.state.turn.dice_left) == (1000, 2)
    played = play(ALBERT, "Ann: 11155 > 11155", n_dice=5)
    assert (points(played), played.state.turn.dice_left) == (1100, 5)


def test_003_8_five_that_score_in_one_throw_force_a_throw_too() -> None:
    assert "must be thrown again" in refusal(ALBERT, "Ann: 11155 > 11155, bank", n_dice=5)


def test_003_8_six_dice_are_no_throw_of_five() -> None:
    assert "expected 5 dice, got 6" in refusal(ALBERT, "Ann: 111246 > 111", n_dice=5)


def test_003_8_with_five_dice_there_are_neither_three_pairs_nor_a_straight_of_six() -> None:
    combinations = rules_of(ALBERT, n_dice=5).table.combinations
    assert max(len(each.dice) for each in combinations) == 5
    assert not {"straight", "three pairs", "six of a kind"} & {each.name for each in combinations}


def test_003_8_wagering_is_no_switch() -> None:
    assert "expected the name of a switch, got 'wagering'" in refused_settings(ALBERT, wagering=True)
