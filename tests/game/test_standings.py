"""A game taken over from paper: the effect of a standing, and each impossible standing."""

import pytest
from written_games import cannot_begin, happened, play, points, refusal, scores, to_move, winners

from farkle.errors import NotationError
from farkle.notation import write
from farkle.replay import replay

BASIC, ADVANCED, CLASSIC, FREE, CLASS = (
    *("farkle-cribbage", "farkle-cribbage-advanced", "classic"),
    *("free-the-dice", "christian-brothers"),
)
THREE = "players: Ann, Ben, Cy"
FOUR = ("players: Ann, Ben, Cy, Di", "teams: A = Ann, Cy; B = Ben, Di")
AHEAD = "scores: Ann 100, Ben 90"


# --- scores ---


def test_each_side_begins_with_its_score() -> None:
    assert scores(play(BASIC, AHEAD)) == (100, 90)


def test_a_player_who_is_not_named_has_no_points() -> None:
    assert scores(play(BASIC, THREE, "scores: Ben 90")) == (0, 90, 0)


def test_teams_have_their_scores_by_name() -> None:
    assert scores(play(BASIC, *FOUR, "scores: A 30, B 40")) == (30, 40)


def test_the_first_of_the_players_is_to_move_unless_start_names_another() -> None:
    assert to_move(play(BASIC, AHEAD)) == "Ann"
    assert to_move(play(BASIC, AHEAD, "start: Ben")) == "Ben"


def test_rounds_begin_with_the_first_of_the_players_whoever_is_to_move() -> None:
    lines = (THREE, "scores: Ann 0, Ben 120, Cy 0", "start: Ben", "Ben: 134466 > 1, bank", "Cy: 334466")
    assert winners(play(BASIC, *lines)) == ("Ben",)


def test_without_a_standing_rounds_begin_with_the_starter() -> None:
    lines = ("start: Ben", "Ben: 111111 > 111111, bank")
    assert not play(BASIC, *lines, target=40).state.over
    assert play(BASIC, *lines, "Ann: 334466", target=40).state.over


def test_a_score_below_zero_is_possible_if_penalties_go_below_zero() -> None:
    assert scores(play(CLASS, "scores: Ann -500, Ben 0")) == (-500, 0)


@pytest.mark.parametrize("rules", [BASIC, ADVANCED, CLASSIC, FREE])
def test_a_score_below_zero_is_refused_elsewhere(rules: str) -> None:
    reason = cannot_begin(rules, "scores: Ann -20, Ben 0")
    assert reason == "expected a score of 0 or more for Ann, got -20"


@pytest.mark.parametrize("score", [121, 130])
def test_a_score_at_the_target_needs_the_line_of_the_last_round(score: int) -> None:
    reason = cannot_begin(BASIC, f"scores: Ann {score}, Ben 90")
    assert reason.startswith("expected 'final: NAME' where someone has 121 or more, got Ann without it")


def test_no_score_is_beyond_the_target_under_charity() -> None:
    reason = cannot_begin(FREE, "scores: Ann 10050, Ben 0", charity=True)
    assert reason == "expected at most 10000 for Ann, got 10050"


def test_two_pegs_are_in_one_hole_only_where_that_is_allowed() -> None:
    lines = "scores: Ann 25, Ben 25"
    assert scores(play(BASIC, lines)) == (25, 25)
    assert cannot_begin(BASIC, lines, one_peg_per_hole=5) == "expected one peg a hole, got Ann and Ben in hole 25"
    assert scores(play(BASIC, "scores: Ann 0, Ben 0", one_peg_per_hole=5)) == (0, 0)


def test_points_within_one_hole_are_one_hole() -> None:
    reason = cannot_begin(FREE, "scores: Ann 2100, Ben 2150", one_peg_per_hole=1)
    assert reason == "expected one peg a hole, got Ann and Ben in hole 21"


# --- farkles ---


def test_farkles_in_a_row_go_on_from_paper() -> None:
    lines = ("scores: Ann 50, Ben 0", "farkles: Ann 1, Ben 2", "Ann: 334456", "Ben: 334456")
    played = play(ADVANCED, *lines)
    assert (scores(played), [seat.farkles for seat in played.state.seats]) == ((50, 0), [2, 0])


def test_a_teams_farkles_are_those_of_any_of_its_players() -> None:
    for named in ("A 2", "Ann 2", "Cy 2"):
        lines = (*FOUR, "scores: A 50, B 0", f"farkles: {named}", "Ann: 334456")
        assert scores(play(ADVANCED, *lines)) == (30, 0)


