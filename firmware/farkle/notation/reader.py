"""The reader of the notation: a written game is played line by line as it is read, with the place of each mistake."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from farkle.game import commands as do
from farkle.game import events as ev
from farkle.game.evolve import Course, fold
from farkle.game.machine import carry_out
from farkle.game.seating import start
from farkle.game.standing import side_names
from farkle.game.state import GameState, Phase
from farkle.game.takeover import Standing, take_over
from farkle.notation.written import ACTS, ACTS_OF_A_PLAYER, HEADERS, STANDING, Piece, bots_in
from farkle.rules.dice import spaced
from farkle.rules.ruleset import RuleSet
from farkle.rules.switches import read_value

_BYTE_ORDER_MARK = "\ufeff"  # some editors begin a UTF-8 file with it
_CHOICES = ("fresh", "piggyback", "points", "vant-hof")

_Item = tuple[Piece, do.Command | None]
"""One item of a turn with its place: a command, or None for a stated farkle."""

_Header = dict[str, list[Piece]]
"""The lines of a header by their first words, in the order of the text; without these words."""

_NEVER_EMPTY = {"rules": "the name of a rule set", "players": "names"}
_ONCE = ("rules", "players", "teams", "start", "scores")
_AFTER_PLAYERS = ("teams", "start", "throws-for-start", "scores", "farkles", "on-board", "out", "final")


def read(text: str, find: Callable[[str], RuleSet]) -> tuple[Course, Mapping[str, str]]:
    """Return a written game as it was played, and the kinds of the players whom a program played, by name.

    Raises `NotationError`, through `Piece.fail`, with the place of the first move that cannot be read or played.

    Args:
        text: the game in notation.
        find: returns the rule set of the name after `rules:`.
    """
    if not isinstance(text, str):
        Piece("", 1).fail(f"expected a written game as text, got {text!r}")
    header: _Header = {}
    bots: dict[str, str] = {}
    course: Course | None = None
    for number, raw in enumerate(text.removeprefix(_BYTE_ORDER_MARK).splitlines(), start=1):
        line = Piece(raw, number).without_comment().strip()
        if line.text:
            course = _read_line(line, header, course, find)
        else:
            bots = bots or bots_in(Piece(raw, number).comment())
    course = course or _begin(header, find)
    return course, {name: kind for name, kind in bots.items() if name in course.state.players}


def _read_line(line: Piece, header: _Header, course: Course | None, find: Callable[[str], RuleSet]) -> Course | None:
    """Read a line that is not empty, and return the game after it, or None before its first turn."""
    head, rest = line.cut(":")
    word = head.text
    if rest is None:
        line.fail(f"expected 'WORD: ...' or 'PLAYER: ...', got {line.text!r}")
    if word in HEADERS:
        if course is not None:
            head.fail(f"expected '{word}:' before the first turn, got it after")
        _add_line(header, word, rest if rest.text else Piece("", head.line, head.column + len(word) + 1))
        return None
    if "players" not in header:
        head.fail(f"expected 'players: ...' before the first turn, got {line.text!r}")
    course = course or _begin(header, find)
    state = course.state
    if word in ACTS:
        _carry_out(course, rest, _act(state, word, rest))
    else:
        _play(course, head, head.one_of(state.players), list(_items(state, rest)))
    return course


def _add_line(header: _Header, word: str, rest: Piece) -> None:
    """Add a line that begins with this word to a header."""
    if word in _AFTER_PLAYERS and "players" not in header:
        rest.fail(f"expected 'players:' before '{word}:', got none")
    if word in _ONCE and word in header:
        rest.fail(f"expected one '{word}:' line, got a second: {rest.text!r}")
    if word in _NEVER_EMPTY and not rest.text:
        rest.fail(f"expected {_NEVER_EMPTY[word]} after '{word}:', got nothing")
    header.setdefault(word, []).append(rest)


def _begin(header: _Header, find: Callable[[str], RuleSet]) -> Course:
    """Return the game at its first turn; a mistake raises `NotationError`, through `Piece.fail`.

    Args:
        header: all its lines.
        find: returns the rule set of the name after `rules:`.
    """
    for word, wanted in (("rules", "NAME"), ("players", "NAME, NAME")):
        if word not in header:
            header.get("rules", [Piece("", 1)])[0].fail(f"expected '{word}: {wanted}' before the game, got none")
    (named,), (seated,) = header["rules"], header["players"]
    players = tuple(item.name() for item in seated.split(","))
    teams = _teams(header.get("teams", ()), players)
    begins = players.index(header["start"][0].one_of(players)) if "start" in header else 0
    given = next((lines[0] for word, lines in header.items() if word in STANDING), None)
    throws = [_start_throw(item, players) for line in header.get("throws-for-start", ()) for item in line.split(",")]
    if throws and "start" in header:
        throws[0][0].fail("expected 'start:' or 'throws-for-start:', got both")
    if throws and given is not None:
        throws[0][0].fail("expected 'start:' with a standing, got 'throws-for-start:'")
    if given is not None and "scores" not in header:
        given.fail("expected 'scores: NAME POINTS, ...' with a standing, got none")
    rules = _with_settings(header.get("set", ()), named, find)
    with header.get("teams", header["players"])[0].locating_errors():
        begun = start(rules, players, first=0 if given else begins, teams=teams or None)
    course = Course(fold(begun))
    course.events.extend(begun)
    if given is not None:
        standing = _standing(header, course.state, begins)
        with given.locating_errors():
            course.add(*take_over(begun, standing))
    for place, throw in throws:
        with place.locating_errors():
            carry_out(course, throw)
    return course


def _with_settings(lines: Sequence[Piece], named: Piece, find: Callable[[str], RuleSet]) -> RuleSet:
    """Return the rule set of this name with the settings of the lines."""
    with named.locating_errors():
        rules = find(named.text)
    settings: dict[str, object] = {}
    name = named
    for item in (item for line in lines for item in line.split(",")):
        name, value = item.cut("=")
        if value is None or not name.text or not value.text:
            item.fail(f"expected 'set: SWITCH=VALUE', got {item.text!r}")
        if name.text in settings:
            name.fail(f"expected each switch to be set once, got a second {name.text!r}")
        with name.locating_errors():
            settings[name.text] = read_value(name.text, value.text)
    with name.locating_errors():
        return rules.with_settings(settings)


def _teams(lines: Sequence[Piece], players: Sequence[str]) -> dict[str, tuple[str, ...]]:
    teams: dict[str, tuple[str, ...]] = {}
    for item in (item for line in lines for item in line.split(";")):
        name, members = item.cut("=")
        if members is None or not members.text:
            item.fail(f"expected 'teams: A = NAME, NAME; B = NAME, NAME', got {item.text!r}")
        team = name.name("a team's name")
        if team in teams:
            name.fail(f"expected teams of different names, got a second {team!r}")
        teams[team] = tuple(each.one_of(players) for each in members.split(","))
    return teams


def _start_throw(item: Piece, players: Sequence[str]) -> tuple[Piece, do.ThrowForStart]:
    name, dice = item.named(players, "throws such as 'Ann 6 3, Ben 4 4'")
    return item, do.ThrowForStart(players.index(name), dice.dice())


def _standing(header: _Header, state: GameState, begins: int) -> Standing:
    """Return the standing on paper from which a game goes on."""
    sides, names = side_names(state), _all_names(state)

    def seats(name: str) -> tuple[int, ...]:
        players = state.players
        return (players.index(name),) if name in players else state.sides[sides.index(name)].players

    def named(word: str, among: Sequence[str]) -> tuple[str, ...]:
        """Return the names of the last line that begins with this word; an empty line has none."""
        line = header[word][-1]
        return tuple(each.one_of(among) for each in line.split(",")) if line.text or word != "on-board" else ()

    farkles = _numbers(header.get("farkles", ()), names, "farkles such as 'Ann 2'")
    for name, count in farkles.items():
        if count < 0:
            header["farkles"][-1].fail(f"expected a count of farkles of 0 or more for {name}, got {count}")
    scores = _numbers(header["scores"], sides, "scores such as 'Ann 100, Ben 90'")
    on_board = [player for name in named("on-board", names) for player in seats(name)] if "on-board" in header else None
    return Standing(
        scores={sides.index(name): score for name, score in scores.items()},
        to_move=begins,
        farkles={player: count for name, count in farkles.items() for player in seats(name)},
        on_board=None if on_board is None else frozenset(on_board),
        out=tuple(map(sides.index, named("out", sides))) if "out" in header else (),
        left_over=_left_over(header["left-over"][-1]) if "left-over" in header else None,
        closer=seats(header["final"][-1].one_of(names))[0] if "final" in header else None,
    )


def _numbers(lines: Sequence[Piece], names: Sequence[str], what: str) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for item in (item for line in lines for item in line.split(",")):
        name, number = item.named(names, what)
        if name in found:
            item.fail(f"expected each name once, got a second {name!r}")
        found[name] = number.number(f"a whole number after {name}")
    return found


def _left_over(rest: Piece) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,9})\s+(?:die|dice)\s+([0-9]{1,9})", rest.text.strip())
    if found is None:
        rest.fail(f"expected 'left-over: 3 dice 300', got {rest.text!r}")
    return int(found[1]), int(found[2])


def _all_names(state: GameState) -> tuple[str, ...]:
    """Return the names of sides and players, each once."""
    return tuple(dict.fromkeys((*side_names(state), *state.players)))


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
            side = _side(state, name.one_of(_all_names(state)))
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
            side = _side(state, item.after(len(word)).one_of(_all_names(state))) if more.strip() else None
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
