"""The examples of the rules hold, and each row of the catalogue of rules has one."""

from collections.abc import Callable

import pytest
from examples import SECTIONS, Section, Written
from written_games import ended, happened, kept, order, points, scores, to_move, totals, winners, worth

from farkle.errors import FarkleError, NotationError
from farkle.game.standing import places
from farkle.replay import Replay

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


def reason_of(error: FarkleError) -> str:
    """Return the code of a refusal with its numbers; the sentence of an error that has no code."""
    if not error.code:
        return error.reason if isinstance(error, NotationError) else str(error)
    return " ".join([error.code, *(f"{name}={value}" for name, value in error.fields.items() if type(value) is int)])


def seen(game: Written, check: str) -> str:
    """Return what a check should have said: its own words, if it holds."""
    word, _, rest = check.partition(" ")
    if word in OF_DICE:
        asked = [each.partition(" = ")[0] for each in rest.split(", ")]
        found = [OF_DICE[word](game.rules, *dice.split(" > "), **game.switches) for dice in asked]
        return f"{word} " + ", ".join(f"{dice} = {value}" for dice, value in zip(asked, found, strict=True))
    try:
        played = game.replay()
    except NotationError:
        place, error = game.refusal()
        last = place.line == len(game.text.splitlines())
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
