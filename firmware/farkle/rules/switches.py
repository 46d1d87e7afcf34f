"""The switches of a rule set in one table: names, allowed values, meanings, and the values that exclude each other.

A switch is read in one place of the engine. Every rule set has all switches; a sheet's file sets those that differ.
"""

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any

from farkle.errors import RuleSetError

Value = bool | int | str
"""The value of a switch."""

_YES = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclass(frozen=True)
class Points:
    """A switch that takes a whole number from `least` to `most`, of points or of `unit`; 0 is off if `least` is 0."""

    meaning: str
    least: int = 0
    most: int = 1_000_000
    six_dice: bool = False
    unit: str = "points"

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        return f"{self.unit} from {self.least} to {self.most}"

    def read(self, name: str, value: object) -> Value:
        """Return the value as points; text, as typed after `--set`, is converted.

        Raises:
            RuleSetError: if the value is not allowed.
        """
        number = _number(value)
        if self.least == 0 and (number is False or (isinstance(number, str) and _YES.get(number.lower()) is False)):
            return 0
        if isinstance(number, bool) or not isinstance(number, int) or not self.least <= number <= self.most:
            text = _refused(name, self.allowed, value)
            code = "switch_points" if self.unit == "points" else "switch_number"
            raise RuleSetError(text, code, switch=name, least=self.least, most=self.most, value=value)
        return number


@dataclass(frozen=True)
class Flag:
    """A switch that is on or off; with `points` it may also be a number of points."""

    meaning: str
    points: bool = False
    six_dice: bool = False

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        return "true, false or a number of points" if self.points else "true or false"

    def read(self, name: str, value: object) -> Value:
        """Return the value as true or false, or as points.

        Raises:
            RuleSetError: if the value is not allowed.
        """
        found = _YES.get(value.strip().lower(), value) if isinstance(value, str) else value
        if isinstance(found, bool):
            return found
        number = _number(found)
        if self.points and isinstance(number, int) and 0 <= number <= 1_000_000:
            return number or False
        text = _refused(name, self.allowed, value)
        raise RuleSetError(text, "switch_flag_or_points" if self.points else "switch_flag", switch=name, value=value)


@dataclass(frozen=True)
class OneOf:
    """A switch that takes one of several words or numbers."""

    meaning: str
    values: tuple[str | int, ...]
    six_dice: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", tuple(self.values))  # TOML gives a list

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        return " or ".join(str(each) for each in self.values)

    def read(self, name: str, value: object) -> Value:
        """Return the member of `values` that equals `value`; numbers may be text, and false means `off` or `none`.

        Raises:
            RuleSetError: if the value is not allowed.
        """
        word = {False: "off", True: "on"}[value] if isinstance(value, bool) else str(value).strip().lower()
        if word == "off" and "off" not in self.values:
            word = "none"
        for each in self.values:
            if str(each) == word:
                return each
        text = _refused(name, self.allowed, value)
        raise RuleSetError(text, "switch_one_of", switch=name, values=self.values, value=value)


Kind = Points | Flag | OneOf


def _refused(name: str, allowed: str, value: object) -> str:
    return f"{name}: expected {allowed}, got {value!r}"


def _number(value: object) -> object:
    """Return the number that a text holds, or the value unchanged."""
    digits = value.strip().removeprefix("-") if isinstance(value, str) else ""
    return int(str(value)) if digits.isascii() and digits.isdecimal() and len(digits) < 20 else value


@dataclass(frozen=True)
class Switches:
    """The choices that a rule set leaves to the house; each field is one switch. `with_values` checks the values.

    `switches.toml` says what each switch means and which values it allows.
    """

    # The start and the end of a game.
    target: int = 10_000
    rounds: int = 0
    start_roll_dice: int = 1
    endgame: str = "finish_round"
    last_turns: str = "whole_turn"
    tie: str = "shared"
    charity: bool = False
    find_loser: bool = False
    six_ones_win: bool = False
    points_a_hole: int = 0

    # Banking.
    opening_min: int = 0
    min_bank: int = 0
    n_dice: int = 6
    forced_hot: str = "none"
    too_hot: bool = False

    # Farkles.
    farkle_penalty: int = 0
    farkle3_penalty: int = 0
    three_strikes_ouch: int = 0
    three_strikes_out: bool = False
    penalty_floor: str = "none"
    farkle_streak_reset: str = "after_penalty"
    streaks_per: str = "side"
    nobody_loses: bool | int = False
    nobody_loses_scope: str = "first_throw"
    troublesome_twos: bool = False

    # Other choices of a turn.
    five_dice_rollover: bool = False
    five_dice_rollover_points: int = 0
    bomb_swap: str = "permanent"
    vant_hof_6: bool = False
    vant_hof_scope: str = "dice_set"
    piggyback: bool = False
    piggyback_hot: bool = False
    one_peg_per_hole: str | int = "off"

    # Scores: each of these switches changes the table of combinations and nothing else.
    of_a_kind: str = "none"
    four_kind: bool = False
    five_kind: bool = False
    six_kind: bool = False
    bonus_scores: bool = False
    twos_kind_value: int | str = 6
    straight: int = 0
    low_straight: int = 0
    high_straight: int = 0
    three_pairs: int = 0
    pairs_may_repeat: bool = False
    two_triplets: int = 0
    four_and_pair: int = 0
    full_house: int = 0
    full_house_bonus: int = 0
    lower_values: bool = False
    no_straight: bool = False
    pocket_farkle: bool = False
    overpowered_ones: bool = False


