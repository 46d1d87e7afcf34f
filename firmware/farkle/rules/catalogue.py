"""The catalogue: the rule sets that come with the program and those of the house, found by key, title or alias."""

import difflib
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

from farkle.errors import RuleSetError, UnknownRuleSetError
from farkle.rules.ruleset import RuleSet
from farkle.rules.sheet import rule_set_from

_ORDER = (
    "farkle-cribbage",
    "farkle-cribbage-advanced",
    "classic",
    "free-the-dice",
    "sir-albert",
    "sir-albert-350",
    "christian-brothers",
    "packet-farkle",
    "facebook-farkle",
)


@cache
def catalogue() -> tuple[RuleSet, ...]:
    """All packaged rule sets: those of the five sheets in the sheets' order, then the others by key."""
    documents = packaged_documents()
    made: dict[str, RuleSet] = {}

    def make(key: str, asking: tuple[str, ...] = ()) -> RuleSet:
        if key not in documents:
            raise UnknownRuleSetError(f"expected the key of a packaged rule set, got {key!r}")
        if key in asking:
            raise RuleSetError(f"{key}.toml: like: expected another rule set, got {' like '.join((*asking, key))}")
        if key not in made:
            made[key] = rule_set_from(documents[key], f"{key}.toml", lambda name: make(name, (*asking, key)))
        return made[key]

    others = sorted(documents.keys() - set(_ORDER))
    return tuple(make(key) for key in (*_ORDER, *others))


def packaged_documents() -> Mapping[str, Mapping[str, object]]:
    """The packaged files as they stand, by key."""
    folder = resources.files("farkle.rules") / "sets"
    found: dict[str, Mapping[str, object]] = {}
    for file in folder.iterdir():
        if file.name.endswith(".toml"):
            found[file.name.removesuffix(".toml")] = _document(file.read_text(encoding="utf-8"), file.name)
    return found


def own_rule_set(text: str, where: str) -> RuleSet:
    """A rule set of the house, from the text of its file; `where` names the file in errors. Raises `RuleSetError`.

    It may be `like` a packaged one; its key, title and aliases must not be those of one.
    """
    rules = rule_set_from(_document(text, where), where, find_rule_set, own=True)
    for known in catalogue():
        taken = {known.key, known.title.casefold()}
        for name in (rules.key, rules.title):
            if name.casefold() in taken:
                raise RuleSetError(f"{where}: expected a key and a title of its own, got {name!r}: {known.title}")
    return rules


def _document(text: str, where: str) -> Mapping[str, object]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RuleSetError(f"{where}: expected a TOML file, got {error}") from error


def find_rule_set(name: str) -> RuleSet:
    """The packaged rule set of this key, title or alias; upper and lower case are the same.

    Raises `UnknownRuleSetError`, also for a name that several share, with their list.
    """
    wanted = " ".join(name.split()).casefold()
    for rules in catalogue():
        if rules.key == wanted:
            return rules
    named = [rules for rules in catalogue() if wanted in {each.casefold() for each in (rules.title, *rules.aliases)}]
    if len(named) == 1:
        return named[0]
    if named:
        raise UnknownRuleSetError(f"expected one rule set, got {name!r}, which may be {_listed(named)}")
    keys = [rules.key for rules in catalogue()]
    names = {each.casefold(): rules.key for rules in catalogue() for each in (rules.title, *rules.aliases, rules.key)}
    near = difflib.get_close_matches(wanted, names, n=1)
    hint = f"did you mean {names[near[0]]!r}? " if near else ""
    raise UnknownRuleSetError(f"expected a rule set, got {name!r} ({hint}known: {', '.join(keys)})")


def _listed(found: list[RuleSet]) -> str:
    keys = [repr(rules.key) for rules in found]
    return f"{', '.join(keys[:-1])} or {keys[-1]}"
