"""Games as the tests write them: lines of the notation, played through the rules."""

from collections.abc import Iterator

import pytest

from farkle.errors import FarkleError, IllegalMoveError, NotationError
from farkle.game.standing import side_name
from farkle.replay import Replay, replay
from farkle.rules.catalogue import find_rule_set
from farkle.rules.dice import parse_dice
from farkle.rules.ruleset import RuleSet
from farkle.rules.selections import find_selection, legal_selections


def text(rules: str, *lines: str, **switches: object) -> str:
    """A written game; Ann and Ben play where no line says who."""
    return "".join(f"{line}\n" for line in _lines(rules, lines, switches))


def _lines(rules: str, lines: tuple[str, ...], switches: dict[str, object]) -> Iterator[str]:
    yield f"rules: {rules}"
    for name, value in switches.items():
        yield f"set: {name}={str(value).lower()}"
    if not any(line.startswith("players:") for line in lines):
        yield "players: Ann, Ben"
    yield from lines


def play(rules: str, *lines: str, **switches: object) -> Replay:
    """The game played."""
    return replay(text(rules, *lines, **switches))


def refusal(rules: str, *lines: str, **switches: object) -> str:
    """Why the last line is refused."""
    written = text(rules, *lines, **switches)
    with pytest.raises(NotationError) as caught:
        replay(written)
    assert caught.value.line == len(written.splitlines()), str(caught.value)
    return caught.value.reason


def cannot_begin(rules: str, *lines: str, **switches: object) -> str:
    """Why no game begins with this header."""
    with pytest.raises(NotationError) as caught:
        play(rules, *lines, **switches)
    return caught.value.reason


def refused_settings(rules: str, **switches: object) -> str:
    """Why these switches do not go together."""
    with pytest.raises(FarkleError) as caught:
        find_rule_set(rules).with_settings(switches)
    return str(caught.value)


def scores(played: Replay) -> tuple[int, ...]:
    """Every side's score, in the order of the sides."""
    return tuple(side.score for side in played.state.sides)


def winners(played: Replay) -> tuple[str, ...]:
    """Who has won, by name; empty while the game goes on."""
    return tuple(side_name(played.state, side) for side in played.state.winners)


def to_move(played: Replay) -> str:
    """Whose turn it is."""
    return played.state.players[played.state.to_move]


def points(played: Replay) -> int:
    """The points of the turn under way."""
    return played.state.turn.points


def ended(played: Replay) -> list[tuple[str, int, str | None]]:
    """Every turn: who, the points, and how it ended."""
    return [(played.state.players[turn.player], turn.points, turn.ended) for turn in played.turns]


def happened(played: Replay) -> list[str]:
    """The kinds of all events, in order."""
    return [type(event).__name__ for event in played.events]


def rules_of(rules: str, **switches: object) -> RuleSet:
    """A rule set with switches set."""
    return find_rule_set(rules).with_settings(switches)


def worth(rules: str, dice: str, kept: str | None = None, **switches: object) -> int | None:
    """The most points for dice of a roll, all of them where none are named; None where they may not be kept."""
    try:
        return find_selection(rules_of(rules, **switches), parse_dice(dice), parse_dice(kept or dice)).points
    except IllegalMoveError:
        return None


def totals(rules: str, dice: str, **switches: object) -> tuple[int, ...]:
    """All totals a player may declare for these dice."""
    return find_selection(rules_of(rules, **switches), parse_dice(dice), parse_dice(dice)).totals


def farkles(rules: str, dice: str, **switches: object) -> bool:
    """Whether nothing of the roll scores."""
    return not legal_selections(rules_of(rules, **switches), parse_dice(dice))


def kept(rules: str, dice: str, **switches: object) -> set[str]:
    """What may be kept of a roll, each as its dice in ascending order."""
    found = legal_selections(rules_of(rules, **switches), parse_dice(dice))
    return {"".join(map(str, sorted(each.dice))) for each in found}
