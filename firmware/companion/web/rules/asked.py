"""Which rules are asked for: a rule set by its key, with switches from an address's query, or the game's own."""

from collections.abc import Mapping
from dataclasses import replace

from starlette.datastructures import QueryParams

from farkle.errors import RuleSetError
from farkle.rules.catalogue import catalogue, find_rule_set
from farkle.rules.ruleset import RuleSet

MOST_SETTINGS = 80


def known_rules(now: RuleSet | None) -> tuple[RuleSet, ...]:
    """Every rule set that a game may be started with: the packaged ones, and that of the house which is played."""
    own = () if now is None or not now.definition else (as_on_its_sheet(now),)
    return (*own, *catalogue())


def asked_rules(key: str, settings: Mapping[str, object], now: RuleSet | None) -> RuleSet:
    """The rule set of a key or name, with these settings; `now` means that of the game, as it is played.

    Raises `UnknownRuleSetError` where there is none, and `RuleSetError` with the reason for settings that cannot be.
    """
    if key == "now" and now is not None:
        return now.with_settings(settings)
    own = next((each for each in known_rules(now) if each.key == key), None)
    return (own or find_rule_set(key)).with_settings(settings)


def as_on_its_sheet(rules: RuleSet) -> RuleSet:
    """A rule set with its switches as its sheet has them."""
    return replace(rules, switches=rules.sheet)


def settings_in(query: QueryParams, but: tuple[str, ...] = ()) -> dict[str, object]:
    """The switches that an address's query sets; of one given twice the last. Raises `RuleSetError` on a heap."""
    found: dict[str, object] = {name: value for name, value in query.multi_items() if name not in but}
    if len(found) > MOST_SETTINGS:
        raise RuleSetError(f"expected at most {MOST_SETTINGS} switches, got {len(found)}")
    return found
