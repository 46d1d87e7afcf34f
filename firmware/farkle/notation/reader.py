"""The reader of the notation: a written game is played line by line as it is read, with the place of each mistake."""

from collections.abc import Callable, Iterator, Mapping

from farkle.errors import NotationError
from farkle.game import commands as do
from farkle.game import events as ev
from farkle.game.evolve import Course
from farkle.game.machine import carry_out
from farkle.game.standing import side_names
from farkle.game.state import GameState, Phase
from farkle.notation.header import Header, add_line, all_names, begin
from farkle.notation.written import ACTS, ACTS_OF_A_PLAYER, BOTS, HEADERS, Piece
from farkle.rules.dice import spaced
from farkle.rules.ruleset import RuleSet

_BYTE_ORDER_MARK = "\ufeff"  # some editors begin a UTF-8 file with it
_CHOICES = ("fresh", "piggyback", "points", "vant-hof")
_Item = tuple[Piece, do.Command | None]
"""One item of a turn with its place: a command, or None for a stated farkle."""


def read(text: str, find: Callable[[str], RuleSet]) -> tuple[Course, Mapping[str, str]]:
    """Return a written game as it was played, and the kinds of the players whom a program played, by name.

    Raises `NotationError`, through `Piece.fail`, with the place of the first move that cannot be read or played.

    Args:
        text: the game in notation.
        find: returns the rule set of the name after `rules:`.
    """
    if not isinstance(text, str):
        Piece("", 1).fail(f"expected a written game as text, got {text!r}")
    header: Header = {}
    bots: dict[str, str] = {}
    course: Course | None = None
    for number, raw in enumerate(text.removeprefix(_BYTE_ORDER_MARK).splitlines(), start=1):
        line = Piece(raw, number).without_comment().strip()
        if line.text:
            course = _read_line(line, header, course, find)
        else:
            bots = bots or _bots(Piece(raw, number).comment())
    course = course or begin(header, find)
    return course, {name: kind for name, kind in bots.items() if name in course.state.players}


def _bots(comment: Piece) -> dict[str, str]:
    """Return the kinds of bots by name that a comment such as `bots: Bones = bold` tells; none of any other comment."""
    head, rest = comment.cut(":") if comment.text.startswith(f"{BOTS}:") else (comment, None)
    if rest is None or head.text != BOTS:
        return {}
    kinds: dict[str, str] = {}
    try:
        for item in rest.split(","):
            name, kind = item.cut("=")
            kinds[name.name()] = kind.name("a kind") if kind is not None else ""
    except NotationError:  # it is a comment: nothing in it is a mistake
        return {}
    return kinds if all(kinds.values()) else {}


def _read_line(line: Piece, header: Header, course: Course | None, find: Callable[[str], RuleSet]) -> Course | None:
    """Read a line that is not empty, and return the game after it, or None before its first turn."""
    head, rest = line.cut(":")
    word = head.text
    if rest is None:
        line.fail(f"expected 'WORD: ...' or 'PLAYER: ...', got {line.text!r}")
    if word in HEADERS:
        if course is not None:
            head.fail(f"expected '{word}:' before the first turn, got it after")
        add_line(header, word, rest if rest.text else Piece("", head.line, head.column + len(word) + 1))
        return None
    if "players" not in header:
        head.fail(f"expected 'players: ...' before the first turn, got {line.text!r}")
    course = course or begin(header, find)
    state = course.state
    if word in ACTS:
        _carry_out(course, rest, _act(state, word, rest))
    else:
        _play(course, head, head.one_of(state.players), list(_items(state, rest)))
    return course


def _carry_out(course: Course, place: Piece, command: do.Command) -> None:
    with place.locating_errors():
        carry_out(course, command)


def _side(state: GameState, name: str) -> int:
    """Return the index of the side with this name, or of the side of the player with this name."""
    sides = side_names(state)
    return sides.index(name) if name in sides else state.side_of(state.players.index(name))


def _act(state: GameState, word: str, rest: Piece) -> do.Command:
    match word:
        case "adjust":
            name, score = rest.cut("=")
            if score is None:
                rest.fail(f"expected 'adjust: NAME = SCORE', got {rest.text!r}")
            side = _side(state, name.one_of(all_names(state)))
            return do.Adjust(side, score.number("a score after '='"))
        case "ends":
            if rest.text != "early":
                rest.fail(f"expected 'ends: early', got {rest.text!r}")
            return do.End()
        case "joins":
            return do.Join(rest.name())
        case _:
            return ACTS_OF_A_PLAYER[word](state.players.index(rest.one_of(state.players)))


def _play(course: Course, turn: Piece, player: str, items: list[_Item]) -> None:
    state = course.state
    if state.over:
        turn.fail("expected no more turns, the game is over")
    if state.phase is Phase.STARTING:
        turn.fail("expected the throws for who begins to be complete before the first turn")
    if state.players[state.to_move] != player:
        why = f": the throw {spaced(state.turn.roll)} scores" if state.phase is Phase.CHOOSING else ""
        turn.fail(f"expected {state.players[state.to_move]}'s turn, got {player}'s{why}")
    if state.phase is not Phase.TO_THROW:
        turn.fail(f"expected {player}'s turn to end before the next line begins")
    farkled = False
    for place, command in items:
        if command is None:
            if not farkled:
                thrown = spaced(course.state.turn.roll) or "no throw"
                place.fail(f"expected a throw that scores nothing before 'farkle', got {thrown}")
            continue
        if farkled:
            place.fail("expected the end of the turn after a farkle")
        before = len(course.events)
        _carry_out(course, place, command)
        farkled = any(isinstance(event, ev.Farkled) for event in course.events[before:])
        if isinstance(command, do.Bank) and place is not items[-1][0]:
            place.fail("expected nothing after 'bank'")


def _items(state: GameState, rest: Piece) -> Iterator[_Item]:
    for item in rest.split(",") if rest.text else []:
        word, _, more = item.text.partition(" ")
        if item.text == "bank":
            yield item, do.Bank()
        elif item.text == "farkle":
            yield item, None
        elif item.text in _CHOICES:
            yield item, do.Choose(item.text)
        elif word == "counted":
            points = item.after(len(word))
            farkled = points.text == "farkle"
            yield item, do.Count(None if farkled else points.number("points after 'counted', or 'counted farkle'"))
        elif word == "swap":
            side = _side(state, item.after(len(word)).one_of(all_names(state))) if more.strip() else None
            yield item, do.Choose("swap", side)
        else:
            yield from _throw(item)


def _throw(item: Piece) -> Iterator[_Item]:
    farkles = item.text.endswith(" farkle")
    thrown, kept = Piece(item.text.removesuffix(" farkle"), item.line, item.column).cut(">")
    yield thrown, do.Roll(thrown.dice())
    if kept is not None:
        dice, points = kept.cut("=")
        total = None if points is None else points.number("a number of points after '='")
        yield dice, do.Keep(dice.dice(), total)
    if farkles:
        yield item, None
