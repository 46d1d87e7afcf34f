"""The header of a written game: its rules, players and teams, and where it begins."""

import re
from collections.abc import Callable, Mapping, Sequence

from farkle.game import commands as do
from farkle.game.evolve import Course, fold
from farkle.game.machine import carry_out
from farkle.game.seating import start
from farkle.game.standing import side_names
from farkle.game.state import GameState
from farkle.game.takeover import Standing, take_over
from farkle.notation.written import STANDING, Piece
from farkle.rules.ruleset import RuleSet
from farkle.rules.switches import read_value

Header = dict[str, list[Piece]]
"""The lines of a header by their first words, in the order of the text; without these words."""

_NEVER_EMPTY = {"rules": "the name of a rule set", "players": "names"}
_ONCE = ("rules", "players", "teams", "start", "scores")
_AFTER_PLAYERS = ("teams", "start", "throws-for-start", "scores", "farkles", "on-board", "out", "final")


def add_line(header: Header, word: str, rest: Piece) -> None:
    """Add a line that begins with this word to a header."""
    if word in _AFTER_PLAYERS and "players" not in header:
        rest.fail(f"expected 'players:' before '{word}:', got none")
    if word in _ONCE and word in header:
        rest.fail(f"expected one '{word}:' line, got a second: {rest.text!r}")
    if word in _NEVER_EMPTY and not rest.text:
        rest.fail(f"expected {_NEVER_EMPTY[word]} after '{word}:', got nothing")
    header.setdefault(word, []).append(rest)


def begin(header: Header, find: Callable[[str], RuleSet]) -> Course:
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


def _standing(header: Header, state: GameState, begins: int) -> Standing:
    """Return the standing on paper from which a game goes on."""
    sides, names = side_names(state), all_names(state)

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


def all_names(state: GameState) -> tuple[str, ...]:
    """Return the names of sides and players, each once."""
    return tuple(dict.fromkeys((*side_names(state), *state.players)))
