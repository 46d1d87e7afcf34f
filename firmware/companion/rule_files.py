"""Rule sets by name or file: a packaged one by key, title or alias, a house's own one by the path of its file."""

from pathlib import Path

from companion.errors import reporting_file_errors
from farkle.rules.catalogue import find_rule_set, own_rule_set
from farkle.rules.ruleset import RuleSet


def rules_named(name: str) -> RuleSet:
    """Return the rule set of this name, or of the file at this path (it ends in `.toml`, or contains a slash).

    An unknown name raises `UnknownRuleSetError`; a file raises the errors of `rules_in`.
    """
    if name.endswith(".toml") or "/" in name:
        return rules_in(Path(name))
    return find_rule_set(name)


def rules_in(path: Path) -> RuleSet:
    """Return the rule set of a file.

    `CompanionError` reaches the caller if the file cannot be read, and `RuleSetError` if it is not a rule set.
    """
    with reporting_file_errors("a rule set's file", path):
        text = path.expanduser().read_text(encoding="utf-8")
    return own_rule_set(text, str(path))
