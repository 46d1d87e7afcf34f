"""The catalogue: the rule sets that come with the program, found by key, title or alias."""

import difflib
import tomllib
from functools import cache
from importlib import resources

from farkle.errors import RuleSetError, UnknownRuleSetError
from farkle.rules.ruleset import RuleSet, rule_set_from


@cache
def catalogue() -> tuple[RuleSet, ...]:
    """All packaged rule sets, in the order of their files' names."""
    folder = resources.files("farkle.rules") / "sets"
    found: list[RuleSet] = []
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".toml"):
            try:
                document = tomllib.loads(file.read_text(encoding="utf-8"))
            except tomllib.TOMLDecodeError as error:
                raise RuleSetError(f"{file.name}: expected a TOML file, got {error}") from error
            found.append(rule_set_from(document, file.name))
    return tuple(found)


def find_rule_set(name: str) -> RuleSet:
    """The rule set of this key, title or alias; upper and lower case are the same. Raises `UnknownRuleSetError`."""
    wanted = name.strip().casefold()
    for rules in catalogue():
        if rules.key == wanted:
            return rules
    named = [rules for rules in catalogue() if wanted in {each.casefold() for each in (rules.title, *rules.aliases)}]
    if len(named) == 1:
        return named[0]
    keys = [rules.key for rules in catalogue()]
    if named:
        raise UnknownRuleSetError(f"expected one rule set, got {name!r}, which may be {_listed(named)}")
    near = difflib.get_close_matches(wanted, keys, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    raise UnknownRuleSetError(f"expected a rule set, got {name!r} ({hint}known: {', '.join(keys)})")


def _listed(found: list[RuleSet]) -> str:
    return " or ".join(repr(rules.key) for rules in found)
