"""The examples in `examples`: what each rule means in a written game, row by row of the catalogue of rules.

A section begins with `==`, its rows and what it is about; the lines below it hold for all its examples. An example is
a sentence, then the lines of a written game and, after `=`, what holds at that moment. Lines after that play on; a line
of the header, such as `set:` or `scores:`, asks for the same game with that one changed. `--` begins the game anew with
the same header, `---` without it.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from written_games import ended, happened, kept, order, points, scores, text, to_move, totals, winners, worth

from farkle.errors import FarkleError, NotationError
from farkle.game.standing import places
from farkle.replay import Replay, replay

FILES = sorted((Path(__file__).parent / "examples").glob("*.txt"))
ROWS = {
    "c": range(1, 5),
    "000-": range(1, 19),
    "001-": range(1, 7),
    "002-": range(19),
    "003-": range(1, 9),
    "004-": range(1, 11),
    "a": range(1, 23),
}
"""The rows of the catalogue by sheet (c: the common core), and the decisions taken (a)."""


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


@dataclass(frozen=True)
class Section:
    """The examples below one headline: each check with the game that it is about and the sentence above it."""

    name: str
    checks: tuple[tuple[str, Written, str], ...]


def sections(file: Path) -> Iterator[Section]:
    """Yield the sections of a file of examples."""
    for part in re.split(r"^== ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        name, *lines = part.splitlines()
        yield Section(f"{file.stem}: {name}", tuple(checks(lines)))


def checks(lines: list[str]) -> Iterator[tuple[str, Written, str]]:
    start, sentence = Written(), ""
    game = start
    for line in filter(None, lines):
        if not line.startswith(" ") and re.match(r"\w+: ", line):
            start = start.with_line(line)
        elif not line.startswith(" "):
            sentence, game = line, start
        elif line.strip() == "--":
            game = replace(game, played=())
        elif line.strip() == "---":
            game = start
        elif line.startswith("    = "):
            yield from ((sentence, game, check) for check in line[6:].split("; "))
        else:
            game = game.with_line(line.strip())


SECTIONS = [section for file in FILES for section in sections(file)]


def numbers(found: tuple[int, ...]) -> str:
    return " ".join(map(str, found))


def fact(played: Replay, path: str) -> str:
    """Return a part of the state, or of the turns, as text."""
    found: object = played if path.startswith("turns") else played.state
    for name in path.split("."):
        found = found[int(name)] if name.lstrip("-").isdigit() else getattr(found, name)  # type: ignore[index]
    return numbers(found) or "none" if isinstance(found, tuple) else str(found).lower()


OF_A_GAME: dict[str, Callable[[Replay], str]] = {
    "scores": lambda played: numbers(scores(played)),
    "places": lambda played: numbers(places(played.state)),
    "winners": lambda played: ", ".join(winners(played)) or "nobody",
    "to move": to_move,
    "points": lambda played: str(points(played)),
    "turns": lambda played: ", ".join(" ".join(map(str, turn)) for turn in ended(played)),
}
OF_DICE: dict[str, Callable[..., str]] = {
    "worth": lambda *asked, **switches: "no" if (most := worth(*asked, **switches)) is None else str(most),
    "totals": lambda *asked, **switches: numbers(totals(*asked, **switches)),
    "keeps": lambda *asked, **switches: (
        " ".join(sorted(kept(*asked, **switches), key=lambda dice: (len(dice), dice))) or "nothing"
    ),
}
"""What a check with this word compares: of the game so far, and of dice by the rules."""


def reason_of(error: NotationError) -> str:
    """Return the code of a refusal with its numbers; the sentence of an error that has no code."""
    cause = error.__context__
    if not isinstance(cause, FarkleError) or not cause.code:
        return error.reason
    return " ".join([cause.code, *(f"{name}={value}" for name, value in cause.fields.items() if type(value) is int)])


def seen(game: Written, check: str) -> str:
    """Return what a check should have said: its own words, if it holds."""
    word, _, rest = check.partition(" ")
    if word in OF_DICE:
        asked = [each.partition(" = ")[0] for each in rest.split(", ")]
        found = [OF_DICE[word](game.rules, *dice.split(" > "), **game.switches) for dice in asked]
        return f"{word} " + ", ".join(f"{dice} = {value}" for dice, value in zip(asked, found, strict=True))
    written = text(game.rules, *game.lines, **game.switches)
    try:
        played = replay(written)
    except NotationError as error:
        last = error.line == len(written.splitlines())
        return f"{'refused' if last and word == 'refused' else 'cannot begin'} {reason_of(error)}"
    if word == "order":
        return f"order {order(game.rules, *game.lines, **game.switches)}"
    if word == "last":
        return f"last {' '.join(happened(played)[-len(rest.split()) :])}"
    if word == "count":
        kind = rest.split()[0]
        return f"count {kind} {happened(played).count(kind)}"
    word = next((each for each in OF_A_GAME if check.startswith(f"{each} ")), word)
    return f"{word} {OF_A_GAME[word](played) if word in OF_A_GAME else fact(played, word)}"


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.name)
def test_the_examples_of_a_rule_hold(section: Section) -> None:
    wrong = [
        (sentence, f"expected {check!r}, got {found!r}")
        for sentence, game, check in section.checks
        if (found := seen(game, check)) != check
    ]
    assert not wrong


def test_each_of_the_87_rows_of_the_catalogue_has_an_example() -> None:
    rows = {f"{sheet}{number}" for sheet, numbers in ROWS.items() for number in numbers}
    named = {row for section in SECTIONS for row in section.name.split(": ")[1].split(", ")}
    assert (len(rows), rows - named) == (87, set())
