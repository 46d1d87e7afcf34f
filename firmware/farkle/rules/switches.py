"""The switches of a rule set in one table: names, kinds and limits, and how a value for one is read and checked."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from farkle.errors import RuleSetError


@dataclass(frozen=True)
class Switches:
    """What a rule set leaves to the house; each field is one switch. Values are checked by `with_values`."""

    target: int = 121


@dataclass(frozen=True)
class Points:
    """A switch that takes a whole number of points, from `least` to `most`."""

    meaning: str
    least: int
    most: int

    def read(self, name: str, value: object) -> int:
        """The value as points; text is allowed, as typed after `--set`."""
        number = int(value) if isinstance(value, str) and value.strip().lstrip("-").isdecimal() else value
        if isinstance(number, bool) or not isinstance(number, int) or not self.least <= number <= self.most:
            raise RuleSetError(f"{name}: expected points from {self.least} to {self.most}, got {value!r}")
        return number


SWITCHES: Mapping[str, Points] = {
    "target": Points("points that end the game", 1, 1_000_000),
}


def with_values(switches: Switches, values: Mapping[str, object]) -> Switches:
    """The switches with some of them set; raises `RuleSetError` on an unknown switch or a value that cannot be."""
    read: dict[str, int] = {}
    for name, value in values.items():
        if name not in SWITCHES:
            near = difflib.get_close_matches(name, SWITCHES, n=1)
            hint = f" (did you mean {near[0]!r}?)" if near else f" (known: {', '.join(SWITCHES)})"
            raise RuleSetError(f"expected the name of a switch, got {name!r}{hint}")
        read[name] = SWITCHES[name].read(name, value)
    return replace(switches, **read)


def changed(switches: Switches, base: Switches) -> dict[str, int]:
    """The switches that differ from `base`, by name."""
    return {
        field.name: getattr(switches, field.name)
        for field in fields(Switches)
        if getattr(switches, field.name) != getattr(base, field.name)
    }
