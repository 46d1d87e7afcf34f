"""The parser of the notation: a written game from its text, line by line, with the place of each mistake."""

import re
from collections.abc import Iterator

from farkle.errors import NotationError
from farkle.game import commands as do
from farkle.notation.written import (
    ACTS,
    ACTS_OF_A_PLAYER,
    BOTS,
    HEADERS,
    STANDING,
    Piece,
    WrittenGame,
    WrittenMove,
    WrittenTurn,
)
from farkle.rules.dice import Faces, parse_dice

_BYTE_ORDER_MARK = "\ufeff"  # some editors begin a UTF-8 file with it
_CHOICES = ("fresh", "piggyback", "points", "vant-hof")
_ONCE = ("rules", "players", "teams", "start", "scores")
_AFTER_PLAYERS = ("teams", "start", "throws-for-start", "scores", "farkles", "on-board", "out", "final")


def parse(text: str) -> WrittenGame:
    """Return the game written in a text.

    Raises `NotationError`, through `Piece.fail`, with the line, the column and the reason of the first mistake.
    """
    if not isinstance(text, str):
        Piece("", 1).fail(f"expected a written game as text, got {text!r}")
    game = WrittenGame()
    headers: set[str] = set()
    for number, raw in enumerate(text.removeprefix(_BYTE_ORDER_MARK).splitlines(), start=1):
        line = Piece(raw, number).without_comment().strip()
        if line.text:
            _read_line(game, line, headers)
        elif bots := _bots(Piece(raw, number).comment()):
            game.bots = game.bots or bots
    if not game.rules.text:
        game.rules.fail("expected 'rules: NAME' before the game, got none")
    if not game.players:
        game.rules.fail("expected 'players: NAME, NAME' before the game, got none")
    standing = game.standing
    if standing.place is not None and not standing.scores:
        standing.place.fail("expected 'scores: NAME POINTS, ...' with a standing, got none")
    if game.start_throws:
        place = game.start_throws[0][0]
        if game.start is not None:
            place.fail("expected 'start:' or 'throws-for-start:', got both")
        if standing.scores:
            place.fail("expected 'start:' with a standing, got 'throws-for-start:'")
    return game


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


def _read_line(game: WrittenGame, line: Piece, headers: set[str]) -> None:
    head, rest = line.cut(":")
    word = head.text
    if rest is None:
        line.fail(f"expected 'WORD: ...' or 'PLAYER: ...', got {line.text!r}")
    if word in HEADERS:
        if game.lines:
            head.fail(f"expected '{word}:' before the first turn, got it after")
        if not rest.text:
            rest = Piece("", head.line, head.column + len(word) + 1)
        if word in _AFTER_PLAYERS and not game.players:
            rest.fail(f"expected 'players:' before '{word}:', got none")
        if word in _ONCE and word in headers:
            rest.fail(f"expected one '{word}:' line, got a second: {rest.text!r}")
        if word in STANDING:
            game.standing.place = game.standing.place or rest
        headers.add(word)
        _read_header(game, word, rest)
        return
    if not game.players:
        head.fail(f"expected 'players: ...' before the first turn, got {line.text!r}")
    if word in ACTS:
        game.lines.append(WrittenMove(rest, _act(game, word, rest)))
    else:
        game.lines.append(WrittenTurn(head, head.one_of(game.names), tuple(_moves(game, rest))))


def _read_header(game: WrittenGame, word: str, rest: Piece) -> None:
    standing = game.standing
    match word:
        case "rules":
            if not rest.text:
                rest.fail("expected the name of a rule set after 'rules:', got nothing")
            game.rules = rest
        case "set":
            _read_settings(game, rest)
        case "players":
            if not rest.text:
                rest.fail("expected names after 'players:', got nothing")
            game.players, game.players_at = tuple(item.name() for item in rest.split(",")), rest
        case "teams":
            _read_teams(game, rest)
        case "start":
            game.start = (rest, rest.one_of(game.players))
        case "throws-for-start":
            for item in rest.split(","):
                name, dice = item.named(game.players, "throws such as 'Ann 6 3, Ben 4 4'")
                game.start_throws.append((item, name, _dice(dice)))
        case "scores":
            _read_numbers(rest, game.side_names, standing.scores, "scores such as 'Ann 100, Ben 90'")
        case "farkles":
            _read_numbers(rest, game.all_names, standing.farkles, "farkles such as 'Ann 2'")
            for name, count in standing.farkles.items():
                if count < 0:
                    rest.fail(f"expected a count of farkles of 0 or more for {name}, got {count}")
        case "on-board":
            standing.on_board = tuple(each.one_of(game.all_names) for each in rest.split(",")) if rest.text else ()
        case "out":
            standing.out = tuple(each.one_of(game.side_names) for each in rest.split(","))
        case "left-over":
            standing.left_over = _left_over(rest)
        case "final":
            standing.final = rest.one_of(game.all_names)


