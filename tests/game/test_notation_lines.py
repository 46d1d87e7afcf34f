"""Every line and word of the notation is written as it is read, and every mistake names its line and column."""

import pytest
from written_games import play, refusal, scores, text, to_move

from farkle.errors import NotationError
from farkle.game.commands import Adjust, Join, Leave, Skip
from farkle.game.evolve import fold
from farkle.game.machine import decide
from farkle.game.seating import start
from farkle.notation import KEYWORDS, parse, write
from farkle.replay import replay
from farkle.rules.catalogue import find_rule_set

TEAMS = 'teams: A = Ann, Cy; "final" = Ben, Di'
CANONICAL = {
    "players": (
        "rules: farkle-cribbage",
        "players: Ann, Ben",
    ),
    "alone": (
        "rules: farkle-cribbage",
        "players: Ann",
    ),
    "set": (
        "rules: farkle-cribbage",
        "set: bonus_scores=true",
        "set: target=241",
        "players: Ann, Ben",
    ),
    "start": (
        "rules: farkle-cribbage",
        "players: Ann, Ben",
        "start: Ben",
    ),
    "throws-for-start": (
        "rules: farkle-cribbage",
        "players: Ann, Ben",
        "throws-for-start: Ann 6 3, Ben 4 4",
    ),
    "throws-for-start under way": (
        "rules: farkle-cribbage",
        "players: Ann, Ben",
        "throws-for-start: Ann 6 3",
    ),
    "throws-for-start with a tie": (
        "rules: classic",
        "players: Ann, Ben",
        "throws-for-start: Ann 6, Ben 6",
        "throws-for-start: Ann 1, Ben 2",
        "Ben: 122346 > 1, bank",
    ),
    "counted": (
        "rules: farkle-cribbage",
        "players: Ann, Ben",
        "Ann: 233346 > 333, counted 7, counted 12, bank",
        "Ben: counted farkle",
        "Ann: counted 3, 146 > 1, bank",
        "Ben: 233346 > 333",
        "ends: early",
    ),
    "teams": (
        "rules: classic",
        "players: Ann, Ben, Cy, Di",
        TEAMS,
    ),
    "scores": (
        "rules: classic",
        "players: Ann, Ben",
        "scores: Ann 100, Ben 90",
    ),
    "scores of teams": (
        "rules: classic",
        "players: Ann, Ben, Cy, Di",
        TEAMS,
        'scores: A 30, "final" 40',
        "start: Di",
    ),
    "farkles": (
        "rules: classic",
        "players: Ann, Ben",
        "scores: Ann 100, Ben 90",
        "farkles: Ann 2",
    ),
    "on-board": (
        "rules: classic",
        "players: Ann, Ben",
        "scores: Ann 100, Ben 90",
        "on-board: Ann",
    ),
    "on-board nobody": (
        "rules: classic",
        "players: Ann, Ben",
        "scores: Ann 100, Ben 90",
        "on-board:",
    ),
    "out": (
        "rules: farkle-cribbage",
        "set: find_loser=true",
        "players: Ann, Ben, Cy",
        "scores: Ann 5, Ben 0, Cy 130",
        "out: Cy",
    ),
    "left-over": (
        "rules: classic",
        "set: piggyback=true",
        "players: Ann, Ben",
        "scores: Ann 300, Ben 0",
        "left-over: 3 dice 300",
        "start: Ben",
    ),
    "final": (
        "rules: farkle-cribbage",
        "players: Ann, Ben",
        "scores: Ann 121, Ben 0",
        "final: Ann",
        "start: Ben",
    ),
    "adjust": (
        "rules: farkle-cribbage",
        "players: Ann, Ben",
        "adjust: Ann = 40",
        "adjust: Ben = -3",
    ),
    "adjust a team": (
        "rules: classic",
        "players: Ann, Ben, Cy, Di",
        TEAMS,
        'adjust: "final" = 40',
    ),
    "joins": (
        "rules: farkle-cribbage",
        "players: Ann, Ben",
        "joins: Cy",
        "Ann: 334466 farkle",
        "Ben: 334466 farkle",
        "Cy: 112346",
    ),
    "leaves": (
        "rules: farkle-cribbage",
        "players: Ann, Ben, Cy",
        "leaves: Ben",
        "Ann: 334466 farkle",
        "Cy: 112346 > 11",
    ),
    "skip": (
        "rules: farkle-cribbage",
        "players: Ann, Ben",
        "skip: Ann",
        "Ben: 334466 farkle",
    ),
    "throws": (
        "rules: farkle-cribbage",
        "players: Ann, Ben, Cy",
        "throws: Cy",
        "Cy: 334466 farkle",
        "Ann: 334466 farkle",
    ),
    "a quoted player": (
        "rules: farkle-cribbage",
        'players: "a,b", "bank"',
        'skip: "a,b"',
        '"bank": 334466 farkle',
        'adjust: "a,b" = 4',
    ),
    "a lower total": (
        "rules: farkle-cribbage",
        "players: Ann",
        "Ann: 111346 > 111 = 3, bank",
    ),
    "a farkle": (
        "rules: farkle-cribbage",
        "players: Ann",
        "Ann: 111346 > 111, 346 farkle",
    ),
    "points": (
        "rules: farkle-cribbage-advanced",
        "players: Ann, Ben",
        "scores: Ann 1, Ben 9",
        "Ann: 444444 > 444444, points, bank",
    ),
    "swap": (
        "rules: farkle-cribbage-advanced",
        "players: Ann, Ben",
        "scores: Ann 1, Ben 9",
        "Ann: 444444 > 444444, swap Ben, bank",
    ),
    "piggyback": (
        "rules: classic",
        "set: piggyback=true",
        "players: Ann, Ben",
        "Ann: 111346 > 111, bank",
        "Ben: piggyback, 546 > 5, bank",
    ),
    "fresh": (
        "rules: classic",
        "set: piggyback=true",
        "players: Ann, Ben",
        "Ann: 111346 > 111, bank",
        "Ben: fresh, 546122 > 5",
    ),
    "vant-hof": (
        "rules: classic",
        "set: vant_hof_6=true",
        "players: Ann",
        "Ann: 112346 > 11, 1112 > 111, 1 > 1, vant-hof, bank",
    ),
    "nobody loses": (
        "rules: free-the-dice",
        "set: nobody_loses=true",
        "players: Ann, Ben",
        "Ann: 233446, bank",
        "Ben: 233446, 122346 > 1",
    ),
}


