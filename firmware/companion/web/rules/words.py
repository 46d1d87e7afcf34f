"""Every switch in plain words: its group, its short name on a form, its values, and the switches it belongs to."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import resources

from farkle.rules.combinations import Chart
from farkle.rules.switches import SWITCHES, Flag, OneOf, Value


class Group(StrEnum):
    """The groups that switches are told in."""

    START_END = "Start and end"
    BANKING = "Banking"
    FARKLES = "Farkles"
    EXTRAS = "Extras"
    SCORING = "What scores"


@dataclass(frozen=True)
class Words:
    """One switch as a form shows it.

    `[300]` in a text is an amount, counted as the rule set counts. `values` are the words of a choice's values; `needs`
    are switches of which one must be on for this one to mean anything.
    """

    group: Group
    label: str
    values: Mapping[Value, str] = field(default_factory=dict, hash=False)
    needs: tuple[str, ...] = ()


def _read_words() -> dict[str, Words]:
    text = (resources.files("companion.web.rules") / "switches.toml").read_text(encoding="utf-8")
    return {
        name: Words(Group(row["group"]), row["label"], dict(row.get("values", ())), tuple(row.get("needs", ())))
        for name, row in tomllib.loads(text).items()
    }


WORDS: Mapping[str, Words] = _read_words()
"""The words of every switch, by name, from `switches.toml`."""


_AMOUNT = re.compile(r"\[(\d+)(p?)\]")


def label(name: str, chart: Chart) -> str:
    """A switch's short name, its amounts as this chart counts."""
    return _counted(WORDS[name].label, chart)


def value_words(name: str, value: Value, chart: Chart) -> str:
    """A value as a person says it, amounts as this chart counts."""
    kind = SWITCHES[name]
    if isinstance(kind, OneOf):
        return _counted(WORDS[name].values.get(value, str(value)), chart)
    if isinstance(value, bool):
        return "on" if value else "off"
    if value == 0 and (isinstance(kind, Flag) or kind.least == 0):
        return "off"
    return number(value) if isinstance(value, int) else value


def number(amount: int) -> str:
    """A number with commas between the thousands, and a true minus."""
    return f"{amount:,}".replace("-", "\u2212")


def _counted(text: str, chart: Chart) -> str:
    """`[300]` is an amount that a sheet gives in points, `[20p]` one in pegs."""

    def amount(found: re.Match[str]) -> str:
        return number(chart.convert_pegs(int(found[1])) if found[2] else chart.convert_points(int(found[1])))

    return _AMOUNT.sub(amount, text)
