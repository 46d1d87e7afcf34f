"""Rule sets by name or file: a packaged one by key, title or alias, a house's own one by the path of its file."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import Any

from companion.errors import reporting_file_errors
from farkle.rules.catalogue import catalogue, find_rule_set, own_rule_set
from farkle.rules.document import definition_of
from farkle.rules.ruleset import RuleSet
from farkle.rules.switches import changed

HEAD = "# The rules of this house, saved in the lobby."


def rules_named(name: str, saved: Iterable[RuleSet] = ()) -> RuleSet:
    """Return the rule set of this name, or of the file at this path (it ends in `.toml`, or contains a slash).

    An unknown name raises `UnknownRuleSetError`; a file raises the errors of `rules_in`.

    Args:
        name: a key or title, the alias of a packaged rule set, or a path.
        saved: the rule sets that the house has saved.
    """
    if name.endswith(".toml") or "/" in name:
        return rules_in(Path(name))
    wanted = " ".join(name.split()).casefold()
    own = (each for each in saved if wanted in (each.key, each.title.casefold()))
    return next(own, None) or find_rule_set(name)


def rules_in(path: Path) -> RuleSet:
    """Return the rule set of a file.

    `CompanionError` reaches the caller if the file cannot be read, and `RuleSetError` if it is not a rule set.
    """
    from dicereader.data.files import read_text  # only where a file is read

    with reporting_file_errors("a rule set's file", path):
        text = read_text(path.expanduser())
    return own_rule_set(text, str(path))


def nearest_sheet(rules: RuleSet) -> RuleSet | None:
    """Return the packaged rule set that these rules come from, or None if it had other scores.

    For a house's own rules that is the one of the same source from which the fewest switches differ.
    """
    if not rules.definition:
        return find_rule_set(rules.key)
    origin = attrgetter("source", "chart", "tracks", "to_track_end", "partners")
    alike = [each for each in catalogue() if origin(each) == origin(rules)]
    return min(alike, key=lambda each: len(changed(rules.switches, each.sheet)), default=None)


def rules_text(rules: RuleSet, key: str, title: str, about: str) -> str:
    """Return the file of a rule set, with its switches as they are set, under a key and a title of one's own."""
    import tomlkit  # only where rules are saved

    named = {"key": key, "title": title, "about": about}
    document: Mapping[str, Any]
    if (like := nearest_sheet(rules)) is not None:
        document = {**named, "like": like.key, "settings": changed(rules.switches, like.sheet)}
    else:
        document = json.loads(definition_of(replace(rules, key=key, title=title, about=about, sheet=rules.switches)))
    return f"{HEAD}\n{tomlkit.dumps(document)}"
