"""The switches of a rule set in one table: names, allowed values, meanings, and the values that exclude each other.

A switch is read in one place of the engine. Every rule set has all switches; a sheet's file sets those that differ.
"""

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from farkle.errors import ContradictionError, RuleSetError

Value = bool | int | str
"""The value of a switch."""

_YES = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclass(frozen=True)
class Points:
    """A switch that takes a whole number of points from `least` to `most`; 0 switches it off if `least` is 0."""

    meaning: str
    least: int = 0
    most: int = 1_000_000

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        return f"points from {self.least} to {self.most}"

    def read(self, name: str, value: object) -> Value:
        """Return the value as points; text, as typed after `--set`, is converted.

        Raises:
            RuleSetError: if the value is not allowed.
        """
        number = _number(value)
        if self.least == 0 and (number is False or (isinstance(number, str) and _YES.get(number.lower()) is False)):
            return 0
        if isinstance(number, bool) or not isinstance(number, int) or not self.least <= number <= self.most:
            raise RuleSetError(f"{name}: expected {self.allowed}, got {value!r}")
        return number


@dataclass(frozen=True)
class Flag:
    """A switch that is on or off; with `points` it may also be a number of points."""

    meaning: str
    points: bool = False

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
        raise RuleSetError(f"{name}: expected {self.allowed}, got {value!r}")


@dataclass(frozen=True)
class OneOf:
    """A switch that takes one of several words or numbers."""

    meaning: str
    values: tuple[str | int, ...]

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        return " or ".join(str(each) for each in self.values)

    def read(self, name: str, value: object) -> Value:
        """Return the equal one of `values`; numbers may be text, and false means off or none.

        Raises:
            RuleSetError: if the value is not allowed.
        """
        word = {False: "off", True: "on"}[value] if isinstance(value, bool) else str(value).strip().lower()
        if word == "off" and "off" not in self.values:
            word = "none"
        for each in self.values:
            if str(each) == word:
                return each
        raise RuleSetError(f"{name}: expected {self.allowed}, got {value!r}")


Kind = Points | Flag | OneOf


def _number(value: object) -> object:
    """Return the number that a text holds, or the value unchanged."""
    digits = value.strip().removeprefix("-") if isinstance(value, str) else ""
    return int(str(value)) if digits.isascii() and digits.isdecimal() else value


def _switch(default: Value, kind: Kind) -> Any:
    return field(default=default, metadata={"kind": kind})


@dataclass(frozen=True)
class Switches:
    """The choices that a rule set leaves to the house; each field is one switch. `with_values` checks the values."""

    # The start and the end of a game.
    target: int = _switch(10_000, Points("points that end the game", 1))
    start_roll_dice: int = _switch(1, OneOf("dice that each player throws for the first turn", (1, 2)))
    endgame: str = _switch(
        "finish_round",
        OneOf("what follows when a player reaches the target", ("finish_round", "one_more_turn", "immediate")),
    )
    tie: str = _switch(
        "shared",
        OneOf(
            "equal scores at the end: a shared win, a win for who began the final round, or another round",
            ("shared", "trigger", "extra_round"),
        ),
    )
    charity: bool = _switch(
        False, Flag("the target must be hit exactly; points of a turn that overshoots go to the lowest other side")
    )
    find_loser: bool = _switch(False, Flag("play goes on until one peg is left: its side loses"))
    points_a_hole: int = _switch(0, Points("points that move a peg by one hole; 0 is the sheet's number", 0, 100_000))

    # Banking.
    opening_min: int = _switch(0, Points("least points in one turn to get on the board"))
    min_bank: int = _switch(0, Points("least points in every turn"))
    n_dice: int = _switch(6, OneOf("dice in the game", (6, 5)))
    forced_hot: str = _switch(
        "none", OneOf("whether dice that have all scored must be thrown again", ("none", "single_throw", "any"))
    )
    too_hot: bool = _switch(False, Flag("Too Hot To Handle: hot dice must be thrown at least once"))

    # Farkles.
    farkle3_penalty: int = _switch(0, Points("points lost for three farkles in a row"))
    three_strikes_ouch: int = _switch(
        0, Points("points lost at once for three farkles in a row, in place of the sheet's")
    )
    three_strikes_out: bool = _switch(False, Flag("three farkles in a row put a player out of the game"))
    penalty_floor: str = _switch(
        "none", OneOf("whether a penalty stops at the start or may make a score negative", ("none", "start"))
    )
    farkle_streak_reset: str = _switch(
        "after_penalty",
        OneOf(
            "when the count of farkles restarts; never: every further farkle costs again", ("after_penalty", "never")
        ),
    )
    streaks_per: str = _switch(
        "side", OneOf("whether farkles and openings in a team game count by side or by player", ("side", "player"))
    )
    nobody_loses: bool | int = _switch(
        False, Flag("a first throw of nothing scores 300, or this number of points", points=True)
    )
    nobody_loses_scope: str = _switch("first_throw", OneOf("which throws of nothing score", ("first_throw", "any_six")))
    troublesome_twos: bool = _switch(False, Flag("four or more 2s in a throw are a farkle, whatever the others show"))

    # Other choices of a turn.
    five_dice_rollover: bool = _switch(False, Flag("after five kept dice the last die succeeds on 1, 2 or 3"))
    five_dice_rollover_points: int = _switch(0, Points("points of that 3"))
    bomb_swap: str = _switch(
        "permanent",
        OneOf(
            "a Bomb (six of a kind of the bonus scores) may swap pegs with the leader",
            ("permanent", "undone_on_farkle", "off"),
        ),
    )
    vant_hof_6: bool = _switch(False, Flag("six 1s kept over several throws may score 3000 instead"))
    vant_hof_scope: str = _switch(
        "dice_set", OneOf("which six 1s count: those of one set of dice, or of the turn", ("dice_set", "turn"))
    )
    piggyback: bool = _switch(False, Flag("a player may continue with the dice and points that the player before left"))
    piggyback_hot: bool = _switch(False, Flag("also after all of the dice had scored"))
    one_peg_per_hole: str | int = _switch(
        "off", OneOf("a peg that lands on another moves it back by this number of holes", ("off", 1, 5))
    )

    # Scores: each of these switches changes the table of combinations and nothing else.
    of_a_kind: str = _switch(
        "none",
        OneOf(
            "four, five, six of a kind: 1000, 2000, 3000 flat, or the three doubled for each further die",
            ("none", "flat", "double"),
        ),
    )
    four_kind: bool = _switch(False, Flag("four of a kind are twice the three of a kind"))
    five_kind: bool = _switch(False, Flag("five of a kind are three times the three of a kind"))
    six_kind: bool = _switch(False, Flag("six of a kind are four times the three of a kind"))
    bonus_scores: bool = _switch(
        False, Flag("four, five, six of a kind 10, 15, 20 more than the three; three pairs 10; straight 25")
    )
    twos_kind_value: int | str = _switch(
        6, OneOf("the value that four to six 2s build on where three 2s have no row", (6, 4, "none"))
    )
    straight: int = _switch(0, Points("1 to 6"))
    low_straight: int = _switch(0, Points("1 to 5"))
    high_straight: int = _switch(0, Points("2 to 6"))
    three_pairs: int = _switch(0, Points("three pairs"))
    pairs_may_repeat: bool = _switch(False, Flag("four and two equal dice, or six, are three pairs too"))
    two_triplets: int = _switch(0, Points("two triplets"))
    four_and_pair: int = _switch(0, Points("four of a kind and a pair"))
    full_house: int = _switch(0, Points("three of a kind and a pair"))
    lower_values: bool = _switch(False, Flag("three pairs 750, straight 1500"))
    no_straight: bool = _switch(False, Flag("a straight is worth nothing"))
    pocket_farkle: bool = _switch(False, Flag("three 1s are worth 300"))
    overpowered_ones: bool = _switch(False, Flag("six 1s are worth 5000"))


