"""The examples in `examples`: what each rule means in a written game, row by row of the catalogue of rules.

A section begins with `==`, its rows and what it is about; the lines below it hold for all its examples. An example is
a sentence, then the lines of a written game and, after `=`, what holds at that moment. Lines after that play on; a line
of the header, such as `set:` or `scores:`, asks for the same game with that one changed. `--` begins the game anew with
the same header, `---` without it.

A check is one of these: `scores 7 0`, `places 1 2`, `winners Ann, Ben` or `nobody`, `to move Ben`, `points 7` of the
turn, `turns Ann 7 bank, Ben 0 farkle`; `order Ben Ann`, the next turns if all farkle; `last TurnPassed` and `count
Farkled 2` of the events; `refused CODE` of the last line and `cannot begin CODE`; a field of the state, such as
`turn.dice_left 6`; of dice by the rules `worth 233346 > 333 = 6, 44 = no`, `totals 111 = 20 3`, `keeps 46 = nothing`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from written_games import text

from farkle.errors import FarkleError, NotationError
from farkle.replay import Replay, replay

FOLDER = Path(__file__).parent / "examples"
HEADER = ("rules", "set", "players", "teams", "start", "scores", "farkles", "on-board", "out", "final", "left-over")
"""The words of the lines before the first turn. Of each one line holds; `set` adds to the switches."""


@dataclass(frozen=True)
class Written:
    """A game: its header by word, its switches, and the lines that are played."""

    header: Mapping[str, str] = field(default_factory=dict)
    switches: Mapping[str, str] = field(default_factory=dict)
    played: tuple[str, ...] = ()

    def with_line(self, line: str) -> "Written":
        word, _, rest = line.partition(":")
        if word == "set":
            named = dict(each.strip().split("=") for each in rest.split(","))
            return replace(self, switches={**self.switches, **named})
        if word in HEADER:
            return replace(self, header={**self.header, word: rest.strip()})
        return replace(self, played=(*self.played, line))

    @property
    def rules(self) -> str:
        return self.header["rules"]

    @property
    def lines(self) -> tuple[str, ...]:
        return (*(f"{word}: {rest}" for word, rest in self.header.items() if word != "rules"), *self.played)

    @property
    def text(self) -> str:
        return text(self.rules, *self.lines, **self.switches)

    def replay(self) -> Replay:
        return replay(self.text)

    def refusal(self) -> tuple[NotationError, FarkleError]:
        """Return the refusal of the game: its place, and the error of the rules behind it, or itself."""
        try:
            self.replay()
        except NotationError as error:
            return error, error.__context__ if isinstance(error.__context__, FarkleError) else error
        raise AssertionError(self)


@dataclass(frozen=True)
class Section:
    """The examples below one headline: each check with the game that it is about and the sentence above it."""

    name: str
    checks: tuple[tuple[str, Written, str], ...]


def sections() -> Iterator[Section]:
    """Yield the sections of all files of examples."""
    for file in sorted(FOLDER.glob("*.txt")):
        for part in re.split(r"^== ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            name, *lines = part.splitlines()
            yield Section(f"{file.stem}: {name}", tuple(_checks(lines)))


def _checks(lines: list[str]) -> Iterator[tuple[str, Written, str]]:
    start = game = Written()
    sentence, unchecked = "", False
    for line in filter(None, lines):
        if not line.startswith(" ") and re.match(r"\w+: ", line):
            start = start.with_line(line)
        elif not line.startswith(" "):
            assert not unchecked, f"expected a check below {sentence!r}, got none"
            sentence, game, unchecked = line, start, True
        elif line.strip() == "--":
            game = replace(game, played=())
        elif line.strip() == "---":
            game = start
        elif line.startswith("    = "):
            yield from ((sentence, game, check) for check in line[6:].split("; "))
            unchecked = False
        else:
            game = game.with_line(line.strip())
    assert not unchecked, f"expected a check below {sentence!r}, got none"


SECTIONS = tuple(sections())
