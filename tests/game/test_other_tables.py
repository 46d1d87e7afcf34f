"""The switches of other tables: rounds, a win that is defended, farkles that cost, six 1s, full houses, one throw."""

import pytest
from written_games import (
    cannot_begin,
    code_of,
    ended,
    happened,
    kept,
    play,
    points,
    refusal,
    refused_settings,
    rules_of,
    scores,
    to_move,
    totals,
    winners,
    worth,
)

from farkle import Game
from farkle.game.choices import open_choice
from farkle.game.commands import Bank, GiveTurn, Join, Keep, Roll
from farkle.game.machine import can

BASIC, ADVANCED, CLASSIC, FREE = "farkle-cribbage", "farkle-cribbage-advanced", "classic", "free-the-dice"
THREE = "players: Ann, Ben, Cy"
TEAMS = ("players: Ann, Ben, Cy, Di", "teams: A = Ann, Cy; B = Ben, Di")
FARKLE, DEAD = "334456", "223446"
"""Six dice that score nothing in pegs and in points, and in points only."""


def banks(name: str, hundreds: int) -> str:
    """Return a turn that banks 100 to 1,100 points in `free-the-dice`."""
    dice = {1: "123446 > 1", 2: "113446 > 11", 3: "333246 > 333", 4: "444236 > 444", 5: "555236 > 555"}
    more = {6: "666234 > 666", 10: "111346 > 111", 11: "111146 > 1111"}
    return f"{name}: {(dice | more)[hundreds]}, bank"


# --- rounds ---


def test_after_the_last_round_the_highest_score_wins() -> None:
    lines = (banks("Ann", 3), banks("Ben", 4), banks("Ann", 5), "Ben: 333246 > 333, 524 > 5, bank")
    played = play(FREE, *lines, rounds=2)
    assert (scores(played), winners(played)) == ((800, 750), ("Ann",))
    assert not play(FREE, *lines[:3], rounds=2).state.over


def test_the_last_round_is_announced_once() -> None:
    lines = (banks("Ann", 1), banks("Ben", 1), banks("Ann", 1), banks("Ben", 1), banks("Ann", 1))
    assert [happened(play(FREE, *lines[:turns], rounds=2)).count("LastRoundBegan") for turns in range(4)] == [
        0,
        0,
        1,
        1,
    ]
    assert "LastRoundBegan" not in happened(play(FREE, banks("Ann", 1), rounds=1))


def test_in_a_game_of_rounds_the_target_ends_nothing() -> None:
    lines = (banks("Ann", 11), banks("Ben", 11), banks("Ann", 1))
    for endgame in ("finish_round", "one_more_turn", "immediate", "defend"):
        played = play(FREE, *lines, rounds=2, target=1000, endgame=endgame)
        assert played.state.closer is None
        assert (played.state.over, played.state.round) == (False, 2)


def test_a_tie_after_the_last_round_is_shared_or_played_off() -> None:
    lines = (banks("Ann", 3), banks("Ben", 3))
    assert winners(play(FREE, *lines, rounds=1)) == ("Ann", "Ben")
    extra = play(FREE, *lines, banks("Ann", 1), rounds=1, tie="extra_round")
    assert (extra.state.over, to_move(extra)) == (False, "Ben")
    assert winners(play(FREE, *lines, banks("Ann", 1), banks("Ben", 2), rounds=1, tie="extra_round")) == ("Ben",)


def test_who_joins_plays_the_rounds_that_are_left() -> None:
    lines = (banks("Ann", 1), "joins: Cy", banks("Ben", 1), banks("Cy", 1), banks("Ann", 1), banks("Ben", 1))
    played = play(FREE, *lines, banks("Cy", 2), rounds=2)
    assert (scores(played), winners(played)) == ((200, 200, 300), ("Cy",))
    assert code_of(play(FREE, *lines, rounds=2).state, Join("Di")) == "join_final_round"


