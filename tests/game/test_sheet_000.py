"""Farkle Cribbage (sheet 000), basic, advanced and alternate: each row of the catalogue, with its examples."""

import pytest
from written_games import (
    cannot_begin,
    ended,
    farkles,
    happened,
    play,
    points,
    refusal,
    rules_of,
    scores,
    to_move,
    totals,
    winners,
    worth,
)

from farkle.game.commands import Choose
from farkle.game.machine import verify
from farkle.game.standing import places
from farkle.rules.catalogue import find_rule_set

BASIC, ADVANCED = "farkle-cribbage", "farkle-cribbage-advanced"
THREE = "players: Ann, Ben, Cy"
FOUR = ("players: Ann, Ben, Cy, Di", "teams: A = Ann, Cy; B = Ben, Di")


# --- 000-1: who starts ---


def test_000_1_the_highest_total_of_two_dice_begins() -> None:
    assert to_move(play(BASIC, "throws-for-start: Ann 6 3, Ben 4 6")) == "Ben"


def test_000_1_those_who_tie_throw_again() -> None:
    tied = play(BASIC, THREE, "throws-for-start: Ann 3 4, Ben 5 4, Cy 6 3")
    assert happened(tied)[-1] == "StartTied"
    assert to_move(play(BASIC, THREE, "throws-for-start: Ann 3 4, Ben 5 4, Cy 6 3, Ben 1 1, Cy 1 2")) == "Cy"


def test_000_1_those_who_tie_again_throw_again() -> None:
    throws = "throws-for-start: Ann 6 6, Ben 6 6, Cy 6 6, Ann 1 1, Ben 2 2, Cy 3 1, Ben 6 1, Cy 5 1"
    assert to_move(play(BASIC, THREE, throws)) == "Ben"


def test_000_1_who_did_not_tie_throws_no_more() -> None:
    reason = refusal(BASIC, THREE, "throws-for-start: Ann 3 4, Ben 5 4, Cy 6 3, Ann 6 6")
    assert "Ben, Cy, got Ann's" in reason


def test_000_1_each_throws_once_a_round() -> None:
    assert refusal(BASIC, "throws-for-start: Ann 6 3, Ann 6 6") == "Ann has already thrown to see who begins"


@pytest.mark.parametrize("throw", ["6", "6 3 1"])
def test_000_1_it_is_two_dice(throw: str) -> None:
    assert refusal(BASIC, f"throws-for-start: Ann {throw}").startswith("expected 2 dice")


def test_000_1_the_turns_go_clockwise_from_there() -> None:
    order = ("Cy: 334466", "Ann: 334466", "Ben: 334466", "Cy: 334466")
    assert to_move(play(BASIC, THREE, "start: Cy", *order)) == "Ann"


def test_000_1_a_round_ends_before_the_player_who_began() -> None:
    lines = (THREE, "start: Cy", "Cy: 111111 > 111111, bank", "Ann: 334466")
    assert winners(play(BASIC, *lines, target=40)) == ()
    assert winners(play(BASIC, *lines, "Ben: 334466", target=40)) == ("Cy",)


def test_000_1_all_throw_before_the_first_turn() -> None:
    assert "throws for who begins" in refusal(BASIC, "throws-for-start: Ann 6 3", "Ann: 134466 > 1")


# --- 000-2: the basic chart ---


@pytest.mark.parametrize(
    ("dice", "pegs"),
    {"1": 1, "2": 2, "111": 20, "333": 6, "444": 8, "555": 10, "666": 12, "1122": 6, "222": 6, "111111": 40}.items(),
)
def test_000_2_the_basic_chart(dice: str, pegs: int) -> None:
    assert worth(BASIC, dice) == pegs


@pytest.mark.parametrize(("dice", "pegs"), [("2", 2), ("333", 6), ("2333", 8)])
def test_000_2_the_sheets_own_throw_may_be_kept_three_ways(dice: str, pegs: int) -> None:
    assert worth(BASIC, "233346", dice) == pegs


def test_000_2_two_ones_and_two_twos_are_six_pegs() -> None:
    assert worth(BASIC, "112246", "1122") == 6


def test_000_2_three_pairs_are_a_farkle_in_the_basic_game() -> None:
    assert farkles(BASIC, "334455")


