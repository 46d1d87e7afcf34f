"""The text of a written game: its keywords and names, and pieces of lines with their places."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NoReturn

from farkle.errors import FarkleError, NotationError
from farkle.game.commands import Command, GiveTurn, Leave, Skip
from farkle.rules.dice import Faces, parse_dice

STANDING = ("scores", "farkles", "on-board", "out", "left-over", "final")
"""The first words of the lines of a standing."""

HEADERS = ("rules", "set", "players", "teams", "start", "throws-for-start", *STANDING)
"""The first words of lines before the first turn."""

ACTS_OF_A_PLAYER: Mapping[str, Callable[[int], Command]] = {"leaves": Leave, "skip": Skip, "throws": GiveTurn}
"""The first words of the table's own acts that name a player, with their commands."""

ACTS = ("adjust", "joins", *ACTS_OF_A_PLAYER, "ends")
"""The first words of lines between turns: the table's own acts."""

ITEMS = ("bank", "counted", "farkle", "fresh", "piggyback", "points", "swap", "vant-hof")
"""The words within a turn."""

BOTS = "bots"
"""The first word of the comment that names the players whom a program played. It is no keyword, as in any comment."""

KEYWORDS = frozenset((*HEADERS, *ACTS, *ITEMS))
"""The words with a meaning of their own; a player or team of such a name is written in double quotes."""

_PLAIN = re.compile(r'[^\s:,;=#>"](?:[^:,;=#>"]*[^\s:,;=#>"])?')


def is_plain_name(text: str) -> bool:
    """Return whether a name needs no quotes."""
    return bool(_PLAIN.fullmatch(text)) and text not in KEYWORDS


def written_name(name: str) -> str:
    """Return a name as the notation writes it: in double quotes if it needs them."""
    return name if is_plain_name(name) else f'"{name}"'


@dataclass(frozen=True)
class Piece:
    """Part of a line. `line` and `column` count from 1. Marks inside double quotes do not split a piece."""

    text: str
    line: int
    column: int = 1

    def fail(self, reason: str) -> NoReturn:
        """Refuse the written game because of this piece.

        Raises:
            NotationError: always, with the place of this piece.
        """
        raise NotationError(self.line, reason, self.column)

    @contextmanager
    def locating_errors(self) -> Iterator[None]:
        """Turn an error of the rules or the game in the body into a `NotationError` with the place of this piece."""
        try:
            yield
        except FarkleError as error:
            self.fail(str(error))

    def strip(self) -> "Piece":
        """Return this piece without the space around it."""
        left = len(self.text) - len(self.text.lstrip())
        return Piece(self.text.strip(), self.line, self.column + left)

    def after(self, count: int) -> "Piece":
        """Return the rest after `count` characters, without the space around it."""
        return Piece(self.text[count:], self.line, self.column + count).strip()

    def without_comment(self) -> "Piece":
        """Return the part before the first `#`."""
        place = self._find("#")
        return self if place is None else Piece(self.text[:place], self.line, self.column)

    def comment(self) -> "Piece":
        """Return what the line says as a comment, if it is nothing but one; else an empty piece."""
        line = self.strip()
        return line.after(1) if line.text.startswith("#") else Piece("", self.line, self.column)

    def cut(self, mark: str) -> "tuple[Piece, Piece | None]":
        """Return the parts before and after the first mark; the second is None if there is no mark."""
        place = self._find(mark)
        if place is None:
            return self.strip(), None
        return Piece(self.text[:place], self.line, self.column).strip(), self.after(place + len(mark))

    def split(self, mark: str) -> "list[Piece]":
        """Return the parts between the marks, without the space around them."""
        parts: list[Piece] = []
        rest: Piece | None = self
        while rest is not None:
            part, rest = rest.cut(mark)
            parts.append(part)
        return parts

    def name(self, what: str = "a player's name") -> str:
        """Return this piece as a name; if it is not a name, fail and say that `what` was expected."""
        if self.text.startswith('"'):
            inner = self.text[1:-1]
            if len(self.text) < 3 or not self.text.endswith('"') or '"' in inner:
                self.fail(f"expected a name in double quotes, got {self.text!r}")
            return inner
        if not is_plain_name(self.text):
            self.fail(f"expected {what}, got {self.text!r}")
        return self.text

    def number(self, what: str) -> int:
        """Return this piece as a whole number; if it is another text, fail and say that `what` was expected."""
        digits = self.text.removeprefix("-")
        if not (digits.isascii() and digits.isdecimal() and len(digits) < 20):
            self.fail(f"expected {what}, got {self.text!r}")
        return int(self.text)

    def dice(self) -> Faces:
        """Return this piece as dice; if it is another text, fail."""
        with self.locating_errors():
            return parse_dice(self.text)

    def one_of(self, names: Iterable[str]) -> str:
        """Return this piece as one of these names; fail if it is another text."""
        name = self.name()
        if name not in names:
            self.fail(f"expected one of the players {_listed(names)}, got {name!r}")
        return name

    def named(self, names: Iterable[str], what: str) -> "tuple[str, Piece]":
        """Return the name that this piece begins with, quoted or not, and the rest after it."""
        if self.text.startswith('"'):
            end = self.text.find('"', 1)
            name = self.text[1:end]
            if end > 0 and name not in names:
                self.fail(f"expected one of {_listed(names)}, got {name!r}")
            if end > 0:
                return name, self.after(end + 1)
        for name in sorted(names, key=len, reverse=True):
            if self.text == name or (self.text.startswith(name) and self.text[len(name)].isspace()):
                return name, self.after(len(name))
        return self.fail(f"expected {what} with one of {_listed(names)}, got {self.text!r}")

    def _find(self, mark: str) -> int | None:
        quoted = False
        for place, each in enumerate(self.text):
            if each == '"':
                quoted = not quoted
            elif each == mark and not quoted:
                return place
        if quoted and mark != "#":
            self.fail(f"expected a closing double quote, got {self.text!r}")
        return None


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "(none yet)"


def bots_in(comment: Piece) -> dict[str, str]:
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