def test_a_round_goes_on_without_a_player_who_leaves() -> None:
    rest = (banks("Cy", 1), banks("Ann", 1), banks("Cy", 1))
    played = play(FREE, THREE, banks("Ann", 5), "leaves: Ben", *rest, rounds=2)
    assert (played.state.over, winners(played)) == (True, ("Ann",))


def test_a_skipped_turn_is_a_turn_of_its_round() -> None:
    played = play(FREE, banks("Ann", 1), "skip: Ben", banks("Ann", 1), banks("Ben", 5), rounds=2)
    assert (scores(played), winners(played)) == ((200, 500), ("Ben",))


def test_a_turn_thrown_early_is_one_of_the_next_round_and_there_is_none_after_the_last() -> None:
    lines = (THREE, banks("Ann", 1), "throws: Ann", banks("Ann", 2), banks("Ben", 1), banks("Cy", 1))
    played = play(FREE, *lines, rounds=2)
    assert (to_move(played), played.state.round, played.state.to_come) == ("Ben", 2, (2,))
    assert code_of(played.state, GiveTurn(0)) == "no_turn_left"


def test_rounds_that_all_have_played_early_are_not_played_again() -> None:
    lines = (THREE, banks("Ann", 1), "throws: Ann", banks("Ann", 1), banks("Ben", 1), "throws: Ben", banks("Ben", 1))
    assert play(FREE, *lines, "leaves: Cy", rounds=2).state.over
    assert play(FREE, *lines, "leaves: Cy", rounds=3).state.round == 3


def test_a_round_is_a_turn_of_each_player_of_each_team() -> None:
    lines = tuple(banks(name, 1) for name in ("Ann", "Ben", "Cy"))
    assert not play(FREE, *TEAMS, *lines, rounds=1).state.over
    assert winners(play(FREE, *TEAMS, *lines, banks("Di", 2), rounds=1)) == ("B",)


def test_one_player_alone_plays_so_many_turns() -> None:
    lines = ("players: Ann", banks("Ann", 1), banks("Ann", 1))
    assert winners(play(FREE, *lines, rounds=2)) == ("Ann",)


def test_in_a_game_of_rounds_pegs_bump_past_the_target_up_to_the_end_of_the_track() -> None:
    lines = ("scores: Ann 5000, Ben 5300", banks("Ann", 3))
    assert scores(play("christian-brothers", *lines, rounds=1, one_peg_per_hole=1)) == (5300, 5250)
    past = ("scores: Ann 6000, Ben 6300", banks("Ann", 3))
    assert scores(play("christian-brothers", *past, rounds=1, one_peg_per_hole=1)) == (6300, 6300)


def test_the_last_round_takes_over_dice_like_any_other() -> None:
    lines = (banks("Ann", 3), "Ben: piggyback, 125 > 1, bank")
    assert winners(play(FREE, *lines, rounds=1, piggyback=True)) == ("Ben",)


def test_a_game_of_rounds_from_paper_has_no_final_round() -> None:
    lines = ("scores: Ann 12000, Ben 500", "final: Ann", "start: Ben")
    assert cannot_begin(FREE, *lines, rounds=2).startswith("expected no final round with rounds")
    played = play(FREE, lines[0], banks("Ann", 1), banks("Ben", 1), rounds=1)
    assert winners(played) == ("Ann",)


# --- a win that is defended ---

LEADS = ("scores: Ann 9100, Ben 9300, Cy 9000", banks("Ann", 10))


def test_who_is_passed_answers_until_nobody_passes() -> None:
    lines = ("scores: Ann 9100, Ben 9300", banks("Ann", 10), banks("Ben", 10))
    answered = play(FREE, *lines, endgame="defend")
    assert (answered.state.closer, to_move(answered)) == (1, "Ann")
    played = play(FREE, *lines, banks("Ann", 1), endgame="defend")
    assert (scores(played), winners(played)) == ((10_200, 10_300), ("Ben",))
    again = play(FREE, *lines, banks("Ann", 3), "Ben: 223446", endgame="defend")
    assert winners(again) == ("Ann",)


