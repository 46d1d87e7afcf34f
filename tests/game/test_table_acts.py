"""The table's acts between turns: agreed scores, players who join, leave, miss a turn or throw for another."""

import pytest
from written_games import cannot_begin, code_of, ended, happened, play, refusal, scores, to_move, winners

from farkle.errors import IllegalMoveError
from farkle.game.commands import Adjust, Choose, GiveTurn, Join, Leave, Skip, ThrowForStart
from farkle.game.events import PlayerJoined, PlayerLeft
from farkle.game.evolve import fold
from farkle.game.machine import decide, verify
from farkle.game.seating import start
from farkle.game.standing import places
from farkle.game.state import Phase
from farkle.rules.catalogue import find_rule_set

BASIC, ADVANCED, CLASSIC, FREE = "farkle-cribbage", "farkle-cribbage-advanced", "classic", "free-the-dice"
THREE = "players: Ann, Ben, Cy"
FOUR = ("players: Ann, Ben, Cy, Di", "teams: A = Ann, Cy; B = Ben, Di")
FARKLES = "334466"
BANKS_1 = "134466 > 1, bank"


def order(*lines: str, rules: str = BASIC, turns: int = 6, **switches: object) -> str:
    """Return the players of the next turns, all of which farkle."""
    found: list[str] = []
    for _ in range(turns):
        played = play(rules, *lines, *(f"{name}: {FARKLES}" for name in found), **switches)
        if played.state.over:
            break
        found.append(to_move(played))
    return " ".join(found)


# --- adjust ---


def test_a_score_is_what_all_agree_on() -> None:
    assert scores(play(BASIC, f"Ann: {BANKS_1}", "adjust: Ann = 40")) == (40, 0)


def test_any_sides_score_may_be_adjusted_and_the_turn_stays() -> None:
    played = play(BASIC, "adjust: Ben = 40")
    assert (scores(played), to_move(played)) == ((0, 40), "Ann")


def test_a_score_may_be_adjusted_below_zero_and_beyond_the_end() -> None:
    assert scores(play(FREE, "adjust: Ann = -50", "adjust: Ben = 12000")) == (-50, 12_000)


def test_a_teams_score_is_adjusted_by_its_name_or_a_players() -> None:
    assert scores(play(BASIC, *FOUR, "adjust: B = 40")) == (0, 40)
    assert scores(play(BASIC, *FOUR, "adjust: Di = 40")) == (0, 40)


def test_an_adjusted_score_puts_a_player_on_the_board() -> None:
    played = play(FREE, "adjust: Ann = 600", "Ann: 522346 > 5, bank", opening_min=500)
    assert scores(played) == (650, 0)


def test_a_score_is_not_adjusted_during_a_turn() -> None:
    assert refusal(BASIC, "Ann: 134466 > 1", "adjust: Ann = 40") == "finish the turn first"


def test_the_same_score_is_no_adjustment() -> None:
    assert refusal(BASIC, "adjust: Ann = 0") == "Ann has 0 already"


def test_a_score_has_its_limits() -> None:
    assert "expected a score from -1000000 to 1000000" in refusal(BASIC, "adjust: Ann = 1000001")


def test_under_charity_no_score_is_adjusted_beyond_the_target() -> None:
    assert refusal(FREE, "adjust: Ann = 10050", charity=True) == "10000 is the highest score"


def test_under_charity_a_score_may_be_adjusted_to_the_target() -> None:
    assert play(FREE, "adjust: Ann = 10000", charity=True).state.closer == 0


def test_with_one_peg_per_hole_a_score_is_not_adjusted_to_an_occupied_hole() -> None:
    reason = refusal(BASIC, "scores: Ann 20, Ben 25", "adjust: Ann = 25", one_peg_per_hole=1)
    assert reason == "Ben is in that hole; adjust the score of Ben first"


