"""What the rules refuse: each code of an error has a sentence for players, and each illegal act has a code."""

import functools
import pickle
from collections.abc import Callable

import pytest
from examples import SECTIONS
from hypothesis import given
from hypothesis import strategies as st

from companion.table.state.text import in_plain_words
from companion.words import Message, english
from farkle import FarkleError, Game, catalogue, find_rule_set
from farkle.game import commands as do
from farkle.game.evolve import fold
from farkle.game.machine import NOT_NOW, decide
from farkle.game.seating import check_names
from farkle.game.state import GameState, Phase
from farkle.rules.ruleset import RuleSet
from farkle.rules.selections import find_selection, legal_selections
from farkle.rules.switches import CONTRADICTIONS, SWITCHES

SENTENCES = english().section("rules")


def basic(*names: str, **settings: object) -> Game:
    return Game("farkle-cribbage", names or ("Ann", "Ben"), settings=settings)


def thrown(*names: str) -> Game:
    game = basic(*names)
    game.roll(2, 3, 3, 3, 4, 6)
    return game


def counted(points: int) -> Game:
    game = basic()
    game.count(points)
    return game


CLASSIC = find_rule_set("classic")
ACTS: tuple[Callable[[], object], ...] = (
    lambda: basic().undo(),
    lambda: basic().roll(1, 2, 3, 4, 5, 7),
    lambda: thrown().keep(),
    lambda: thrown().keep(5),
    lambda: find_selection(CLASSIC, (2, 3), (2,)),
    lambda: basic().count(-1),
    lambda: counted(1).count(1),
    lambda: Game("classic", ("Ann", "Ben"), first="Ben").throw_for_start("Ann", 6),
    lambda: check_names(()),
    lambda: basic("Ann", " "),
    lambda: basic("Ann", "Ben "),
    lambda: basic("Ann", 'B"n'),
    lambda: basic("Ann", "\u3164"),
    lambda: basic("Ann", "ann"),
    lambda: Game("classic", [*"abcd"], teams={"X": [*"ac"], "Y": [*"be"]}),
    lambda: find_rule_set("chess"),
    lambda: find_rule_set("10000"),
    lambda: CLASSIC.check_fit(5),
    lambda: CLASSIC.with_settings({"target": 20_000}).check_fit(121),
    lambda: basic(target="many"),
    lambda: basic(charity="maybe"),
    lambda: basic(nobody_loses="maybe"),
    lambda: basic(one_peg_per_hole=2),
    lambda: basic(charity=True, tie="extra_round"),
    lambda: basic(rounds=2, find_loser=True),
    lambda: basic(rounds=2, charity=True),
    lambda: basic(rounds=2, tie="trigger"),
    lambda: basic(six_ones_win=True, find_loser=True),
    lambda: basic(full_house=5, full_house_bonus=5),
    lambda: basic(vant_hof_6=True, n_dice=5),
)
"""Acts that the rules refuse with a code that no example of a written game has."""


def refusal(act: Callable[[], object]) -> FarkleError:
    with pytest.raises(FarkleError) as caught:
        act()
    return caught.value


@pytest.fixture(scope="module")
def refusals() -> list[FarkleError]:
    """Return the error of each act, and of each example of a game that is refused."""
    refused = [game for each in SECTIONS for _, game, check in each.checks if check.startswith(("refused", "cannot"))]
    errors = [game.refusal()[1] for game in refused] + [refusal(act) for act in ACTS]
    return [error for error in errors if error.code]