def test_each_other_side_has_one_turn_and_no_more() -> None:
    lines = (THREE, *LEADS, f"Ben: {DEAD}")
    assert to_move(play(FREE, *lines, endgame="defend")) == "Cy"
    assert winners(play(FREE, *lines, banks("Cy", 10), endgame="defend")) == ("Ann",)


def test_a_leader_of_three_is_passed_and_all_others_answer() -> None:
    lines = (THREE, "scores: Ann 9100, Ben 9000, Cy 9300", banks("Ann", 10), "Ben: 223446", banks("Cy", 10))
    played = play(FREE, *lines, "Ann: 223446", endgame="defend")
    assert (to_move(played), played.state.over) == ("Ben", False)
    assert winners(play(FREE, *lines, "Ann: 223446", "Ben: 223446", endgame="defend")) == ("Cy",)


@pytest.mark.parametrize(("tie", "won"), [("shared", ("Ann", "Ben")), ("trigger", ("Ann",)), ("extra_round", ())])
def test_an_equal_score_does_not_take_the_lead(tie: str, won: tuple[str, ...]) -> None:
    lines = ("scores: Ann 9100, Ben 9100", banks("Ann", 10), banks("Ben", 10))
    played = play(FREE, *lines, endgame="defend", tie=tie)
    assert "LeadTaken" not in happened(played)
    assert (winners(played), played.state.over) == (won, bool(won))


def test_in_an_extra_round_nothing_is_defended() -> None:
    lines = ("scores: Ann 9100, Ben 9100", banks("Ann", 10), banks("Ben", 10), banks("Ann", 1), banks("Ben", 2))
    played = play(FREE, *lines, endgame="defend", tie="extra_round")
    assert ("LeadTaken" in happened(played), winners(played)) == (False, ("Ben",))


def test_a_team_defends_with_one_turn_for_each_other_team() -> None:
    lines = (*TEAMS, "scores: A 9100, B 9300", banks("Ann", 10), banks("Ben", 10))
    played = play(FREE, *lines, endgame="defend")
    assert (to_move(played), played.state.to_come) == ("Cy", ())
    assert winners(play(FREE, *lines, banks("Cy", 1), endgame="defend")) == ("B",)


def test_a_leader_who_leaves_hands_the_lead_to_the_next_who_has_reached_the_target() -> None:
    lines = (THREE, "scores: Ann 9100, Ben 9300, Cy 500", banks("Ann", 10), banks("Ben", 10))
    played = play(FREE, *lines, "leaves: Ben", endgame="defend")
    assert (played.state.closer, to_move(played)) == (0, "Cy")
    assert winners(play(FREE, *lines, "leaves: Ben", banks("Cy", 1), endgame="defend")) == ("Ann",)


def test_without_anyone_at_the_target_a_defended_round_is_called_off() -> None:
    lines = (THREE, "scores: Ann 9100, Ben 0, Cy 0", banks("Ann", 10), banks("Ben", 1), "leaves: Ann")
    played = play(FREE, *lines, endgame="defend")
    assert (played.state.closer, to_move(played), happened(played)[-1]) == (None, "Cy", "FinalRoundCalledOff")


def test_a_leader_who_is_put_out_leads_no_more() -> None:
    lines = (THREE, "scores: Ann 9900, Ben 9000, Cy 0", "farkles: Ann 2", "adjust: Ann = 10000", "Ann: 223446")
    played = play(FREE, *lines, endgame="defend", three_strikes_out=True)
    assert (played.state.closer, to_move(played)) == (None, "Ben")


def test_a_swap_takes_the_lead() -> None:
    lines = ("scores: Ann 111, Ben 80", "Ann: 111346 > 111, bank", "Ben: 444444 > 444444, swap, bank")
    played = play(ADVANCED, *lines, endgame="defend")
    assert (scores(played), played.state.closer, to_move(played)) == ((80, 131), 1, "Ann")