def test_000_2_a_fourth_equal_die_is_a_single_or_nothing() -> None:
    assert worth(BASIC, "1111") == 21
    assert worth(BASIC, "2222") == 8
    assert worth(BASIC, "3333") is None


def test_000_2_the_same_three_may_score_twice() -> None:
    assert worth(BASIC, "333333") == 12


# --- 000-3: sticking and rolling ---


def test_000_3_a_player_who_sticks_scores_and_the_next_has_the_turn() -> None:
    assert ended(play(BASIC, "Ann: 233346 > 333, 146 > 1, bank")) == [("Ann", 7, "bank")]


def test_000_3_a_player_who_rolls_risks_all_pegs_of_the_turn() -> None:
    assert ended(play(BASIC, "Ann: 233346 > 333, 146 > 1, 46")) == [("Ann", 0, "farkle")]


def test_000_3_all_six_scored_may_be_rolled_over() -> None:
    played = play(BASIC, "Ann: 333444 > 333444, 555666 > 555666, bank")
    assert ended(played) == [("Ann", 14 + 22, "bank")]


# --- 000-4: frozen dice ---


def test_000_4_dice_kept_never_take_part_later() -> None:
    assert points(play(BASIC, "Ann: 133446 > 1, 11346 > 11")) == 1 + 2


def test_000_4_two_frozen_dice_do_not_make_a_three_with_the_next() -> None:
    assert points(play(BASIC, "Ann: 223446 > 22, 2346 > 2")) == 6
    assert worth(BASIC, "33") is None


# --- 000-5: the goal ---


def test_000_5_the_furthest_off_the_end_wins() -> None:
    lines = ("scores: Ann 103, Ben 100", "Ann: 111346 > 111, bank", "Ben: 111122 > 111122, bank")
    played = play(BASIC, *lines)
    assert (scores(played), winners(played)) == ((123, 125), ("Ben",))


def test_000_5_the_last_seat_ends_the_game_at_once() -> None:
    played = play(BASIC, "scores: Ann 100, Ben 115", "start: Ben", "Ben: 111346 > 111, bank")
    assert (scores(played), winners(played)) == ((100, 135), ("Ben",))


def test_000_5_all_others_complete_the_round() -> None:
    lines = (THREE, "scores: Ann 120, Ben 0, Cy 0", "Ann: 134466 > 1, bank")
    assert to_move(play(BASIC, *lines)) == "Ben"
    assert not play(BASIC, *lines, "Ben: 334466").state.over
    assert winners(play(BASIC, *lines, "Ben: 334466", "Cy: 334466")) == ("Ann",)


def test_000_5_who_threw_before_in_the_round_has_no_further_turn() -> None:
    lines = (THREE, "scores: Ann 0, Ben 120, Cy 0", "Ann: 334466", "Ben: 134466 > 1, bank", "Cy: 334466")
    assert winners(play(BASIC, *lines)) == ("Ben",)


def test_000_5_hole_121_is_off_and_120_is_not() -> None:
    assert not play(BASIC, "scores: Ann 0, Ben 119", "start: Ben", "Ben: 134466 > 1, bank").state.over
    assert play(BASIC, "scores: Ann 0, Ben 120", "start: Ben", "Ben: 134466 > 1, bank").state.over


def test_000_5_a_peg_is_off_only_when_the_turn_is_banked() -> None:
    assert not play(BASIC, "scores: Ann 0, Ben 120", "start: Ben", "Ben: 134466 > 1, 33446").state.over


def test_000_5_a_tie_is_shared() -> None:
    lines = ("scores: Ann 120, Ben 120", "Ann: 134466 > 1, bank", "Ben: 134466 > 1, bank")
    assert winners(play(BASIC, *lines)) == ("Ann", "Ben")


# --- 000-6: bonus scores ---


@pytest.mark.parametrize(
    ("dice", "pegs"),
    {"3333": 16, "33333": 21, "1111": 30, "11111": 35, "2222": 16, "22222": 21, "6666": 22, "66666": 27}.items(),
)
def test_000_6_four_are_ten_more_than_three_and_five_fifteen(dice: str, pegs: int) -> None:
    assert worth(ADVANCED, dice) == pegs


def test_000_6_only_three_of_the_four_may_be_kept() -> None:
    assert worth(ADVANCED, "333346", "333") == 6


