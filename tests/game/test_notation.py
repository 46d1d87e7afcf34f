"""The notation: a written game is read as the same game, and every mistake names its line."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farkle.errors import NotationError, SeatingError
from farkle.game.commands import Bank, Command, Keep, Roll
from farkle.game.events import Event, Farkled, TurnBanked
from farkle.game.evolve import fold
from farkle.game.machine import decide
from farkle.game.seating import start
from farkle.game.state import GameState, Phase
from farkle.notation import KEYWORDS, parse, write, written_name
from farkle.replay import replay
from farkle.rules.catalogue import find_rule_set
from farkle.rules.selections import legal_selections

RULES = find_rule_set("farkle-cribbage")
HEAD = "rules: farkle-cribbage\nplayers: Ann, Ben\n"

NAMES = ("Ann", "Ben", "Cy Dee", "bank", "7", "A:B", "a,b; c", "x = #1 > y", "Zoë", "-", "farkle", "<b>")


@dataclass
class Evening:
    """A random game played through the engine, with the result of each turn."""

    events: list[Event] = field(default_factory=list)
    turns: list[tuple[str, str, str | None, int]] = field(
        default_factory=list
    )  # player, first roll, kind of end, score
    state: GameState | None = None


def evening(chance: Random, names: tuple[str, ...], target: int, acts: int) -> Evening:
    """Play up to this many random commands: any dice, any legal selection at any of its totals, or the bank."""
    first = chance.randrange(len(names))
    played = Evening(list(start(RULES.with_settings({"target": target}), names, first=first)))
    state = fold(played.events)
    opening = ""
    for _ in range(acts):
        if state.over:
            break
        command = by_chance(chance, state)
        if state.phase is Phase.TO_THROW:
            assert isinstance(command, Roll)
            opening = "".join(map(str, command.faces))
            played.turns.append((names[state.to_move], opening, None, state.sides[state.side_to_move].score))
        made = decide(state, command)
        played.events.extend(made)
        state = fold(made, state)
        for event in made:
            if isinstance(event, TurnBanked | Farkled):
                score = state.sides[state.side_of(event.player)].score
                ended = "bank" if isinstance(event, TurnBanked) else "farkle"
                played.turns[-1] = (names[event.player], opening, ended, score)
    played.state = state
    return played


def by_chance(chance: Random, state: GameState) -> Command:
    if state.phase is Phase.CHOOSING:
        selection = chance.choice(legal_selections(RULES, state.turn.roll))
        return Keep(selection.dice, chance.choice(selection.totals))
    if state.phase is Phase.KEPT and chance.random() < 0.4:
        return Bank()
    return Roll(tuple(chance.randint(1, 6) for _ in range(state.turn.dice_left)))


evenings = st.builds(
    evening,
    st.randoms(use_true_random=False),
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=5, unique=True).map(tuple),
    st.sampled_from((121, 241, 30)),
    st.integers(0, 200),
)


@given(evenings)
def test_any_game_written_and_replayed_is_the_same_game(played: Evening) -> None:
    again = replay(write(played.events))
    assert again.events == tuple(played.events)
    assert again.state == played.state


@given(evenings)
def test_any_game_written_from_its_replay_is_the_same_text(played: Evening) -> None:
    text = write(played.events)
    assert write(replay(text).events) == text


@given(evenings)
def test_a_replays_turns_are_those_that_were_played(played: Evening) -> None:
    again = replay(write(played.events))
    names = again.state.players
    turns = [
        (names[turn.player], "".join(map(str, turn.throws[0].roll)), turn.ended, turn.score) for turn in again.turns
    ]
    assert turns == played.turns


def test_a_game_reads_as_the_players_would_write_it() -> None:
    events: list[Event] = list(start(RULES.with_settings({"target": 241}), ("Ann", "bank"), first=1))
    for command in (
        *(Roll((3, 4, 4, 6, 6, 2)), Keep((2,)), Roll((3, 4, 4, 6, 6))),
        *(Roll((1, 1, 1, 3, 4, 6)), Keep((1, 1, 1), 3), Roll((1, 4, 6)), Keep((1,)), Bank()),
        *(Roll((2, 3, 3, 3, 4, 6)),),
    ):
        events.extend(decide(fold(events), command))
    assert write(events) == (
        "rules: farkle-cribbage\n"
        "set: target=241\n"
        'players: Ann, "bank"\n'
        'start: "bank"\n'
        '"bank": 344662 > 2, 34466 farkle\n'
        "Ann: 111346 > 111 = 3, 146 > 1, bank\n"
        '"bank": 233346\n'
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


def test_the_scores_of_a_written_game_are_those_of_its_turns() -> None:
    played = replay(EXAMPLE)
    assert [(turn.points, turn.ended, turn.score, turn.farkles) for turn in played.turns] == [
        (7, "bank", 7, 0),
        (0, "farkle", 0, 1),
        (0, "farkle", 7, 1),
        (26, None, 0, 1),
    ]
    assert (played.state.turn.points, played.state.turn.dice_left) == (26, 6)


def test_every_throw_of_a_turn_is_given_with_its_kept_dice() -> None:
    throws = replay(EXAMPLE).turns[0].throws
    assert [(throw.roll, throw.kept, throw.points) for throw in throws] == [
        ((2, 3, 3, 3, 4, 6), (3, 3, 3), 6),
        ((1, 4, 6), (1,), 1),
    ]


def test_a_farkle_may_be_left_out_or_be_an_item_of_its_own() -> None:
    said = replay(HEAD + "Ann: 334466 farkle\nBen: 233346 > 2, 33466 farkle\nAnn: 133346")
    assert replay(HEAD + "Ann: 334466\nBen: 233346 > 2, 33466\nAnn: 133346") == said
    assert replay(HEAD + "Ann: 334466, farkle\nBen: 233346 > 2, 33466, farkle\nAnn: 133346") == said


@pytest.mark.parametrize("dice", ["233346 > 333", "2 3 3 3 4 6 > 3 3 3", "2-3-3-3-4-6>3-3-3"])
def test_dice_may_be_written_apart(dice: str) -> None:
    assert replay(f"{HEAD}Ann: {dice}, bank\n").state.sides[0].score == 6


def test_comments_blank_lines_and_spaces_are_ignored() -> None:
    text = f"# an evening\n\n  {HEAD}   # who played\n\t\n  Ann :  233346  >  333 ,  bank   # safe\n"
    assert replay(text).state == replay(f"{HEAD}Ann: 233346 > 333, bank\n").state


def test_a_turn_may_be_only_begun() -> None:
    played = replay(f"{HEAD}Ann: 233346")
    assert (played.turns[0].ended, played.state.phase) == (None, Phase.CHOOSING)


def test_who_starts_may_be_named_and_rounds_begin_there() -> None:
    text = f"{HEAD}set: target=30\nstart: Ben\nBen: 111112 > 111, 111 > 111, bank\n"
    assert not replay(text).state.over
    assert replay(f"{text}Ann: 334466").state.winners == (1,)


def test_a_byte_order_mark_before_the_text_is_passed_over() -> None:
    assert replay(f"\ufeff{HEAD}").state.players == ("Ann", "Ben")


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_ending_is_read(ending: str) -> None:
    assert replay(EXAMPLE.replace("\n", ending)) == replay(EXAMPLE)


@pytest.mark.parametrize("name", sorted(KEYWORDS))
def test_a_player_may_have_the_name_of_a_keyword(name: str) -> None:
    assert written_name(name) == f'"{name}"'
    assert replay(f'rules: farkle-cribbage\nplayers: "{name}"\n"{name}": 334466\n').turns[0].ended == "farkle"


@pytest.mark.parametrize("name", ["A:B", "A,B", "A;B", "A=B", "A#B", "A>B"])
def test_a_name_with_a_mark_of_the_notation_is_quoted(name: str) -> None:
    events = start(RULES, (name, "Ben"))
    assert f'players: "{name}", Ben\n' in write(events)
    assert parse(write(events)).players == (name, "Ben")


@pytest.mark.parametrize(
    "name", ['Ann "Ace" Lee', "Ann\nBen: 1", "A\u2028B", "A\tB", "\u202eann", "A\x1b[2J", "\udcff"]
)
def test_a_name_that_cannot_be_written_on_one_line_is_refused(name: str) -> None:
    with pytest.raises(SeatingError, match="expected a player's name without double quotes and control characters"):
        start(RULES, (name, "Ben"))


@pytest.mark.parametrize(
    ("body", "line", "words"),
    [
        ("Ann: 344662 > 5", 3, "expected dice of the roll 3 4 4 6 6 2, got '5'"),
        ("Ann: 344662 > 34", 3, "expected dice that all score, got '34': none of them scores"),
        ("Ann: 344662 > 2, 3446", 3, "expected 5 dice, got 4: '3446'"),
        ("Ann: 344662 > 2, bank\nBen: 3446621", 4, "expected 1 to 6 dice, got 7: '3446621'"),
        ("Ann: 344662, bank", 3, "keep a die first"),
        ("Ann: 344662, 344662", 3, "keep a die first"),
        ("Ann: bank", 3, "throw first"),
        ("Ann: 344667 > 2", 3, "expected faces from 1 to 6, got '344667'"),
        ("Ann: 34x662", 3, "expected dice as '1 1 5', '115' or '1-1-5', got '34x662'"),
        ("Ann: 111346 > 111 = 7", 3, "expected 20 or 3 points for these dice, got 7"),
        ("Ann: 111346 > 111 = lots", 3, "expected a number of points after '=', got 'lots'"),
        ("Ann: 344662 > 2, bank, bank", 3, "expected nothing after 'bank'"),
        ("Ann: 334466, bank", 3, "expected the end of the turn after a farkle"),
        ("Ann: farkle", 3, "expected a throw that scores nothing before 'farkle', got no throw"),
        ("Ann: 233346 farkle", 3, "expected a throw that scores nothing before 'farkle', got 2 3 3 3 4 6"),
        ("Ann: 233346,, bank", 3, "expected dice as '1 1 5', '115' or '1-1-5', got ''"),
        ("Ben: 344662", 3, "expected Ann's turn, got Ben's"),
        ("Ann: 344662\nBen: 1", 4, "expected Ann's turn, got Ben's"),
        ("Ann: 344662 > 2\nAnn: 34466", 4, "expected Ann's turn to end before the next line begins"),
        ("Cy: 344662", 3, "expected one of the players Ann, Ben, got 'Cy'"),
        ("344662 > 2", 3, "expected 'WORD: ...' or 'PLAYER: ...', got '344662 > 2'"),
        ("swap: 344662", 3, "expected a player's name, got 'swap'"),
        ('"Ann: 344662', 3, "expected a closing double quote"),
        ('"": 344662', 3, "expected a name in double quotes, got '\"\"'"),
        ("start: Cy", 3, "expected one of the players Ann, Ben, got 'Cy'"),
        ("start: Ben\nstart: Ann", 4, "expected one 'start:' line, got a second: 'Ann'"),
        ("set: target", 3, "expected 'set: SWITCH=VALUE', got 'target'"),
        ("\nset: traget=9", 4, "expected the name of a switch, got 'traget' (did you mean 'target'?)"),
        ("set: target=low", 3, "target: expected points from 1 to 1000000, got 'low'"),
        ("set: target=9\nset: target=8", 4, "expected each switch to be set once, got a second 'target'"),
        ("rules: other", 3, "expected one 'rules:' line, got a second: 'other'"),
        ("players: Cy, Di", 3, "expected one 'players:' line, got a second: 'Cy, Di'"),
        ("Ann: 344662 > 2, bank\nset: target=9", 4, "expected 'set:' before the first turn, got it after"),
    ],
)
def test_a_mistake_names_its_line_and_what_was_expected(body: str, line: int, words: str) -> None:
    with pytest.raises(NotationError) as caught:
        replay(f"{HEAD}{body}\n")
    assert (caught.value.line, caught.value.reason.startswith(words)) == (line, True), str(caught.value)
    assert str(caught.value) == f"line {line}: {caught.value.reason} (column {caught.value.column})"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
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
        ("start: Ann\n", 1, "expected 'players:' before 'start:', got none"),
    ],
)
def test_an_impossible_header_names_its_line(text: str, line: int, words: str) -> None:
    with pytest.raises(NotationError) as caught:
        replay(text)
    assert (caught.value.line, caught.value.reason.startswith(words)) == (line, True), str(caught.value)


def test_no_turn_follows_the_end_of_the_game() -> None:
    over = "rules: farkle-cribbage\nset: target=6\nplayers: Ann\nAnn: 233346 > 333, bank\n"
    assert replay(over).state.over
    with pytest.raises(NotationError, match="line 5: expected no more turns, the game is over"):
        replay(f"{over}Ann: 233346")


FRAGMENTS = (
    "Ann",
    "Ben",
    ": ",
    ":",
    ", ",
    " > ",
    " = ",
    "233346",
    "333",
    "334466",
    "1",
    "2",
    "bank",
    "farkle",
    "\n",
    "#",
    '"',
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


@pytest.mark.shared
def test_the_worked_examples_play_as_turns_of_a_written_game(shared: Path) -> None:
    examples = json.loads((shared / "rules_examples.json").read_text(encoding="utf-8"))
    ours = [each for each in examples if each["ruleset"] == RULES.key and not each["options"] and not each["farkle"]]
    assert len(ours) > 10
    for each in ours:
        roll, kept = ("".join(map(str, each[what])) for what in ("roll", "selection"))
        missing = 6 - len(roll)  # dice kept in an earlier throw: as many 1s as needed, one point each
        before = f"{'1' * missing + '346436'[missing:]} > {'1' * missing} = {missing}, " if missing else ""
        text = f"{HEAD}Ann: {before}{roll} > {kept}, bank\n"
        if each["expect_points"] == "illegal":
            with pytest.raises(NotationError, match="line 3: expected"):
                replay(text)
        else:
            assert replay(text).turns[0].throws[-1].points == each["expect_points"], each
            assert replay(text).state.sides[0].score == missing + each["expect_points"], each


@pytest.mark.shared
def test_the_worked_examples_of_farkles_end_a_written_turn(shared: Path) -> None:
    examples = json.loads((shared / "rules_examples.json").read_text(encoding="utf-8"))
    rolls = {tuple(each["roll"]) for each in examples if each["ruleset"] == RULES.key and each["farkle"]}
    whole = [roll for roll in sorted(rolls) if len(roll) == 6 and not legal_selections(RULES, roll)]
    assert whole
    for roll in whole:
        turn = replay(f"{HEAD}Ann: {''.join(map(str, roll))} farkle\n").turns[0]
        assert (turn.ended, turn.points) == ("farkle", 0)


def test_a_lower_total_is_written_only_where_it_was_declared() -> None:
    for points, written in ((20, "> 111, bank"), (3, "> 111 = 3, bank")):
        events: list[Event] = list(start(RULES, ("Ann",)))
        for command in (Roll((1, 1, 1, 3, 4, 6)), Keep((1, 1, 1), points), Bank()):
            events.extend(decide(fold(events), command))
        assert write(events).endswith(f"111346 {written}\n")
