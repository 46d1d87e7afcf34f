"""The notation: games that people write, and mistakes, each with its line and its column."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farkle.errors import NotationError, SeatingError
from farkle.game.commands import Bank, Keep, Roll
from farkle.game.events import Event
from farkle.game.evolve import fold
from farkle.game.machine import decide
from farkle.game.seating import start
from farkle.game.state import Phase
from farkle.notation import KEYWORDS, write, written_name
from farkle.replay import replay
from farkle.rules.catalogue import find_rule_set

RULES = find_rule_set("farkle-cribbage")
HEAD = "rules: farkle-cribbage\nplayers: Ann, Ben\n"


def test_a_game_reads_as_the_players_would_write_it() -> None:
    events: list[Event] = list(start(RULES.with_settings({"target": 241}), ("Ann", "bank"), first=1))
    for command in (
        *(Roll((3, 4, 4, 6, 6, 2)), Keep((2,)), Roll((3, 4, 4, 6, 6))),
        *(Roll((1, 1, 1, 3, 4, 6)), Keep((1, 1, 1), 3), Roll((1, 4, 6)), Keep((1,)), Bank()),
        *(Roll((1, 1, 1, 3, 4, 6)), Keep((1, 1, 1), 20)),
    ):
        events.extend(decide(fold(events), command))
    assert write(events) == (
        "rules: farkle-cribbage\n"
        "set: target=241\n"
        'players: Ann, "bank"\n'
        'start: "bank"\n'
        '"bank": 344662 > 2, 34466 farkle\n'
        "Ann: 111346 > 111 = 3, 146 > 1, bank\n"
        '"bank": 111346 > 111\n'
    )


EXAMPLE = """\
rules: farkle-cribbage
set: target=241
players: Ann, Ben
Ann: 233346 > 333, 146 > 1, bank
Ben: 344662 > 2, 34466 farkle
Ann: 111222 > 111222, 334466
Ben: 111222 > 111222
"""


def test_a_replay_has_each_turn_with_its_throws_and_scores() -> None:
    played = replay(EXAMPLE)
    assert [(turn.points, turn.ended, turn.score, turn.farkles) for turn in played.turns] == [
        (7, "bank", 7, 0),
        (0, "farkle", 0, 1),
        (0, "farkle", 7, 1),
        (26, None, 0, 1),
    ]
    assert [(throw.roll, throw.kept, throw.points) for throw in played.turns[0].throws] == [
        ((2, 3, 3, 3, 4, 6), (3, 3, 3), 6),
        ((1, 4, 6), (1,), 1),
    ]
    assert (played.state.turn.points, played.state.turn.dice_left) == (26, 6)


def test_a_farkle_may_be_left_out_or_be_an_item_of_its_own() -> None:
    said = replay(HEAD + "Ann: 334466 farkle\nBen: 233346 > 2, 33466 farkle\nAnn: 133346")
    assert replay(HEAD + "Ann: 334466\nBen: 233346 > 2, 33466\nAnn: 133346") == said
    assert replay(HEAD + "Ann: 334466, farkle\nBen: 233346 > 2, 33466, farkle\nAnn: 133346") == said
    assert (said.turns[-1].ended, said.state.phase) == (None, Phase.CHOOSING)


@pytest.mark.parametrize("dice", ["233346 > 333", "2 3 3 3 4 6 > 3 3 3", "2-3-3-3-4-6>3-3-3"])
def test_dice_may_be_written_apart(dice: str) -> None:
    assert replay(f"{HEAD}Ann: {dice}, bank\n").state.sides[0].score == 6


def test_comments_blank_lines_spaces_and_a_byte_order_mark_are_ignored() -> None:
    text = f"\ufeff# an evening\n\n  {HEAD}   # who played\n\t\n  Ann :  233346  >  333 ,  bank   # safe\n"
    assert replay(text).state == replay(f"{HEAD}Ann: 233346 > 333, bank\n").state


@pytest.mark.parametrize(
    ("comments", "bots"),
    [
        ("# bots: Ben = bold", {"Ben": "bold"}),
        ('#bots: Ben = bold, "a, b" = best', {"Ben": "bold"}),
        ("# bots: Ben = bold\n# bots: Ann = best", {"Ben": "bold"}),
        ("# bots: we had none", {}),
        ("# bots: Ben", {}),
        ("# bots: Ben =", {}),
        ("# bots: Ann = best, Ben", {}),
        ("# bots", {}),
        ("# bots Ben = bold", {}),
        ("# robots: Ben = bold", {}),
        ("# bots at the table: Ben = bold", {}),
        ("# bots: Ben = bold, swap = best", {}),
    ],
)
def test_the_first_comment_that_names_bots_tells_who_they_are(comments: str, bots: dict[str, str]) -> None:
    assert replay(f"{comments}\n{HEAD}").bots == replay(f"{HEAD}{comments}\n").bots == bots


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_ending_is_read(ending: str) -> None:
    assert replay(EXAMPLE.replace("\n", ending)) == replay(EXAMPLE)


@pytest.mark.parametrize("name", [*sorted(KEYWORDS), "A:B", "A,B", "A;B", "A=B", "A#B", "A>B", "#"])
def test_a_name_that_is_a_keyword_or_has_a_mark_of_the_notation_is_quoted(name: str) -> None:
    assert written_name(name) == f'"{name}"'
    text = f'rules: farkle-cribbage\nplayers: "{name}", Ann\n"{name}": 334466 farkle\n'
    assert replay(text).state.players == (name, "Ann")
    assert write(replay(text).events) == text


@pytest.mark.parametrize(
    "name", ['Ann "Ace" Lee', "Ann\nBen: 1", "A\u2028B", "A\tB", "\u202eann", "A\x1b[2J", "\udcff"]
)
def test_a_name_that_cannot_be_written_on_one_line_is_refused(name: str) -> None:
    with pytest.raises(SeatingError, match="expected a player's name without double quotes and control characters"):
        start(RULES, (name, "Ben"))


MISTAKES = [
    ("Ann: 344662 > 5", 3, 15, "expected dice of the roll 3 4 4 6 6 2, got '5'"),
    ("Ann: 344662 > 2, bank\nBen: 3446621", 4, 6, "expected 1 to 6 dice, got 7: '3446621'"),
    ("Ann: 344662, bank", 3, 14, "keep a die first"),
    ("Ann: 344667 > 2", 3, 6, "expected faces from 1 to 6, got '344667'"),
    ("Ann: 34x662", 3, 6, "expected dice as '1 1 5', '115' or '1-1-5', got '34x662'"),
    ("Ann: 111346 > 111 = 7", 3, 15, "expected 20 or 3 points for these dice, got 7"),
    ("Ann: 111346 > 111 = lots", 3, 21, "expected a number of points after '=', got 'lots'"),
    ("Ann: 344662 > 2, bank, bank", 3, 18, "expected nothing after 'bank'"),
    ("Ann: 334466, bank", 3, 14, "expected the end of the turn after a farkle"),
    ("Ann: farkle", 3, 6, "expected a throw that scores nothing before 'farkle', got no throw"),
    ("Ann: 233346 farkle", 3, 6, "expected a throw that scores nothing before 'farkle', got 2 3 3 3 4 6"),
    ("Ann: 233346,, bank", 3, 13, "expected dice as '1 1 5', '115' or '1-1-5', got ''"),
    ("Ann: counted many", 3, 14, "expected points after 'counted', or 'counted farkle', got 'many'"),
    ("Ben: 344662", 3, 1, "expected Ann's turn, got Ben's"),
    ("Ann: 344662\nBen: 1", 4, 1, "expected Ann's turn, got Ben's: the throw 3 4 4 6 6 2 scores"),
    ("Ann: 344662 > 2\nAnn: 34466", 4, 1, "expected Ann's turn to end before the next line begins"),
    ("Cy: 344662", 3, 1, "expected one of the players Ann, Ben, got 'Cy'"),
    ("344662 > 2", 3, 1, "expected 'WORD: ...' or 'PLAYER: ...', got '344662 > 2'"),
    ("swap: 344662", 3, 1, "expected a player's name, got 'swap'"),
    ('"Ann: 344662', 3, 1, "expected a closing double quote"),
    ('"": 344662', 3, 1, "expected a name in double quotes, got '\"\"'"),
    ("Ann: 134466 > 1, swap", 3, 18, "expected a throw, a selection or a bank, got 'swap'"),
    ("Ann: 134466 > 1, swap Cy", 3, 23, "expected one of the players Ann, Ben, got 'Cy'"),
    ("start:", 3, 7, "expected a player's name, got ''"),
    ("start: Cy", 3, 8, "expected one of the players Ann, Ben, got 'Cy'"),
    ("start: Ben\nstart: Ann", 4, 8, "expected one 'start:' line, got a second: 'Ann'"),
    ("start: Ben\nthrows-for-start: Ann 6 3", 4, 19, "expected 'start:' or 'throws-for-start:', got both"),
    ("throws-for-start: Ann 6 3 1", 3, 19, "expected 2 dice, got 3: '631'"),
    ("throws-for-start: Cy 6 3", 3, 19, "expected throws such as 'Ann 6 3, Ben 4 4' with one of Ann, Ben"),
    ("throws-for-start: Ann x", 3, 23, "expected dice as '1 1 5', '115' or '1-1-5', got 'x'"),
    ("teams: A", 3, 8, "expected 'teams: A = NAME, NAME; B = NAME, NAME', got 'A'"),
    ("teams: A = Ann; A = Ben", 3, 17, "expected teams of different names, got a second 'A'"),
    ("teams: A = Ann, Cy", 3, 17, "expected one of the players Ann, Ben, got 'Cy'"),
    ("set: target", 3, 6, "expected 'set: SWITCH=VALUE', got 'target'"),
    ("set: target=12,", 3, 16, "expected 'set: SWITCH=VALUE'"),
    ("\nset: traget=9", 4, 6, "expected the name of a switch, got 'traget' (did you mean 'target'?)"),
    ("set: target=12, charty=true", 3, 17, "expected the name of a switch, got 'charty' (did you mean 'charity'?)"),
    ("set: target=low", 3, 6, "target: expected points from 1 to 1000000, got 'low'"),
    ("set: target=9\nset: target=8", 4, 6, "expected each switch to be set once, got a second 'target'"),
    ("set: three_strikes_out=true\nset: three_strikes_ouch=500", 4, 6, "expected switches that go together"),
    ("rules: other", 3, 8, "expected one 'rules:' line, got a second: 'other'"),
    ("players: Cy, Di", 3, 10, "expected one 'players:' line, got a second: 'Cy, Di'"),
    ("scores: Ann 1\nscores: Ben 1", 4, 9, "expected one 'scores:' line, got a second: 'Ben 1'"),
    ("scores: Ann 1\nfarkles: Ann -1", 4, 10, "expected a count of farkles of 0 or more for Ann, got -1"),
    ("adjust: Ann", 3, 9, "expected 'adjust: NAME = SCORE', got 'Ann'"),
    ("adjust: Ann = much", 3, 15, "expected a score after '=', got 'much'"),
    ("adjust: Ann = 0", 3, 9, "Ann has 0 already"),
    (f"scores: Ann {10**18}\nfarkles: Ann {10**19}", 4, 14, f"expected a whole number after Ann, got '{10**19}'"),
    ("joins: ", 3, 7, "expected a player's name, got ''"),
    ("joins: bank", 3, 8, "expected a player's name, got 'bank'"),
    ("leaves: Cy", 3, 9, "expected one of the players Ann, Ben, got 'Cy'"),
    ("start: Cy\njoins: Cy", 3, 8, "expected one of the players Ann, Ben, got 'Cy'"),
    *(
        (f"skip: Ann\n{word}: {rest}", 4, 1, f"expected '{word}:' before the first turn, got it after")
        for word, rest in (("start", "Ann"), ("scores", "Ann 1"), ("teams", "A = Ann"), ("set", "target=9"))
    ),
]
"""What follows a header of two players, the line and the column of its mistake, and what was expected there."""

HEADERS = [
    (None, 1, "expected a written game as text, got None"),
    ("", 1, "expected 'rules: NAME' before the game, got none"),
    ("# nothing\n", 1, "expected 'rules: NAME' before the game, got none"),
    ("\nrules: farkle-cribbage\n", 2, "expected 'players: NAME, NAME' before the game, got none"),
    ("rules:\n", 1, "expected the name of a rule set after 'rules:', got nothing"),
    ("rules: chess\nplayers: Ann\n", 1, "expected a rule set, got 'chess' (known: farkle-cribbage, "),
    ("rules: farkle-cribbage\nplayers:\n", 2, "expected names after 'players:', got nothing"),
    ("rules: farkle-cribbage\nplayers: Ann, , Ben\n", 2, "expected a player's name, got ''"),
    ("rules: farkle-cribbage\nplayers: Ann, Ben,\n", 2, "expected a player's name, got ''"),
    ("rules: farkle-cribbage\nplayers: Ann, ann\n", 2, "expected players of different names, got Ann, ann"),
    ("rules: farkle-cribbage\nplayers: Ann, A=B\n", 2, "expected a player's name, got 'A=B'"),
    ("rules: farkle-cribbage\nAnn: 344662\n", 2, "expected 'players: ...' before the first turn"),
    *(
        (f"rules: farkle-cribbage\n{word}: Ann\n", 2, f"expected 'players:' before '{word}:', got none")
        for word in ("scores", "farkles", "on-board", "out", "final", "teams", "start")
    ),
]


def mistake_in(text: str) -> NotationError:
    with pytest.raises(NotationError) as caught:
        replay(text)
    return caught.value


def test_a_mistake_names_its_line_its_column_and_what_was_expected() -> None:
    wrong = []
    for body, line, column, words in MISTAKES:
        error = mistake_in(f"{HEAD}{body}\n")
        assert str(error) == f"line {error.line}: {error.reason} (column {error.column})"
        if (error.line, error.column, error.reason[: len(words)]) != (line, column, words):
            wrong.append((body, str(error)))
    assert not wrong


@pytest.mark.parametrize(("text", "line", "words"), HEADERS)
def test_an_impossible_header_names_its_line(text: str, line: int, words: str) -> None:
    error = mistake_in(text)
    assert (error.line, error.reason[: len(words)]) == (line, words)


def test_who_joins_may_stand_in_lines_after() -> None:
    assert replay("rules: classic\nplayers: Ann\njoins: Cy\nAnn: 223346\nCy: 223346").state.players == ("Ann", "Cy")


FRAGMENTS = (
    *("Ann", "Ben", ": ", ":", ", ", " > ", " = ", "233346", "333", "334466", "1", "2", "bank", "farkle"),
    *("\n", "#", '"'),
)


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join))
def test_any_text_is_a_game_or_is_refused_with_its_line(text: str) -> None:
    lines = len(f"{HEAD}Ann: {text}".splitlines())
    line = 1
    try:
        played = replay(f"{HEAD}Ann: {text}")
    except NotationError as error:
        line = error.line
    else:
        assert replay(write(played.events)).events == played.events
    assert 1 <= line <= lines
