"""Every switch in plain words: its group, its label on a form, its values, and the switches that it needs."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import resources

from farkle.rules.combinations import Chart
from farkle.rules.switches import SWITCHES, Flag, OneOf, Value


class Group(StrEnum):
    """The groups of switches on a form."""

    START_END = "Start and end"
    BANKING = "Banking"
    FARKLES = "Farkles"
    EXTRAS = "Extras"
    SCORING = "What scores"


@dataclass(frozen=True)
class SwitchWords:
    """The words of one switch on a form.

    `[300]` in a text is an amount in points, `[20p]` one in pegs; each is shown in the unit of the rule set. `values`
    holds the words for the values of a choice. One of the switches in `needs` must be on, or this one has no effect.
    """

    group: Group
    label: str
    values: Mapping[Value, str] = field(default_factory=dict, hash=False)
    needs: tuple[str, ...] = ()


def _read_words() -> dict[str, SwitchWords]:
    text = (resources.files("companion.web.rules") / "switches.toml").read_text(encoding="utf-8")
    return {
        name: SwitchWords(Group(row["group"]), row["label"], dict(row.get("values", ())), tuple(row.get("needs", ())))
        for name, row in tomllib.loads(text).items()
    }


WORDS: Mapping[str, SwitchWords] = _read_words()
"""The words of every switch, by name, from `switches.toml`."""

_AMOUNT = re.compile(r"\[(\d+)(p?)\]")


def label(name: str, chart: Chart) -> str:
    """Return a switch's label, with its amounts in the unit of the chart."""
    return _counted(WORDS[name].label, chart)


def value_words(name: str, value: Value, chart: Chart) -> str:
    """Return the words for a value of a switch, with its amounts in the unit of the chart."""
    kind = SWITCHES[name]
    if isinstance(kind, OneOf):
        return _counted(WORDS[name].values.get(value, str(value)), chart)
    if isinstance(value, bool):
        return "on" if value else "off"
    if value == 0 and (isinstance(kind, Flag) or kind.least == 0):
        return "off"
    return number(value) if isinstance(value, int) else value


def number(amount: int) -> str:
    """Return a number with commas between the thousands, and a minus sign instead of a hyphen."""
    return f"{amount:,}".replace("-", "\u2212")


def points(amount: int) -> str:
    """Return an amount with its unit: `1 point`, `300 points`."""
    return f"{number(amount)} {'point' if amount == 1 else 'points'}"


def _counted(text: str, chart: Chart) -> str:
    """Replace each `[300]` and `[20p]` of a text by the amount in the unit of the chart."""

    def amount(found: re.Match[str]) -> str:
        return number(chart.convert_pegs(int(found[1])) if found[2] else chart.convert_points(int(found[1])))

    return _AMOUNT.sub(amount, text)