def test_a_peg_past_the_end_is_not_bumped_out_of_its_lead() -> None:
    lines = ("scores: Ann 111, Ben 111", "Ann: 111346 > 111, bank", "Ben: 111346 > 111, bank")
    played = play(BASIC, lines[0].replace("Ben 111", "Ben 110"), *lines[1:], endgame="defend", one_peg_per_hole=5)
    assert (scores(played), winners(played)) == ((131, 130), ("Ann",))


def test_with_charity_a_defended_win_cannot_be_passed() -> None:
    lines = ("scores: Ann 9900, Ben 9900", banks("Ann", 1), banks("Ben", 2))
    played = play(FREE, *lines, endgame="defend", charity=True)
    assert (scores(played), winners(played)) == ((10_000, 9900), ("Ann",))


def test_a_farkle_that_costs_may_call_a_defended_round_off() -> None:
    lines = ("scores: Ann 9900, Ben 0", "adjust: Ann = 10000", "Ann: 223446")
    played = play(FREE, *lines, endgame="defend", farkle_penalty=100)
    assert (scores(played), played.state.closer, to_move(played)) == ((9900, 0), None, "Ben")


def test_a_defended_game_from_paper_goes_on_until_the_turn_comes_to_the_leader() -> None:
    lines = (THREE, "scores: Ann 10100, Ben 10300, Cy 500", "final: Ben")
    played = play(FREE, *lines, "start: Cy", endgame="defend")
    assert played.state.to_come == (0,)
    assert "expected the highest score for Ann" in cannot_begin(
        FREE, *lines[:2], "final: Ann", "start: Cy", endgame="defend"
    )


def test_undo_past_the_end_of_a_defended_game_gives_the_last_answer_back() -> None:
    game = Game(FREE, ("Ann", "Ben"), settings={"endgame": "defend", "target": 1000})
    for dice in ((1, 1, 1), (1, 1, 1)):
        game.roll(*dice, 3, 4, 6)
        game.keep(*dice)
        game.bank()
    assert game.over
    game.undo()
    assert (game.over, game.to_move, game.state.closer) == (False, "Ben", 0)


# --- a penalty for each farkle ---


@pytest.mark.parametrize(("floor", "after"), [("none", -50), ("start", 0)])
def test_each_farkle_costs_down_to_the_floor(floor: str, after: int) -> None:
    lines = ("scores: Ann 50, Ben 0", f"Ann: {DEAD}")
    assert scores(play(FREE, *lines, farkle_penalty=100, penalty_floor=floor)) == (after, 0)


def test_the_third_farkle_in_a_row_costs_both() -> None:
    lines = ("scores: Ann 2000, Ben 0", "farkles: Ann 2", f"Ann: {DEAD}")
    played = play("christian-brothers", *lines, farkle_penalty=100)
    assert (scores(played), played.turns[-1].farkles) == ((900, 0), 0)
    assert [name for name in happened(played) if "Pa" in name] == ["FarklePaid", "PenaltyPaid", "TurnPassed"]


def test_a_farkle_at_the_floor_costs_nothing_and_says_nothing() -> None:
    played = play(BASIC, f"Ann: {FARKLE}", farkle_penalty=5)
    assert "FarklePaid" not in happened(played)
    assert scores(played) == (0, 0)


def test_a_farkle_that_costs_counts_in_the_row() -> None:
    played = play(FREE, f"Ann: {DEAD}", banks("Ben", 1), f"Ann: {DEAD}", farkle_penalty=100)
    assert played.state.seats[0].farkles == 2


def test_a_third_farkle_may_cost_points_and_the_game() -> None:
    lines = (THREE, "scores: Ann 500, Ben 0, Cy 0", "farkles: Ann 2", f"Ann: {DEAD}")
    played = play(FREE, *lines, farkle_penalty=100, three_strikes_out=True)
    assert (scores(played)[0], played.state.seats[0].disqualified) == (400, True)


def test_a_peg_that_pays_bumps_where_it_comes_to_rest() -> None:
    lines = ("scores: Ann 20, Ben 15", f"Ann: {FARKLE}")
    assert scores(play(BASIC, *lines, farkle_penalty=5, one_peg_per_hole=1)) == (15, 14)