def test_a_score_adjusted_to_the_target_sets_off_the_final_round() -> None:
    lines = (THREE, "scores: Ann 100, Ben 90, Cy 0", f"Ann: {FARKLES}", "adjust: Ann = 121")
    assert play(BASIC, *lines).state.closer == 0
    assert order(*lines) == "Ben Cy"


def test_a_score_adjusted_to_the_target_leaves_the_last_seat_its_turn() -> None:
    lines = ("scores: Ann 100, Ben 90", "start: Ben", "adjust: Ann = 121")
    assert order(*lines) == "Ben"
    assert winners(play(BASIC, *lines, f"Ben: {FARKLES}")) == ("Ann",)


def test_a_score_adjusted_to_the_target_gives_each_other_one_more_turn() -> None:
    lines = (THREE, "scores: Ann 9000, Ben 0, Cy 0", "start: Ben", "adjust: Ann = 10000")
    assert to_move(play(CLASSIC, *lines)) == "Ben"
    assert winners(play(CLASSIC, *lines, "Ben: 223446", "Cy: 223446")) == ("Ann",)


def test_a_score_adjusted_to_the_target_ends_an_immediate_game() -> None:
    assert winners(play(BASIC, "adjust: Ben = 121", endgame="immediate")) == ("Ben",)


def test_a_score_adjusted_back_calls_the_final_round_off() -> None:
    lines = (THREE, "scores: Ann 120, Ben 0, Cy 0", f"Ann: {BANKS_1}", "adjust: Ann = 100")
    assert happened(play(BASIC, *lines))[-1] == "FinalRoundCalledOff"
    assert order(*lines) == "Ben Cy Ann Ben Cy Ann"


def test_a_final_round_called_off_goes_on_with_the_round_as_it_was() -> None:
    lines = (THREE, f"Ann: {FARKLES}", "throws: Cy", "adjust: Ann = 121", "adjust: Ann = 10")
    assert order(*lines) == "Cy Ben Ann Ben Cy Ann"


def test_a_final_round_of_one_more_turn_called_off_goes_on_with_the_round_as_it_was() -> None:
    lines = (THREE, "scores: Ann 0, Ben 9900, Cy 0", "Ann: 223446", "Ben: 122346 > 1, bank", "adjust: Ben = 100")
    assert order(*lines, rules=CLASSIC, turns=1) == "Cy"
    played = play(CLASSIC, *lines, "Cy: 223446", "Ann: 223446")
    assert to_move(played) == "Ben"


def test_one_more_turn_called_off_when_it_had_come_round_goes_on_from_there() -> None:
    lines = (THREE, "scores: Ann 0, Ben 9900, Cy 0", "Ann: 223446", "Ben: 122346 > 1, bank", "Cy: 223446")
    played = play(CLASSIC, *lines, "adjust: Ben = 100", "Ann: 223446")
    assert to_move(played) == "Ben"


def test_a_final_round_of_a_game_from_paper_can_be_called_off() -> None:
    lines = (THREE, "scores: Ann 121, Ben 0, Cy 0", "final: Ann", "start: Ben", "adjust: Ann = 100")
    assert order(*lines) == "Ben Cy Ann Ben Cy Ann"


def test_the_final_round_goes_on_while_another_has_reached_the_target() -> None:
    lines = (THREE, "scores: Ann 120, Ben 120, Cy 0", f"Ann: {BANKS_1}", f"Ben: {BANKS_1}", "adjust: Ann = 100")
    assert play(BASIC, *lines).state.closer is not None
    assert winners(play(BASIC, *lines, f"Cy: {FARKLES}")) == ("Ben",)


def test_with_find_a_loser_a_peg_adjusted_off_the_board_plays_no_more() -> None:
    assert order(THREE, "adjust: Ben = 121", find_loser=True) == "Ann Cy Ann Cy Ann Cy"
    assert order(THREE, "adjust: Ann = 121", find_loser=True) == "Ben Cy Ben Cy Ben Cy"
    assert play(BASIC, THREE, "adjust: Ann = 121", "adjust: Ben = 130", find_loser=True).state.loser == 2