def test_000_6_the_basic_game_has_none_of_it() -> None:
    assert worth(BASIC, "3333") is None
    assert worth(BASIC, "3333", bonus_scores=True) == 16


# --- 000-7: the Bomb ---

AT_10_AND_80 = "scores: Ann 10, Ben 80"


@pytest.mark.parametrize(
    ("dice", "pegs"), {"111111": 40, "222222": 26, "333333": 26, "444444": 28, "555555": 30, "666666": 32}.items()
)
def test_000_7_a_bomb_is_twenty_more_than_three(dice: str, pegs: int) -> None:
    assert worth(ADVANCED, dice) == pegs


def test_000_7_a_bomb_may_be_taken_as_points() -> None:
    for words in ("", " points,"):
        played = play(ADVANCED, AT_10_AND_80, f"Ann: 444444 > 444444,{words} bank")
        assert scores(played) == (38, 80)


def test_000_7_a_bomb_may_be_swapped_with_the_leader() -> None:
    assert scores(play(ADVANCED, AT_10_AND_80, "Ann: 444444 > 444444, swap, bank")) == (80, 10)


def test_000_7_the_pegs_are_swapped_at_once() -> None:
    played = play(ADVANCED, AT_10_AND_80, "Ann: 444444 > 444444, swap")
    assert (scores(played), points(played), to_move(played)) == ((80, 10), 0, "Ann")


def test_000_7_the_pegs_of_the_turn_ride_on_the_new_position() -> None:
    played = play(ADVANCED, AT_10_AND_80, "Ann: 111222 > 111222, 444444 > 444444, swap, bank")
    assert scores(played) == (106, 10)


def test_000_7_after_a_swap_even_nothing_may_be_banked_below_any_minimum() -> None:
    lines = (AT_10_AND_80, "Ann: 444444 > 444444, swap, bank")
    assert scores(play(ADVANCED, *lines, min_bank=5, opening_min=9)) == (80, 10)


def test_000_7_who_swapped_and_banked_is_on_the_board() -> None:
    lines = (AT_10_AND_80, "on-board: Ben", "Ann: 444444 > 444444, swap, bank", "Ben: 334456", "Ann: 134566 > 1, bank")
    assert scores(play(ADVANCED, *lines, opening_min=9)) == (81, 10)


def test_000_7_a_swap_does_not_let_hot_dice_lie() -> None:
    lines = (AT_10_AND_80, "Ann: 444444 > 444444, swap, bank")
    assert "must be thrown again" in refusal(ADVANCED, *lines, too_hot=True)


def test_000_7_a_swap_may_be_rolled_on() -> None:
    played = play(ADVANCED, AT_10_AND_80, "Ann: 444444 > 444444, swap, 134566 > 1, bank")
    assert scores(played) == (81, 10)


def test_000_7_the_choice_is_gone_with_the_next_throw() -> None:
    lines = (AT_10_AND_80, "Ann: 444444 > 444444, 134566 > 1, swap")
    assert "there is nothing to choose now" in refusal(ADVANCED, *lines)


def test_000_7_who_took_the_points_cannot_swap_too() -> None:
    assert "nothing to choose" in refusal(ADVANCED, AT_10_AND_80, "Ann: 444444 > 444444, points, swap")


def test_000_7_the_leader_himself_cannot_swap() -> None:
    assert "nothing to choose" in refusal(ADVANCED, "scores: Ann 90, Ben 80", "Ann: 444444 > 444444, swap")


def test_000_7_a_roller_level_with_the_furthest_cannot_swap() -> None:
    assert "nothing to choose" in refusal(ADVANCED, "scores: Ann 80, Ben 80", "Ann: 444444 > 444444, swap")


def test_000_7_the_turns_pegs_do_not_make_the_roller_the_leader() -> None:
    lines = ("scores: Ann 70, Ben 80", "Ann: 111222 > 111222, 444444 > 444444, swap, bank")
    assert scores(play(ADVANCED, *lines)) == (80 + 26, 70)


def test_000_7_at_a_tie_of_leaders_the_roller_names_one() -> None:
    lines = (THREE, "scores: Ann 10, Ben 80, Cy 80")
    assert scores(play(ADVANCED, *lines, "Ann: 444444 > 444444, swap Cy, bank")) == (80, 80, 10)
    assert scores(play(ADVANCED, *lines, "Ann: 444444 > 444444, swap Ben, bank")) == (80, 10, 80)
    reason = refusal(ADVANCED, *lines, "Ann: 444444 > 444444, swap")
    assert reason == "expected a swap with the leader, Ben or Cy, got nobody"


