"""`farklecrib rules`: list the packaged rule sets, show one, and check a rule set's file."""

import json
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import typer

from companion.cli.options import ConfigFile, Data, Json, tell
from companion.rule_files import rules_in, rules_named
from farkle.errors import RuleSetError, UnknownRuleSetError
from farkle.rules.catalogue import catalogue
from farkle.rules.combinations import card_rows
from farkle.rules.dice import spaced
from farkle.rules.ruleset import RuleSet
from farkle.rules.switches import SWITCHES

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
    tell(json.dumps(as_record(rules), ensure_ascii=False) if json_out else "\n".join(as_lines(rules)))
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
    from companion.config import data_folder
    from companion.config_files import load_config
    from companion.features.house_rules.rules_folder import rules_folder, saved_rules

    return saved_rules(rules_folder(data_folder(load_config(config, {"table.data": data}))))


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


def as_record(rules: RuleSet) -> dict[str, Any]:
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


def _end(rules: RuleSet) -> str:
    return f"{rules.goal} end the game" if rules.goal else f"{rules.switches.rounds} rounds end the game"


def as_lines(rules: RuleSet) -> list[str]:
    """Return the lines of a rule set for a person."""
    tracks = [f"{track} holes at {rules.points_a_hole(track)} a hole" for track in rules.tracks if rules.fits(track)]
    lines = [
        f"{rules.title} ({rules.key})",
        f"  {rules.about}",
        f"  Source: {rules.source}",
        f"  Also called: {', '.join(rules.aliases)}" if rules.aliases else "",
        f"  Track: {', '.join(tracks) or 'none that its target fits'}",
        f"  Counts in {'pegs' if rules.chart.pegs else 'points'}; {_end(rules)}.",
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
