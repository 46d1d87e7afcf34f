"""Reading: a written game from its text, line by line; what a mistake says, and where it stands."""

from collections.abc import Callable, Iterator

from farkle.errors import DiceError
from farkle.game.commands import Bank, Choose, Count, Keep, Roll
from farkle.notation.piece import Piece
from farkle.notation.words import ACTS, HEADERS
from farkle.notation.written import Move, WrittenAct, WrittenGame, WrittenTurn
from farkle.rules.dice import Faces, parse_dice

_MARK = "\ufeff"  # some editors begin a UTF-8 file with it
_CHOICES = ("fresh", "piggyback", "points", "vant-hof")


def parse(text: str) -> WrittenGame:
    """Read a written game; raises `NotationError` with the line, the column and the reason."""
    game = WrittenGame()
    for number, raw in enumerate(text.removeprefix(_MARK).splitlines(), start=1):
        line = Piece(raw, number).without_comment().strip()
        if line.text:
            _read_line(game, line)
    if game.rules is None:
        Piece("", 1).fail("expected 'rules: NAME' before the game, got none")
    if not game.players:
        game.rules.fail("expected 'players: NAME, NAME' before the game, got none")
    _check_header(game)
    return game


def _check_header(game: WrittenGame) -> None:
    standing = game.standing
    if standing.place is not None and not standing.scores:
        standing.place.fail("expected 'scores: NAME POINTS, ...' with a standing, got none")
    if game.start_throws:
        place = game.start_throws[0][0]
        if game.start is not None:
            place.fail("expected 'start:' or 'throws-for-start:', got both")
        if standing.scores:
            place.fail("expected 'start:' with a standing, got 'throws-for-start:'")


def _read_line(game: WrittenGame, line: Piece) -> None:
    head, rest = line.cut(":")
    if rest is None:
        line.fail(f"expected 'WORD: ...' or 'PLAYER: ...', got {line.text!r}")
    if head.text in HEADERS:
        if game.lines:
            head.fail(f"expected '{head.text}:' before the first turn, got it after")
        _HEADER_READERS[head.text](game, rest if rest.text else _after(head, rest))
        return
    if not game.players:
        head.fail(f"expected 'players: ...' before the first turn, got {line.text!r}")
    if head.text in ACTS:
        game.lines.append(_act(game, head, rest))
        return
    player = head.one_of(game.names, "players")
    game.lines.append(WrittenTurn(head, player, tuple(_moves(game, rest))))


def _after(head: Piece, rest: Piece) -> Piece:
    """An empty rest, placed behind its word."""
    return Piece(rest.text, head.line, head.column + len(head.text) + 1)


def _read_rules(game: WrittenGame, rest: Piece) -> None:
    if game.rules is not None:
        rest.fail(f"expected one 'rules:' line, got a second: {rest.text!r}")
    if not rest.text:
        rest.fail("expected the name of a rule set after 'rules:', got nothing")
    game.rules = rest


def _read_set(game: WrittenGame, rest: Piece) -> None:
    for item in rest.split(","):
        name, value = item.cut("=")
        if value is None or not name.text or not value.text:
            item.fail(f"expected 'set: SWITCH=VALUE', got {rest.text!r}")
        if name.text in game.settings:
            name.fail(f"expected each switch to be set once, got a second {name.text!r}")
        game.settings[name.text] = (name, value.text)


def _read_players(game: WrittenGame, rest: Piece) -> None:
    if game.players:
        rest.fail(f"expected one 'players:' line, got a second: {rest.text!r}")
    if not rest.text:
        rest.fail("expected names after 'players:', got nothing")
    game.players, game.players_at = tuple(item.name() for item in rest.split(",")), rest


def _read_teams(game: WrittenGame, rest: Piece) -> None:
    _after_players(game, rest, "teams")
    if game.teams:
        rest.fail(f"expected one 'teams:' line, got a second: {rest.text!r}")
    for item in rest.split(";"):
        name, members = item.cut("=")
        if members is None or not members.text:
            item.fail(f"expected 'teams: A = NAME, NAME; B = NAME, NAME', got {item.text!r}")
        team = name.name("a team's name")
        if team in game.teams:
            name.fail(f"expected teams of different names, got a second {team!r}")
        game.teams[team] = tuple(each.one_of(game.players, "players") for each in members.split(","))
    game.teams_at = rest


def _read_start(game: WrittenGame, rest: Piece) -> None:
    _after_players(game, rest, "start")
    if game.start is not None:
        rest.fail(f"expected one 'start:' line, got a second: {rest.text!r}")
    game.start = (rest, rest.one_of(game.players, "players"))


def _read_start_throws(game: WrittenGame, rest: Piece) -> None:
    _after_players(game, rest, "throws-for-start")
    for item in rest.split(","):
        name, dice = item.named(game.players, "throws such as 'Ann 6 3, Ben 4 4'")
        game.start_throws.append((item, name, _dice(dice)))


def _read_scores(game: WrittenGame, rest: Piece) -> None:
    _after_players(game, rest, "scores")
    if game.standing.scores:
        rest.fail(f"expected one 'scores:' line, got a second: {rest.text!r}")
    _read_numbers(game, rest, game.side_names, game.standing.scores, "scores such as 'Ann 100, Ben 90'")