def test_000_7_the_swap_is_with_the_furthest_and_no_other() -> None:
    lines = (THREE, "scores: Ann 10, Ben 80, Cy 40")
    assert scores(play(ADVANCED, *lines, "Ann: 444444 > 444444, swap Ben, bank")) == (80, 10, 40)
    assert "with the leader, Ben, got Cy" in refusal(ADVANCED, *lines, "Ann: 444444 > 444444, swap Cy")


@pytest.mark.parametrize("number", [-5, -1, 2, 7])
def test_000_7_a_number_that_is_no_side_is_refused(number: int) -> None:
    state = play(ADVANCED, AT_10_AND_80, "Ann: 444444 > 444444").state
    assert "expected" in str(verify(state, Choose("swap", number)))


def test_000_7_the_second_also_may_swap_with_the_leader() -> None:
    lines = (THREE, "scores: Ann 60, Ben 80, Cy 40", "Ann: 444444 > 444444, swap, bank")
    assert scores(play(ADVANCED, *lines)) == (80, 60, 40)


def test_000_7_the_leader_may_be_past_the_end() -> None:
    lines = ("scores: Ann 120, Ben 30", "Ann: 134566 > 1, bank", "Ben: 444444 > 444444, swap, bank")
    played = play(ADVANCED, *lines)
    assert (scores(played), winners(played)) == ((30, 121), ("Ben",))


def test_000_7_a_later_farkle_loses_the_turns_pegs_and_not_the_swap() -> None:
    played = play(ADVANCED, AT_10_AND_80, "Ann: 444444 > 444444, swap, 134566 > 1, 33456")
    assert (scores(played), ended(played)) == ((80, 10), [("Ann", 0, "farkle")])


def test_000_7_undone_on_farkle_gives_the_pegs_back() -> None:
    farkled = (AT_10_AND_80, "Ann: 444444 > 444444, swap, 134566 > 1, 33456")
    assert scores(play(ADVANCED, *farkled, bomb_swap="undone_on_farkle")) == (10, 80)
    banked = (AT_10_AND_80, "Ann: 444444 > 444444, swap, 134566 > 1, bank")
    assert scores(play(ADVANCED, *banked, bomb_swap="undone_on_farkle")) == (81, 10)


def test_000_7_two_swaps_of_a_turn_are_both_undone() -> None:
    lines = (THREE, "scores: Ann 10, Ben 80, Cy 80")
    turn = "Ann: 444444 > 444444, swap Ben, 333333 > 333333, 334456"
    assert scores(play(ADVANCED, *lines, turn, bomb_swap="undone_on_farkle")) == (10, 80, 80)


def test_000_7_a_penalty_follows_the_swap_undone() -> None:
    lines = ("scores: Ann 30, Ben 80", "farkles: Ann 2", "Ann: 444444 > 444444, swap, 334456")
    assert scores(play(ADVANCED, *lines, bomb_swap="undone_on_farkle")) == (10, 80)
    assert scores(play(ADVANCED, *lines)) == (60, 30)


def test_000_7_bomb_swap_off_leaves_the_points() -> None:
    assert "nothing to choose" in refusal(ADVANCED, AT_10_AND_80, "Ann: 444444 > 444444, swap", bomb_swap="off")
    assert scores(play(ADVANCED, AT_10_AND_80, "Ann: 444444 > 444444, bank", bomb_swap="off")) == (38, 80)


@pytest.mark.parametrize("options", [{"twos_kind_value": "none"}, {"twos_kind_value": 4}, {}])
def test_000_7_six_equal_dice_are_a_bomb_whatever_they_are_worth(options: dict) -> None:
    lines = (AT_10_AND_80, "Ann: 222222 > 222222, swap, bank")
    assert scores(play(ADVANCED, *lines, **options)) == (80, 10)


def test_000_7_a_bomb_may_be_worth_more_another_way() -> None:
    options = {"bonus_scores": True, "pairs_may_repeat": True}
    lines = ("scores: Ann 100, Ben 800", "Ann: 222222 > 222222")
    assert points(play("classic", *lines, **options)) == 1500
    assert scores(play("classic", lines[0], f"{lines[1]}, swap, bank", **options)) == (800, 100)


