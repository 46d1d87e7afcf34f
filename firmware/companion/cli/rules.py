"""`farklecrib rules`: the packaged rule sets, what one of them says, and whether a file of one's own is sound."""

import json
from pathlib import Path
from typing import Any

from companion.rule_files import rules_in, rules_named
from farkle.errors import RuleSetError
from farkle.rules.catalogue import catalogue
from farkle.rules.combinations import card_rows
from farkle.rules.dice import spaced
from farkle.rules.ruleset import RuleSet
from farkle.rules.switches import SWITCHES


def list_rules(*, json_out: bool) -> int:
    """Print every packaged rule set; 0."""
    if json_out:
        print(json.dumps([as_entry(rules) for rules in catalogue()], ensure_ascii=False))
        return 0
    width = max(len(rules.key) for rules in catalogue())
    for rules in catalogue():
        print(f"{rules.key:<{width}}  {rules.title}: {rules.about}")
    return 0


def show_rules(name: str, *, json_out: bool) -> int:
    """Print what one rule set says, by key, title, alias or file; 0."""
    rules = rules_named(name)
    print(json.dumps(as_record(rules), ensure_ascii=False) if json_out else "\n".join(as_lines(rules)))
    return 0


def check_rules(path: Path) -> int:
    """Say whether a file holds a rule set that can be played, or what is wrong with it; 0 or 1.

    Raises `CompanionError` where the file cannot be read.
    """
    try:
        rules = rules_in(path)
    except RuleSetError as error:
        print(error)
        return 1
    tracks = [str(track) for track in rules.tracks if rules.fits(track)]
    print(f"{path}: {rules.title} ({rules.key}) can be played; {_listed(tracks)}.")
    return 0


def _listed(tracks: list[str]) -> str:
    if not tracks:
        return "its target fits no track, so it needs points_a_hole"
    return f"it fits {' and '.join(tracks)} holes"


def as_entry(rules: RuleSet) -> dict[str, Any]:
    """A rule set as `rules list` gives it."""
    return {
        "key": rules.key,
        "title": rules.title,
        "about": rules.about,
        "aliases": list(rules.aliases),
        "source": rules.source,
        "target": rules.switches.target,
        "tracks": {str(track): rules.points_a_hole(track) for track in rules.tracks if rules.fits(track)},
    }


def as_record(rules: RuleSet) -> dict[str, Any]:
    """A rule set as `rules show` gives it: its entry, what scores, and every switch."""
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


def as_lines(rules: RuleSet) -> list[str]:
    """A rule set as a person reads it."""
    tracks = [f"{track} holes at {rules.points_a_hole(track)} a hole" for track in rules.tracks if rules.fits(track)]
    lines = [
        f"{rules.title} ({rules.key})",
        f"  {rules.about}",
        f"  Source: {rules.source}",
        f"  Also called: {', '.join(rules.aliases)}" if rules.aliases else "",
        f"  Track: {', '.join(tracks) or 'none that its target fits'}",
        f"  Counts in {'pegs' if rules.chart.pegs else 'points'}; {rules.switches.target} end the game.",
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
        word = str(value).lower() if isinstance(value, bool) else str(value)
        star = "*" if value != getattr(plain, name) else " "
        lines.append(f" {star} {name} = {word}  ({kind.meaning}; {kind.allowed})")
    return [line for index, line in enumerate(lines) if line or index > 5]
