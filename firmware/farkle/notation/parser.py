"""The parser of the notation: a written game from its text, line by line, with the place of each mistake."""

from collections.abc import Callable, Iterator

from farkle.game.commands import Bank, Choose, Count, Keep, Roll
from farkle.notation.text import ACTS, HEADERS, Piece
from farkle.notation.written import WrittenAct, WrittenGame, WrittenMove, WrittenTurn
from farkle.rules.dice import Faces, parse_dice

_BYTE_ORDER_MARK = "\ufeff"  # some editors begin a UTF-8 file with it
_CHOICES = ("fresh", "piggyback", "points", "vant-hof")
_ONCE = ("rules", "players", "teams", "start", "scores")
_STANDING = ("scores", "farkles", "on-board", "out", "left-over", "final")
_AFTER_PLAYERS = ("teams", "start", "throws-for-start", "scores", "farkles", "on-board", "out", "final")


def parse(text: str) -> WrittenGame:
    """Return the game written in a text.

    Raises `NotationError`, through `Piece.fail`, with the line, the column and the reason of the first mistake.
    """
    game = WrittenGame()
    headers: set[str] = set()
    for number, raw in enumerate(text.removeprefix(_BYTE_ORDER_MARK).splitlines(), start=1):
        line = Piece(raw, number).without_comment().strip()
        if line.text:
            _read_line(game, line, headers)
    if game.rules is None:
        Piece("", 1).fail("expected 'rules: NAME' before the game, got none")
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
        if word in _STANDING:
            game.standing.place = game.standing.place or rest
        headers.add(word)
        _HEADER_READERS[word](game, rest)
        return
    if not game.players:
        head.fail(f"expected 'players: ...' before the first turn, got {line.text!r}")
    if word in ACTS:
        game.lines.append(_act(game, word, rest))
    else:
        game.lines.append(WrittenTurn(head, head.one_of(game.names), tuple(_moves(game, rest))))


def _read_rules(game: WrittenGame, rest: Piece) -> None:
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
    if not rest.text:
        rest.fail("expected names after 'players:', got nothing")
    game.players, game.players_at = tuple(item.name() for item in rest.split(",")), rest


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


def _read_start(game: WrittenGame, rest: Piece) -> None:
    game.start = (rest, rest.one_of(game.players))


def _read_start_throws(game: WrittenGame, rest: Piece) -> None:
    for item in rest.split(","):
        name, dice = item.named(game.players, "throws such as 'Ann 6 3, Ben 4 4'")
        game.start_throws.append((item, name, _dice(dice)))


def _read_scores(game: WrittenGame, rest: Piece) -> None:
    _read_numbers(rest, game.side_names, game.standing.scores, "scores such as 'Ann 100, Ben 90'")


def _read_farkles(game: WrittenGame, rest: Piece) -> None:
    _read_numbers(rest, game.all_names, game.standing.farkles, "farkles such as 'Ann 2'")
    for name, count in game.standing.farkles.items():
        if count < 0:
            rest.fail(f"expected a count of farkles of 0 or more for {name}, got {count}")


def _read_numbers(rest: Piece, names: tuple[str, ...], into: dict[str, int], what: str) -> None:
    for item in rest.split(","):
        name, number = item.named(names, what)
        if name in into:
            item.fail(f"expected each name once, got a second {name!r}")
        into[name] = number.number(f"a whole number after {name}")


def _read_on_board(game: WrittenGame, rest: Piece) -> None:
    game.standing.on_board = tuple(each.one_of(game.all_names) for each in rest.split(",")) if rest.text else ()


def _read_out(game: WrittenGame, rest: Piece) -> None:
    game.standing.out = tuple(each.one_of(game.side_names) for each in rest.split(","))


def _read_left_over(game: WrittenGame, rest: Piece) -> None:
    words = rest.text.split()
    if len(words) != 3 or words[1] not in ("die", "dice") or not words[0].isdecimal() or not words[2].isdecimal():
        rest.fail(f"expected 'left-over: 3 dice 300', got {rest.text!r}")
    game.standing.left_over = (int(words[0]), int(words[2]))


def _read_final(game: WrittenGame, rest: Piece) -> None:
    game.standing.final = rest.one_of(game.all_names)


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


def _act(game: WrittenGame, word: str, rest: Piece) -> WrittenAct:
    match word:
        case "adjust":
            name, score = rest.cut("=")
            if score is None:
                rest.fail(f"expected 'adjust: NAME = SCORE', got {rest.text!r}")
            return WrittenAct(rest, word, name.one_of(game.all_names), score.number("a score after '='"))
        case "ends":
            if rest.text != "early":
                rest.fail(f"expected 'ends: early', got {rest.text!r}")
            return WrittenAct(rest, word, "")
        case "joins":
            return WrittenAct(rest, word, rest.name())
        case _:
            return WrittenAct(rest, word, rest.one_of(game.names))


def _moves(game: WrittenGame, rest: Piece) -> Iterator[WrittenMove]:
    for item in rest.split(",") if rest.text else []:
        word, _, more = item.text.partition(" ")
        if item.text == "bank":
            yield WrittenMove(item, Bank())
        elif item.text == "farkle":
            yield WrittenMove(item, claim=True)
        elif item.text in _CHOICES:
            yield WrittenMove(item, Choose(item.text))
        elif word == "counted":
            points = item.after(len(word))
            farkled = points.text == "farkle"
            count = None if farkled else points.number("points after 'counted', or 'counted farkle'")
            yield WrittenMove(item, Count(count))
        elif word == "swap":
            other = item.after(len(word)).one_of(game.all_names) if more.strip() else None
            yield WrittenMove(item, Choose("swap"), swap_with=other)
        else:
            yield from _throw(item)


def _throw(item: Piece) -> Iterator[WrittenMove]:
    claim = item.text.endswith(" farkle")
    whole = Piece(item.text.removesuffix(" farkle"), item.line, item.column) if claim else item
    thrown, kept = whole.cut(">")
    yield WrittenMove(thrown, Roll(_dice(thrown)))
    if kept is not None:
        dice, points = kept.cut("=")
        total = None if points is None else points.number("a number of points after '='")
        yield WrittenMove(dice, Keep(_dice(dice), total))
    if claim:
        yield WrittenMove(item, claim=True)


def _dice(piece: Piece) -> Faces:
    with piece.locating_errors():
        return parse_dice(piece.text)