def test_000_7_the_basic_game_has_no_bomb() -> None:
    assert "nothing to choose" in refusal(BASIC, AT_10_AND_80, "Ann: 444444 > 444444, swap")


def test_000_7_six_of_a_kind_over_two_throws_are_no_bomb() -> None:
    lines = (AT_10_AND_80, "Ann: 444136 > 444, 444 > 444, swap")
    assert "nothing to choose" in refusal(ADVANCED, *lines)


def test_000_7_a_swap_counts_as_a_turn_that_did_not_farkle() -> None:
    lines = (AT_10_AND_80, "farkles: Ann 2", "Ann: 444444 > 444444, swap, bank", "Ben: 334456", "Ann: 334456")
    assert scores(play(ADVANCED, *lines)) == (80, 10)


def test_000_7_a_swap_can_be_with_a_team() -> None:
    lines = (*FOUR, "scores: A 10, B 80", "Ann: 444444 > 444444, swap B, bank")
    assert scores(play(ADVANCED, *lines)) == (80, 10)


# --- 000-8: three pairs ---


def test_000_8_three_pairs_are_ten() -> None:
    assert worth(ADVANCED, "223344") == 10
    assert worth(ADVANCED, "112233") == 10


def test_000_8_four_and_two_are_not_three_pairs() -> None:
    assert worth(ADVANCED, "333344") is None
    assert worth(ADVANCED, "333344", "3333") == 16
    assert worth(ADVANCED, "333344", pairs_may_repeat=True) == 10


def test_000_8_the_singles_may_be_kept_instead() -> None:
    assert worth(ADVANCED, "112244", "1122") == 6
    assert 6 not in totals(ADVANCED, "112244")


# --- 000-9: the straight ---


def test_000_9_a_straight_is_twenty_five() -> None:
    assert worth(ADVANCED, "123456") == 25


def test_000_9_it_may_be_declined_for_a_two() -> None:
    assert worth(ADVANCED, "123456", "2") == 2


def test_000_9_five_in_a_row_are_no_straight() -> None:
    assert worth(ADVANCED, "12345") is None


# --- 000-10: three farkles in a row ---


def test_000_10_three_farkles_in_a_row_cost_twenty() -> None:
    lines = ("scores: Ann 50, Ben 0", "farkles: Ann 2", "Ann: 334456")
    assert scores(play(ADVANCED, *lines)) == (30, 0)


def test_000_10_the_peg_goes_back_to_start_and_no_further() -> None:
    lines = ("scores: Ann 10, Ben 0", "farkles: Ann 2", "Ann: 334456")
    assert scores(play(ADVANCED, *lines)) == (0, 0)


def test_000_10_two_cost_nothing() -> None:
    lines = ("scores: Ann 50, Ben 0", "farkles: Ann 1", "Ann: 334456")
    assert scores(play(ADVANCED, *lines)) == (50, 0)


def test_000_10_the_count_begins_anew_after_the_penalty() -> None:
    rounds = ("Ann: 334456", "Ben: 134566 > 1, bank") * 5
    played = play(ADVANCED, "scores: Ann 50, Ben 0", *rounds)
    assert (scores(played), played.state.seats[0].farkles) == ((30, 5), 2)
    assert scores(play(ADVANCED, "scores: Ann 50, Ben 0", *rounds, "Ann: 334456")) == (10, 5)


def test_000_10_a_bank_begins_the_count_anew() -> None:
    lines = ("scores: Ann 50, Ben 0", "farkles: Ann 2", "Ann: 134566 > 1, bank", "Ben: 334456", "Ann: 334456")
    assert scores(play(ADVANCED, *lines)) == (51, 0)


def test_000_10_the_turns_are_the_players_own() -> None:
    lines = ("scores: Ann 50, Ben 0", "Ann: 334456", "Ben: 334456", "Ann: 334456")
    assert scores(play(ADVANCED, *lines)) == (50, 0)


def test_000_10_the_basic_game_has_no_penalty() -> None:
    assert scores(play(BASIC, "scores: Ann 50, Ben 0", "farkles: Ann 2", "Ann: 334466")) == (50, 0)


# --- 000-11: 5 dice roll over ---


