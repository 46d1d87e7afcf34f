"""`farklecrib score`: what may be kept of a roll, and for how many points."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from companion.errors import CompanionError
from companion.rule_files import rules_named
from farkle.errors import DiceError
from farkle.rules.dice import Faces, parse_dice, spaced
from farkle.rules.ruleset import RuleSet
from farkle.rules.scoring import Selection
from farkle.rules.selections import legal_selections


def score_rolls(rules_name: str, dice: str, settings: Mapping[str, str], locked: int | None, *, json_out: bool) -> int:
    """Print the selections of `dice`, or (`-`) of each roll on standard input, a line each.

    Raises `FarkleError` for rules and dice that cannot be, `CompanionError` where standard input is no text.
    """
    rules = rules_named(rules_name).with_settings(dict(settings))
    write = _json_lines(rules, locked) if json_out else _text_lines(rules, locked)
    if dice != "-":
        print(write(_roll(rules, dice, locked), "\n"))
        return 0
    for number, line in enumerate(_lines(), start=1):
        if line.strip():
            try:
                roll = _roll(rules, line, locked)
            except DiceError as error:
                raise DiceError(f"line {number}: {error}") from error
            print(write(roll, " | "))
    return 0


def _text_lines(rules: RuleSet, locked: int | None) -> Callable[[Faces, str], str]:
    return lambda roll, between: between.join(as_lines(rules, roll, locked))


def _json_lines(rules: RuleSet, locked: int | None) -> Callable[[Faces, str], str]:
    """Rolls as JSON; what may be kept of the same dice in another order is written once and remembered."""
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
        yield from sys.stdin
    except UnicodeDecodeError as error:
        raise CompanionError("expected rolls in UTF-8 on standard input, got other bytes") from error


def _roll(rules: RuleSet, dice: str, locked: int | None) -> Faces:
    roll = parse_dice(dice.strip(), most=rules.n_dice)
    if locked is not None and not 0 <= locked <= rules.n_dice - len(roll):
        raise DiceError(
            f"expected 0 to {rules.n_dice - len(roll)} locked dice beside {len(roll)} rolled, got {locked!r}"
        )
    return roll


def as_record(rules: RuleSet, roll: Faces, locked: int | None = None) -> dict[str, Any]:
    """What may be kept, as JSON's types."""
    selections = legal_selections(rules, roll, locked)
    return {
        "rules": rules.key,
        "roll": list(roll),
        "farkle": not selections,
        "hot_dice": bool(selections) and len(selections[0].dice) == len(roll),
        "selections": [_selection(each) for each in selections],
    }


def _selection(selection: Selection) -> dict[str, Any]:
    return {
        "dice": list(selection.dice),
        "points": selection.points,
        "totals": list(selection.totals),
        "parts": [{"name": part.name, "dice": list(part.dice), "points": part.points} for part in selection.parts],
    }


def as_lines(rules: RuleSet, roll: Faces, locked: int | None = None) -> list[str]:
    """What may be kept, as a person reads it."""
    selections = legal_selections(rules, roll, locked)
    if not selections:
        paid = len(roll) == rules.n_dice and rules.nobody_loses
        return [f"{spaced(roll)}: farkle" + (f", but {paid} as a turn's first throw (nobody loses)" if paid else "")]
    lines = [f"{spaced(roll)}:"]
    for each in selections:
        parts = ", ".join(f"{part.name} {spaced(part.dice)}" for part in each.parts)
        lines.append(f"{each.points:>5}  {spaced(each.dice)}  ({parts})")
    return lines
