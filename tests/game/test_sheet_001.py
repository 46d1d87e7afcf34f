"""The classic sheet (001): each row of the catalogue, with its examples."""

import pytest
from written_games import cannot_begin, ended, farkles, happened, play, points, refusal, scores, to_move, winners, worth

from farkle.notation import write
from farkle.replay import replay

CLASSIC = "classic"
THREE = "players: Ann, Ben, Cy"


# --- 001-1: the table ---


@pytest.mark.parametrize(
    ("dice", "worth_it"),
    {
        "5": 50,
        "1": 100,
        "111": 300,
        "222": 200,
        "333": 300,
        "444": 400,
        "555": 500,
        "666": 600,
        "2222": 1000,
        "1111": 1000,
        "33333": 2000,
        "444444": 3000,
        "111111": 3000,
        "123456": 1500,
        "223344": 1500,
        "111555": 2500,
        "222333": 2500,
        "666611": 1500,
        "333344": 1500,
        "1115": 350,
        "333335": 2050,
    }.items(),
)
def test_001_1_the_table(dice: str, worth_it: int) -> None:
    assert worth(CLASSIC, dice) == worth_it


def test_001_1_a_two_a_three_a_four_and_a_six_are_nothing_alone() -> None:
    assert farkles(CLASSIC, "223446")
    assert farkles(CLASSIC, "223346")


# --- 001-2: the end ---


def test_001_2_all_others_get_one_more_turn_also_who_has_thrown_this_round() -> None:
    lines = (THREE, "scores: Ann 0, Ben 9900, Cy 0", "Ann: 223446", "Ben: 122346 > 1, bank")
    assert to_move(play(CLASSIC, *lines, "Cy: 223446")) == "Ann"
    assert winners(play(CLASSIC, *lines, "Cy: 223446")) == ()
    assert winners(play(CLASSIC, *lines, "Cy: 223446", "Ann: 223446")) == ("Ben",)


def test_001_2_the_highest_wins() -> None:
    lines = ("scores: Ann 9950, Ben 9000", "Ann: 122346 > 1, bank", "Ben: 111146 > 1111, 12 > 1, bank")
    played = play(CLASSIC, *lines)
    assert (scores(played), winners(played)) == ((10_050, 10_100), ("Ben",))


def test_001_2_an_equal_score_does_not_top() -> None:
    lines = ("scores: Ann 10100, Ben 9000", "final: Ann", "start: Ben", "Ben: 111146 > 1111, 12 > 1, bank")
    played = play(CLASSIC, *lines)
    assert (scores(played), winners(played)) == ((10_100, 10_100), ("Ann",))


def test_001_2_who_reached_it_first_throws_no_more() -> None:
    lines = (THREE, "scores: Ann 9900, Ben 0, Cy 0", "Ann: 122346 > 1, bank", "Ben: 223446", "Cy: 223446")
    assert play(CLASSIC, *lines).state.over


def test_001_2_a_second_who_reaches_it_gives_nobody_another_turn() -> None:
    lines = (THREE, "scores: Ann 9900, Ben 9900, Cy 0", "Ann: 122346 > 1, bank", "Ben: 111146 > 1111, bank")
    assert winners(play(CLASSIC, *lines, "Cy: 223446")) == ("Ben",)


# --- 001-3: hot dice ---


def test_001_3_six_that_all_scored_may_be_thrown_again_or_banked() -> None:
    assert ended(play(CLASSIC, "Ann: 111555 > 111555, bank")) == [("Ann", 2500, "bank")]
    assert points(play(CLASSIC, "Ann: 111555 > 111555, 122346 > 1")) == 2600


# --- 001-4: on the board ---

OPENING = {"opening_min": 750, "min_bank": 350}


def test_001_4_700_do_not_open() -> None:
    assert refusal(CLASSIC, "Ann: 666126 > 666, 126 > 1, bank", **OPENING) == "750 to open, you have 700"


def test_001_4_750_open() -> None:
    assert scores(play(CLASSIC, "Ann: 666152 > 66615, bank", **OPENING)) == (750, 0)


def test_001_4_later_300_are_too_few_and_350_enough() -> None:
    on_board = "scores: Ann 800, Ben 0"
    assert refusal(CLASSIC, on_board, "Ann: 111246 > 111, bank", **OPENING) == "350 at least in a turn, you have 300"
    assert scores(play(CLASSIC, on_board, "Ann: 111546 > 1115, bank", **OPENING)) == (1150, 0)


