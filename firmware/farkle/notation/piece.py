"""A piece of a written game: text that knows its line and column, so that a mistake can be pointed at."""

from dataclasses import dataclass
from typing import NoReturn

from farkle.errors import NotationError
from farkle.notation.words import is_plain_name


@dataclass(frozen=True)
class Piece:
    """Some text of a line. `line` and `column` count from 1; marks inside double quotes split nothing."""

    text: str
    line: int
    column: int = 1

    def fail(self, reason: str) -> NoReturn:
        """Raise a `NotationError` that points here."""
        raise NotationError(self.line, reason, self.column)

    def strip(self) -> "Piece":
        """Without the space around it."""
        left = len(self.text) - len(self.text.lstrip())
        return Piece(self.text.strip(), self.line, self.column + left)

    def after(self, count: int) -> "Piece":
        """What comes after so many characters, without the space around it."""
        return Piece(self.text[count:], self.line, self.column + count).strip()

    def without_comment(self) -> "Piece":
        """What comes before the first `#`."""
        place = self._find("#")
        return self if place is None else Piece(self.text[:place], self.line, self.column)

    def cut(self, mark: str) -> "tuple[Piece, Piece | None]":
        """What comes before the first mark and what comes after it, None where there is no mark."""
        place = self._find(mark)
        if place is None:
            return self.strip(), None
        return Piece(self.text[:place], self.line, self.column).strip(), self.after(place + len(mark))

    def split(self, mark: str) -> "list[Piece]":
        """The parts between the marks, without the space around them."""
        parts: list[Piece] = []
        rest: Piece | None = self
        while rest is not None:
            part, rest = rest.cut(mark)
            parts.append(part)
        return parts

    def name(self, what: str = "a player's name") -> str:
        """The name that this is, alone; raises `NotationError` where it is none."""
        if self.text.startswith('"'):
            inner = self.text[1:-1]
            if len(self.text) < 3 or not self.text.endswith('"') or '"' in inner:
                self.fail(f"expected a name in double quotes, got {self.text!r}")
            return inner
        if not is_plain_name(self.text):
            self.fail(f"expected {what}, got {self.text!r}")
        return self.text

    def number(self, what: str) -> int:
        """The whole number that this is; raises `NotationError` where it is none."""
        digits = self.text.removeprefix("-")
        if not (digits.isascii() and digits.isdecimal()):
            self.fail(f"expected {what}, got {self.text!r}")
        return int(self.text)

    def named(self, names: tuple[str, ...], what: str) -> "tuple[str, Piece]":
        """One of these names at the beginning, quoted or not, and what comes after it."""
        if self.text.startswith('"'):
            end = self.text.find('"', 1)
            if end > 0:
                return self._known(self.text[1:end], names), self.after(end + 1)
        for name in sorted(names, key=len, reverse=True):
            if self.text == name or (self.text.startswith(name) and self.text[len(name)].isspace()):
                return name, self.after(len(name))
        return self.fail(f"expected {what} with one of {_listed(names)}, got {self.text!r}")

    def _known(self, name: str, names: tuple[str, ...]) -> str:
        if name not in names:
            self.fail(f"expected one of {_listed(names)}, got {name!r}")
        return name

    def one_of(self, names: tuple[str, ...], what: str) -> str:
        """The one of these names that this is; raises `NotationError` where it is none of them."""
        name = self.name()
        if name not in names:
            self.fail(f"expected one of the {what} {_listed(names)}, got {name!r}")
        return name

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


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names) or "(none yet)"