def test_if_players_count_farkles_for_themselves_those_of_a_mate_do_not_count() -> None:
    lines = (*FOUR, "scores: A 5000, B 0", "farkles: Cy 2", "Ann: 223446")
    assert scores(play(FREE, *lines, three_strikes_ouch=1000)) == (5000, 0)


@pytest.mark.parametrize(
    ("rules", "options"),
    [(ADVANCED, {}), (CLASS, {}), (FREE, {"three_strikes_out": True}), (FREE, {"three_strikes_ouch": 9})],
)
def test_three_farkles_have_had_their_price_already(rules: str, options: dict) -> None:
    reason = cannot_begin(rules, "scores: Ann 50, Ben 0", "farkles: Ann 3", **options)
    assert reason == "expected 0 to 2 farkles in a row for Ann, got 3"


def test_three_farkles_are_only_counted_if_they_cost_nothing() -> None:
    assert play(BASIC, "scores: Ann 50, Ben 0", "farkles: Ann 3").state.seats[0].farkles == 3


def test_more_than_three_farkles_are_possible_if_the_count_is_never_reset() -> None:
    lines = ("scores: Ann 50, Ben 0", "farkles: Ann 4", "Ann: 334456")
    assert scores(play(ADVANCED, *lines, farkle_streak_reset="never")) == (30, 0)


# --- on-board ---


def test_every_player_with_points_is_on_the_board() -> None:
    lines = ("scores: Ann 600, Ben 0", "Ann: 522346 > 5, bank", "Ben: 522346 > 5, bank")
    assert refusal(FREE, *lines, opening_min=500).startswith("500 to open")


def test_on_board_names_those_who_are() -> None:
    lines = ("scores: Ann 600, Ben 0", "on-board: Ann, Ben", "Ann: 522346 > 5, bank", "Ben: 522346 > 5, bank")
    assert scores(play(FREE, *lines, opening_min=500)) == (650, 50)


def test_on_board_may_be_empty() -> None:
    lines = ("scores: Ann 600, Ben 0", "on-board:", "Ann: 522346 > 5, bank")
    assert refusal(FREE, *lines, opening_min=500).startswith("500 to open")


def test_a_team_is_on_the_board_by_its_name() -> None:
    lines = (*FOUR, "scores: A 0, B 0", "on-board: A", "Ann: 522346 > 5, bank")
    assert scores(play(FREE, *lines, opening_min=500)) == (50, 0)


# --- out ---


def test_a_peg_off_the_board_plays_no_more() -> None:
    lines = (THREE, "scores: Ann 10, Ben 130, Cy 0", "out: Ben", "Ann: 334466")
    assert to_move(play(BASIC, *lines, find_loser=True)) == "Cy"


def test_a_score_at_the_target_is_off_the_board_without_saying_so() -> None:
    lines = (THREE, "scores: Ann 10, Ben 130, Cy 0", "Ann: 334466")
    assert to_move(play(BASIC, *lines, find_loser=True)) == "Cy"


def test_out_gives_the_order_in_which_they_left() -> None:
    four = ("players: Ann, Ben, Cy, Di", "scores: Ann 0, Ben 122, Cy 140, Di 0")
    ends = (*four, "out: Ben, Cy", "adjust: Di = 121")
    assert winners(play(BASIC, *ends, find_loser=True)) == ("Ben",)
    assert winners(play(BASIC, *four, "out: Cy", "adjust: Di = 121", find_loser=True)) == ("Cy",)


@pytest.mark.parametrize(
    ("lines", "options", "words"),
    [
        ((THREE, "scores: Ann 0, Ben 130, Cy 0", "out: Ben"), {}, "only with find_loser"),
        (
            (THREE, "scores: Ann 0, Ben 100, Cy 0", "out: Ben"),
            {"find_loser": True},
            "expected Ben off the board with 121",
        ),
        (
            (THREE, "scores: Ann 0, Ben 130, Cy 121"),
            {"find_loser": True},
            "expected two pegs or more on the board, got a game that is over",
        ),
        (
            (THREE, "scores: Ann 0, Ben 130, Cy 0", "start: Ben"),
            {"find_loser": True},
            "expected a player to move who still plays, got Ben",
        ),
        (
            (THREE, "scores: Ann 0, Ben 130, Cy 0", "final: Ben"),
            {"find_loser": True},
            "expected no final round with find_loser, got one set off by Ben",
        ),
    ],
)
def test_impossible_pegs_off_the_board_are_refused(lines: tuple[str, ...], options: dict, words: str) -> None:
    assert words in cannot_begin(BASIC, *lines, **options)


