"""`Game` plays everything that the notation can express, undoes it, and refuses all else with an error of farkle."""

import copy
import math
from collections.abc import Callable
from pathlib import Path

import pytest

import farkle
from farkle import FarkleError, Game, IllegalMoveError, find_rule_set, own_rule_set, score
from farkle.game import commands as do
from farkle.game import events as ev
from farkle.game.machine import command_of, decide
from farkle.game.seating import start
from farkle.game.standing import side_name
from farkle.notation.written import HEADERS
from farkle.replay import replay
from farkle.rules.dice import check_faces, parse_dice
from farkle.rules.selections import find_selection, legal_selections

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
NAMES = sorted(path.name for path in EXAMPLES.glob("*.farkle"))


def header(text: str) -> str:
    """Return the lines of a written game before its first turn."""
    lines = text.splitlines()
    plain = [line.partition("#")[0].strip() for line in lines]
    first = [number for number, line in enumerate(plain) if line and line.partition(":")[0] not in HEADERS]
    return "\n".join(lines[: first[0]] if first else lines)


def play(game: Game, command: do.Command) -> None:
    """Play a command by its method."""
    names, sides = game.players, game.sides
    match command:
        case do.ThrowForStart(player, faces):
            game.throw_for_start(names[player], *faces)
        case do.Roll(faces):
            game.roll(*faces)
        case do.Keep(dice, points):
            game.keep(*dice, points=points)
        case do.Choose(option, side):
            game.choose(option, None if side is None else sides[side])
        case do.Bank():
            assert game.can_bank
            game.bank()
        case do.Count(points):
            game.count(points)
        case do.Adjust(side, score):
            game.adjust(sides[side], score)
        case do.Join(name):
            game.join(name)
        case do.Leave(player):
            game.leave(names[player])
        case do.Skip(player):
            game.skip(names[player])
        case do.GiveTurn(player):
            game.give_turn(names[player])
        case do.End():
            game.end()


