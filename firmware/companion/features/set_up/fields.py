"""The fields of each page of the settings: which keys it shows, and how each is filled in."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter

from companion.checkup.sound import cards
from companion.config import SECTIONS
from companion.features.set_up.set_up import SetUp
from companion.setting import Control, settings_of
from companion.words import Catalogue
from farkle.rules.ruleset import RuleSet
from pegboard.layouts.load import layout_names


@dataclass(frozen=True)
class Field:
    """A key of the settings with its value, and how it is filled in.

    `choices` are pairs of value and words. `fixed` says that the command line sets it, so that a page cannot.
    """

    key: str
    control: Control
    value: object
    label: str
    choices: tuple[tuple[str, str], ...]
    fixed: bool


def _forms() -> Iterator[tuple[str, str, Control]]:
    for name, section in SECTIONS.items():
        for key, _, declared in settings_of(section):
            if (form := declared.form) is not None:
                yield form.page, f"{name}.{key}", replace(form, choices=form.choices or declared.one_of)


FORMS: Mapping[str, Mapping[str, Control]] = {
    page: {key: form for on, key, form in _forms() if on == page} for page, _, _ in _forms()
}
"""The settings of each page, in order."""


def fields_of(page: str, set_up: SetUp, words: Catalogue, rules: Iterable[RuleSet]) -> tuple[Field, ...]:
    """Return the fields of a page with their values; none for a page without settings.

    Args:
        page: a key of `FORMS`.
        set_up: the set-up of the table.
        words: the language of the labels.
        rules: the rule sets that a game can be played by.
    """
    found = []
    for key, form in FORMS.get(page, {}).items():
        value = attrgetter(key)(set_up.config)
        choices = tuple((choice, words(f"setting_value.{key}={choice}")) for choice in form.choices)
        choices = choices or tuple(_found_choices(key, set_up, words, rules))
        if form.kind == "choice" and value not in dict(choices):
            value_shown = value.partition(":")[0]
            choices = tuple((value, label) if choice == value_shown else (choice, label) for choice, label in choices)
            if value not in dict(choices):
                choices = ((value, value), *choices)
        fixed = set_up.changes.layers.overrides.get(key) is not None
        found.append(Field(key, form, value, words(f"setting.{key}"), choices, fixed))
    return tuple(found)


def _found_choices(key: str, set_up: SetUp, words: Catalogue, rules: Iterable[RuleSet]) -> Iterable[tuple[str, str]]:
    """Yield the values of a key that depend on the machine or the house, each with its words."""
    match key:
        case "leds.layout":
            yield "", words("setting_value.leds.layout=")
            yield from ((name, name) for name in layout_names())
        case "sound.device":
            yield "", words("setting_value.sound.device=")
            yield from cards(set_up.machine).items()
        case "table.rules":
            yield from ((each.key, each.title) for each in rules)
        case _:
            pass
