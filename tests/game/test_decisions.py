"""The decisions about gaps and contradictions of the sheets (A1 to A22), each with its default and its switch."""

import brute_force
import pytest
from written_games import (
    cannot_begin,
    ended,
    farkles,
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

from farkle.rules.switches import SWITCHES, Switches

BASIC, ADVANCED, CLASSIC, FREE, ALBERT = (
    *("farkle-cribbage", "farkle-cribbage-advanced", "classic"),
    *("free-the-dice", "sir-albert"),
)
THREE = "players: Ann, Ben, Cy"


@pytest.mark.parametrize(("value", "pegs"), [(6, (16, 21, 26)), (4, (14, 19, 24)), ("none", (8, 10, 12))])
def test_a1_four_to_six_twos_build_on_six(value: object, pegs: tuple[int, ...]) -> None:
    assert tuple(worth(ADVANCED, "2" * size, twos_kind_value=value) for size in (4, 5, 6)) == pegs


def test_a1_three_twos_are_three_times_two_whatever_it_says() -> None:
    assert {worth(ADVANCED, "222", twos_kind_value=value) for value in (6, 4, "none")} == {6}


def test_a1_it_means_nothing_where_three_twos_have_a_row() -> None:
    assert {worth(ALBERT, "2222", twos_kind_value=value) for value in (6, 4, "none")} == {400}


@pytest.mark.parametrize("rules", ["farkle-cribbage-advanced", "free-the-dice", "sir-albert", "christian-brothers"])
def test_a2_three_pairs_are_three_different_numbers(rules: str) -> None:
    pairs = worth(rules, "334466")
    assert pairs is not None
    assert {worth(rules, dice) for dice in ("333344", "666644")} & {pairs} == set()
    assert worth(rules, "333344", pairs_may_repeat=True) == pairs


def test_a2_six_equal_dice_are_three_pairs_only_by_the_switch() -> None:
    assert worth(FREE, "222222") == 400
    assert worth(FREE, "222222", pairs_may_repeat=True) == 1500


def test_a3_dice_count_at_their_best_and_a_lower_total_may_be_declared() -> None:
    assert totals(FREE, "111") == (1000, 300)
    assert points(play(FREE, "Ann: 111346 > 111")) == 1000
    assert points(play(FREE, "Ann: 111346 > 111 = 300")) == 300
    assert refusal(FREE, "Ann: 111346 > 111 = 200") == "expected 1000 or 300 points for these dice, got 200"


def test_a3_every_total_is_one_that_the_dice_can_be_split_into() -> None:
    assert totals(ADVANCED, "111111") == (40, 36, 32, 23, 6)


@pytest.mark.parametrize(("value", "pegs"), [(0, 0), (5, 5)])
def test_a4_the_last_three_is_worth_nothing_or_what_the_house_says(value: int, pegs: int) -> None:
    assert worth(ADVANCED, "3", five_dice_rollover_points=value) == pegs
    assert worth(ADVANCED, "2", five_dice_rollover_points=value) == 2


def test_a4_the_last_three_is_a_success_and_the_turn_may_be_banked() -> None:
    assert scores(play(ADVANCED, "Ann: 111124 > 11112, 3 > 3, bank")) == (32, 0)


def test_a5_a_swap_is_of_banked_positions_and_stays() -> None:
    lines = ("scores: Ann 10, Ben 80", "Ann: 111222 > 111222, 444444 > 444444, swap, 334456")
    assert scores(play(ADVANCED, *lines)) == (80, 10)
    assert scores(play(ADVANCED, *lines, bomb_swap="undone_on_farkle")) == (10, 80)


def test_a5_a_swap_works_in_the_final_round() -> None:
    lines = ("scores: Ann 125, Ben 80", "final: Ann", "start: Ben", "Ben: 444444 > 444444, swap, bank")
    played = play(ADVANCED, *lines)
    assert (scores(played), winners(played)) == ((80, 125), ("Ben",))


@pytest.mark.parametrize(("floor", "after"), [("start", 0), ("none", -10)])
def test_a6_a_penalty_stops_at_the_start_or_goes_below_zero(floor: str, after: int) -> None:
    lines = ("scores: Ann 10, Ben 0", "farkles: Ann 2", "Ann: 334456")
    assert scores(play(ADVANCED, *lines, penalty_floor=floor)) == (after, 0)


def test_a6_the_cribbage_sheet_stops_at_the_start_and_the_others_do_not() -> None:
    floors = {key: rules_of(key).switches.penalty_floor for key in brute_force.SHEETS}
    assert {key for key, floor in floors.items() if floor == "start"} == {BASIC, ADVANCED}


@pytest.mark.parametrize(("reset", "after"), [("after_penalty", 40), ("never", 0)])
def test_a7_after_the_penalty_the_count_begins_anew_or_every_further_farkle_costs_again(reset: str, after: int) -> None:
    lines = ("scores: Ann 60, Ben 0", *("Ann: 334456", "Ben: 134566 > 1, bank") * 5)
    assert scores(play(ADVANCED, *lines, farkle_streak_reset=reset)) == (after, 5)


def test_a7_six_farkles_are_two_penalties() -> None:
    lines = ("scores: Ann 60, Ben 0", *("Ann: 334456", "Ben: 134566 > 1, bank") * 6)
    assert scores(play(ADVANCED, *lines)) == (20, 6)


def test_a7_any_banked_turn_ends_the_count_also_where_it_never_resets() -> None:
    lines = ("scores: Ann 60, Ben 0", "farkles: Ann 4", "Ann: 134566 > 1, bank", "Ben: 334456", "Ann: 334456")
    assert scores(play(ADVANCED, *lines, farkle_streak_reset="never")) == (61, 0)


ENDS = ("players: Ann, Ben, Cy", "scores: Ann 0, Ben 9900, Cy 0", "Ann: 223446", "Ben: 122346 > 1, bank")


@pytest.mark.parametrize(("endgame", "turns"), [("immediate", 0), ("finish_round", 1), ("one_more_turn", 2)])
def test_a8_how_many_turns_follow_the_trigger(endgame: str, turns: int) -> None:
    more = ("Cy: 223446", "Ann: 223446")
    for count in range(turns + 1):
        played = play(FREE, *ENDS, *more[:count], endgame=endgame)
        assert played.state.over is (count == turns), count
    assert winners(played) == ("Ben",)


def test_a8_each_sheet_ends_as_it_says() -> None:
    ends = {key: rules_of(key).switches.endgame for key in brute_force.SHEETS}
    once_more = {key for key, end in ends.items() if end == "one_more_turn"}
    assert once_more == {"classic", "playmonster", "sir-albert", "sir-albert-350"}
    assert {key for key, end in ends.items() if end == "immediate"} == {"kcd-dice"}


TIED = ("scores: Ann 9900, Ben 9900", "Ann: 122346 > 1, bank", "Ben: 122346 > 1, bank")


def test_a9_a_tie_is_shared_or_the_triggers() -> None:
    assert winners(play(FREE, *TIED, tie="shared")) == ("Ann", "Ben")
    assert winners(play(FREE, *TIED, tie="trigger")) == ("Ann",)


def test_a9_a_tie_of_others_is_no_win_for_the_trigger() -> None:
    lines = (THREE, "scores: Ann 9900, Ben 9000, Cy 9000", "Ann: 122346 > 1, bank")
    more = ("Ben: 111146 > 1111, bank", "Cy: 111146 > 1111, bank")
    assert winners(play(FREE, *lines, *more, tie="trigger")) == ("Ben", "Cy")


def test_a9_or_the_tied_play_a_round_more() -> None:
    played = play(FREE, *TIED, tie="extra_round")
    assert (played.state.over, to_move(played)) == (False, "Ann")
    more = ("Ann: 223446", "Ben: 122346 > 1, bank")
    assert winners(play(FREE, *TIED, *more, tie="extra_round")) == ("Ben",)


def test_a9_and_another_where_they_tie_again() -> None:
    played = play(FREE, *TIED, "Ann: 122346 > 1, bank", "Ben: 122346 > 1, bank", tie="extra_round")
    assert (played.state.over, to_move(played), scores(played)) == (False, "Ann", (10_100, 10_100))


def test_a9_only_the_tied_play_it() -> None:
    lines = (THREE, "scores: Ann 9900, Ben 0, Cy 9900", "Ann: 122346 > 1, bank", "Ben: 223446", "Cy: 122346 > 1, bank")
    assert to_move(play(FREE, *lines, "Ann: 223446", tie="extra_round")) == "Cy"
    assert winners(play(FREE, *lines, "Ann: 223446", "Cy: 122346 > 1, bank", tie="extra_round")) == ("Cy",)


def test_a9_one_of_the_tied_wins_the_round_more() -> None:
    lines = (THREE, "scores: Ann 120, Ben 120, Cy 119", "Ann: 134566 > 1, bank", "Ben: 134566 > 1, bank")
    farkled = ("Ann: 334456", "Ben: 134566 > 1, bank")
    played = play(ADVANCED, *lines, "Cy: 134566 > 1, bank", *farkled, tie="extra_round", farkle3_penalty=0)
    assert (scores(played), winners(played)) == ((121, 122, 120), ("Ben",))


def test_a9_who_did_not_tie_wins_nothing_though_the_tied_fall_behind() -> None:
    lines = (THREE, "scores: Ann 120, Ben 120, Cy 119", "Ann: 134566 > 1, bank", "Ben: 134566 > 1, bank")
    turns = ("Cy: 134566 > 1, bank", *("Ann: 334456", "Ben: 334456") * 3)
    played = play(ADVANCED, *lines, *turns, "Ann: 334456", "Ben: 134566 > 1, bank", tie="extra_round")
    assert (scores(played), winners(played)) == ((101, 102, 120), ("Ben",))


def test_a9_the_sheets_that_say_top_leave_a_tie_to_the_trigger() -> None:
    ties = {key: rules_of(key).switches.tie for key in brute_force.SHEETS}
    assert {key for key, tie in ties.items() if tie == "trigger"} == {
        *("classic", "playmonster", "sir-albert", "sir-albert-350")
    }
    assert set(ties.values()) == {"trigger", "shared"}


def test_a10_the_opening_is_reached_inside_one_turn() -> None:
    lines = ("Ann: 444236 > 444, 236", "Ben: 223446", "Ann: 444236 > 444, 126 > 1, bank")
    assert scores(play(FREE, *lines, opening_min=500)) == (500, 0)
    assert refusal(FREE, "Ann: 444236 > 444, bank", opening_min=500) == "500 to open, you have 400"


@pytest.mark.parametrize(("forced", "single", "several"), [("none", 1, 1), ("single_throw", 0, 1), ("any", 0, 0)])
def test_a11_hot_dice_are_forced_after_one_throw_or_after_several(forced: str, single: int, several: int) -> None:
    turns = {"Ann: 111555 > 111555, bank": single, "Ann: 111246 > 111, 555 > 555, bank": several}
    for turn, free in turns.items():
        if free:
            assert scores(play(FREE, turn, forced_hot=forced)) == (1500, 0)
        else:
            assert "must be thrown again" in refusal(FREE, turn, forced_hot=forced)


def test_a11_it_is_forced_only_where_all_six_were_set_aside() -> None:
    assert scores(play(FREE, "Ann: 111555 > 111, bank", forced_hot="any")) == (1000, 0)


@pytest.mark.parametrize("dice", ["2222", "22222", "222222", "122225"])
def test_a12_at_least_four_twos_beat_every_scoring_of_the_roll(dice: str) -> None:
    assert farkles(FREE, dice, troublesome_twos=True, four_kind=True, five_kind=True, six_kind=True)


def test_a12_they_beat_nobody_loses() -> None:
    options = {"troublesome_twos": True, "nobody_loses": True}
    assert ended(play(FREE, "Ann: 222234", **options)) == [("Ann", 0, "farkle")]
    assert points(play(FREE, "Ann: 222344 > 222", **options)) == 200


def test_a13_the_gift_goes_to_the_lowest_other_and_is_void_where_it_overshoots() -> None:
    lines = (THREE, "scores: Ann 9900, Ben 9700, Cy 9800")
    assert scores(play(FREE, *lines, "Ann: 112346 > 11, bank", charity=True)) == (9900, 9900, 9800)
    assert scores(play(FREE, *lines, "Ann: 444346 > 444, bank", charity=True)) == (9900, 9700, 9800)


def test_a13_a_gift_that_reaches_exactly_the_target_counts() -> None:
    lines = (THREE, "scores: Ann 9900, Ben 9700, Cy 9800", "Ann: 333246 > 333, bank", "Ben: 223446", "Cy: 223446")
    assert winners(play(FREE, *lines, charity=True)) == ("Ben",)


def test_a13_a_player_alone_gives_to_nobody() -> None:
    assert scores(play(FREE, "players: Ann", "scores: Ann 9900", "Ann: 112346 > 11, bank", charity=True)) == (9900,)


def test_a14_no_die_was_set_aside_all_six_are_thrown_again_with_300_at_risk() -> None:
    played = play(FREE, "Ann: 233446", nobody_loses=True)
    assert (points(played), played.state.turn.dice_left, played.state.turn.locked) == (300, 6, ())


def test_a14_only_on_the_first_throw_of_a_turn() -> None:
    lines = ("Ann: 233446, 233446", "Ben: 233446, bank")
    assert scores(play(FREE, *lines, nobody_loses=True)) == (0, 300)


def test_a15_five_and_six_of_a_kind_are_five_and_six_equal_dice() -> None:
    assert worth(FREE, "4444", five_kind=True) is None
    assert worth(FREE, "44444", six_kind=True) is None
    assert [worth(FREE, "44444", five_kind=True), worth(FREE, "444444", six_kind=True)] == [1200, 1600]


def test_a16_of_a_kind_follows_the_pocket_triple() -> None:
    options = {"pocket_farkle": True, "four_kind": True, "five_kind": True, "six_kind": True}
    assert [worth(FREE, "1" * size, **options) for size in (4, 5, 6)] == [600, 900, 1200]


def test_a16_overpowered_ones_override_six_of_a_kind() -> None:
    assert worth(FREE, "111111", overpowered_ones=True, six_kind=True) == 5000
    assert worth(FREE, "111111", overpowered_ones=True, pocket_farkle=True) == 5000


def test_a17_the_six_ones_are_of_one_set_of_dice_and_replace_what_they_made() -> None:
    turn = "Ann: 112346 > 11, 1112 > 111, 1 > 1, vant-hof"
    assert points(play(CLASSIC, turn, vant_hof_6=True)) == 3000
    assert points(play(FREE, turn, vant_hof_6=True)) == 3000


def test_a17_in_a_set_that_counts_in_pegs_they_are_60() -> None:
    turn = "Ann: 112346 > 11, 1112 > 111, 1 > 1, vant-hof"
    assert points(play(BASIC, turn, vant_hof_6=True)) == 60


def test_a17_by_the_wider_scope_those_of_a_whole_turn_count() -> None:
    turn = "Ann: 111346 > 111, 555 > 555, 111246 > 111, vant-hof"
    assert points(play(FREE, turn, vant_hof_6=True, vant_hof_scope="turn")) == 500 + 3000


def test_a18_piggyback_is_offered_only_after_a_bank_with_dice_left() -> None:
    taken = "Ben: piggyback"
    assert to_move(play(FREE, "Ann: 111346 > 111, bank", taken, piggyback=True)) == "Ben"
    for turn in ("Ann: 111346 > 111, 346", "Ann: 111555 > 111555, bank"):
        assert "nothing to choose" in refusal(FREE, turn, taken, piggyback=True)


def test_a18_at_least_one_die_must_score() -> None:
    lines = ("Ann: 111346 > 111, bank", "Ben: piggyback, 346")
    assert ended(play(FREE, *lines, piggyback=True))[-1] == ("Ben", 0, "farkle")


def test_a18_it_carries_on_to_the_next_player() -> None:
    lines = (THREE, "Ann: 111346 > 111, bank", "Ben: piggyback, 134 > 1, bank", "Cy: piggyback, 54 > 5, bank")
    assert scores(play(FREE, *lines, piggyback=True)) == (1000, 1100, 1150)


def test_a18_the_minimums_count_the_carried_points() -> None:
    lines = ("Ann: 111346 > 111, bank", "Ben: piggyback, 546 > 5, bank")
    assert scores(play(FREE, *lines, piggyback=True, opening_min=1000, min_bank=1000)) == (1000, 1050)


def test_a19_a_peg_that_is_bumped_bumps_in_turn() -> None:
    lines = (THREE, "scores: Ann 20, Ben 25, Cy 20", "Ann: 122346 > 122, bank")
    assert "one peg a hole" in cannot_begin(BASIC, *lines, one_peg_per_hole=5)
    lines = (THREE, "scores: Ann 10, Ben 25, Cy 20", "Ann: 555122 > 555122, bank")
    assert scores(play(BASIC, *lines, one_peg_per_hole=5)) == (25, 20, 15)


def test_a19_a_penalty_and_a_gift_come_to_rest_too() -> None:
    lines = (THREE, "scores: Ann 50, Ben 30, Cy 29", "farkles: Ann 2", "Ann: 334456")
    assert scores(play(ADVANCED, *lines, one_peg_per_hole=1)) == (30, 29, 28)
    lines = (THREE, "scores: Ann 120, Ben 5, Cy 10", "Ann: 122346 > 122, bank")
    assert scores(play(BASIC, *lines, one_peg_per_hole=1, charity=True)) == (120, 10, 9)


def test_a19_a_hole_is_so_many_points_where_points_are_counted() -> None:
    lines = ("scores: Ann 2000, Ben 2150", "Ann: 122346 > 1, bank")
    assert scores(play(FREE, *lines, one_peg_per_hole=1)) == (2100, 2050)


def test_a20_the_last_hole_is_off_the_board() -> None:
    assert play(BASIC, "scores: Ann 120, Ben 0", "Ann: 134466 > 1, bank").state.closer == 0
    assert play(BASIC, "scores: Ann 119, Ben 0", "Ann: 134466 > 1, bank").state.closer is None


def test_a20_what_is_beyond_counts_for_the_furthest() -> None:
    lines = ("scores: Ann 120, Ben 120", "Ann: 134466 > 1, bank", "Ben: 234466 > 2, bank")
    assert winners(play(BASIC, *lines)) == ("Ben",)


def test_a21_the_game_stops_as_soon_as_one_peg_is_left() -> None:
    lines = (THREE, "scores: Ann 120, Ben 130, Cy 0", "out: Ben", "Ann: 134466 > 1, bank")
    played = play(BASIC, *lines, find_loser=True)
    assert (played.state.over, played.state.loser) == (True, 2)


def test_a22_the_sheets_leftovers_of_another_page_are_ignored() -> None:
    assert rules_of(FREE).n_dice == 6
    turn = "Ann: 122346 > 1, 12346 > 1, 1346 > 1, 146 > 1, 16 > 1, bank"
    assert scores(play(FREE, turn)) == (500, 0)


def test_a_every_option_that_a_decision_exposes_is_a_switch_with_these_values() -> None:
    exposed = {
        "twos_kind_value": (6, 4, "none"),
        "pairs_may_repeat": (False, True),
        "five_dice_rollover_points": (0, 3),
        "bomb_swap": ("permanent", "undone_on_farkle", "off"),
        "penalty_floor": ("none", "start"),
        "farkle_streak_reset": ("after_penalty", "never"),
        "endgame": ("finish_round", "one_more_turn", "immediate"),
        "tie": ("shared", "trigger", "extra_round"),
        "opening_min": (0, 500),
        "forced_hot": ("none", "single_throw", "any"),
        "troublesome_twos": (False, True),
        "charity": (False, True),
        "nobody_loses": (False, True, 300),
        "vant_hof_scope": ("dice_set", "turn"),
        "piggyback": (False, True),
        "piggyback_hot": (False, True),
        "one_peg_per_hole": ("off", 1, 5),
        "target": (121, 241),
        "find_loser": (False, True),
    }
    assert exposed.keys() <= SWITCHES.keys()
    for name, values in exposed.items():
        for value in values:
            assert getattr(rules_of(BASIC, **{name: value}).switches, name) == value
        if name != "target":
            assert getattr(Switches(), name) == values[0], name