def test_001_4_350_hold_in_the_last_turn_too() -> None:
    lines = ("scores: Ann 10000, Ben 9900", "final: Ann", "start: Ben", "Ben: 111246 > 111, bank")
    assert refusal(CLASSIC, *lines, **OPENING).startswith("350 at least")


def test_001_4_the_opening_is_made_in_one_turn() -> None:
    lines = ("Ann: 666126 > 666, 126 > 1, 26", "Ben: 223446", "Ann: 122346 > 1, bank")
    assert refusal(CLASSIC, *lines, **OPENING) == "750 to open, you have 100"


def test_001_4_the_house_names_the_opening() -> None:
    assert scores(play(CLASSIC, "Ann: 555246 > 555, bank", opening_min=500)) == (500, 0)


def test_001_4_all_three_optional_rules_are_off_unless_asked_for() -> None:
    assert scores(play(CLASSIC, "Ann: 522346 > 5, bank")) == (50, 0)


# --- 001-5: Van't Hof's six ---

SIX_ONES = "Ann: 112346 > 11, 1112 > 111, 1 > 1"


def test_001_5_six_ones_over_several_throws_may_be_3000_instead_of_their_own() -> None:
    assert points(play(CLASSIC, SIX_ONES, vant_hof_6=True)) == 600
    assert points(play(CLASSIC, f"{SIX_ONES}, vant-hof", vant_hof_6=True)) == 3000
    assert scores(play(CLASSIC, f"{SIX_ONES}, vant-hof, bank", vant_hof_6=True)) == (3000, 0)


def test_001_5_what_was_made_before_stays() -> None:
    turn = f"Ann: 111555 > 111555, {SIX_ONES.removeprefix('Ann: ')}, vant-hof"
    assert points(play(CLASSIC, turn, vant_hof_6=True)) == 2500 + 3000


@pytest.mark.parametrize(("rules", "own"), [("classic", 1000 + 200), ("free-the-dice", 1100 + 200)])
def test_001_5_it_replaces_a_four_of_a_kind_too(rules: str, own: int) -> None:
    turn = "Ann: 111146 > 1111, 11 > 11"
    assert points(play(rules, turn, vant_hof_6=True)) == own
    assert points(play(rules, f"{turn}, vant-hof", vant_hof_6=True)) == 3000


def test_001_5_ones_among_a_five_count_and_the_five_stays() -> None:
    turn = "Ann: 115346 > 11, 1134 > 11, 11 > 11"
    assert points(play(CLASSIC, f"{turn}, vant-hof", vant_hof_6=True)) == 3000
    assert "nothing to choose" in refusal(CLASSIC, "Ann: 115346 > 115, 111 > 111, vant-hof", vant_hof_6=True)


def test_001_5_it_may_be_declined() -> None:
    declined = play(CLASSIC, f"{SIX_ONES}, points, bank", vant_hof_6=True)
    assert scores(declined) == (600, 0)
    assert replay(write(declined.events)) == declined
    assert scores(play(CLASSIC, f"{SIX_ONES}, bank", vant_hof_6=True)) == (600, 0)


def test_001_5_it_is_gone_with_the_next_throw() -> None:
    turn = f"{SIX_ONES}, 122346 > 1, vant-hof"
    assert "nothing to choose" in refusal(CLASSIC, turn, vant_hof_6=True)


def test_001_5_it_is_taken_once() -> None:
    assert "nothing to choose" in refusal(CLASSIC, f"{SIX_ONES}, vant-hof, vant-hof", vant_hof_6=True)


def test_001_5_five_ones_and_a_five_are_no_six() -> None:
    turn = "Ann: 112346 > 11, 1112 > 111, 5 > 5, vant-hof"
    assert "nothing to choose" in refusal(CLASSIC, turn, vant_hof_6=True)


def test_001_5_six_ones_in_one_throw_are_six_of_a_kind_already() -> None:
    assert "nothing to choose" in refusal(CLASSIC, "Ann: 111111 > 111111, vant-hof", vant_hof_6=True)


def test_001_5_it_is_off_unless_asked_for() -> None:
    assert "nothing to choose" in refusal(CLASSIC, f"{SIX_ONES}, vant-hof")


TWO_SETS = "Ann: 111555 > 111555, 111246 > 111, vant-hof"