def test_each_code_has_a_sentence_of_its_own_fields_and_each_sentence_a_code(refusals: list[FarkleError]) -> None:
    assert {error.code for error in refusals} == set(SENTENCES)
    assert {code for _, code in NOT_NOW.values()} | {each.code for each in CONTRADICTIONS} <= set(SENTENCES)
    for error in refusals:
        is_said(error)


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda: thrown().keep(3, 3, 3, 4), "of 3 3 3 4, only 3 3 3 can score"),
        (lambda: basic().roll(1, 1), "this takes six dice, not 2"),
        (lambda: counted(1).count(1), "1 point is counted already"),
        (lambda: basic().skip("Ben"), "only Ann can miss this turn"),
        (lambda: CLASSIC.check_fit(5), "A track has 11 to 1,001 holes, not 5."),
        (lambda: basic(targt=1), "There is no switch “targt”. Did you mean “target”?"),
        (lambda: basic(one_peg_per_hole=2), "“one_peg_per_hole” takes off, 1 or 5, not 2."),
    ],
)
def test_a_sentence_for_players_is_plain_english(act: Callable[[], object], sentence: str) -> None:
    error = refusal(act)
    assert english().text(in_plain_words(error)) == sentence
    copied = pickle.loads(pickle.dumps(error))  # as it comes from another process
    assert (str(copied), copied.code, copied.fields) == (str(error), error.code, error.fields)
    plain = refusal(lambda: basic().leave("Zoë"))  # which no player can cause
    assert (plain.code, in_plain_words(plain)) == ("", str(plain))


# --- acts by chance ---

NAMES = st.sampled_from(("Ann", "ann", "Ben", " Cy", "", 'D"', "Ed\n", "Flo", "Gus"))
VALUES = st.sampled_from((True, False, 0, 1, 2, 5, 20, 350, -1, 10**7, "off", "none", "maybe", "finish_round", 2.5))
SETTINGS = st.dictionaries(st.sampled_from((*SWITCHES, "targt", "colour")), VALUES, max_size=3)
FACES = st.lists(st.integers(0, 7), max_size=7).map(tuple)
NUMBERS = st.sampled_from((-(10**7), -1, 0, 1, 25, 121, 10**7))


def commands(state: GameState) -> st.SearchStrategy[do.Command]:
    """Return commands of right types about players who are there, most of them illegal."""
    choosing = state.phase is Phase.CHOOSING
    legal = tuple(each.dice for each in legal_selections(state.rules, state.turn.roll)) if choosing else ()
    return commands_of(len(state.players), len(state.sides), state.turn.dice_left, legal)


@functools.cache  # hypothesis builds a strategy slowly
def commands_of(
    players: int, sides: int, dice_left: int, legal: tuple[tuple[int, ...], ...]
) -> st.SearchStrategy[do.Command]:
    player = st.integers(0, players - 1)
    dice = FACES | (
        st.sampled_from(legal)
        if legal
        else st.lists(st.integers(1, 6), min_size=dice_left, max_size=dice_left).map(tuple)
    )
    options = st.sampled_from(("fresh", "piggyback", "points", "swap", "vant-hof", "nothing"))
    return st.one_of(
        st.builds(do.Roll, dice),
        st.builds(do.Keep, dice, st.none() | NUMBERS),
        st.builds(do.Bank),
        st.builds(do.Choose, options),
        st.builds(do.Count, st.none() | NUMBERS),
        st.builds(do.Adjust, st.integers(0, sides - 1), NUMBERS),
        st.builds(do.Join, NAMES),
        *(st.builds(each, player) for each in (do.Leave, do.Skip, do.GiveTurn)),
        st.builds(do.ThrowForStart, player, FACES),
    )


def is_said(error: FarkleError) -> None:
    said = in_plain_words(error)
    assert isinstance(said, Message), error
    assert english().text(said)


@given(st.sampled_from(catalogue()), st.lists(NAMES, max_size=14), SETTINGS, st.sampled_from((None, 1, 2, 3)))
def test_any_game_that_cannot_start_has_a_code(
    rules: RuleSet, names: list[str], chosen: dict[str, object], sides: int | None
) -> None:
    parted = {f"T{side % 3}": names[side::sides] for side in range(sides)} if sides else None
    try:
        Game(rules, names, settings=chosen, teams=parted)
    except FarkleError as error:
        is_said(error)


@given(st.data(), st.sampled_from(catalogue()))
def test_any_illegal_command_has_a_code(data: st.DataObject, rules: RuleSet) -> None:
    state = Game(rules, ("Ann", "Ben", "Cy")).state
    for _ in range(30):
        command = data.draw(commands(state))
        try:
            state = fold(decide(state, command), state)
        except FarkleError as error:
            is_said(error)
