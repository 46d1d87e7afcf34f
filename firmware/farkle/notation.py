"""The notation: a whole game as readable text, both ways (docs/notation.md).

`write` turns the effective events of a game into text; `parse` turns text into a `WrittenGame` of moves with their line
numbers. Whether the moves are legal is asked of the game itself, in `farkle.replay`.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from farkle.errors import DiceError, NotationError
from farkle.game.commands import Bank, Command, Keep, Roll
from farkle.game.events import DiceKept, DiceRolled, Event, Farkled, GameStarted, TurnBanked
from farkle.game.machine import evolve
from farkle.game.state import GameState
from farkle.rules.dice import parse_dice, written
from farkle.rules.selections import find_selection

KEYWORDS = frozenset(
    {
        "adjust",
        "bank",
        "farkle",
        "farkles",
        "final",
        "fresh",
        "joins",
        "leaves",
        "left-over",
        "on-board",
        "out",
        "piggyback",
        "players",
        "points",
        "rules",
        "scores",
        "set",
        "skip",
        "start",
        "swap",
        "teams",
        "throws-for-start",
        "vant-hof",
    }
)
"""Words with a meaning of their own; a player of such a name is written in double quotes."""

_PLAIN = re.compile(r'[^\s:,;=#>"](?:[^:,;=#>"]*[^\s:,;=#>"])?')
_HEADERS = ("rules", "set", "players", "start")
_MARK = "\ufeff"  # some editors begin a UTF-8 file with it


@dataclass(frozen=True)
class Move:
    """One command as written, and the line it stands on. `claim` is a farkle that the text states."""

    line: int
    command: Command | None
    claim: bool = False


@dataclass(frozen=True)
class WrittenTurn:
    """One line of play: who, and what was done."""

    line: int
    player: str
    moves: tuple[Move, ...]


@dataclass
class WrittenGame:
    """A game as written: its header and its turns. Names are as given; nothing has been checked against the rules."""

    rules: str = ""
    rules_line: int = 1
    settings: dict[str, tuple[int, str]] = field(default_factory=dict)
    players: tuple[str, ...] = ()
    players_line: int = 1
    start: tuple[int, str] | None = None
    turns: list[WrittenTurn] = field(default_factory=list)


def parse(text: str) -> WrittenGame:
    """Read a written game; raises `NotationError` with the line and the reason."""
    game = WrittenGame()
    for number, raw in enumerate(text.removeprefix(_MARK).splitlines(), start=1):
        line = _without_comment(raw).strip()
        if line:
            _read_line(game, number, line)
    if not game.rules:
        raise NotationError(1, "expected 'rules: NAME' before the game, got none")
    if not game.players:
        raise NotationError(game.rules_line, "expected 'players: NAME, NAME' before the game, got none")
    return game


def _read_line(game: WrittenGame, number: int, line: str) -> None:
    head, colon, rest = _split_outside_quotes(line, ":", number)
    if not colon:
        raise NotationError(number, f"expected 'WORD: ...' or 'PLAYER: ...', got {line!r}")
    rest = rest.strip()
    if head.strip() in _HEADERS:
        if game.turns:
            raise NotationError(number, f"expected '{head.strip()}:' before the first turn, got it after")
        _HEADER_READERS[head.strip()](game, number, rest)
        return
    player = _name(head.strip(), number)
    if not game.players:
        raise NotationError(number, f"expected 'players: ...' before the first turn, got {line!r}")
    if player not in game.players:
        raise NotationError(number, f"expected one of the players {', '.join(game.players)}, got {player!r}")
    game.turns.append(WrittenTurn(number, player, _moves(rest, number)))


def _read_rules(game: WrittenGame, number: int, rest: str) -> None:
    if game.rules:
        raise NotationError(number, f"expected one 'rules:' line, got a second: {rest!r}")
    if not rest:
        raise NotationError(number, "expected the name of a rule set after 'rules:', got nothing")
    game.rules, game.rules_line = rest, number


def _read_set(game: WrittenGame, number: int, rest: str) -> None:
    for item in rest.split(","):
        name, equals, value = item.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise NotationError(number, f"expected 'set: SWITCH=VALUE', got {rest!r}")
        if name.strip() in game.settings:
            raise NotationError(number, f"expected each switch to be set once, got a second {name.strip()!r}")
        game.settings[name.strip()] = (number, value.strip())


def _read_players(game: WrittenGame, number: int, rest: str) -> None:
    if game.players:
        raise NotationError(number, f"expected one 'players:' line, got a second: {rest!r}")
    if not rest:
        raise NotationError(number, "expected names after 'players:', got nothing")
    names: list[str] = []
    comma, left = ",", rest
    while comma:
        item, comma, left = _split_outside_quotes(left, ",", number)
        names.append(_name(item.strip(), number))
    game.players, game.players_line = tuple(names), number


def _read_start(game: WrittenGame, number: int, rest: str) -> None:
    if game.start:
        raise NotationError(number, f"expected one 'start:' line, got a second: {rest!r}")
    name = _name(rest, number)
    if name not in game.players:
        raise NotationError(
            number, f"expected one of the players {', '.join(game.players) or '(none yet)'}, got {name!r}"
        )
    game.start = (number, name)


_HEADER_READERS: dict[str, Callable[[WrittenGame, int, str], None]] = {
    "rules": _read_rules,
    "set": _read_set,
    "players": _read_players,
    "start": _read_start,
}


def _moves(rest: str, number: int) -> tuple[Move, ...]:
    moves: list[Move] = []
    if not rest:
        return ()
    for item in rest.split(","):
        words = item.strip()
        if words == "bank":
            moves.append(Move(number, Bank()))
        elif words == "farkle":
            moves.append(Move(number, None, claim=True))
        else:
            moves.extend(_throw(words, number))
    return tuple(moves)


def _throw(item: str, number: int) -> Iterable[Move]:
    claim = item.endswith(" farkle")
    if claim:
        item = item.removesuffix(" farkle")
    thrown, arrow, kept = item.partition(">")
    try:
        yield Move(number, Roll(parse_dice(thrown.strip())))
        if arrow:
            dice, equals, points = kept.partition("=")
            if equals and not points.strip().isdecimal():
                raise NotationError(number, f"expected a number of points after '=', got {points.strip()!r}")
            yield Move(number, Keep(parse_dice(dice.strip()), int(points) if equals else None))
    except DiceError as error:
        raise NotationError(number, str(error)) from error
    if claim:
        yield Move(number, None, claim=True)


def _without_comment(line: str) -> str:
    quoted = False
    for index, mark in enumerate(line):
        if mark == '"':
            quoted = not quoted
        elif mark == "#" and not quoted:
            return line[:index]
    return line


def _split_outside_quotes(text: str, mark: str, number: int) -> tuple[str, str, str]:
    quoted = False
    for index, each in enumerate(text):
        if each == '"':
            quoted = not quoted
        elif each == mark and not quoted:
            return text[:index], mark, text[index + 1 :]
    if quoted:
        raise NotationError(number, f"expected a closing double quote, got {text!r}")
    return text, "", ""


def _name(text: str, number: int) -> str:
    if text.startswith('"'):
        inner = text[1:-1]
        if len(text) < 3 or not text.endswith('"') or '"' in inner:
            raise NotationError(number, f"expected a name in double quotes, got {text!r}")
        return inner
    if not _PLAIN.fullmatch(text) or text in KEYWORDS:
        raise NotationError(number, f"expected a player's name, got {text!r}")
    return text


def written_name(name: str) -> str:
    """A player's name as it stands in the notation: in double quotes where it needs them."""
    return name if _PLAIN.fullmatch(name) and name not in KEYWORDS else f'"{name}"'


