"""The header of a written game: its rules, players and teams, and where it begins."""

import re
from collections.abc import Callable

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

_ONCE = ("rules", "players", "teams", "start", "scores")
_AFTER_PLAYERS = ("teams", "start", "throws-for-start", "scores", "farkles", "on-board", "out", "final")


class Header:
    """The header of a written game as it is read line by line; not checked against the rules before `begin`."""

    def __init__(self) -> None:
        self._words: set[str] = set()
        self._rules = self._players_at = self._settings_at = Piece("", 1)
        self._settings: dict[str, object] = {}
        self.players: tuple[str, ...] = ()
        self._teams: dict[str, tuple[str, ...]] = {}
        self._teams_at: Piece | None = None
        self._begins = 0
        self._throws: list[tuple[Piece, do.ThrowForStart]] = []
        self._standing_at: Piece | None = None
        self._scores: dict[str, int] = {}
        self._farkles: dict[str, int] = {}
        self._on_board: tuple[str, ...] | None = None
        self._out: tuple[str, ...] = ()
        self._left_over: tuple[int, int] | None = None
        self._final: str | None = None

    def read(self, word: str, rest: Piece) -> None:
        """Read a line of the header, which begins with this word."""
        if word in _AFTER_PLAYERS and not self.players:
            rest.fail(f"expected 'players:' before '{word}:', got none")
        if word in _ONCE and word in self._words:
            rest.fail(f"expected one '{word}:' line, got a second: {rest.text!r}")
        if word in STANDING:
            self._standing_at = self._standing_at or rest
        self._words.add(word)
        sides = tuple(self._teams) or self.players
        names = tuple(dict.fromkeys((*sides, *self.players)))
        match word:
            case "rules":
                if not rest.text:
                    rest.fail("expected the name of a rule set after 'rules:', got nothing")
                self._rules = rest
            case "set":
                self._read_settings(rest)
            case "players":
                if not rest.text:
                    rest.fail("expected names after 'players:', got nothing")
                self.players, self._players_at = tuple(item.name() for item in rest.split(",")), rest
            case "teams":
                self._read_teams(rest)
            case "start":
                self._begins = self.players.index(rest.one_of(self.players))
            case "throws-for-start":
                for item in rest.split(","):
                    name, dice = item.named(self.players, "throws such as 'Ann 6 3, Ben 4 4'")
                    self._throws.append((item, do.ThrowForStart(self.players.index(name), dice.dice())))
            case "scores":
                _read_numbers(rest, sides, self._scores, "scores such as 'Ann 100, Ben 90'")
            case "farkles":
                _read_numbers(rest, names, self._farkles, "farkles such as 'Ann 2'")
                for name, count in self._farkles.items():
                    if count < 0:
                        rest.fail(f"expected a count of farkles of 0 or more for {name}, got {count}")
            case "on-board":
                self._on_board = tuple(each.one_of(names) for each in rest.split(",")) if rest.text else ()
            case "out":
                self._out = tuple(each.one_of(sides) for each in rest.split(","))
            case "left-over":
                found = re.fullmatch(r"([0-9]{1,9})\s+(?:die|dice)\s+([0-9]{1,9})", rest.text.strip())
                if found is None:
                    rest.fail(f"expected 'left-over: 3 dice 300', got {rest.text!r}")
                self._left_over = int(found[1]), int(found[2])
            case "final":
                self._final = rest.one_of(names)

    def _read_settings(self, rest: Piece) -> None:
        for item in rest.split(","):
            name, value = item.cut("=")
            if value is None or not name.text or not value.text:
                item.fail(f"expected 'set: SWITCH=VALUE', got {rest.text!r}")
            if name.text in self._settings:
                name.fail(f"expected each switch to be set once, got a second {name.text!r}")
            with name.locating_errors():
                self._settings[name.text] = read_value(name.text, value.text)
            self._settings_at = name

    def _read_teams(self, rest: Piece) -> None:
        for item in rest.split(";"):
            name, members = item.cut("=")
            if members is None or not members.text:
                item.fail(f"expected 'teams: A = NAME, NAME; B = NAME, NAME', got {item.text!r}")
            team = name.name("a team's name")
            if team in self._teams:
                name.fail(f"expected teams of different names, got a second {team!r}")
            self._teams[team] = tuple(each.one_of(self.players) for each in members.split(","))
        self._teams_at = rest

    def begin(self, find: Callable[[str], RuleSet]) -> Course:
        """Return the game at its first turn; a mistake raises `NotationError`, through `Piece.fail`.

        Args:
            find: returns the rule set of the name after `rules:`.
        """
        if not self._rules.text:
            self._rules.fail("expected 'rules: NAME' before the game, got none")
        if not self.players:
            self._rules.fail("expected 'players: NAME, NAME' before the game, got none")
        given = self._standing_at
        if given is not None and not self._scores:
            given.fail("expected 'scores: NAME POINTS, ...' with a standing, got none")
        if self._throws and "start" in self._words:
            self._throws[0][0].fail("expected 'start:' or 'throws-for-start:', got both")
        if self._throws and given is not None:
            self._throws[0][0].fail("expected 'start:' with a standing, got 'throws-for-start:'")
        with self._rules.locating_errors():
            rules = find(self._rules.text)
        with self._settings_at.locating_errors():
            rules = rules.with_settings(self._settings)
        with (self._teams_at or self._players_at).locating_errors():
            begun = start(rules, self.players, first=0 if given else self._begins, teams=self._teams or None)
        course = Course(fold(begun))
        course.events.extend(begun)
        if given is not None:
            with given.locating_errors():
                course.add(*take_over(begun, self._standing(course.state)))
        for place, throw in self._throws:
            with place.locating_errors():
                carry_out(course, throw)
        return course

    def _standing(self, state: GameState) -> Standing:
        def side(name: str) -> int:
            return side_named(state, name)

        def seats(name: str) -> tuple[int, ...]:
            return (self.players.index(name),) if name in self.players else state.sides[side(name)].players

        on_board = self._on_board
        return Standing(
            scores={side(name): score for name, score in self._scores.items()},
            to_move=self._begins,
            farkles={player: count for name, count in self._farkles.items() for player in seats(name)},
            on_board=None if on_board is None else frozenset(player for name in on_board for player in seats(name)),
            out=tuple(map(side, self._out)),
            left_over=self._left_over,
            closer=None if self._final is None else seats(self._final)[0],
        )


def side_named(state: GameState, name: str) -> int:
    """Return the index of the side with this name, or of the side of the player with this name."""
    names = side_names(state)
    return names.index(name) if name in names else state.side_of(state.players.index(name))


def _read_numbers(rest: Piece, names: tuple[str, ...], into: dict[str, int], what: str) -> None:
    for item in rest.split(","):
        name, number = item.named(names, what)
        if name in into:
            item.fail(f"expected each name once, got a second {name!r}")
        into[name] = number.number(f"a whole number after {name}")