@pytest.mark.parametrize("name", CANONICAL)
def test_every_line_that_was_written_is_read_and_written_alike(name: str) -> None:
    lines = "".join(f"{line}\n" for line in CANONICAL[name])
    played = replay(lines)
    assert write(played.events) == lines
    assert replay(write(played.events)) == played


def test_every_keyword_is_in_a_tested_line() -> None:
    words = " ".join(line for lines in CANONICAL.values() for line in lines).replace(":", " ").replace(",", " ").split()
    assert KEYWORDS - set(words) == set()


@pytest.mark.parametrize("line", ["set: bonus_scores=true, target=241", "set: target=241,bonus_scores = true"])
def test_several_switches_may_stand_on_one_line(line: str) -> None:
    played = replay(f"rules: farkle-cribbage\n{line}\nplayers: Ann, Ben\n")
    assert played.state.rules.settings() == {"bonus_scores": True, "target": 241}


def test_the_header_may_stand_in_any_order_after_the_players() -> None:
    lines = ["start: Ben", "scores: Ann 1, Ben 2", "farkles: Ben 1", "set: target=60", "rules: farkle-cribbage"]
    first = replay("\n".join(["players: Ann, Ben", *lines]))
    assert replay("\n".join(["players: Ann, Ben", *reversed(lines)])) == first
    assert to_move(first) == "Ben"


