"""The sheet of freethedice.com (002) with its sixteen options: each row of the catalogue, with its examples."""

import pytest
from written_games import (
    cannot_begin,
    ended,
    farkles,
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

from farkle.game.events import PointsGiven, TurnPassed

FREE = "free-the-dice"
THREE = "players: Ann, Ben, Cy"
FOUR = ("players: Ann, Ben, Cy, Di", "teams: A = Ann, Cy; B = Ben, Di")
BANKS_100 = "122346 > 1, bank"
FARKLES = "223446"


# --- 002-0: who starts ---


def test_002_0_one_die_each_and_the_highest_begins() -> None:
    assert to_move(play(FREE, "throws-for-start: Ann 3, Ben 4")) == "Ben"


def test_002_0_those_who_tie_throw_again() -> None:
    assert to_move(play(FREE, THREE, "throws-for-start: Ann 6, Ben 4, Cy 6, Ann 1, Cy 2")) == "Cy"


def test_002_0_it_is_one_die() -> None:
    assert "expected 1 dice, got 2" in refusal(FREE, "throws-for-start: Ann 3 4")


# --- 002-1: the chart ---


@pytest.mark.parametrize(
    ("dice", "worth_it"),
    {
        "1": 100,
        "5": 50,
        "111": 1000,
        "222": 200,
        "333": 300,
        "444": 400,
        "555": 500,
        "666": 600,
        "112266": 1500,
        "123456": 3000,
        "1111": 1100,
        "222222": 400,
        "222333": 500,
        "1155": 300,
    }.items(),
)
def test_002_1_the_chart(dice: str, worth_it: int) -> None:
    assert worth(FREE, dice) == worth_it


def test_002_1_four_twos_are_three_and_a_free_die() -> None:
    assert worth(FREE, "2222") is None
    assert worth(FREE, "2222", "222") == 200


def test_002_1_five_in_a_row_are_no_straight() -> None:
    assert worth(FREE, "12345") is None
    assert worth(FREE, "12345", "15") == 150


# --- 002-2: the end ---


def test_002_2_the_round_is_completed() -> None:
    lines = (THREE, "scores: Ann 9900, Ben 0, Cy 0", f"Ann: {BANKS_100}")
    assert not play(FREE, *lines, f"Ben: {FARKLES}").state.over
    assert winners(play(FREE, *lines, f"Ben: {FARKLES}", f"Cy: {FARKLES}")) == ("Ann",)


def test_002_2_who_threw_before_has_no_further_turn() -> None:
    lines = (THREE, "scores: Ann 0, Ben 0, Cy 9900", f"Ann: {FARKLES}", f"Ben: {FARKLES}", f"Cy: {BANKS_100}")
    assert winners(play(FREE, *lines)) == ("Cy",)


def test_002_2_the_highest_wins_whoever_was_first() -> None:
    lines = ("scores: Ann 9900, Ben 9500", f"Ann: {BANKS_100}", "Ben: 111346 > 111, bank")
    assert winners(play(FREE, *lines)) == ("Ben",)


def test_002_2_a_tie_is_shared() -> None:
    lines = ("scores: Ann 9900, Ben 9900", f"Ann: {BANKS_100}", f"Ben: {BANKS_100}")
    assert winners(play(FREE, *lines)) == ("Ann", "Ben")


# --- 002-3: 500 Start ---


def test_002_3_with_500_start_400_are_refused_and_500_open() -> None:
    assert refusal(FREE, "Ann: 444236 > 444, bank", opening_min=500) == "500 to open, you have 400"
    assert scores(play(FREE, "Ann: 555236 > 555, bank", opening_min=500)) == (500, 0)


def test_002_3_afterwards_any_score_may_be_banked() -> None:
    lines = ("Ann: 555236 > 555, bank", f"Ben: {FARKLES}", "Ann: 522346 > 5, bank")
    assert scores(play(FREE, *lines, opening_min=500)) == (550, 0)


def test_002_3_each_player_opens_alone() -> None:
    lines = ("Ann: 555236 > 555, bank", f"Ben: {BANKS_100}")
    assert refusal(FREE, *lines, opening_min=500) == "500 to open, you have 100"


# --- 002-4: Three Strikes and Out ---


def test_002_4_a_third_farkle_in_a_row_disqualifies() -> None:
    lines = (THREE, "scores: Ann 900, Ben 0, Cy 0", "farkles: Ann 2", f"Ann: {FARKLES}")
    played = play(FREE, *lines, f"Ben: {FARKLES}", f"Cy: {FARKLES}", three_strikes_out=True)
    assert played.state.seats[0].disqualified
    assert to_move(played) == "Ben"


def test_002_4_the_last_one_left_wins() -> None:
    lines = ("scores: Ann 9000, Ben 0", "farkles: Ann 2", f"Ann: {FARKLES}")
    assert winners(play(FREE, *lines, three_strikes_out=True)) == ("Ben",)


def test_002_4_who_is_out_cannot_win_by_score() -> None:
    lines = (THREE, "scores: Ann 9990, Ben 9900, Cy 0", "farkles: Ann 2", f"Ann: {FARKLES}", f"Ben: {BANKS_100}")
    assert winners(play(FREE, *lines, f"Cy: {FARKLES}", three_strikes_out=True)) == ("Ben",)


def test_002_4_a_player_alone_who_is_out_has_not_won() -> None:
    played = play(FREE, "players: Ann", *[f"Ann: {FARKLES}"] * 3, three_strikes_out=True)
    assert (played.state.over, winners(played)) == (True, ())


def test_002_4_a_bank_between_begins_the_count_anew() -> None:
    lines = ("farkles: Ann 2", f"Ann: {BANKS_100}", f"Ben: {FARKLES}", f"Ann: {FARKLES}", f"Ben: {FARKLES}")
    assert not play(FREE, "scores: Ann 0, Ben 0", *lines, three_strikes_out=True).state.over


@pytest.mark.parametrize("other", ["three_strikes_ouch", "farkle3_penalty"])
def test_002_4_it_excludes_a_price_for_three_farkles(other: str) -> None:
    reason = refused_settings(FREE, three_strikes_out=True, **{other: 1000})
    assert other in reason
    assert "cannot both put a player out and cost points" in reason


def test_002_4_in_a_team_the_player_is_out_and_the_mate_goes_on() -> None:
    lines = (*FOUR, "scores: A 0, B 0", "farkles: Ann 2", f"Ann: {FARKLES}", f"Ben: {FARKLES}", f"Cy: {FARKLES}")
    played = play(FREE, *lines, f"Di: {FARKLES}", three_strikes_out=True)
    assert (to_move(played), played.state.over) == ("Ben", False)


# --- 002-5: Three Strikes and OUCH ---


def test_002_5_a_third_farkle_in_a_row_costs_1000_at_once() -> None:
    lines = ("scores: Ann 300, Ben 0", "farkles: Ann 2", f"Ann: {FARKLES}")
    assert scores(play(FREE, *lines, three_strikes_ouch=1000)) == (-700, 0)


def test_002_5_the_count_begins_anew() -> None:
    lines = ("scores: Ann 300, Ben 0", "farkles: Ann 2", f"Ann: {FARKLES}", f"Ben: {BANKS_100}")
    again = (f"Ann: {FARKLES}", f"Ben: {BANKS_100}")
    played = play(FREE, *lines, *again, *again, three_strikes_ouch=1000)
    assert (scores(played)[0], played.state.seats[0].farkles) == (-700, 2)
    assert scores(play(FREE, *lines, *again * 3, three_strikes_ouch=1000))[0] == -1700


def test_002_5_it_is_off_unless_asked_for() -> None:
    assert scores(play(FREE, "scores: Ann 300, Ben 0", "farkles: Ann 2", f"Ann: {FARKLES}")) == (300, 0)


# --- 002-6 to 002-8: four, five, six of a kind ---


@pytest.mark.parametrize(("dice", "worth_it"), [("1111", 2000), ("2222", 400), ("3333", 600), ("4444", 800)])
def test_002_6_four_of_a_kind_are_twice_the_three(dice: str, worth_it: int) -> None:
    assert worth(FREE, dice, four_kind=True) == worth_it


def test_002_6_three_of_the_four_may_be_kept() -> None:
    assert worth(FREE, "2222", "222", four_kind=True) == 200


def test_002_6_a_fifth_two_is_nothing() -> None:
    assert worth(FREE, "22222", four_kind=True) is None


@pytest.mark.parametrize(("dice", "worth_it"), [("11111", 3000), ("22222", 600), ("66666", 1800)])
def test_002_7_five_of_a_kind_are_three_times_the_three(dice: str, worth_it: int) -> None:
    assert worth(FREE, dice, five_kind=True) == worth_it


def test_002_7_it_does_not_bring_four_of_a_kind() -> None:
    assert worth(FREE, "2222", five_kind=True) is None


@pytest.mark.parametrize(("dice", "worth_it"), [("111111", 4000), ("333333", 1200), ("666666", 2400)])
def test_002_8_six_of_a_kind_are_four_times_the_three(dice: str, worth_it: int) -> None:
    assert worth(FREE, dice, six_kind=True) == worth_it


def test_002_8_without_it_six_are_two_threes() -> None:
    assert worth(FREE, "666666") == 1200


# --- 002-9: Nobody Loses ---


def test_002_9_a_dead_first_throw_is_300() -> None:
    played = play(FREE, "Ann: 233446", nobody_loses=True)
    assert (points(played), to_move(played)) == (300, "Ann")
    assert scores(play(FREE, "Ann: 233446, bank", nobody_loses=True)) == (300, 0)


def test_002_9_the_house_may_name_another_sum() -> None:
    assert scores(play(FREE, "Ann: 233446, bank", nobody_loses=250)) == (250, 0)


def test_002_9_the_player_may_go_on_with_all_six() -> None:
    assert scores(play(FREE, f"Ann: 233446, {BANKS_100}", nobody_loses=True)) == (400, 0)


def test_002_9_the_throw_after_a_paid_one_is_not_paid() -> None:
    assert play(FREE, "Ann: 233446", nobody_loses=True).state.turn.paid
    assert not play(FREE, "Ann: 233446, 122346 > 1", nobody_loses=True).state.turn.paid


def test_002_9_a_second_dead_throw_is_a_farkle() -> None:
    assert ended(play(FREE, "Ann: 233446, 233446", nobody_loses=True)) == [("Ann", 0, "farkle")]


def test_002_9_only_the_first_throw_of_a_turn_is_paid() -> None:
    assert ended(play(FREE, "Ann: 123456 > 123456, 233446", nobody_loses=True)) == [("Ann", 0, "farkle")]
    assert ended(play(FREE, "Ann: 122346 > 1, 23346", nobody_loses=True)) == [("Ann", 0, "farkle")]


def test_002_9_with_500_start_300_cannot_be_banked() -> None:
    options = {"nobody_loses": True, "opening_min": 500}
    assert refusal(FREE, "Ann: 233446, bank", **options) == "500 to open, you have 300"
    assert scores(play(FREE, "Ann: 233446, 222346 > 222, bank", **options)) == (500, 0)


def test_002_9_a_paid_throw_is_no_farkle() -> None:
    lines = ("scores: Ann 0, Ben 0", "farkles: Ann 2", "Ann: 233446, bank")
    played = play(FREE, *lines, nobody_loses=True, three_strikes_ouch=1000)
    assert (scores(played), played.state.seats[0].farkles) == ((300, 0), 0)


def test_002_9_nothing_can_be_kept_of_it() -> None:
    assert "are kept" in refusal(FREE, "Ann: 233446 > 2", nobody_loses=True)


def test_002_9_it_is_off_unless_asked_for() -> None:
    assert ended(play(FREE, "Ann: 233446")) == [("Ann", 0, "farkle")]


# --- 002-10 to 002-13 ---


def test_002_10_lower_values_are_750_and_1500() -> None:
    assert worth(FREE, "112266", lower_values=True) == 750
    assert worth(FREE, "123456", lower_values=True) == 1500


def test_002_11_no_straight_leaves_the_one_and_the_five() -> None:
    assert worth(FREE, "123456", no_straight=True) is None
    assert worth(FREE, "123456", "15", no_straight=True) == 150


def test_002_11_it_beats_lower_values() -> None:
    assert worth(FREE, "123456", no_straight=True, lower_values=True) is None
    assert worth(FREE, "112266", no_straight=True, lower_values=True) == 750


def test_002_12_pocket_farkle_makes_three_ones_300() -> None:
    assert worth(FREE, "111", pocket_farkle=True) == 300
    assert worth(FREE, "1111", pocket_farkle=True) == 400
    assert worth(FREE, "222", pocket_farkle=True) == 200


def test_002_12_four_of_a_kind_doubles_the_pocket_triple() -> None:
    assert worth(FREE, "1111", pocket_farkle=True, four_kind=True) == 600


def test_002_13_overpowered_ones_are_5000() -> None:
    assert worth(FREE, "111111", overpowered_ones=True) == 5000
    assert worth(FREE, "111111") == 2000
    assert worth(FREE, "222222", overpowered_ones=True) == 400


# --- 002-14: Too Hot To Handle ---


def test_002_14_hot_dice_must_be_thrown() -> None:
    reason = refusal(FREE, "Ann: 111555 > 111555, bank", too_hot=True)
    assert reason == "all dice scored: they must be thrown again before banking"


def test_002_14_once_thrown_the_turn_may_be_banked() -> None:
    assert scores(play(FREE, f"Ann: 111555 > 111555, {BANKS_100}", too_hot=True)) == (1600, 0)


def test_002_14_each_time_they_go_hot() -> None:
    assert "must be thrown" in refusal(FREE, "Ann: 111555 > 111555, 111555 > 111555, bank", too_hot=True)


def test_002_14_also_when_they_went_hot_over_several_throws() -> None:
    assert "must be thrown" in refusal(FREE, "Ann: 111246 > 111, 555 > 555, bank", too_hot=True)


def test_002_14_fewer_dice_may_be_kept_to_avoid_it() -> None:
    assert scores(play(FREE, "Ann: 111555 > 11155, bank", too_hot=True)) == (1100, 0)


def test_002_14_it_is_off_unless_asked_for() -> None:
    assert scores(play(FREE, "Ann: 111555 > 111555, bank")) == (1500, 0)


# --- 002-15: another winning post ---


@pytest.mark.parametrize("target", [5000, 20_000, 50_000, 100_000])
def test_002_15_the_winning_post_may_be_elsewhere(target: int) -> None:
    lines = (f"scores: Ann 0, Ben {target - 100}", "start: Ben", f"Ben: {BANKS_100}")
    assert winners(play(FREE, *lines, target=target)) == ("Ben",)
    lines = (f"scores: Ann 0, Ben {target - 150}", "start: Ben", f"Ben: {BANKS_100}")
    assert not play(FREE, *lines, target=target).state.over


# --- 002-16: Charity ---

BANKS_200 = "112346 > 11, bank"


def test_002_16_what_overshoots_goes_to_the_lowest_player() -> None:
    played = play(FREE, "scores: Ann 9900, Ben 5000", f"Ann: {BANKS_200}", charity=True)
    assert scores(played) == (9900, 5200)
    assert ended(played) == [("Ann", 0, "bank")]


def test_002_16_exactly_10000_wins() -> None:
    lines = ("scores: Ann 9900, Ben 5000", f"Ann: {BANKS_100}", f"Ben: {FARKLES}")
    assert winners(play(FREE, *lines, charity=True)) == ("Ann",)


def test_002_16_an_exact_hit_ends_at_the_end_of_the_round() -> None:
    lines = (THREE, "scores: Ann 9900, Ben 9900, Cy 0", f"Ann: {BANKS_100}", f"Ben: {BANKS_100}", f"Cy: {FARKLES}")
    assert not play(FREE, *lines[:-1], charity=True).state.over
    assert winners(play(FREE, *lines, charity=True)) == ("Ann", "Ben")


def test_002_16_a_roller_who_is_the_lowest_gives_to_nobody() -> None:
    lines = (THREE, "scores: Ann 100, Ben 500, Cy 400", "Ann: 123456 > 123456, bank")
    assert scores(play(FREE, *lines, charity=True, target=3000)) == (100, 500, 400)


def test_002_16_of_two_lowest_it_is_the_next_in_turn() -> None:
    lines = (THREE, "scores: Ann 400, Ben 9900, Cy 400", "start: Ben", f"Ben: {BANKS_200}")
    assert scores(play(FREE, *lines, charity=True)) == (400, 9900, 600)


def test_002_16_a_gift_that_would_overshoot_too_is_void() -> None:
    lines = ("scores: Ann 9900, Ben 9850", f"Ann: {BANKS_200}")
    played = play(FREE, *lines, charity=True)
    assert scores(played) == (9900, 9850)
    assert played.events[-2:] == (PointsGiven(0, 200, None, 0), TurnPassed(1))


def test_002_16_a_gift_that_hits_the_target_counts() -> None:
    lines = ("scores: Ann 9900, Ben 9800", f"Ann: {BANKS_200}", f"Ben: {FARKLES}")
    played = play(FREE, *lines, charity=True)
    assert (scores(played), winners(played)) == ((9900, 10_000), ("Ben",))


def test_002_16_a_turn_that_overshoots_is_no_farkle() -> None:
    lines = ("scores: Ann 9900, Ben 5000", "farkles: Ann 2", f"Ann: {BANKS_200}")
    played = play(FREE, *lines, charity=True, three_strikes_ouch=1000)
    assert (scores(played), played.state.seats[0].farkles) == ((9900, 5200), 0)


def test_002_16_a_lower_total_may_be_declared_to_hit_it() -> None:
    lines = ("scores: Ann 9700, Ben 0", "Ann: 111346 > 111 = 300, bank", f"Ben: {FARKLES}")
    assert winners(play(FREE, *lines, charity=True)) == ("Ann",)


def test_002_16_a_third_lowest_gets_it_and_not_the_second() -> None:
    lines = ("players: Ann, Ben, Cy, Di", "scores: Ann 9900, Ben 700, Cy 600, Di 800", f"Ann: {BANKS_200}")
    assert scores(play(FREE, *lines, charity=True)) == (9900, 700, 800, 800)


def test_002_16_a_team_gives_to_another_team() -> None:
    lines = (*FOUR, "scores: A 9900, B 400", f"Ann: {BANKS_200}")
    assert scores(play(FREE, *lines, charity=True)) == (9900, 600)


def test_002_16_it_excludes_find_a_loser() -> None:
    assert "find_loser and charity" in refused_settings(FREE, charity=True, find_loser=True)


def test_002_16_nobody_begins_beyond_the_target() -> None:
    assert "expected at most 10000 for Ann" in cannot_begin(FREE, "scores: Ann 10050, Ben 0", charity=True)


# --- 002-17: Team Farkle ---


def test_002_17_the_scores_of_a_team_are_added() -> None:
    lines = (*FOUR, f"Ann: {BANKS_100}", f"Ben: {FARKLES}", f"Cy: {BANKS_200}", f"Di: {BANKS_100}")
    assert scores(play(FREE, *lines)) == (300, 100)


def test_002_17_the_teams_total_reaches_the_target() -> None:
    lines = (*FOUR, "scores: A 19900, B 0", f"Ann: {BANKS_100}", f"Ben: {FARKLES}", f"Cy: {FARKLES}", f"Di: {FARKLES}")
    assert winners(play(FREE, *lines, target=20_000)) == ("A",)


def test_002_17_farkles_are_each_players_own() -> None:
    others = (f"Ben: {BANKS_100}", f"Di: {BANKS_100}")
    lines = (*FOUR, "scores: A 2000, B 0", f"Ann: {FARKLES}", others[0], f"Cy: {FARKLES}", others[1], f"Ann: {FARKLES}")
    played = play(FREE, *lines, three_strikes_ouch=1000)
    assert scores(played) == (2000, 200)
    assert [seat.farkles for seat in played.state.seats] == [2, 0, 1, 0]


def test_002_17_each_player_opens_for_himself() -> None:
    lines = (*FOUR, "Ann: 555236 > 555, bank", f"Ben: {FARKLES}", f"Cy: {BANKS_100}")
    assert refusal(FREE, *lines, opening_min=500) == "500 to open, you have 100"


def test_002_17_any_number_of_equal_teams_may_play() -> None:
    eight = "players: A1, B1, C1, D1, A2, B2, C2, D2"
    played = play(FREE, eight, "teams: A = A1, A2; B = B1, B2; C = C1, C2; D = D1, D2")
    assert len(played.state.sides) == 4


# --- 002-18: Troublesome Twos ---


def test_002_18_four_twos_are_a_farkle_whatever_else_lies_there() -> None:
    assert ended(play(FREE, "Ann: 222215", troublesome_twos=True)) == [("Ann", 0, "farkle")]
    assert farkles(FREE, "222222", troublesome_twos=True)


def test_002_18_three_twos_are_fine() -> None:
    assert worth(FREE, "222156", "22215", troublesome_twos=True) == 350


def test_002_18_twos_over_two_throws_are_fine() -> None:
    assert points(play(FREE, "Ann: 222346 > 222, 221 > 1", troublesome_twos=True)) == 300


def test_002_18_they_beat_four_of_a_kind_and_nobody_loses() -> None:
    assert farkles(FREE, "2222", troublesome_twos=True, four_kind=True)
    options = {"troublesome_twos": True, "nobody_loses": True}
    assert ended(play(FREE, "Ann: 222234", **options)) == [("Ann", 0, "farkle")]


def test_002_18_it_is_off_unless_asked_for() -> None:
    assert worth(FREE, "222215", "22215") == 350


def test_002_18_all_options_together_make_one_rule_set() -> None:
    rules = rules_of(
        FREE,
        opening_min=500,
        three_strikes_ouch=1000,
        four_kind=True,
        five_kind=True,
        six_kind=True,
        nobody_loses=True,
        lower_values=True,
        no_straight=True,
        pocket_farkle=True,
        charity=True,
        overpowered_ones=True,
        too_hot=True,
        target=5000,
        troublesome_twos=True,
    )
    assert len(rules.settings()) == 14