def test_a_peg_that_pays_twice_comes_to_rest_once() -> None:
    lines = (THREE, "scores: Ann 40, Ben 35, Cy 15", "farkles: Ann 2", f"Ann: {FARKLE}")
    assert scores(play(ADVANCED, *lines, farkle_penalty=5, one_peg_per_hole=1)) == (15, 35, 14)


def test_a_throw_that_nobody_loses_pays_for_is_no_farkle() -> None:
    assert scores(play(FREE, "Ann: 233446, bank", farkle_penalty=100, nobody_loses=True)) == (300, 0)
    assert scores(play(FREE, "Ann: 233446, 233446", farkle_penalty=100, nobody_loses=True)) == (-100, 0)


def test_a_farkle_that_the_players_count_costs_too() -> None:
    assert scores(play(FREE, "Ann: counted farkle", farkle_penalty=100)) == (-100, 0)


def test_a_swap_is_undone_before_the_farkle_costs() -> None:
    lines = ("scores: Ann 10, Ben 80", "Ann: 444444 > 444444, swap, 334456")
    assert scores(play(ADVANCED, *lines, farkle_penalty=5, bomb_swap="undone_on_farkle")) == (5, 80)
    assert scores(play(ADVANCED, *lines, farkle_penalty=5)) == (75, 10)


def test_a_score_below_zero_may_come_from_paper_where_each_farkle_costs() -> None:
    assert scores(play(FREE, "scores: Ann -50, Ben 0", farkle_penalty=100)) == (-50, 0)
    assert "expected a score of 0 or more" in cannot_begin(FREE, "scores: Ann -50, Ben 0")


def test_a_team_pays_for_the_farkle_of_a_player() -> None:
    played = play(FREE, *TEAMS, banks("Ann", 5), banks("Ben", 1), f"Cy: {DEAD}", farkle_penalty=100)
    assert scores(played) == (400, 100)


# --- six 1s ---


def test_six_ones_in_one_throw_win_whatever_the_scores_and_the_opening() -> None:
    lines = ("scores: Ann 0, Ben 9900", "Ann: 111111")
    played = play(FREE, *lines, six_ones_win=True, opening_min=500)
    assert (scores(played), winners(played), ended(played)) == ((0, 9900), ("Ann",), [("Ann", 0, "win")])
    assert happened(played)[-3:] == ["DiceRolled", "SixOnesThrown", "GameEnded"]
    assert not play(FREE, *lines).state.over


def test_six_ones_over_several_throws_do_not_win() -> None:
    played = play(FREE, "Ann: 111234 > 111, 111 > 111", six_ones_win=True)
    assert (played.state.over, points(played)) == (False, 2000)


def test_six_ones_win_after_hot_dice_in_the_last_turns_and_in_an_extra_round() -> None:
    assert winners(play(FREE, "Ann: 111555 > 111555, 111111", six_ones_win=True)) == ("Ann",)
    last = ("scores: Ann 12000, Ben 0", "final: Ann", "start: Ben", "Ben: 111111")
    for ending in ({"endgame": "defend"}, {"endgame": "one_more_turn", "last_turns": "one_throw"}):
        assert winners(play(FREE, *last, six_ones_win=True, **ending)) == ("Ben",)
    extra = (banks("Ann", 1), banks("Ben", 1), "Ann: 111111")
    assert winners(play(FREE, *extra, rounds=1, tie="extra_round", six_ones_win=True)) == ("Ann",)


def test_six_ones_of_a_team_win_for_it_and_a_bomb_is_not_asked_about() -> None:
    played = play(ADVANCED, *TEAMS, "scores: A 5, B 100", "Ann: 111111", six_ones_win=True)
    assert (winners(played), open_choice(played.state)) == (("A",), None)


def test_six_ones_that_were_undone_have_not_won() -> None:
    game = Game(FREE, ("Ann", "Ben"), settings={"six_ones_win": True})
    game.roll(1, 1, 1, 1, 1, 1)
    assert game.winners == ("Ann",)
    game.undo()
    assert (game.over, game.to_move) == (False, "Ann")