def _read_farkles(game: WrittenGame, rest: Piece) -> None:
    _after_players(game, rest, "farkles")
    names = tuple(dict.fromkeys((*game.side_names, *game.players)))
    _read_numbers(game, rest, names, game.standing.farkles, "farkles such as 'Ann 2'")
    for name, count in game.standing.farkles.items():
        if count < 0:
            rest.fail(f"expected a count of farkles of 0 or more for {name}, got {count}")


def _read_numbers(game: WrittenGame, rest: Piece, names: tuple[str, ...], into: dict[str, int], what: str) -> None:
    game.standing.place = game.standing.place or rest
    for item in rest.split(","):
        name, number = item.named(names, what)
        if name in into:
            item.fail(f"expected each name once, got a second {name!r}")
        into[name] = number.number(f"a whole number after {name}")


def _read_on_board(game: WrittenGame, rest: Piece) -> None:
    _after_players(game, rest, "on-board")
    game.standing.place = game.standing.place or rest
    names = tuple(dict.fromkeys((*game.side_names, *game.players)))
    listed = [each.one_of(names, "players") for each in rest.split(",")] if rest.text else []
    game.standing.on_board = tuple(listed)


def _read_out(game: WrittenGame, rest: Piece) -> None:
    _after_players(game, rest, "out")
    game.standing.place = game.standing.place or rest
    game.standing.out = tuple(each.one_of(game.side_names, "players") for each in rest.split(","))


def _read_left_over(game: WrittenGame, rest: Piece) -> None:
    game.standing.place = game.standing.place or rest
    words = rest.text.split()
    if len(words) != 3 or words[1] not in ("die", "dice") or not words[0].isdecimal() or not words[2].isdecimal():
        rest.fail(f"expected 'left-over: 3 dice 300', got {rest.text!r}")
    game.standing.left_over = (int(words[0]), int(words[2]))


def _read_final(game: WrittenGame, rest: Piece) -> None:
    _after_players(game, rest, "final")
    game.standing.place = game.standing.place or rest
    names = tuple(dict.fromkeys((*game.players, *game.side_names)))
    game.standing.final = rest.one_of(names, "players")


def _after_players(game: WrittenGame, rest: Piece, word: str) -> None:
    if not game.players:
        rest.fail(f"expected 'players:' before '{word}:', got none")


_HEADER_READERS: dict[str, Callable[[WrittenGame, Piece], None]] = {
    "rules": _read_rules,
    "set": _read_set,
    "players": _read_players,
    "teams": _read_teams,
    "start": _read_start,
    "throws-for-start": _read_start_throws,
    "scores": _read_scores,
    "farkles": _read_farkles,
    "on-board": _read_on_board,
    "out": _read_out,
    "left-over": _read_left_over,
    "final": _read_final,
}


def _act(game: WrittenGame, head: Piece, rest: Piece) -> WrittenAct:
    match head.text:
        case "adjust":
            name, score = rest.cut("=")
            if score is None:
                rest.fail(f"expected 'adjust: NAME = SCORE', got {rest.text!r}")
            names = tuple(dict.fromkeys((*game.side_names, *game.names)))
            return WrittenAct(rest, "adjust", name.one_of(names, "players"), score.number("a score after '='"))
        case "ends" if rest.text == "early":
            return WrittenAct(rest, "ends", "")
        case "ends":
            return rest.fail(f"expected 'ends: early', got {rest.text!r}")
        case "joins":
            return WrittenAct(rest, "joins", rest.name())
        case word:
            return WrittenAct(rest, word, rest.one_of(game.names, "players"))


def _moves(game: WrittenGame, rest: Piece) -> Iterator[Move]:
    for item in rest.split(",") if rest.text else []:
        word, _, more = item.text.partition(" ")
        if item.text == "bank":
            yield Move(item, Bank())
        elif item.text == "farkle":
            yield Move(item, claim=True)
        elif item.text in _CHOICES:
            yield Move(item, Choose(item.text))
        elif word == "counted":
            points = item.after(len(word))
            farkled = points.text == "farkle"
            yield Move(item, Count(None if farkled else points.number("points after 'counted', or 'counted farkle'")))
        elif word == "swap":
            names = tuple(dict.fromkeys((*game.side_names, *game.names)))
            other = item.after(len(word)).one_of(names, "players") if more.strip() else None
            yield Move(item, Choose("swap"), swap_with=other)
        else:
            yield from _throw(item)


def _throw(item: Piece) -> Iterator[Move]:
    claim = item.text.endswith(" farkle")
    whole = Piece(item.text.removesuffix(" farkle"), item.line, item.column) if claim else item
    thrown, kept = whole.cut(">")
    yield Move(thrown, Roll(_dice(thrown)))
    if kept is not None:
        dice, points = kept.cut("=")
        total = None if points is None else points.number("a number of points after '='")
        yield Move(dice, Keep(_dice(dice), total))
    if claim:
        yield Move(item, claim=True)


def _dice(piece: Piece) -> Faces:
    try:
        return parse_dice(piece.text)
    except DiceError as error:
        return piece.fail(str(error))
