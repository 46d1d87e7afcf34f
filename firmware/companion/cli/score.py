"""`farklecrib score`: print the selections of a roll, and their points."""

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Annotated, Any

import typer

from companion.cli.options import LONGEST_LINE, Json, Settings, parse_settings
from companion.errors import CompanionError
from companion.rule_files import rules_named
from farkle.errors import DiceError
from farkle.rules.dice import Faces, parse_dice, spaced
from farkle.rules.ruleset import RuleSet
from farkle.rules.selections import check_locked, legal_selections


def score(
    rules: Annotated[str, typer.Argument(metavar="RULES", help="A rule set's key, title, alias or file.")],
    dice: Annotated[str, typer.Argument(metavar="DICE", help="'1 1 5', 115 or 1-1-5; - reads a roll a line.")],
    settings: Settings = [],  # noqa: B006 - Typer's own form of an optional list
    locked: Annotated[
        int | None,
        typer.Option(metavar="N", help="Dice locked earlier in this turn; else all that were not rolled."),
    ] = None,
    json_out: Json = False,
) -> int:
    """Say what may be kept of a roll, and for how many points."""
    rule_set = rules_named(rules).with_settings(parse_settings(settings))
    write = _json_lines(rule_set, locked) if json_out else _text_lines(rule_set, locked)
    if dice != "-":
        print(write(_roll(rule_set, dice, locked), "\n"))
        return 0
    for number, line in enumerate(_lines(), start=1):
        if line.strip():
            print(write(_roll(rule_set, line, locked, f"line {number}: "), " | "))
    return 0


def _text_lines(rules: RuleSet, locked: int | None) -> Callable[[Faces, str], str]:
    return lambda roll, between: between.join(as_lines(rules, roll, locked))


def _json_lines(rules: RuleSet, locked: int | None) -> Callable[[Faces, str], str]:
    """Return a writer of rolls as JSON that remembers the selections of the same dice in another order."""
    known: dict[Faces, str] = {}

    def write(roll: Faces, _: str) -> str:
        dice = tuple(sorted(roll))
        if dice not in known:
            record = as_record(rules, dice, locked)
            known[dice] = json.dumps({key: value for key, value in record.items() if key not in ("rules", "roll")})[1:]
        return f'{{"rules": "{rules.key}", "roll": {list(roll)}, {known[dice]}'

    return write


def _lines() -> Iterator[str]:
    try:
        while line := sys.stdin.readline(LONGEST_LINE):
            yield line
    except UnicodeDecodeError as error:
        raise CompanionError("expected rolls in UTF-8 on standard input, got other bytes") from error


def _roll(rules: RuleSet, text: str, locked: int | None, where: str = "") -> Faces:
    """Return the faces of a roll; `where` begins the text of an error.

    Raises:
        DiceError: if the dice, or the number of locked dice, are impossible.
    """
    try:
        roll = parse_dice(text.strip(), most=rules.n_dice)
        check_locked(rules, roll, locked)
    except DiceError as error:
        raise DiceError(f"{where}{error}") from error
    return roll


def as_record(rules: RuleSet, roll: Faces, locked: int | None = None) -> dict[str, Any]:
    """Return the selections of a roll as JSON's types."""
    selections = legal_selections(rules, roll, locked)
    return {
        "rules": rules.key,
        "roll": list(roll),
        "farkle": not selections,
        "hot_dice": bool(selections) and len(selections[0].dice) == len(roll),
        "selections": [asdict(each) for each in selections],
    }


def as_lines(rules: RuleSet, roll: Faces, locked: int | None = None) -> list[str]:
    """Return the selections of a roll as lines for a person."""
    selections = legal_selections(rules, roll, locked)
    if not selections:
        paid = len(roll) == rules.n_dice and rules.nobody_loses
        return [f"{spaced(roll)}: farkle" + (f", but {paid} as a turn's first throw (nobody loses)" if paid else "")]
    lines = [f"{spaced(roll)}:"]
    for each in selections:
        parts = ", ".join(f"{part.name} {spaced(part.dice)}" for part in each.parts)
        lines.append(f"{each.points:>5}  {spaced(each.dice)}  ({parts})")
    return lines