# --- a full house with its triplet ---


@pytest.mark.parametrize(("dice", "worth_"), [("22255", 450), ("11122", 1250), ("66633", 850), ("33311", 550)])
def test_a_full_house_is_its_triplet_and_the_bonus(dice: str, worth_: int) -> None:
    assert worth(FREE, dice, full_house_bonus=250) == worth_


def test_five_of_a_kind_are_no_full_house() -> None:
    assert worth(FREE, "22222", full_house_bonus=250) is None
    assert worth("sir-albert", "22222", full_house_bonus=250) == 800


def test_a_full_house_inside_a_larger_selection_keeps_every_total() -> None:
    assert totals(FREE, "222551", full_house_bonus=250) == (550, 400)
    assert "12255" not in kept(FREE, "222551", full_house_bonus=250)


def test_a_full_house_of_three_twos_in_pegs_builds_on_three_single_ones() -> None:
    for value in (6, 4, "none"):
        assert worth(BASIC, "22233", full_house_bonus=5, twos_kind_value=value) == 11


def test_a_full_house_follows_pocket_farkle_and_a_triplet_that_scores_nothing_has_none() -> None:
    assert worth(FREE, "11122", full_house_bonus=250, pocket_farkle=True) == 550
    assert worth(FREE, "22255", full_house_bonus=250, n_dice=5) == 450


# --- last turns of one throw ---

ONE_THROW = {"endgame": "one_more_turn", "last_turns": "one_throw"}
LAST = ("scores: Ann 10000, Ben 9500", "final: Ann", "start: Ben")


def test_the_best_selection_of_the_one_throw_counts() -> None:
    played = play(FREE, *LAST, "Ben: 111234 > 111, bank", **ONE_THROW)
    assert (scores(played), winners(played)) == ((10_000, 10_500), ("Ben",))


def test_no_other_selection_of_the_one_throw_may_be_kept() -> None:
    only_best = "expected the best selection of the only throw, 1000 points, got"
    assert refusal(FREE, *LAST, "Ben: 111234 > 1", **ONE_THROW) == f"{only_best} 100"
    assert refusal(FREE, *LAST, "Ben: 111234 > 111 = 300", **ONE_THROW) == f"{only_best} 300"


def test_there_is_no_second_throw_in_a_last_turn_not_even_with_hot_dice() -> None:
    for turn in ("111234 > 111, 234", "111555 > 111555, 123456"):
        assert refusal(FREE, *LAST, f"Ben: {turn}", **ONE_THROW) == "the last turns are one throw each"
    hot = play(FREE, *LAST, "Ben: 111555 > 111555, bank", **ONE_THROW, too_hot=True)
    assert (scores(hot), "HotDiceMade" in happened(hot)) == ((10_000, 11_000), False)


def test_no_least_points_apply_to_the_one_throw() -> None:
    lines = ("scores: Ann 10000, Ben 0", *LAST[1:], "Ben: 123446 > 1, bank")
    assert scores(play(FREE, *lines, **ONE_THROW, opening_min=500, min_bank=350)) == (10_000, 100)


def test_nothing_is_taken_over_in_the_last_turns_of_one_throw() -> None:
    lines = ("scores: Ann 9000, Ben 9500", banks("Ann", 10))
    assert open_choice(play(FREE, *lines, piggyback=True, endgame="one_more_turn").state) is not None
    assert open_choice(play(FREE, *lines, piggyback=True, **ONE_THROW).state) is None
    left = cannot_begin(FREE, *LAST, "left-over: 3 dice 300", piggyback=True, **ONE_THROW)
    assert left == "expected no left-over dice in last turns of one throw, got 3 dice 300"


def test_nobody_loses_pays_for_the_one_throw_and_a_farkle_costs() -> None:
    paid = play(FREE, *LAST, "Ben: 233446, bank", **ONE_THROW, nobody_loses=True)
    assert scores(paid) == (10_000, 9800)
    assert scores(play(FREE, *LAST, "Ben: 233446", **ONE_THROW, farkle_penalty=100)) == (10_000, 9400)