def test_a_peg_off_the_board_stays_there() -> None:
    reason = refusal(BASIC, THREE, "adjust: Ann = 121", "adjust: Ann = 100", find_loser=True)
    assert reason == "Ann is off the board"


# --- joins ---


def test_a_player_joins_last_in_the_order_with_nothing_scored() -> None:
    assert order(f"Ann: {BANKS_1}", "joins: Cy") == "Ben Cy Ann Ben Cy Ann"
    assert scores(play(BASIC, f"Ann: {BANKS_1}", "joins: Cy")) == (1, 0, 0)


def test_a_player_who_joins_throws_at_the_same_place_in_every_round() -> None:
    assert order("start: Ben", "joins: Cy") == "Ben Cy Ann Ben Cy Ann"


def test_a_player_who_joins_after_that_place_throws_from_the_next_round_on() -> None:
    assert order("start: Ben", f"Ben: {FARKLES}", "joins: Cy") == "Ann Ben Cy Ann Ben Cy"


def test_a_player_who_joins_must_reach_the_opening_too() -> None:
    lines = ("scores: Ann 600, Ben 600", "joins: Cy", "Ann: 522346 > 5, bank", "Ben: 522346 > 5, bank")
    assert refusal(FREE, *lines, "Cy: 522346 > 5, bank", opening_min=500).startswith("500 to open")


@pytest.mark.parametrize("name", ["Ann", "ann", "ANN"])
def test_nobody_joins_under_a_name_that_is_taken(name: str) -> None:
    assert "expected players of different names" in refusal(BASIC, f"joins: {name}")


def test_nobody_joins_a_team_game() -> None:
    assert "nobody can join a team game" in refusal(BASIC, *FOUR, "joins: Ed")


def test_nobody_joins_in_the_final_round() -> None:
    lines = ("scores: Ann 120, Ben 0", f"Ann: {BANKS_1}", "joins: Cy")
    assert refusal(BASIC, *lines) == "nobody can join in the final round"


def test_a_thirteenth_cannot_join() -> None:
    twelve = f"players: {', '.join(f'P{number}' for number in range(12))}"
    assert refusal(BASIC, twelve, "joins: Cy") == "expected 1 to 12 players, got 13"


def test_one_who_joins_a_game_of_one_throws_next_or_after() -> None:
    found = order("players: Ann", f"Ann: {FARKLES}", "joins: Ben").split()
    assert sorted(found[:2]) == ["Ann", "Ben"]
    assert found[:2] == found[2:4] == found[4:]


# --- leaves ---


def test_a_player_who_leaves_has_no_more_turns() -> None:
    assert order(THREE, "leaves: Ben") == "Ann Cy Ann Cy Ann Cy"


def test_the_turn_of_a_player_who_leaves_passes_on() -> None:
    assert order(THREE, "leaves: Ann") == "Ben Cy Ben Cy Ben Cy"


def test_the_last_one_left_wins() -> None:
    played = play(BASIC, "scores: Ann 100, Ben 0", "leaves: Ann")
    assert (played.state.over, winners(played)) == (True, ("Ben",))


def test_a_player_who_left_cannot_win_and_comes_last() -> None:
    lines = (THREE, "scores: Ann 100, Ben 120, Cy 0", "leaves: Ann", "Ben: 134466 > 1, bank", f"Cy: {FARKLES}")
    played = play(BASIC, *lines)
    assert (winners(played), places(played.state)) == (("Ben",), (3, 1, 2))


def test_a_teams_turns_go_on_with_the_mate() -> None:
    assert order(*FOUR, "leaves: Ann") == "Ben Cy Di Ben Cy Di"


def test_a_team_that_has_left_loses() -> None:
    assert winners(play(BASIC, *FOUR, "leaves: Ann", "leaves: Cy")) == ("B",)