@pytest.mark.parametrize("endgame", ["finish_round", "one_more_turn"])
def test_nobody_is_past_the_target_whose_last_turn_is_to_come(endgame: str) -> None:
    lines = (THREE, "scores: Ann 125, Ben 0, Cy 130", "final: Ann", "start: Ben")
    reason = cannot_begin(BASIC, *lines, endgame=endgame)
    assert reason == "expected less than 121 for Cy, whose last turn is to come, got 130"
    assert cannot_begin(
        BASIC, THREE, "scores: Ann 125, Ben 122", "final: Ann", "start: Ben", endgame=endgame
    ).startswith("expected less than 121 for Ben")


@pytest.mark.parametrize("endgame", ["finish_round", "one_more_turn"])
def test_who_has_had_a_last_turn_may_be_past_the_target_too(endgame: str) -> None:
    lines = (THREE, "scores: Ann 125, Ben 130, Cy 0", "final: Ann", "start: Cy", "Cy: 334466")
    assert winners(play(BASIC, *lines, endgame=endgame)) == ("Ben",)


def test_a_team_may_have_reached_the_target_by_the_mate_who_has_played() -> None:
    lines = (*FOUR, "scores: A 125, B 130", "final: Ann", "start: Cy")
    assert to_move(play(BASIC, *lines)) == "Cy"


# --- left-over ---


@pytest.mark.parametrize("lines", [("scores: Ann 250, Ben 900",), ("scores: Ann 300, Ben 0", "farkles: Ann 1")])
def test_dice_are_left_over_by_someone_else_who_can_have_banked_them(lines: tuple[str, ...]) -> None:
    reason = cannot_begin(CLASSIC, *lines, "left-over: 3 dice 300", "start: Ben", piggyback=True)
    assert reason == "expected another side that may have banked the 300 left over, got none with so many and no farkle"


def test_what_was_left_over_may_be_taken_over() -> None:
    lines = ("scores: Ann 300, Ben 0", "left-over: 1 die 300", "start: Ben", "Ben: piggyback, 5 > 5")
    assert points(play(CLASSIC, *lines, piggyback=True)) == 350


@pytest.mark.parametrize(
    ("left", "options", "words"),
    [
        ("3 dice 300", {}, "only with piggyback"),
        ("6 dice 300", {"piggyback": True}, "expected 1 to 5 dice and 1 point or more left over, got 6 dice 300"),
        ("0 dice 300", {"piggyback": True}, "expected 1 to 5 dice"),
        ("3 dice 0", {"piggyback": True}, "1 point or more"),
        ("7 dice 300", {"piggyback": True, "piggyback_hot": True}, "expected 1 to 6 dice"),
        ("5 dice 300", {"piggyback": True, "n_dice": 5}, "expected 1 to 4 dice"),
        ("three dice", {"piggyback": True}, "expected 'left-over: 3 dice 300', got 'three dice'"),
    ],
)
def test_impossible_dice_left_over_are_refused(left: str, options: dict, words: str) -> None:
    lines = ("scores: Ann 300, Ben 0", f"left-over: {left}", "start: Ben")
    assert words in cannot_begin(CLASSIC, *lines, **options)


def test_six_dice_are_left_over_where_hot_dice_may_be_taken_over() -> None:
    lines = ("scores: Ann 300, Ben 0", "left-over: 6 dice 300", "start: Ben", "Ben: piggyback, 522346 > 5")
    assert points(play(CLASSIC, *lines, piggyback=True, piggyback_hot=True)) == 350


def test_nothing_is_left_over_for_a_player_alone() -> None:
    lines = ("players: Ann", "scores: Ann 300", "left-over: 3 dice 300")
    assert "expected two sides or more where dice are left over" in cannot_begin(CLASSIC, *lines, piggyback=True)


# --- final ---


def test_the_last_round_goes_on_from_paper() -> None:
    lines = (THREE, "scores: Ann 121, Ben 90, Cy 0", "final: Ann", "start: Ben", "Ben: 334466")
    assert not play(BASIC, *lines).state.over
    assert winners(play(BASIC, *lines, "Cy: 334466")) == ("Ann",)


def test_the_one_more_turn_goes_on_from_paper() -> None:
    lines = (THREE, "scores: Ann 0, Ben 10000, Cy 0", "final: Ben", "start: Ann", "Ann: 223446")
    assert winners(play(CLASSIC, *lines)) == ("Ben",)
    lines = (THREE, "scores: Ann 0, Ben 10000, Cy 0", "final: Ben", "start: Cy", "Cy: 223446", "Ann: 223446")
    assert winners(play(CLASSIC, *lines)) == ("Ben",)