@pytest.mark.parametrize(("face", "pegs"), [(1, 30 + 5 + 1), (2, 30 + 5 + 2), (3, 30 + 5)])
def test_000_11_with_five_aside_the_last_die_succeeds_on_one_two_and_three(face: int, pegs: int) -> None:
    played = play(ADVANCED, f"Ann: 111124 > 1111, 24 > 2, {face} > {face}, bank")
    assert scores(played) == (pegs - 3, 0)


@pytest.mark.parametrize("face", [4, 5, 6])
def test_000_11_on_four_to_six_it_fails(face: int) -> None:
    assert ended(play(ADVANCED, f"Ann: 111124 > 11112, {face}")) == [("Ann", 0, "farkle")]


def test_000_11_all_six_have_scored_then_and_may_be_rolled_over() -> None:
    played = play(ADVANCED, "Ann: 111124 > 11112, 3 > 3")
    assert (points(played), played.state.turn.dice_left) == (32, 6)
    assert points(play(ADVANCED, "Ann: 111124 > 11112, 3 > 3, 134566 > 1")) == 33


def test_000_11_with_fewer_aside_a_three_is_nothing() -> None:
    assert ended(play(ADVANCED, "Ann: 111346 > 111, 346")) == [("Ann", 0, "farkle")]
    assert farkles(ADVANCED, "33")


def test_000_11_the_basic_game_has_it_as_an_option() -> None:
    assert farkles(BASIC, "3")
    assert worth(BASIC, "3", five_dice_rollover=True) == 0


# --- 000-12: the long game ---


def test_000_12_in_the_long_game_135_is_not_out() -> None:
    lines = ("scores: Ann 115, Ben 0", "Ann: 111346 > 111, bank", "Ben: 334466")
    played = play(BASIC, *lines, target=241)
    assert (scores(played), played.state.over) == ((135, 0), False)


def test_000_12_it_ends_at_241() -> None:
    lines = ("scores: Ann 240, Ben 0", "Ann: 134466 > 1, bank", "Ben: 334466")
    assert winners(play(BASIC, *lines, target=241)) == ("Ann",)


def test_000_12_it_is_played_on_the_long_track() -> None:
    assert (rules_of(BASIC).smallest_track, rules_of(BASIC, target=241).smallest_track) == (121, 241)


# --- 000-13: find a loser ---

LOSER = (THREE, "scores: Ann 120, Ben 120, Cy 0")


def test_000_13_whose_peg_is_off_plays_no_more() -> None:
    played = play(BASIC, *LOSER, "Ann: 134466 > 1, bank", "Ben: 334466", "Cy: 334466", find_loser=True)
    assert (to_move(played), played.state.over) == ("Ben", False)


def test_000_13_the_last_peg_on_the_board_is_the_loser_at_once() -> None:
    lines = (*LOSER, "Ann: 134466 > 1, bank", "Ben: 134466 > 1, bank")
    played = play(BASIC, *lines, find_loser=True)
    assert (played.state.over, played.state.loser) == (True, 2)


def test_000_13_the_places_are_those_in_which_the_pegs_left() -> None:
    lines = (*LOSER, "Ann: 134466 > 1, bank", "Ben: 111222 > 111222, bank")
    played = play(BASIC, *lines, find_loser=True)
    assert scores(played) == (121, 146, 0)
    assert places(played.state) == (1, 2, 3)
    assert [side.out for side in played.state.sides] == [1, 2, 0]


def test_000_13_the_loser_is_last_though_another_was_put_out() -> None:
    lines = (THREE, "scores: Ann 121, Ben 0, Cy 0", "farkles: Ben 2", "start: Ben", "Ben: 334466")
    played = play(BASIC, *lines, find_loser=True, three_strikes_out=True)
    assert (played.state.loser, places(played.state)) == (2, (1, 2, 3))


def test_000_13_it_takes_three() -> None:
    assert "at least 3 players to find a loser among, got 2" in cannot_begin(BASIC, find_loser=True)


def test_000_13_nobody_sets_off_a_final_round() -> None:
    played = play(BASIC, *LOSER, "Ann: 134466 > 1, bank", find_loser=True)
    assert "FinalRoundBegan" not in happened(played)