def test_nobody_leaves_twice_and_the_last_player_not_at_all() -> None:
    assert refusal(BASIC, THREE, "leaves: Ann", "leaves: Ann") == "Ann has left already"
    assert refusal(BASIC, "players: Ann", "leaves: Ann") == "Ann is the last player; end the game instead"


def test_nobody_leaves_during_a_turn() -> None:
    assert refusal(BASIC, "Ann: 134466 > 1", "leaves: Ben") == "finish the turn first"


def test_the_final_round_is_called_off_if_the_player_who_set_it_off_leaves() -> None:
    lines = (THREE, "scores: Ann 120, Ben 0, Cy 0", f"Ann: {BANKS_1}", "leaves: Ann")
    assert order(*lines) == "Ben Cy Ben Cy Ben Cy"


def test_a_peg_that_has_left_holds_no_hole_and_gets_no_gift() -> None:
    lines = (THREE, "scores: Ann 20, Ben 25, Cy 60", "leaves: Ben", "Ann: 122346 > 122, bank")
    assert scores(play(BASIC, *lines, one_peg_per_hole=1)) == (25, 25, 60)
    lines = (THREE, "scores: Ann 9900, Ben 0, Cy 5000", "leaves: Ben", "Ann: 112346 > 11, bank")
    assert scores(play(FREE, *lines, charity=True)) == (9900, 0, 5200)


def test_a_bomb_is_not_swapped_with_one_who_left() -> None:
    lines = (THREE, "scores: Ann 10, Ben 80, Cy 40", "leaves: Ben", "Ann: 444444 > 444444, swap, bank")
    assert scores(play(ADVANCED, *lines)) == (40, 80, 10)


def test_the_starter_is_fixed_once_a_player_has_joined_or_left() -> None:
    state = fold(start(find_rule_set(BASIC), ("Ann", "Ben", "Cy")))
    for event in (PlayerLeft(2), PlayerJoined("Di")):
        after = fold([event], state)
        assert code_of(after, ThrowForStart(0, (6, 3))) == "starter_known"


def test_with_a_named_starter_there_are_no_throws_for_the_start() -> None:
    state = fold(start(find_rule_set(BASIC), ("Ann", "Ben"), first=1))
    assert code_of(state, ThrowForStart(0, (6, 3))) == "starter_known"


def test_no_act_comes_between_taking_dice_over_and_the_throw() -> None:
    banked = play(CLASSIC, THREE, "Ann: 111346 > 111, bank", piggyback=True).state
    for option in ("piggyback", "fresh"):
        state = fold(decide(banked, Choose(option)), banked)
        for command in (Adjust(0, 1), Join("Di"), Leave(2), Skip(1), GiveTurn(2)):
            assert verify(banked, command) is None
            assert code_of(state, command) == "finish_turn"


# --- skip ---


def test_a_skipped_player_misses_the_turn() -> None:
    assert order(THREE, "skip: Ann") == "Ben Cy Ann Ben Cy Ann"


def test_only_the_player_to_move_can_be_skipped() -> None:
    assert refusal(BASIC, "skip: Ben") == "expected to skip Ann, whose turn it is, got Ben"


def test_a_turn_missed_is_no_farkle() -> None:
    lines = ("scores: Ann 50, Ben 0", "farkles: Ann 2", "skip: Ann", "Ben: 334456", "Ann: 334456")
    assert scores(play(ADVANCED, *lines)) == (30, 0)
    assert scores(play(ADVANCED, *lines[:3])) == (50, 0)


def test_a_last_turn_missed_ends_the_game() -> None:
    lines = ("scores: Ann 120, Ben 0", f"Ann: {BANKS_1}", "skip: Ben")
    assert winners(play(BASIC, *lines)) == ("Ann",)


# --- throws ---


