"""Games in the tests: lines of the notation, played through the rules."""

from collections.abc import Iterator

import pytest

from farkle.errors import FarkleError, IllegalMoveError
from farkle.game.commands import Command
from farkle.game.machine import verify
from farkle.game.standing import side_name
from farkle.game.state import GameState
from farkle.replay import Replay, replay
from farkle.rules.catalogue import find_rule_set
from farkle.rules.dice import parse_dice
from farkle.rules.ruleset import RuleSet
from farkle.rules.selections import find_selection, legal_selections


def text(rules: str, *lines: str, **switches: object) -> str:
    """Return a written game. Ann and Ben play if no line names the players."""
    return "".join(f"{line}\n" for line in _lines(rules, lines, switches))


def _lines(rules: str, lines: tuple[str, ...], switches: dict[str, object]) -> Iterator[str]:
    yield f"rules: {rules}"
    for name, value in switches.items():
        yield f"set: {name}={str(value).lower()}"
    if not any(line.startswith("players:") for line in lines):
        yield "players: Ann, Ben"
    yield from lines


def play(rules: str, *lines: str, **switches: object) -> Replay:
    """Play the written game and return it."""
    return replay(text(rules, *lines, **switches))


def refused_settings(rules: str, **switches: object) -> str:
    """Return why these switches exclude each other."""
    with pytest.raises(FarkleError) as caught:
        find_rule_set(rules).with_settings(switches)
    return str(caught.value)


def code_of(state: GameState, command: Command) -> str:
    """Return the code of the error that refuses this command."""
    error = verify(state, command)
    assert error is not None
    return error.code


def scores(played: Replay) -> tuple[int, ...]:
    """Return every side's score, in the order of the sides."""
    return tuple(side.score for side in played.state.sides)


def winners(played: Replay) -> tuple[str, ...]:
    """Return the winners' names, which are empty while the game goes on."""
    return tuple(side_name(played.state, side) for side in played.state.winners)


def to_move(played: Replay) -> str:
    """Return the name of the player to move."""
    return played.state.players[played.state.to_move]


def order(rules: str, *lines: str, **switches: object) -> str:
    """Return the players of the next six turns, or of all that are left, if everyone farkles."""
    found: list[str] = []
    for _ in range(6):
        played = play(rules, *lines, *(f"{name}: 334466" for name in found), **switches)
        if played.state.over:
            break
        found.append(to_move(played))
    return " ".join(found)


def points(played: Replay) -> int:
    """Return the points of the unfinished turn."""
    return played.state.turn.points


def ended(played: Replay) -> list[tuple[str, int, str | None]]:
    """Return every turn: the player, the points, and how it ended."""
    return [(played.state.players[turn.player], turn.points, turn.ended) for turn in played.turns]


def happened(played: Replay) -> list[str]:
    """Return the kinds of all events, in order."""
    return [type(event).__name__ for event in played.events]


def rules_of(rules: str, **switches: object) -> RuleSet:
    """Return a rule set with these switches."""
    return find_rule_set(rules).with_settings(switches)


def worth(rules: str, dice: str, kept: str | None = None, **switches: object) -> int | None:
    """Return the most points for dice of a roll, by default for all, or None if they may not be kept."""
    try:
        return find_selection(rules_of(rules, **switches), parse_dice(dice), parse_dice(kept or dice)).points
    except IllegalMoveError:
        return None


def totals(rules: str, dice: str, **switches: object) -> tuple[int, ...]:
    """Return all totals that a player may declare for these dice."""
    return find_selection(rules_of(rules, **switches), parse_dice(dice), parse_dice(dice)).totals


def kept(rules: str, dice: str, **switches: object) -> set[str]:
    """Return the selections of a roll, each as its dice in ascending order."""
    found = legal_selections(rules_of(rules, **switches), parse_dice(dice))
    return {"".join(map(str, sorted(each.dice))) for each in found}