def test_000_13_the_bombs_leader_is_the_furthest_still_on_the_board() -> None:
    lines = ("players: Ann, Ben, Cy, Di", "scores: Ann 10, Ben 130, Cy 70, Di 60", "out: Ben")
    played = play(ADVANCED, *lines, "Ann: 444444 > 444444, swap, bank", find_loser=True)
    assert scores(played) == (70, 130, 10, 60)


# --- 000-14: partners ---


def test_000_14_partners_share_one_peg() -> None:
    played = play(BASIC, *FOUR, "scores: A 30, B 0", "Ann: 134466 > 1, bank")
    assert scores(played) == (31, 0)


def test_000_14_partners_of_a_team_take_turns() -> None:
    lines = (*FOUR, "Ann: 134466 > 1, bank", "Ben: 224466 > 22, bank", "Cy: 134466 > 1, bank", "Di: 134466 > 1, bank")
    assert scores(play(BASIC, *lines)) == (2, 5)


def test_000_14_six_play_as_two_teams_or_as_three() -> None:
    six = "players: Ann, Ben, Cy, Di, Ed, Flo"
    assert len(play(BASIC, six, "teams: A = Ann, Cy, Ed; B = Ben, Di, Flo").state.sides) == 2
    assert len(play(BASIC, six, "teams: A = Ann, Di; B = Ben, Ed; C = Cy, Flo").state.sides) == 3