def test_throws_for_the_start_may_be_on_several_lines() -> None:
    one = play("classic", "throws-for-start: Ann 6, Ben 6, Ann 1, Ben 2")
    assert (
        play("classic", "throws-for-start: Ann 6, Ben 6", "throws-for-start: Ann 1", "throws-for-start: Ben 2") == one
    )


@pytest.mark.parametrize("dice", ["6 3", "63", "6-3"])
def test_the_dice_for_the_start_are_written_as_any_dice(dice: str) -> None:
    assert to_move(play("farkle-cribbage", f"throws-for-start: Ben {dice}, Ann 11")) == "Ben"


def test_a_name_within_another_is_told_apart() -> None:
    lines = ("players: Ann, Ann Lee", "scores: Ann Lee 7, Ann 3")
    assert scores(play("farkle-cribbage", *lines)) == (3, 7)


def test_one_die_is_left_over_as_a_die() -> None:
    lines = ("scores: Ann 300, Ben 0", "left-over: 1 die 300", "start: Ben")
    assert "left-over: 1 die 300\n" in write(play("classic", *lines, piggyback=True).events)


def test_neither_points_nor_swap_means_points() -> None:
    lines = ("scores: Ann 1, Ben 9", "Ann: 444444 > 444444, bank")
    assert scores(play("farkle-cribbage-advanced", *lines)) == (29, 9)


def test_a_swap_is_written_with_the_name_it_was_with() -> None:
    lines = ("scores: Ann 1, Ben 9", "Ann: 444444 > 444444, swap")
    assert write(play("farkle-cribbage-advanced", *lines).events).endswith("> 444444, swap Ben\n")


def test_a_swap_may_be_named_by_a_player_of_the_team() -> None:
    lines = ("players: Ann, Ben, Cy, Di", "teams: A = Ann, Cy; B = Ben, Di", "scores: A 1, B 9")
    for name in ("B", "Ben", "Di"):
        played = play("farkle-cribbage-advanced", *lines, f"Ann: 444444 > 444444, swap {name}")
        assert scores(played) == (9, 1)


def test_every_act_is_an_event_that_is_written_back() -> None:
    events = list(start(find_rule_set("farkle-cribbage"), ("Ann", "Ben", "skip")))
    for command in (Adjust(2, 5), Join("to, be"), Leave(0), Skip(1)):
        events.extend(decide(fold(events), command))
    assert write(events).endswith('adjust: "skip" = 5\njoins: "to, be"\nleaves: Ann\nskip: Ben\n')
    assert replay(write(events)).events == tuple(events)


def test_one_who_joined_plays_under_the_name_given() -> None:
    played = play("farkle-cribbage", "players: Ann", 'joins: "x, y"', "Ann: 334466", '"x, y": 134466 > 1, bank')
    assert scores(played) == (0, 1)


def test_a_quoted_name_may_be_a_single_letter() -> None:
    assert replay('rules: classic\nplayers: "A", "#"\n').state.players == ("A", "#")


def test_a_set_that_the_sheet_has_anyway_is_not_written() -> None:
    assert "set:" not in write(play("farkle-cribbage", target=121).events)


# --- mistakes: the line, the column, and what was expected ---


