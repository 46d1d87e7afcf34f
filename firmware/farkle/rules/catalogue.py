"""The catalogue: the packaged rule sets, found by key, title or alias, and the check of a house's own rule set."""

import difflib
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

from farkle.errors import RuleSetError, UnknownRuleSetError
from farkle.rules.document import rule_set_from
from farkle.rules.ruleset import RuleSet

_SHEETS_FIRST = (
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
    """Return all packaged rule sets: those of the five sheets in the sheets' order, then the others by key."""
    documents = packaged_documents()
    made: dict[str, RuleSet] = {}

    def make(key: str, likes: tuple[str, ...] = ()) -> RuleSet:
        if key not in documents:
            raise UnknownRuleSetError(f"expected the key of a packaged rule set, got {key!r}")
        if key in likes:
            raise RuleSetError(f"{key}.toml: like: expected no circle, got {' like '.join((*likes, key))}")
        if key not in made:
            made[key] = rule_set_from(documents[key], f"{key}.toml", lambda name: make(name, (*likes, key)))
        return made[key]

    others = sorted(documents.keys() - set(_SHEETS_FIRST))
    return tuple(make(key) for key in (*_SHEETS_FIRST, *others))


def packaged_documents() -> Mapping[str, Mapping[str, object]]:
    """Return the TOML documents of the packaged rule sets, by key."""
    folder = resources.files("farkle.rules") / "sets"
    files = (file for file in folder.iterdir() if file.name.endswith(".toml"))
    return {file.name.removesuffix(".toml"): _document(file.read_text(encoding="utf-8"), file.name) for file in files}


def own_rule_set(text: str, where: str) -> RuleSet:
    """Return a house's own rule set from the text of its TOML file.

    The rule set may be `like` a packaged one. Its key and title must differ from those of every packaged one.

    Args:
        text: the TOML text.
        where: the name of the file in errors.

    Raises:
        RuleSetError: if the file holds no valid rule set, or its key or title is taken.
    """
    rules = rule_set_from(_document(text, where), where, find_rule_set, own=True)
    for known in catalogue():
        taken = {known.key, known.title.casefold()}
        for name in (rules.key, rules.title):
            if name.casefold() in taken:
                raise RuleSetError(f"{where}: expected a key and a title that no packaged rule set has, got {name!r}")
    return rules


def _document(text: str, where: str) -> Mapping[str, object]:
    if not isinstance(text, str):
        raise RuleSetError(f"{where}: expected a TOML file as text, got {text!r}")
    try:
        document = tomllib.loads(text)
        repr(document)  # refuses values that are nested too deeply, or too long, to be quoted in an error
    except (ValueError, RecursionError) as error:
        raise RuleSetError(f"{where}: expected a TOML file, got {error}") from error
    return document


def find_rule_set(name: str) -> RuleSet:
    """Return the packaged rule set with this key, title or alias, in any case.

    Raises:
        UnknownRuleSetError: if no rule set has this name, or several share it.
    """
    if not isinstance(name, str):
        raise UnknownRuleSetError(f"expected the name of a rule set, got {name!r}")
    wanted = " ".join(name.split()).casefold()
    names: dict[str, list[str]] = {}
    for rules in catalogue():
        if rules.key == wanted:
            return rules
        for each in {each.casefold() for each in (rules.title, *rules.aliases, rules.key)}:
            names.setdefault(each, []).append(rules.key)
    keys = names.get(wanted, [])
    if len(keys) == 1:
        return next(rules for rules in catalogue() if rules.key == keys[0])
    if keys:
        *some, last = map(repr, keys)
        text = f"expected one rule set, got {name!r}, which may be {', '.join(some)} or {last}"
        raise UnknownRuleSetError(text, "several_rules", names=tuple(keys))
    near = difflib.get_close_matches(wanted, names, n=1)
    hint = f"did you mean {names[near[0]][-1]!r}? " if near else ""
    known = ", ".join(rules.key for rules in catalogue())
    raise UnknownRuleSetError(f"expected a rule set, got {name!r} ({hint}known: {known})", "no_such_rules", name=name)