def write(events: Iterable[Event]) -> str:
    """The effective events of one game, from its start, as notation. Ends with a newline."""
    lines: list[str] = []
    items: list[str] = []
    names: tuple[str, ...] = ()
    state: GameState | None = None
    player: int | None = None

    def close() -> None:
        if player is not None:
            lines.append(f"{written_name(names[player])}: {', '.join(items)}")
        items.clear()

    for event in events:
        match event:
            case GameStarted():
                names = event.players
                lines.append(f"rules: {event.rules}")
                lines.extend(f"set: {name}={_value(value)}" for name, value in event.settings)
                lines.append(f"players: {', '.join(written_name(name) for name in names)}")
                if event.first:
                    lines.append(f"start: {written_name(names[event.first])}")
            case DiceRolled():
                player = event.player
                items.append(written(event.faces))
            case DiceKept():
                assert state is not None
                best = find_selection(state.rules, state.turn.roll, event.dice)
                lower = f" = {event.points}" if event.points != best.points else ""
                items[-1] += f" > {written(event.dice)}{lower}"
            case Farkled():
                items[-1] += " farkle"
                close()
                player = None
            case TurnBanked():
                items.append("bank")
                close()
                player = None
            case _:
                pass
        state = evolve(state, event)
    if items:
        close()
    return "\n".join(lines) + "\n"


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