def test_a_bomb_may_still_swap_in_the_one_throw() -> None:
    lines = ("scores: Ann 125, Ben 80", *LAST[1:], "Ben: 444444 > 444444, swap, bank")
    assert winners(play(ADVANCED, *lines, **ONE_THROW)) == ("Ben",)


def test_the_last_seat_that_reaches_the_target_gives_each_other_one_throw() -> None:
    lines = (THREE, "scores: Ann 0, Ben 0, Cy 9000", "start: Cy", banks("Cy", 10), "Ann: 123446 > 1, bank")
    played = play(FREE, *lines, **ONE_THROW)
    assert (to_move(played), played.state.over) == ("Ben", False)
    assert not can(play(FREE, *lines, "Ben: 113446 > 11", **ONE_THROW).state, Roll((1, 2, 3, 4)))


def test_an_extra_round_has_whole_turns() -> None:
    lines = ("scores: Ann 10000, Ben 9000", *LAST[1:], banks("Ben", 10), "Ann: 123446 > 1, 23456 > 5")
    played = play(FREE, *lines, **ONE_THROW, tie="extra_round")
    assert (points(played), to_move(played)) == (150, "Ann")


def test_one_throw_changes_nothing_where_the_others_have_no_turn_more() -> None:
    lines = ("scores: Ann 9000, Ben 500", banks("Ann", 10), "Ben: 123446 > 1, 23456 > 5")
    assert points(play(FREE, *lines, last_turns="one_throw")) == 150


def test_counted_points_of_the_one_throw_may_be_banked_and_no_dice_follow() -> None:
    counted = play(FREE, *LAST, "Ben: counted 700", **ONE_THROW)
    assert can(counted.state, Bank())
    assert code_of(counted.state, Roll((1, 2, 3))) == "one_throw"


def test_the_offered_selections_of_the_one_throw_are_the_best_alone() -> None:
    state = play(FREE, *LAST, "Ben: 111234", **ONE_THROW).state
    assert [can(state, Keep(dice)) for dice in ((1, 1, 1), (1, 1), (1,))] == [True, False, False]


# --- together ---


def test_rounds_with_farkles_that_cost_may_be_won_below_zero() -> None:
    played = play(FREE, f"Ann: {DEAD}", f"Ben: {DEAD}", f"Ann: {DEAD}", banks("Ben", 1), rounds=2, farkle_penalty=100)
    assert (scores(played), winners(played)) == ((-200, 0), ("Ben",))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"rounds": 2, "find_loser": True}, "after its last round, or when one peg is left"),
        ({"rounds": 2, "charity": True}, "no target ends the game"),
        ({"rounds": 2, "tie": "trigger"}, "nobody begins the final round"),
        ({"six_ones_win": True, "find_loser": True}, "looks for its loser"),
        ({"full_house": 1500, "full_house_bonus": 250}, "points of its own"),
        ({"six_ones_win": True, "n_dice": 5}, "needs six dice"),
    ],
)
def test_what_excludes_what_is_refused_with_both_names(options: dict, words: str) -> None:
    reason = refused_settings(FREE, **options)
    assert words in reason
    assert all(name in reason for name in options)
    for name, value in options.items():
        assert rules_of(FREE, **{name: value}).settings() == {name: value}


def test_rounds_and_six_ones_go_with_everything_else() -> None:
    assert rules_of("dice-10000", full_house=0, full_house_bonus=250).table.combinations
    assert "tie=trigger" in refused_settings(CLASSIC, rounds=10)
    assert rules_of(CLASSIC, rounds=10, tie="shared").ending == "rounds"


@pytest.mark.parametrize("wrong", [-1, 1001, "many", True])
def test_a_number_of_rounds_is_refused_beyond_its_limits(wrong: object) -> None:
    assert refused_settings(FREE, rounds=wrong) == f"rounds: expected rounds from 0 to 1000, got {wrong!r}"
