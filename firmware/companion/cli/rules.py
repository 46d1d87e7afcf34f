"""`farklecrib score` and `farklecrib rules`: what a roll scores; the rule sets, and the check of a rule set's file."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import typer

from companion.cli.games import games_folder
from companion.cli.options import LONGEST_LINE, ConfigFile, Data, Json, Settings, parse_settings, tell
from companion.errors import CompanionError
from companion.rule_files import rules_in, rules_named
from farkle.errors import DiceError, RuleSetError, UnknownRuleSetError
from farkle.rules.catalogue import catalogue
from farkle.rules.combinations import card_rows
from farkle.rules.dice import Faces, parse_dice, spaced
from farkle.rules.ruleset import RuleSet
from farkle.rules.selections import check_locked, legal_selections
from farkle.rules.switches import SWITCHES


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

    @cache
    def selections(dice: Faces) -> str:
        record = as_record(rule_set, dice, locked)
        return json.dumps({key: value for key, value in record.items() if key not in ("rules", "roll")})[1:]

    def shown(roll: Faces, between: str) -> str:
        if not json_out:
            return between.join(as_lines(rule_set, roll, locked))
        return f'{{"rules": "{rule_set.key}", "roll": {list(roll)}, {selections(tuple(sorted(roll)))}'

    if dice != "-":
        print(shown(_roll(rule_set, dice, locked), "\n"))
        return 0
    for number, line in enumerate(_lines(), start=1):
        if line.strip():
            print(shown(_roll(rule_set, line, locked, f"line {number}: "), " | "))
    return 0


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


GROUPS = {"cribbage": "Cribbage", "ten_thousand": "Ten thousand", "house": "House"}
"""The groups in which rule sets are listed."""

app = typer.Typer(no_args_is_help=True, help="The rule sets: list them, show one, check a file of your own.")


@app.command("list")
def list_rules(data: Data = None, config: ConfigFile = None, json_out: Json = False) -> int:
    """List the rule sets that come with the program, and those that the house has saved."""
    every = (*catalogue(), *_saved(data, config))
    if json_out:
        print(json.dumps([as_entry(rules) for rules in every], ensure_ascii=False))
        return 0
    width = max(len(rules.key) for rules in every)
    for group, sets in groupby(every, lambda rules: rules.group):
        tell(f"{GROUPS[group]}:")
        for rules in sets:
            tell(f"  {rules.key:<{width}}  {rules.title}: {rules.about}")
    return 0


@app.command("show")
def show_rules(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A rule set's key, title, alias or file.")],
    data: Data = None,
    config: ConfigFile = None,
    json_out: Json = False,
) -> int:
    """Show what one rule set says: what scores, and every switch."""
    try:
        rules = rules_named(name)
    except UnknownRuleSetError:  # only then is the configuration read
        rules = rules_named(name, _saved(data, config))
    tell(json.dumps(rule_set_record(rules), ensure_ascii=False) if json_out else "\n".join(rule_set_lines(rules)))
    return 0


@app.command("check")
def check_rules(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A rule set of your own, a TOML file.")],
) -> int:
    """Check a rule set's file: say what is wrong with it, with the key and what was expected."""
    try:
        rules = rules_in(file)
    except RuleSetError as error:
        tell(str(error))
        return 1
    tracks = " and ".join(str(track) for track in rules.tracks if rules.fits(track))
    fits = f"it fits {tracks} holes" if tracks else "its target fits no track, so it needs points_a_hole"
    tell(f"{file}: {rules.title} ({rules.key}) can be played; {fits}.")
    return 0


def _saved(data: Path | None, config: Path | None) -> tuple[RuleSet, ...]:
    """Return the rule sets that the house has saved in its data folder."""
    from companion.features.house_rules.rules_folder import rules_folder, saved_rules

    return saved_rules(rules_folder(games_folder(data, config)))


def as_entry(rules: RuleSet) -> dict[str, Any]:
    """Return the entry of a rule set in `rules list --json`."""
    return {
        "key": rules.key,
        "title": rules.title,
        "about": rules.about,
        "group": rules.group,
        "aliases": list(rules.aliases),
        "source": rules.source,
        "target": rules.switches.target,
        "tracks": {str(track): rules.points_a_hole(track) for track in rules.tracks if rules.fits(track)},
    }


def rule_set_record(rules: RuleSet) -> dict[str, Any]:
    """Return the record of `rules show --json`: the entry, the combinations, and every switch."""
    return {
        **as_entry(rules),
        "counts_in": "pegs" if rules.chart.pegs else "points",
        "combinations": [
            {"name": row.name, "dice": list(row.example), "points": row.points}
            for row in card_rows(rules.table.combinations)
        ],
        "settings": {name: getattr(rules.switches, name) for name in SWITCHES},
        "changed": rules.settings(),
    }


def rule_set_lines(rules: RuleSet) -> list[str]:
    """Return the lines of a rule set for a person."""
    tracks = [f"{track} holes at {rules.points_a_hole(track)} a hole" for track in rules.tracks if rules.fits(track)]
    end = f"{rules.goal} end" if rules.goal else f"{rules.switches.rounds} rounds end"
    lines = [
        f"{rules.title} ({rules.key})",
        f"  {rules.about}",
        f"  Source: {rules.source}",
        f"  Also called: {', '.join(rules.aliases)}" if rules.aliases else "",
        f"  Track: {', '.join(tracks) or 'none that its target fits'}",
        f"  Counts in {'pegs' if rules.chart.pegs else 'points'}; {end} the game.",
        "",
        "What scores:",
        *(
            f"  {row.points:>6}  {row.name} {'such as ' if row.any_faces else ''}{spaced(row.example)}"
            for row in card_rows(rules.table.combinations)
        ),
        "",
        "Switches (* set by this rule set):",
    ]
    plain = type(rules.switches)()
    for name, kind in SWITCHES.items():
        value = getattr(rules.switches, name)
        word = str(value).lower() if isinstance(value, bool) else value
        star = "*" if value != getattr(plain, name) else " "
        lines.append(f" {star} {name} = {word}  ({kind.meaning}; {kind.allowed})")
    return [line for index, line in enumerate(lines) if line or index > 5]