@pytest.mark.parametrize("count", [2, 3, 5, 8])
def test_000_14_partners_are_four_or_six(count: int) -> None:
    names = ["Ann", "Ben", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"][:count]
    teams = f"teams: A = {', '.join(names[::2])}; B = {', '.join(names[1::2])}"
    assert "expected" in cannot_begin(BASIC, f"players: {', '.join(names)}", teams)


def test_000_14_the_teams_alternate() -> None:
    reason = cannot_begin(BASIC, "players: Ann, Cy, Ben, Di", "teams: A = Ann, Cy; B = Ben, Di")
    assert "expected the teams to alternate, such as Ann, Ben, Cy, Di" in reason


def test_000_14_the_three_farkles_are_the_teams_turns() -> None:
    others = ("Ben: 134566 > 1, bank", "Di: 134566 > 1, bank")
    lines = ("Ann: 334456", others[0], "Cy: 334456", others[1], "Ann: 334456")
    assert scores(play(ADVANCED, *FOUR, "scores: A 50, B 0", *lines)) == (30, 2)


def test_000_14_a_team_wins_together() -> None:
    lines = (*FOUR, "scores: A 120, B 0", "Ann: 134466 > 1, bank", "Ben: 334466", "Cy: 334466", "Di: 334466")
    assert winners(play(BASIC, *lines)) == ("A",)


# --- 000-15: two pegs a player ---


def test_000_15_the_back_peg_stays_while_the_front_peg_moves() -> None:
    played = play(BASIC, "scores: Ann 30, Ben 0", "Ann: 233346 > 333, 146 > 1")
    assert (scores(played)[0], points(played)) == (30, 7)


def test_000_15_a_farkle_takes_the_front_peg_back() -> None:
    played = play(BASIC, "scores: Ann 30, Ben 0", "Ann: 233346 > 333, 146 > 1, 46")
    assert (scores(played), points(played)) == ((30, 0), 0)


def test_000_15_the_front_peg_holds_no_hole() -> None:
    lines = ("scores: Ann 20, Ben 25", "Ann: 122346 > 122")
    assert scores(play(BASIC, *lines, one_peg_per_hole=1)) == (20, 25)
    assert scores(play(BASIC, *lines[:1], "Ann: 122346 > 122, 346", one_peg_per_hole=1)) == (20, 25)


# --- 000-16: farkles are counted on the board ---


def test_000_16_farkles_in_a_row_are_counted_where_no_rule_uses_them() -> None:
    played = play(BASIC, "Ann: 334466", "Ben: 134466 > 1, bank", "Ann: 334466", "Ben: 334466")
    assert [turn.farkles for turn in played.turns] == [1, 0, 2, 1]


def test_000_16_the_count_may_go_past_three_where_nothing_is_due() -> None:
    played = play(BASIC, "players: Ann", *["Ann: 334466"] * 4)
    assert played.turns[-1].farkles == 4


# --- 000-17: one peg per hole ---


def test_000_17_a_peg_that_lands_on_another_puts_it_one_hole_back() -> None:
    assert scores(play(BASIC, "scores: Ann 20, Ben 25", "Ann: 122346 > 122, bank", one_peg_per_hole=1)) == (25, 24)


def test_000_17_a_peg_put_back_puts_back_in_turn() -> None:
    lines = (THREE, "scores: Ann 20, Ben 25, Cy 24", "Ann: 122346 > 122, bank")
    assert scores(play(BASIC, *lines, one_peg_per_hole=1)) == (25, 24, 23)


def test_000_17_it_may_be_five_holes() -> None:
    lines = (THREE, "scores: Ann 10, Ben 25, Cy 20", "Ann: 555122 > 555122, bank")
    assert scores(play(BASIC, *lines, one_peg_per_hole=5)) == (25, 20, 15)


def test_000_17_passing_a_peg_moves_nobody() -> None:
    assert scores(play(BASIC, "scores: Ann 20, Ben 24", "Ann: 122346 > 122, bank", one_peg_per_hole=5)) == (25, 24)


def test_000_17_nobody_is_put_back_behind_the_start() -> None:
    lines = (THREE, "scores: Ann 0, Ben 2, Cy 0", "Ann: 234466 > 2, bank")
    assert scores(play(BASIC, *lines, one_peg_per_hole=5)) == (2, 0, 0)


def test_000_17_the_first_hole_is_a_hole() -> None:
    assert scores(play(BASIC, "scores: Ann 0, Ben 1", "Ann: 134466 > 1, bank", one_peg_per_hole=1)) == (1, 0)


def test_000_17_the_start_holds_any_number_of_pegs() -> None:
    lines = ("scores: Ann 3, Ben 2", "Ann: 334456", "Ben: 134566 > 1, bank")
    assert scores(play(BASIC, "Ann: 334466", "Ben: 334466", one_peg_per_hole=1)) == (0, 0)
    assert scores(
        play(ADVANCED, lines[0], "farkles: Ann 2, Ben 2", "Ann: 334456", "Ben: 334456", one_peg_per_hole=1)
    ) == (
        0,
        0,
    )


def test_000_17_a_penalty_lands_too() -> None:
    lines = ("scores: Ann 50, Ben 30", "farkles: Ann 2", "Ann: 334456")
    assert scores(play(ADVANCED, *lines, one_peg_per_hole=1)) == (30, 29)


def test_000_17_off_the_board_there_are_no_holes() -> None:
    lines = ("scores: Ann 120, Ben 120", "Ann: 134466 > 1, bank", "Ben: 134466 > 1, bank")
    reason = cannot_begin(BASIC, *lines[:1], one_peg_per_hole=1)
    assert "expected one peg a hole, got Ann and Ben in hole 120" in reason
    lines = ("scores: Ann 120, Ben 119", "Ann: 134466 > 1, bank", "Ben: 234466 > 2, bank")
    assert scores(play(BASIC, *lines, one_peg_per_hole=1)) == (121, 121)


def test_000_17_it_is_off_unless_asked_for() -> None:
    assert scores(play(BASIC, "scores: Ann 20, Ben 25", "Ann: 122346 > 122, bank")) == (25, 25)


def test_000_17_a_swap_bumps_nobody() -> None:
    lines = (THREE, "scores: Ann 10, Ben 80, Cy 79", "Ann: 444444 > 444444, swap, bank")
    assert scores(play(ADVANCED, *lines, one_peg_per_hole=1)) == (80, 10, 79)


# --- 000-18: the conversion ---


@pytest.mark.parametrize("dice", ["111", "333", "444", "555", "666"])
def test_000_18_a_three_in_pegs_is_fifty_times_as_much_in_points(dice: str) -> None:
    pegs = worth(BASIC, dice)
    assert pegs is not None
    assert pegs * 50 == worth("free-the-dice", dice)


def test_000_18_the_two_takes_the_place_of_the_one_and_the_one_that_of_the_five() -> None:
    assert [worth(BASIC, "2"), worth(BASIC, "1")] == [100 // 50, 50 // 50]
    assert [worth("free-the-dice", "1"), worth("free-the-dice", "5")] == [100, 50]


def test_000_18_a_peg_is_a_hole_on_either_track() -> None:
    assert {find_rule_set(BASIC).points_a_hole(track) for track in (121, 241)} == {1}