def test_another_throws_now_and_whose_turn_it_was_throws_after() -> None:
    assert order(THREE, "throws: Cy") == "Cy Ann Ben Ann Ben Cy"


def test_a_player_who_threw_in_this_round_throws_early_for_the_next() -> None:
    assert order(THREE, f"Ann: {FARKLES}", f"Ben: {FARKLES}", "throws: Ann") == "Ann Cy Ben Cy Ann Ben"


def test_everyone_has_the_same_number_of_turns_whoever_throws_first() -> None:
    for given in ("Ben", "Cy"):
        assert sorted(order(THREE, f"throws: {given}").split()) == ["Ann", "Ann", "Ben", "Ben", "Cy", "Cy"]


def test_an_early_turn_that_reaches_the_target_is_answered_by_the_next_round_too() -> None:
    lines = (THREE, f"Ann: {BANKS_1}", f"Ben: {BANKS_1}", "throws: Ann", "Ann: 111111 > 111111, bank")
    assert order(*lines, target=30) == "Cy Ben Cy"


def test_nobody_throws_two_turns_early() -> None:
    lines = (THREE, f"Ann: {FARKLES}", f"Ben: {FARKLES}", "throws: Ann", f"Ann: {FARKLES}", "throws: Ann")
    assert refusal(BASIC, *lines) == "Ann has had the turn of the next round already"


def test_the_turn_is_not_given_to_the_player_who_has_it() -> None:
    assert refusal(BASIC, "throws: Ann") == "it is Ann's turn"


def test_a_player_who_left_or_had_the_last_turn_throws_no_more() -> None:
    assert refusal(BASIC, THREE, "leaves: Ben", "throws: Ben") == "Ben is not playing any more"
    lines = (THREE, "scores: Ann 120, Ben 0, Cy 0", f"Ann: {BANKS_1}", "throws: Ann")
    assert refusal(BASIC, *lines) == "Ann has no turn left"


def test_in_the_final_round_another_may_answer_first() -> None:
    lines = (THREE, "scores: Ann 120, Ben 0, Cy 0", f"Ann: {BANKS_1}", "throws: Cy")
    assert order(*lines) == "Cy Ben"


# --- all of them ---


@pytest.mark.parametrize(
    "command", [Adjust(5, 1), Leave(5), Skip(5), GiveTurn(5), Leave(-1), GiveTurn(-1), Adjust(-1, 1)]
)
def test_the_number_of_no_player_is_refused(command) -> None:
    state = fold(start(find_rule_set(BASIC), ("Ann", "Ben")))
    with pytest.raises(IllegalMoveError, match="expected one of the 2"):
        decide(state, command)


def test_no_act_follows_the_end() -> None:
    over = play(BASIC, "players: Ann", "Ann: 111111 > 111111, bank", target=40).state
    for command in (Adjust(0, 1), Join("Ben"), Leave(0), Skip(0), GiveTurn(0)):
        assert code_of(over, command) == "game_over"


def test_no_act_comes_between_the_throws_for_the_start() -> None:
    state = play(BASIC, "throws-for-start: Ann 6 3").state
    assert state.phase is Phase.STARTING
    for command in (Adjust(0, 1), Join("Cy"), Leave(0), Skip(0), GiveTurn(1)):
        assert code_of(state, command) == "start_throw_first"


def test_only_a_missed_turn_removes_dice_left_over() -> None:
    lines = (THREE, "Ann: 111346 > 111, bank")
    assert ended(play(CLASSIC, *lines, "adjust: Cy = 50", "Ben: piggyback, 346", piggyback=True))[-1][0] == "Ben"
    assert "nothing to choose" in refusal(CLASSIC, *lines, "skip: Ben", "Cy: piggyback", piggyback=True)


def test_a_player_who_joins_has_no_earlier_turn() -> None:
    assert "expected one of the players Ann, Ben" in cannot_begin(BASIC, "Cy: 334466", "joins: Cy")