def started(text: str) -> Game:
    """Return a written game before its first throw, made by the constructor unless it began on paper."""
    begun, *more = replay(text).events
    assert isinstance(begun, ev.GameStarted)
    if any(isinstance(event, ev.StandingGiven) for event in more):
        return Game.read(header(text))
    sides = [[begun.players[player] for player in side] for side in begun.sides]
    return Game(
        begun.rules,
        begun.players,
        settings=dict(begun.settings),
        teams=dict(zip(begun.teams, sides, strict=False)),
        first=begun.players[begun.first],
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_written_game_plays_move_by_move_as_its_replay_and_is_undone_to_the_start(name: str) -> None:
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    played, game, before = replay(text), started(text), []
    for command in filter(None, map(command_of, played.events)):
        before.append((game.state, game.events))
        play(game, command)
    assert (game.state, game.events, game.turns) == (played.state, played.events, played.turns)
    assert (game.over, list(game.scores.values())) == (played.state.over, [side.score for side in played.state.sides])
    assert game.winners == tuple(side_name(played.state, side) for side in played.state.winners)
    assert (game.loser is None) is (played.state.loser is None)
    assert (game.turn_points, game.dice_left) == (played.state.turn.points, played.state.turn.dice_left)
    again = Game.read(str(game))
    assert again.events == game.events
    again.undo()
    assert again.state == before[-1][0]
    for state, events in reversed(before):
        game.undo()
        assert (game.state, game.events) == (state, events)
    with pytest.raises(IllegalMoveError, match="expected a move to undo"):
        game.undo()


def test_a_refused_move_leaves_the_game_as_it_was() -> None:
    game = Game("farkle-cribbage", ["Ann", "Ben"])
    game.roll(2, 3, 3, 3, 4, 6)
    before = game.state
    for wrong in (lambda: game.keep(5), lambda: game.keep(4), game.bank, lambda: game.roll(1), lambda: game.keep(3, 7)):
        with pytest.raises(FarkleError):
            wrong()
    assert game.state is before


def test_selections_are_those_of_the_roll_and_empty_without_a_roll() -> None:
    game = Game("farkle-cribbage", ["Ann", "Ben"])
    assert game.selections == ()
    game.roll(2, 3, 3, 3, 4, 6)
    assert game.selections == score("farkle-cribbage", (2, 3, 3, 3, 4, 6))
    game.keep(3, 3, 3)
    assert game.selections == ()


def test_a_copy_goes_on_by_itself() -> None:
    game = Game("classic", ["Ann", "Ben"])
    other = copy.copy(game)
    other.roll(1, 1, 1, 1, 1, 1)
    assert game.selections == ()
    assert other.selections


def test_the_text_of_a_game_names_scores_and_the_player_to_move() -> None:
    game = Game("farkle-cribbage", ["Ann", "Ben"], first="Ben")
    assert repr(game) == "<Game of Farkle Cribbage: Ann 0, Ben 0; Ben to throw>"
    game.end()
    assert repr(game) == "<Game of Farkle Cribbage: Ann 0, Ben 0; over>"
    assert game.to_move is None


def test_the_best_score_of_a_roll() -> None:
    best = farkle.score("farkle-cribbage", (1, 1, 1, 2))[0]
    assert (best.points, best.totals) == (22, (22, 5))
    assert farkle.score("farkle-cribbage", "2346", locked=2)[0].dice == (2,)
    assert farkle.score("classic", (2, 3, 4), settings={"target": 5000}) == ()


BAD: tuple[object, ...] = (
    None, 5, -1, 1.5, math.nan, True, "x", "", b"11", [], {}, set(), object(), (0, 1), ("1",), (None,), [[1]], range(9),
    {"a": 1}, 10**30, "1" * 50,
)  # fmt: skip
CRIBBAGE = find_rule_set("farkle-cribbage")
ASKED: dict[str, Callable[[object], object]] = {
    "Game rules": lambda bad: Game(bad, ["Ann"]),
    "Game players": lambda bad: Game("classic", bad),
    "Game name": lambda bad: Game("classic", ["Ann", bad]),
    "Game settings": lambda bad: Game("classic", ["Ann"], settings=bad),
    "Game setting": lambda bad: Game("classic", ["Ann"], settings={"target": bad}),
    "Game teams": lambda bad: Game("classic", ["Ann", "Ben", "Cy", "Di"], teams=bad),
    "Game team": lambda bad: Game("classic", ["Ann", "Ben", "Cy", "Di"], teams={"A": bad, "B": ["Ben", "Di"]}),
    "Game first": lambda bad: Game("classic", ["Ann"], first=bad),
    "Game.read": Game.read,
    "roll": lambda bad: thrown().roll(bad),
    "keep": lambda bad: thrown().keep(bad),
    "points": lambda bad: thrown().keep(1, points=bad),
    "choose": lambda bad: thrown().choose(bad),
    "choose side": lambda bad: thrown().choose("swap", bad),
    "adjust side": lambda bad: Game("classic", ["Ann"]).adjust(bad, 5),
    "adjust score": lambda bad: Game("classic", ["Ann"]).adjust("Ann", bad),
    "count": lambda bad: Game("classic", ["Ann"]).count(bad),
    "join": lambda bad: Game("classic", ["Ann"]).join(bad),
    "leave": lambda bad: Game("classic", ["Ann", "Ben"]).leave(bad),
    "skip": lambda bad: Game("classic", ["Ann"]).skip(bad),
    "give_turn": lambda bad: Game("classic", ["Ann", "Ben"]).give_turn(bad),
    "throw_for_start": lambda bad: Game("classic", ["Ann", "Ben"]).throw_for_start(bad, 1),
    "start faces": lambda bad: Game("classic", ["Ann", "Ben"]).throw_for_start("Ann", bad),
    "score rules": lambda bad: score(bad, (1, 5)),
    "score dice": lambda bad: score("classic", bad),
    "score settings": lambda bad: score("classic", (1, 5), settings=bad),
    "score locked": lambda bad: score("classic", (1, 5), locked=bad),
    "find_rule_set": find_rule_set,
    "own_rule_set": lambda bad: own_rule_set(bad, "own.toml"),
    "decide": lambda bad: decide(thrown().state, bad),
    "Roll": lambda bad: decide(thrown().state, do.Roll(bad)),
    "Keep": lambda bad: decide(thrown().state, do.Keep(bad, bad)),
    "Choose": lambda bad: decide(thrown().state, do.Choose(bad, bad)),
    "Skip": lambda bad: decide(Game("classic", ["Ann"]).state, do.Skip(bad)),
    "start rules": lambda bad: start(bad, ["Ann"]),
    "start first": lambda bad: start(CRIBBAGE, ["Ann"], first=bad),
    "check_faces": check_faces,
    "parse_dice": parse_dice,
    "find_selection": lambda bad: find_selection(CRIBBAGE, bad, bad),
    "find_selection dice": lambda bad: find_selection(CRIBBAGE, (1, 5), bad),
    "legal_selections": lambda bad: legal_selections(CRIBBAGE, bad),
    "points_a_hole": CRIBBAGE.points_a_hole,
    "with_settings": CRIBBAGE.with_settings,
    "replay": replay,
}
"""Public functions, and those below them that programs reach first; each gets one value that may be wrong."""


def thrown() -> Game:
    game = Game("classic", ["Ann", "Ben"])
    game.roll(1, 2, 3, 4, 6, 6)
    return game


@pytest.mark.parametrize("name", ASKED)
def test_a_wrong_value_of_any_type_is_an_error_of_farkles_own(name: str) -> None:
    refused = []
    for bad in BAD:
        try:
            ASKED[name](bad)
        except FarkleError as error:
            refused.append(str(error))
    assert len(refused) > len(BAD) // 2  # some of the values are right for some of the functions
    assert not any("\n" in each for each in refused)