SWITCHES: Mapping[str, Kind] = {each.name: each.metadata["kind"] for each in fields(Switches)}
"""Every switch with its kind, in the order of the fields of `Switches`."""


def read_value(name: str, value: object) -> Value:
    """Return the value of one switch.

    Raises:
        RuleSetError: if there is no such switch, or it does not allow the value.
    """
    if name not in SWITCHES:
        near = difflib.get_close_matches(name, SWITCHES, n=1)
        hint = f" (did you mean {near[0]!r}?)" if near else f" (known: {', '.join(SWITCHES)})"
        raise RuleSetError(f"expected the name of a switch, got {name!r}{hint}")
    return SWITCHES[name].read(name, value)


def with_values(switches: Switches, values: Mapping[str, object]) -> Switches:
    """Return the switches with other values of some, read by `read_value`."""
    read: dict[str, Any] = {name: read_value(name, value) for name, value in values.items()}
    return replace(switches, **read)


def changed(switches: Switches, base: Switches) -> dict[str, Value]:
    """Return the switches whose values differ from those of `base`, by name."""
    return {name: getattr(switches, name) for name in SWITCHES if getattr(switches, name) != getattr(base, name)}


SIX_DICE = (
    "straight",
    "three_pairs",
    "two_triplets",
    "four_and_pair",
    "six_kind",
    "overpowered_ones",
    "lower_values",
    "bonus_scores",
    "vant_hof_6",
    "five_dice_rollover",
    "pairs_may_repeat",
)
"""The switches about six dice, which have no effect with five."""

CONTRADICTIONS: tuple[tuple[Callable[[Switches], bool], str], ...] = (
    (
        lambda s: s.three_strikes_out and bool(s.three_strikes_ouch),
        "three_strikes_out and three_strikes_ouch: three farkles in a row cannot both put a player out and cost points",
    ),
    (
        lambda s: s.three_strikes_out and bool(s.farkle3_penalty),
        "three_strikes_out and farkle3_penalty: three farkles in a row cannot both put a player out and cost points",
    ),
    (
        lambda s: s.find_loser and s.charity,
        "find_loser and charity: pegs leave the board past its end, or must hit it exactly, not both",
    ),
    (
        lambda s: s.charity and s.tie == "extra_round",
        "charity and tie=extra_round: nobody can pass who has hit the target exactly, so a tie would never end",
    ),
)
"""Each contradiction: a test of the switches, and the reason that the error gives."""


def check_switches(switches: Switches, sheet: Switches) -> None:
    """Check that no switches exclude each other.

    With five dice the sheet's own combinations of six dice are allowed and never occur; setting one is refused.

    Raises:
        ContradictionError: if two switches exclude each other, with the reason.
    """
    for excluded, reason in CONTRADICTIONS:
        if excluded(switches):
            raise ContradictionError(f"expected switches that go together, got {reason}")
    asked = [name for name, value in changed(switches, sheet).items() if name in SIX_DICE and value]
    if switches.n_dice == 5 and asked:
        raise ContradictionError(
            f"expected switches that go together, got n_dice=5 and {asked[0]}, which needs six dice"
        )