def _read_toml(name: str) -> dict[str, Any]:
    return tomllib.loads((resources.files("farkle.rules") / name).read_text(encoding="utf-8"))


_KINDS: Mapping[str, type[Kind]] = {"points": Points, "flag": Flag, "one_of": OneOf}

SWITCHES: Mapping[str, Kind] = {
    name: _KINDS[row.pop("kind")](**row) for name, row in _read_toml("switches.toml").items()
}
"""Every switch with its kind, in the order of the fields of `Switches`."""


def read_value(name: str, value: object) -> Value:
    """Return the value of one switch.

    Raises:
        RuleSetError: if there is no such switch, or it does not allow the value.
    """
    if not isinstance(name, str):
        raise RuleSetError(f"expected the name of a switch, got {name!r}")
    if name not in SWITCHES:
        text = f"expected the name of a switch, got {name!r}"
        for near in difflib.get_close_matches(name, SWITCHES, n=1):
            raise RuleSetError(f"{text} (did you mean {near!r}?)", "misspelt_switch", switch=name, near=near)
        raise RuleSetError(f"{text} (known: {', '.join(SWITCHES)})", "no_such_switch", switch=name)
    return SWITCHES[name].read(name, value)


def with_values(switches: Switches, values: Mapping[str, object]) -> Switches:
    """Return the switches with other values of some, read by `read_value`.

    Raises:
        RuleSetError: if `values` is not a mapping, or a switch does not allow its value.
    """
    if not isinstance(values, Mapping):
        raise RuleSetError(f"expected switches with values such as {{'target': 61}}, got {values!r}")
    read: dict[str, Any] = {name: read_value(name, value) for name, value in values.items()}
    return replace(switches, **read)


def changed(switches: Switches, base: Switches) -> dict[str, Value]:
    """Return the switches whose values differ from those of `base`, by name."""
    return {name: getattr(switches, name) for name in SWITCHES if getattr(switches, name) != getattr(base, name)}


SIX_DICE = tuple(name for name, kind in SWITCHES.items() if kind.six_dice)
"""The switches about six dice, which have no effect with five."""


@dataclass(frozen=True)
class Contradiction:
    """Two settings that exclude each other, such as `charity` and `tie=extra_round`: the reason, the error's code."""

    settings: tuple[str, str]
    why: str
    code: str

    def excludes(self, switches: Switches) -> bool:
        """Return whether the switches have both settings."""
        for setting in self.settings:
            name, equals, value = setting.partition("=")
            if not (getattr(switches, name) == value if equals else getattr(switches, name)):
                return False
        return True


CONTRADICTIONS = tuple(
    Contradiction(tuple(row.pop("settings")), **row) for row in _read_toml("contradictions.toml")["contradictions"]
)
"""Every contradiction but that of five dice and the switches about six."""


def check_switches(switches: Switches, sheet: Switches) -> None:
    """Check that no switches exclude each other.

    With five dice the sheet's own combinations of six dice are allowed and never occur; setting one is refused.

    Raises:
        RuleSetError: if two switches exclude each other, with the reason.
    """
    text = "expected switches that go together, got"
    for each in CONTRADICTIONS:
        if each.excludes(switches):
            one, other = each.settings
            raise RuleSetError(f"{text} {one} and {other}: {each.why}", each.code, one=one, other=other)
    asked = [name for name, value in changed(switches, sheet).items() if name in SIX_DICE and value]
    if switches.n_dice == 5 and asked:
        raise RuleSetError(f"{text} n_dice=5 and {asked[0]}, which needs six dice", "needs_six_dice", switch=asked[0])