def test_mates_of_the_player_who_set_off_the_last_round_have_no_further_turn() -> None:
    live = play(CLASSIC, *FOUR, "scores: A 9900, B 0", "Ann: 122346 > 1, bank")
    paper = play(CLASSIC, *FOUR, "scores: A 10000, B 0", "final: Ann", "start: Ben")
    assert live.state.to_come == paper.state.to_come


@pytest.mark.parametrize(
    ("lines", "options", "words"),
    [
        (("scores: Ann 121, Ben 0", "final: Ann"), {}, "expected another player to move after Ann has set off"),
        (("scores: Ann 100, Ben 0", "final: Ann", "start: Ben"), {}, "expected 121 or more for Ann"),
        (
            ("scores: Ann 0, Ben 121", "final: Ben"),
            {},
            "expected Ben, who set off the final round, to have had a turn in this round",
        ),
        (
            ("scores: Ann 121, Ben 0", "final: Ann", "start: Ben"),
            {"endgame": "immediate"},
            "expected no final round with endgame=immediate, got one set off by",
        ),
    ],
)
def test_an_impossible_last_round_is_refused(lines: tuple[str, ...], options: dict, words: str) -> None:
    assert words in cannot_begin(BASIC, *lines, **options)


# --- the lines themselves ---


@pytest.mark.parametrize("line", ["farkles: Ann 1", "on-board: Ann", "left-over: 3 dice 300", "final: Ann", "out: Ann"])
def test_a_standing_needs_scores(line: str) -> None:
    assert cannot_begin(BASIC, line) == "expected 'scores: NAME POINTS, ...' with a standing, got none"


def test_with_scores_nobody_throws_for_the_start() -> None:
    reason = cannot_begin(BASIC, AHEAD, "throws-for-start: Ann 6 3, Ben 4 4")
    assert reason == "expected 'start:' with a standing, got 'throws-for-start:'"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("scores: Cy 5", "expected scores such as 'Ann 100, Ben 90' with one of Ann, Ben, got 'Cy 5'"),
        ("scores: Ann", "expected a whole number after Ann, got ''"),
        ("scores: Ann many", "expected a whole number after Ann, got 'many'"),
        ("scores: Ann 1, Ann 2", "expected each name once, got a second 'Ann'"),
        ("scores: Ann 1.5", "expected a whole number after Ann, got '1.5'"),
    ],
)
def test_a_line_that_is_no_standing_says_what_was_expected(line: str, words: str) -> None:
    assert cannot_begin(BASIC, line) == words


def test_a_count_of_farkles_is_not_negative() -> None:
    assert "0 or more" in cannot_begin(BASIC, AHEAD, "farkles: Ann -1")


@pytest.mark.parametrize("word", ["scores", "farkles", "on-board", "out", "final", "teams", "start"])
def test_a_standing_comes_after_the_players(word: str) -> None:
    with pytest.raises(NotationError, match=rf"line 2: expected 'players:' before '{word}:', got none"):
        replay(f"rules: {BASIC}\n{word}: Ann\n")


@pytest.mark.parametrize(
    "lines",
    [
        ("farkle-cribbage", AHEAD),
        ("farkle-cribbage", *FOUR, "scores: A 30, B 40", "farkles: B 1", "start: Di"),
        ("free-the-dice", AHEAD, "farkles: Ben 2", "on-board: Ann"),
        ("free-the-dice", "scores: Ann 600, Ben 0", "on-board:"),
        ("classic", THREE, "scores: Ann 0, Ben 10000, Cy 0", "final: Ben", "start: Cy"),
    ],
)
def test_a_standing_that_was_written_is_read_as_the_same(lines: tuple[str, ...]) -> None:
    played = play(*lines)
    assert happened(played) == ["GameStarted", "StandingGiven"]
    assert replay(write(played.events)) == played


@pytest.mark.parametrize(
    ("lines", "options"),
    [
        (("scores: Ann 300, Ben 0", "left-over: 1 die 300", "start: Ben"), {"piggyback": True}),
        ((THREE, "scores: Ann 0, Ben 130, Cy 0", "out: Ben"), {"find_loser": True, "target": 121}),
    ],
)
def test_a_standing_that_needs_a_switch_is_read_as_the_same(lines: tuple[str, ...], options: dict) -> None:
    played = play(CLASSIC, *lines, **options)
    assert replay(write(played.events)) == played