def test_001_5_the_ones_of_two_sets_of_dice_count_together_only_by_the_wider_scope() -> None:
    ones = "Ann: 111346 > 111, 555 > 555, 111246 > 111, vant-hof"
    assert "nothing to choose" in refusal(CLASSIC, ones, vant_hof_6=True)
    played = play(CLASSIC, ones, vant_hof_6=True, vant_hof_scope="turn")
    assert points(played) == 500 + 3000


def test_001_5_ones_that_made_another_combination_are_not_its_ones() -> None:
    assert "nothing to choose" in refusal(CLASSIC, TWO_SETS, vant_hof_6=True, vant_hof_scope="turn")


# --- 001-6: piggyback ---

BANKED_300 = "Ann: 111346 > 111, bank"


def test_001_6_the_next_may_go_on_with_the_dice_and_points_that_were_left() -> None:
    played = play(CLASSIC, BANKED_300, "Ben: piggyback, 546 > 5", piggyback=True)
    assert (points(played), scores(played)) == (350, (300, 0))


def test_001_6_the_one_before_keeps_what_was_banked() -> None:
    played = play(CLASSIC, BANKED_300, "Ben: piggyback, 546 > 5, bank", piggyback=True)
    assert scores(played) == (300, 350)


def test_001_6_or_start_with_six_fresh_dice() -> None:
    for words in ("", "fresh, "):
        played = play(CLASSIC, BANKED_300, f"Ben: {words}122346 > 1, bank", piggyback=True)
        assert scores(played) == (300, 100)


def test_001_6_who_takes_over_must_throw_first() -> None:
    assert refusal(CLASSIC, BANKED_300, "Ben: piggyback, bank", piggyback=True) == "throw first"


def test_001_6_a_farkle_loses_what_was_taken_over_to_nobody() -> None:
    played = play(CLASSIC, BANKED_300, "Ben: piggyback, 346", piggyback=True)
    assert (scores(played), to_move(played)) == ((300, 0), "Ann")


def test_001_6_after_a_farkle_nothing_is_left_over() -> None:
    lines = (BANKED_300, "Ben: piggyback, 346", "Ann: piggyback")
    assert "nothing to choose" in refusal(CLASSIC, *lines, piggyback=True)


def test_001_6_it_goes_on_from_player_to_player() -> None:
    lines = (THREE, BANKED_300, "Ben: piggyback, 546 > 5, bank", "Cy: piggyback, 14 > 1, bank")
    assert scores(play(CLASSIC, *lines, piggyback=True)) == (300, 350, 450)


def test_001_6_the_minimums_count_what_was_taken_over() -> None:
    lines = ("scores: Ann 0, Ben 0", "Ann: 666146 > 6661, bank", "Ben: piggyback, 54 > 5, bank")
    assert scores(play(CLASSIC, *lines, piggyback=True, opening_min=700)) == (700, 750)


def test_001_6_after_all_six_have_scored_nothing_is_left_over() -> None:
    lines = ("Ann: 111555 > 111555, bank", "Ben: piggyback")
    assert "nothing to choose" in refusal(CLASSIC, *lines, piggyback=True)


def test_001_6_unless_piggyback_hot_says_so() -> None:
    lines = ("Ann: 111555 > 111555, bank", "Ben: piggyback, 122346 > 1, bank")
    assert scores(play(CLASSIC, *lines, piggyback=True, piggyback_hot=True)) == (2500, 2600)


def test_001_6_the_last_dice_taken_over_may_become_hot() -> None:
    lines = (BANKED_300, "Ben: piggyback, 555 > 555")
    played = play(CLASSIC, *lines, piggyback=True)
    assert (points(played), played.state.turn.dice_left) == (800, 6)
    assert "HotDiceMade" in happened(played)


def test_001_6_the_first_player_has_nothing_to_take_over() -> None:
    assert "nothing to choose" in refusal(CLASSIC, "Ann: piggyback", piggyback=True)


def test_001_6_it_is_off_unless_asked_for() -> None:
    assert "nothing to choose" in refusal(CLASSIC, BANKED_300, "Ben: piggyback")


def test_001_6_a_game_from_paper_may_have_dice_left_over() -> None:
    lines = ("scores: Ann 300, Ben 0", "left-over: 3 dice 300", "start: Ben", "Ben: piggyback, 546 > 5, bank")
    assert scores(play(CLASSIC, *lines, piggyback=True)) == (300, 350)
    assert "piggyback" in cannot_begin(CLASSIC, *lines)
