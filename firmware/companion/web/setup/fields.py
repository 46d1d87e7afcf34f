"""The fields of each page of the settings: which keys it shows, and how each is filled in."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Literal

from companion.config import LEAST_BUDGET_MA
from companion.doctor.sound import cards
from companion.setup.set_up import SetUp
from companion.table.state.coach_parts import CoachPart
from companion.words import Catalogue
from farkle.rules.ruleset import RuleSet
from pegboard.layouts.load import layout_names
from pegboard.power import MOST_MA

Kind = Literal["number", "range", "check", "choice", "parts", "names"]


@dataclass(frozen=True)
class Field:
    """A key of the settings, and how it is filled in.

    That is a number within limits, a truth, one of some choices, any of some parts, or names. `choices` are pairs
    of value and words. `fixed` says that the command line sets it, so that a page cannot.
    """

    key: str
    kind: Kind
    value: object
    label: str
    least: float = 0
    most: float = 0
    step: float = 1
    choices: tuple[tuple[str, str], ...] = ()
    fixed: bool = False


@dataclass(frozen=True)
class _Form:
    """A field without its value. `choices` names the values that have words in the section [setting_value]."""

    kind: Kind
    least: float = 0
    most: float = 0
    step: float = 1
    choices: tuple[str, ...] = ()


_SECONDS = _Form("number", 0, 86400, 0.5)

FORMS: Mapping[str, Mapping[str, _Form]] = {
    "lights": {
        "leds.driver": _Form("choice", choices=("simulated", "neopixel")),
        "leds.layout": _Form("choice"),
        "leds.brightness": _Form("range", 0, 1, 0.05),
        "leds.budget_ma": _Form("number", LEAST_BUDGET_MA, MOST_MA, 50),
        "leds.calm": _Form("check"),
    },
    "buttons": {
        "buttons.driver": _Form("choice", choices=("page", "gpio")),
        **{f"buttons.{name}": _Form("number", 0, 27) for name in ("keep", "roll", "bank")},
        **{f"buttons.{name}_lamp": _Form("number", -1, 27) for name in ("keep", "roll", "bank")},
        "buttons.hold_s": _Form("number", 0.5, 5, 0.1),
    },
    "sound": {
        "sound.driver": _Form("choice", choices=("silent", "espeak", "buzzer", "espeak+buzzer")),
        "sound.device": _Form("choice"),
        "sound.volume": _Form("range", 0, 1, 0.05),
        "sound.night": _Form("check"),
    },
    "table": {
        "table.players": _Form("names"),
        "table.rules": _Form("choice"),
        "table.off_table": _Form("choice", choices=("all", "that_die")),
        "table.cocked": _Form("choice", choices=("that_die", "flatten")),
        "table.coach": _Form("parts", choices=tuple(CoachPart)),
    },
    "times": {
        f"times.{name}": _SECONDS
        for name in (
            *("farkle_shown_s", "complain_after_s", "complain_again_s", "blind_ask_s", "unsettled_ask_s"),
            *("stronger_s", "call_s", "dim_s", "sleep_s"),
        )
    },
}
"""The keys of each page, in order."""


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
        label = words(f"setting.{key}")
        found.append(Field(key, form.kind, value, label, form.least, form.most, form.step, choices, fixed))
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