@pytest.mark.parametrize(
    ("line", "column", "words"),
    [
        ("adjust: Ann", 9, "expected 'adjust: NAME = SCORE', got 'Ann'"),
        ("adjust: Ann = much", 15, "expected a score after '=', got 'much'"),
        ("adjust: Cy = 5", 9, "expected one of the players Ann, Ben, got 'Cy'"),
        ("adjust: Ann = 0", 9, "Ann has 0 already"),
        ("joins: ", 7, "expected a player's name, got ''"),
        ("joins: bank", 8, "expected a player's name, got 'bank'"),
        ("joins: Ann", 8, "expected players of different names, got Ann, Ben, Ann"),
        ("leaves: Cy", 9, "expected one of the players Ann, Ben, got 'Cy'"),
        ("skip: Ben", 7, "expected to skip Ann, whose turn it is"),
        ("throws: Ann", 9, "it is Ann's turn"),
        ("throws-for-start: Ann 6 3 1", 19, "expected 2 dice, got 3: '631'"),
        (
            "throws-for-start: Cy 6 3",
            19,
            "expected throws such as 'Ann 6 3, Ben 4 4' with one of Ann, Ben",
        ),
        ("throws-for-start: Ann x", 23, "expected dice as '1 1 5', '115' or '1-1-5', got 'x'"),
        ("teams: A", 8, "expected 'teams: A = NAME, NAME; B = NAME, NAME', got 'A'"),
        ("teams: A = Ann; A = Ben", 17, "expected teams of different names, got a second 'A'"),
        ("teams: A = Ann, Cy", 17, "expected one of the players Ann, Ben, got 'Cy'"),
        ("set: target=12, charty=true", 17, "expected the name of a switch, got 'charty' (did you mean 'charity'?)"),
        ("set: target=12,", 16, "expected 'set: SWITCH=VALUE'"),
        (
            "Ann: 134466 > 1, swap",
            18,
            "expected a throw, a selection or a bank, got 'swap': there is nothing to choose now",
        ),
        (
            "Ann: piggyback",
            6,
            "expected a throw, a selection or a bank, got 'piggyback': there is nothing to choose now",
        ),
        ("Ann: 134466 > 1, vant-hof", 18, "expected a throw, a selection or a bank, got 'vant-hof'"),
        ("Ann: 134466 > 1, swap Cy", 23, "expected one of the players Ann, Ben, got 'Cy'"),
        ("Ann: 134466, fresh", 14, "keep a die first"),
        ("Ann: 134466 > 1 = 2", 15, "expected 1 points for these dice, got 2"),
    ],
)
def test_a_mistake_names_its_column(line: str, column: int, words: str) -> None:
    with pytest.raises(NotationError) as caught:
        replay(text("farkle-cribbage", line))
    assert (caught.value.line, caught.value.reason[: len(words)], caught.value.column) == (3, words, column)


@pytest.mark.parametrize("word", ["teams: A = Ann, Cy; B = Ben, Di", "scores: A 1", "farkles: A 1"])
def test_a_second_line_of_a_kind_is_refused(word: str) -> None:
    head = ("players: Ann, Ben, Cy, Di", "teams: A = Ann, Cy; B = Ben, Di", "scores: A 1, B 2", "farkles: A 1")
    with pytest.raises(NotationError) as caught:
        play("classic", *head, word)
    assert caught.value.line == 6


@pytest.mark.parametrize(
    "head", ["start: Ann", "scores: Ann 1", "teams: A = Ann", "throws-for-start: Ann 6 3", "set: target=9"]
)
def test_the_header_is_closed_by_the_first_turn_or_act(head: str) -> None:
    word = head.split(":", maxsplit=1)[0]
    assert refusal("farkle-cribbage", "skip: Ann", head) == f"expected '{word}:' before the first turn, got it after"


def test_the_mistake_of_two_switches_is_placed_at_the_last() -> None:
    with pytest.raises(NotationError, match="three_strikes_out and three_strikes_ouch") as caught:
        replay("rules: free-the-dice\nset: three_strikes_out=true\nset: three_strikes_ouch=500\nplayers: Ann\n")
    assert caught.value.line == 3


def test_who_joins_may_stand_in_lines_after_but_not_in_the_header() -> None:
    assert parse("rules: classic\nplayers: Ann\njoins: Cy\nCy: 1").names == ("Ann", "Cy")
    with pytest.raises(NotationError, match="expected one of the players Ann, got 'Cy'"):
        parse("rules: classic\nplayers: Ann\nstart: Cy\njoins: Cy\n")
