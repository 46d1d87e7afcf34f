"""What the rules refuse: each code of an error has a sentence for players, and each illegal act has a code."""

import ast
import functools
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import farkle
from companion.table.state.text import in_plain_words
from companion.words import Message, english
from farkle import FarkleError, Game, catalogue, errors, find_rule_set
from farkle.game import commands as do
from farkle.game.evolve import fold
from farkle.game.machine import NOT_NOW, decide
from farkle.game.seating import check_names
from farkle.game.state import GameState, Phase
from farkle.rules.ruleset import RuleSet
from farkle.rules.selections import find_selection, legal_selections
from farkle.rules.switches import CONTRADICTIONS, SWITCHES

SENTENCES = english().section("rules")
CLASSES = {name for name in vars(errors) if name.endswith("Error")} - {"NotationError"}
TABLES = {
    "*NOT_NOW[phase]": {code for _, code in NOT_NOW.values()},
    "each.code": {each.code for each in CONTRADICTIONS},
}
"""Codes that a raise takes from a table, by what stands there in place of the code."""


def raised() -> Iterator[tuple[str, str, frozenset[str]]]:
    """Yield the place of each error of the rules that has a code, the code, and the names of its fields."""
    for path in sorted(Path(farkle.__path__[0]).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CLASSES:
                given_fields = frozenset(str(keyword.arg) for keyword in node.keywords)
                codes = {code for each in node.args for code in codes_in(each, text=each is node.args[0])}
                for code in sorted(codes):
                    yield f"{path.name}:{node.lineno}", code, given_fields


def codes_in(node: ast.expr, *, text: bool) -> set[str]:
    """Return the codes that an argument of an error may be; its first one is the text, unless a table holds both."""
    match node:
        case ast.Starred() | ast.Attribute():
            return TABLES[ast.unparse(node)]
        case _ if text:
            return set()
        case ast.IfExp(body=ast.Constant(value=str(one)), orelse=ast.Constant(value=str(other))):
            return {one, other}
    assert isinstance(node, ast.Constant), ast.unparse(node)
    return {str(node.value)}


RAISED = tuple(raised())


@pytest.mark.parametrize(("place", "code", "fields"), RAISED, ids=lambda value: value if isinstance(value, str) else "")
def test_a_code_has_a_sentence_of_its_own_fields(place: str, code: str, fields: frozenset[str]) -> None:
    used = {name for _, name, _, _ in Formatter().parse(SENTENCES[code]) if name}
    assert used <= fields, place


def test_each_sentence_belongs_to_a_code() -> None:
    assert set(SENTENCES) == {code for _, code, _ in RAISED}


# --- each of them, provoked ---

Act = Callable[[Game], object]


def basic(*names: str, **settings: object) -> Game:
    return Game("farkle-cribbage", names or ("Ann", "Ben"), settings=settings)


def in_thousands(*names: str, **settings: object) -> Game:
    return Game("classic", names or ("Ann", "Ben"), settings=settings)


def after(game: Game, *acts: Act) -> Game:
    for act in acts:
        act(game)
    return game


def farkles(game: Game) -> None:
    game.roll(3, 3, 4, 4, 6, 6)


def rolls(game: Game) -> None:
    game.roll(2, 3, 3, 3, 4, 6)


def banks(points: int) -> Act:
    def count(game: Game) -> None:
        game.count(points)
        game.bank()

    return count


def last_turn(*, keeps: bool = True) -> Game:
    """Return a game in a last turn of one throw, 1 1 1 3 4 4."""
    game = after(basic(endgame="one_more_turn", last_turns="one_throw"), banks(121), lambda g: g.roll(1, 1, 1, 3, 4, 4))
    return after(game, lambda g: g.keep(1, 1, 1)) if keeps else game


def teams(names: str, **members: str) -> Game:
    return Game("classic", names.split(), teams={team: each.split() for team, each in members.items()})


PROVOKED: dict[str, Callable[[], object]] = {
    "first throw to see who begins": lambda: after(basic(), lambda g: g.throw_for_start("Ann", 6, 3)).bank(),
    "throw first": lambda: basic().bank(),
    "keep a die first": lambda: after(basic(), rolls).bank(),
    "these dice are kept; throw the rest or bank": lambda: after(basic(), rolls, lambda g: g.keep(2)).keep(3, 3, 3),
    "finish the turn first": lambda: after(basic(), rolls).join("Cy"),
    "the game is over": lambda: after(basic(), Game.end).bank(),
    "nothing to undo: this is the start of the game": lambda: basic().undo(),
    "this takes six dice, not 2": lambda: basic().roll(1, 1),
    "a die shows one to six": lambda: basic().roll(1, 2, 3, 4, 5, 7),
    "choose at least one die": lambda: after(basic(), rolls).keep(),
    "5 is not in this throw": lambda: after(basic(), rolls).keep(5),
    "no die of this throw scores": lambda: find_selection(find_rule_set("classic"), (2, 3), (2,)),
    "4 6 do not score": lambda: after(basic(), rolls).keep(4, 6),
    "of 3 3 3 4, only 3 3 3 can score": lambda: after(basic(), rolls).keep(3, 3, 3, 4),
    "these dice count 2,500 or 1,000": lambda: after(
        in_thousands(two_triplets=2500), lambda g: g.roll(6, 6, 6, 4, 4, 4)
    ).keep(6, 6, 6, 4, 4, 4, points=5),
    "that cannot be chosen now": lambda: basic().choose("swap"),
    "swap with the leader: Ben or Cy": lambda: after(
        Game("farkle-cribbage-advanced", ("Ann", "Ben", "Cy")),
        lambda g: g.adjust("Ben", 80),
        lambda g: g.adjust("Cy", 80),
        lambda g: g.roll(4, 4, 4, 4, 4, 4),
        lambda g: g.keep(4, 4, 4, 4, 4, 4),
    ).choose("swap"),
    "all dice scored: they must be thrown again before banking": lambda: after(
        in_thousands(too_hot=True), lambda g: g.roll(1, 1, 1, 5, 5, 5), lambda g: g.keep(1, 1, 1, 5, 5, 5)
    ).bank(),
    "1,000 to open, you have 300": lambda: after(in_thousands(opening_min=1000), lambda g: g.count(300)).bank(),
    "350 at least in a turn, you have 300": lambda: after(in_thousands(min_bank=350), lambda g: g.count(300)).bank(),
    "a turn brings from 0 to 1,000,000 points": lambda: basic().count(-1),
    "1 point is counted already": lambda: after(basic(), lambda g: g.count(1)).count(1),
    "it is already decided who begins": lambda: after(basic(), farkles).throw_for_start("Ann", 6, 3),
    "only Ann and Ben throw now to see who begins": lambda: after(
        basic("Ann", "Ben", "Cy"),
        lambda g: g.throw_for_start("Ann", 6, 6),
        lambda g: g.throw_for_start("Ben", 6, 6),
        lambda g: g.throw_for_start("Cy", 1, 1),
    ).throw_for_start("Cy", 6, 6),
    "Ann has already thrown to see who begins": lambda: after(
        basic(), lambda g: g.throw_for_start("Ann", 6, 6)
    ).throw_for_start("Ann", 6, 6),
    "a score is from -1,000,000 to 1,000,000": lambda: basic().adjust("Ann", 1_000_001),
    "10,000 is the highest score": lambda: in_thousands(charity=True).adjust("Ann", 10_050),
    "Ann is off the board": lambda: after(
        basic("Ann", "Ben", "Cy", find_loser=True), lambda g: g.adjust("Ann", 121)
    ).adjust("Ann", 100),
    "Ann has 0 already": lambda: basic().adjust("Ann", 0),
    "Ben is in that hole; adjust the score of Ben first": lambda: after(
        basic(one_peg_per_hole=1), lambda g: g.adjust("Ben", 25)
    ).adjust("Ann", 25),
    "nobody can join a team game: the teams would no longer be equal": lambda: teams(
        "Ann Ben Cy Di", A="Ann Cy", B="Ben Di"
    ).join("Ed"),
    "nobody can join in the final round": lambda: after(basic(), banks(121)).join("Cy"),
    "Ann has left already": lambda: after(basic("Ann", "Ben", "Cy"), lambda g: g.leave("Ann")).leave("Ann"),
    "Ann is the last player; end the game instead": lambda: basic("Ann").leave("Ann"),
    "only Ann can miss this turn": lambda: basic().skip("Ben"),
    "it is Ann's turn": lambda: basic().give_turn("Ann"),
    "Cy is not playing any more": lambda: after(basic("Ann", "Ben", "Cy"), lambda g: g.leave("Cy")).give_turn("Cy"),
    "Ann has had the turn of the next round already": lambda: after(
        basic("Ann", "Ben", "Cy"), farkles, lambda g: g.give_turn("Ann"), farkles
    ).give_turn("Ann"),
    "Ann has no turn left": lambda: after(basic("Ann", "Ben", "Cy"), banks(121)).give_turn("Ann"),
    "a game needs a player": lambda: check_names(()),
    "no more than 12 players can play": lambda: basic(*"abcdefghijklm"),
    "a name cannot be empty": lambda: basic("Ann", " "),
    "a name has no spaces around it": lambda: basic("Ann", "Ben "),
    "a name has no quotes and no invisible signs": lambda: basic("Ann", 'B"n'),
    "a name has a letter, a digit or a sign that can be seen": lambda: basic("Ann", "\u3164"),
    "two players have the name Ann": lambda: basic("Ann", "ann"),
    "ann plays already": lambda: basic("Ann", "Ben").join("ann"),
    "two teams have the name A": lambda: teams("Ann Ben Cy Di", A="Ann Cy", a="Ben Di"),
    "Ed is in a team, but does not play": lambda: teams("Ann Ben Cy Di", A="Ann Cy", B="Ben Ed"),
    "Di must be in one team, and in one only": lambda: teams("Ann Ben Cy Di", A="Ann Cy", B="Ben"),
    "a team game needs two teams or more": lambda: teams("Ann Ben", A="Ann Ben"),
    "Every team has the same number of players, two or more.": lambda: teams("Ann Ben", A="Ann", B="Ben"),
    "The players of the teams take turns, such as Ann, Cy, Ben, Di.": lambda: teams(
        "Ann Ben Cy Di", A="Ann Ben", B="Cy Di"
    ),
    "Farkle Cribbage plays partners with 4 or 6 players, not with 8.": lambda: Game(
        "farkle-cribbage", [*"abcdefgh"], teams={"X": [*"aceg"], "Y": [*"bdfh"]}
    ),
    "Find a Loser needs three players or more, and there are 2.": lambda: basic(find_loser=True),
    "Find a Loser needs three teams or more, and there are 2.": lambda: Game(
        "classic", [*"abcd"], teams={"X": [*"ac"], "Y": [*"bd"]}, settings={"find_loser": True}
    ),
    "This table does not know such rules.": lambda: find_rule_set("chess"),
    "Several sets of rules have this name: ": lambda: find_rule_set("10000"),
    "A track has 11 to 1,001 holes, not 5.": lambda: in_thousands().rules.check_fit(5),
    "20,000 points do not fit on 121 holes with 100 points a hole: at most 12,100 do. Set “points_a_hole” to 166, or "
    "choose a longer track.": lambda: in_thousands(target=20_000).rules.check_fit(121),
    "There is no switch “zzz”.": lambda: basic(zzz=1),
    "There is no switch “targt”. Did you mean “target”?": lambda: basic(targt=1),
    "“target” takes points from 1 to 1,000,000, not many.": lambda: basic(target="many"),
    "“charity” takes true or false, not maybe.": lambda: basic(charity="maybe"),
    "“nobody_loses” takes true, false or a number of points, not maybe.": lambda: basic(nobody_loses="maybe"),
    "“one_peg_per_hole” takes off, 1 or 5, not 2.": lambda: basic(one_peg_per_hole=2),
    "“three_strikes_out” and “farkle3_penalty” do not go together: ": lambda: basic(
        three_strikes_out=True, three_strikes_ouch=0, farkle3_penalty=10
    ),
    "“find_loser” and “charity” do not go together: ": lambda: basic(find_loser=True, charity=True),
    "“charity” and “tie” with an extra round do not go together: ": lambda: basic(charity=True, tie="extra_round"),
    "“rounds” takes a number from 0 to 1,000, not many.": lambda: basic(rounds="many"),
    "“rounds” and “find_loser” do not go together: ": lambda: basic(rounds=2, find_loser=True),
    "“rounds” and “charity” do not go together: ": lambda: basic(rounds=2, charity=True),
    "“rounds” and “tie” for who got there first do not go together: ": lambda: basic(rounds=2, tie="trigger"),
    "“six_ones_win” and “find_loser” do not go together: ": lambda: basic(six_ones_win=True, find_loser=True),
    "“full_house” and “full_house_bonus” do not go together: ": lambda: basic(full_house=5, full_house_bonus=5),
    "one throw in the last turn: bank it": lambda: last_turn().roll(2, 3, 4),
    "in the last turn the best counts: 20 points": lambda: last_turn(keeps=False).keep(1),
    "“vant_hof_6” needs six dice, and “n_dice” is 5.": lambda: basic(vant_hof_6=True, n_dice=5),
}
"""Each sentence, or how it begins, with an act that the rules refuse with it."""


def refusal(act: Callable[[], object]) -> FarkleError:
    with pytest.raises(FarkleError) as caught:
        act()
    return caught.value


@pytest.mark.parametrize("sentence", PROVOKED)
def test_an_illegal_act_is_refused_in_a_sentence_for_players(sentence: str) -> None:
    said = english().text(in_plain_words(refusal(PROVOKED[sentence])))
    assert said.startswith(sentence)
    assert said == sentence or sentence.endswith(": ")


def test_each_code_is_provoked() -> None:
    assert {refusal(act).code for act in PROVOKED.values()} == set(SENTENCES)


def test_an_error_keeps_its_code_and_fields_in_another_process() -> None:
    error = refusal(PROVOKED["1 point is counted already"])
    copied = pickle.loads(pickle.dumps(error))
    assert (str(copied), copied.code, copied.fields) == (str(error), "counted_already", {"points": 1})


def test_an_error_that_no_player_can_cause_stays_in_english() -> None:
    error = refusal(lambda: basic().leave("Zoë"))
    assert (error.code, in_plain_words(error)) == ("", str(error))


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