def _read_settings(game: WrittenGame, rest: Piece) -> None:
    for item in rest.split(","):
        name, value = item.cut("=")
        if value is None or not name.text or not value.text:
            item.fail(f"expected 'set: SWITCH=VALUE', got {rest.text!r}")
        if name.text in game.settings:
            name.fail(f"expected each switch to be set once, got a second {name.text!r}")
        game.settings[name.text] = (name, value.text)


def _read_teams(game: WrittenGame, rest: Piece) -> None:
    for item in rest.split(";"):
        name, members = item.cut("=")
        if members is None or not members.text:
            item.fail(f"expected 'teams: A = NAME, NAME; B = NAME, NAME', got {item.text!r}")
        team = name.name("a team's name")
        if team in game.teams:
            name.fail(f"expected teams of different names, got a second {team!r}")
        game.teams[team] = tuple(each.one_of(game.players) for each in members.split(","))
    game.teams_at = rest


def _read_numbers(rest: Piece, names: tuple[str, ...], into: dict[str, int], what: str) -> None:
    for item in rest.split(","):
        name, number = item.named(names, what)
        if name in into:
            item.fail(f"expected each name once, got a second {name!r}")
        into[name] = number.number(f"a whole number after {name}")


def _left_over(rest: Piece) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,9})\s+(?:die|dice)\s+([0-9]{1,9})", rest.text.strip())
    if found is None:
        rest.fail(f"expected 'left-over: 3 dice 300', got {rest.text!r}")
    return int(found[1]), int(found[2])


def _act(game: WrittenGame, word: str, rest: Piece) -> do.Command:
    match word:
        case "adjust":
            name, score = rest.cut("=")
            if score is None:
                rest.fail(f"expected 'adjust: NAME = SCORE', got {rest.text!r}")
            return do.Adjust(game.side(name.one_of(game.all_names)), score.number("a score after '='"))
        case "ends":
            if rest.text != "early":
                rest.fail(f"expected 'ends: early', got {rest.text!r}")
            return do.End()
        case "joins":
            return do.Join(rest.name())
        case _:
            return ACTS_OF_A_PLAYER[word](game.names.index(rest.one_of(game.names)))


def _moves(game: WrittenGame, rest: Piece) -> Iterator[WrittenMove]:
    for item in rest.split(",") if rest.text else []:
        word, _, more = item.text.partition(" ")
        if item.text == "bank":
            yield WrittenMove(item, do.Bank())
        elif item.text == "farkle":
            yield WrittenMove(item, None)
        elif item.text in _CHOICES:
            yield WrittenMove(item, do.Choose(item.text))
        elif word == "counted":
            points = item.after(len(word))
            farkled = points.text == "farkle"
            count = None if farkled else points.number("points after 'counted', or 'counted farkle'")
            yield WrittenMove(item, do.Count(count))
        elif word == "swap":
            side = game.side(item.after(len(word)).one_of(game.all_names)) if more.strip() else None
            yield WrittenMove(item, do.Choose("swap", side))
        else:
            yield from _throw(item)


def _throw(item: Piece) -> Iterator[WrittenMove]:
    farkles = item.text.endswith(" farkle")
    thrown, kept = Piece(item.text.removesuffix(" farkle"), item.line, item.column).cut(">")
    yield WrittenMove(thrown, do.Roll(_dice(thrown)))
    if kept is not None:
        dice, points = kept.cut("=")
        total = None if points is None else points.number("a number of points after '='")
        yield WrittenMove(dice, do.Keep(_dice(dice), total))
    if farkles:
        yield WrittenMove(item, None)


def _dice(piece: Piece) -> Faces:
    with piece.locating_errors():
        return parse_dice(piece.text)
