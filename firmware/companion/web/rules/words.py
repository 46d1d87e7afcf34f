"""Every switch in plain words: its group, its short name on a form, its values, and the switches it belongs to."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

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


_START, _BANK, _FARKLE, _EXTRA, _SCORE = Group
_KINDS = ("of_a_kind", "four_kind", "five_kind", "six_kind", "bonus_scores")

WORDS: Mapping[str, Words] = {
    "target": Words(_START, "Points to win"),
    "start_roll_dice": Words(_START, "Who starts is thrown with", {1: "one die each", 2: "two dice each"}),
    "endgame": Words(
        _START,
        "When someone gets there",
        {
            "finish_round": "the round is finished",
            "one_more_turn": "each of the others has one more turn",
            "immediate": "the game is over at once",
        },
    ),
    "tie": Words(
        _START,
        "A tie at the end",
        {
            "shared": "is a shared win",
            "trigger": "goes to who got there first",
            "extra_round": "is played off in another round",
        },
    ),
    "charity": Words(_START, "Charity: the points must be hit exactly"),
    "find_loser": Words(_START, "Find a Loser: play until one peg is left"),
    "points_a_hole": Words(_START, "Points for one hole"),
    "opening_min": Words(_BANK, "Points in one turn to get on the board"),
    "min_bank": Words(_BANK, "Points at least in every turn"),
    "n_dice": Words(_BANK, "Dice", {6: "six", 5: "five"}),
    "forced_hot": Words(
        _BANK,
        "When all the dice have scored",
        {
            "none": "they may be thrown again",
            "single_throw": "they must be, if it was in one throw",
            "any": "they must be thrown again",
        },
    ),
    "too_hot": Words(_BANK, "Too Hot To Handle: hot dice must be thrown again"),
    "farkle3_penalty": Words(_FARKLE, "Three farkles in a row cost"),
    "three_strikes_ouch": Words(_FARKLE, "Three Strikes and Ouch: they cost"),
    "three_strikes_out": Words(_FARKLE, "Three Strikes and Out: they end the game for a player"),
    "penalty_floor": Words(
        _FARKLE,
        "A penalty",
        {"none": "may leave a score below 0", "start": "stops at the start"},
        ("farkle3_penalty", "three_strikes_ouch"),
    ),
    "farkle_streak_reset": Words(
        _FARKLE,
        "After a penalty",
        {"after_penalty": "counting begins anew", "never": "every further farkle costs again"},
        ("farkle3_penalty", "three_strikes_ouch"),
    ),
    "streaks_per": Words(
        _FARKLE,
        "In teams, farkles and openings count for",
        {"side": "the whole team", "player": "each player"},
    ),
    "nobody_loses": Words(_FARKLE, "Nobody Loses: a first throw of nothing pays"),
    "nobody_loses_scope": Words(
        _FARKLE,
        "It pays for",
        {"first_throw": "the first throw of a turn", "any_six": "any throw of all the dice"},
        ("nobody_loses",),
    ),
    "troublesome_twos": Words(_FARKLE, "Troublesome Twos: four 2s in a throw are a farkle"),
    "five_dice_rollover": Words(_EXTRA, "5 dice roll over: the last die also succeeds on 2 or 3"),
    "five_dice_rollover_points": Words(_EXTRA, "What that 3 is worth", needs=("five_dice_rollover",)),
    "bomb_swap": Words(
        _EXTRA,
        "The Bomb: pegs swapped with the leader",
        {"permanent": "stay swapped", "undone_on_farkle": "are swapped back by a farkle", "off": "are not in the game"},
        ("bonus_scores",),
    ),
    "vant_hof_6": Words(_EXTRA, "Van't Hof 6: six 1s over several throws are worth [3000]"),
    "vant_hof_scope": Words(
        _EXTRA,
        "The six 1s are those of",
        {"dice_set": "one set of dice", "turn": "the whole turn"},
        ("vant_hof_6",),
    ),
    "piggyback": Words(_EXTRA, "Piggyback: take over the dice and points left before you"),
    "piggyback_hot": Words(_EXTRA, "Piggyback also after hot dice", needs=("piggyback",)),
    "one_peg_per_hole": Words(
        _EXTRA,
        "A peg that lands on another",
        {"off": "stands beside it", 1: "puts it one hole back", 5: "puts it five holes back"},
    ),
    "of_a_kind": Words(
        _SCORE,
        "Four, five, six of a kind",
        {"none": "no row of their own", "flat": "[1000], [2000], [3000]", "double": "each more doubles the three"},
    ),
    "four_kind": Words(_SCORE, "Four of a kind are twice the three"),
    "five_kind": Words(_SCORE, "Five of a kind are three times the three"),
    "six_kind": Words(_SCORE, "Six of a kind are four times the three"),
    "bonus_scores": Words(
        _SCORE,
        "Bonus scores: four, five, six of a kind are [10p], [15p], [20p] more; three pairs [10p], straight [25p]",
    ),
    "twos_kind_value": Words(
        _SCORE,
        "Four 2s and more build on",
        {6: "6, three times a 2", 4: "4, as the chart goes on", "none": "nothing"},
        _KINDS,
    ),
    "straight": Words(_SCORE, "Straight, 1 to 6"),
    "low_straight": Words(_SCORE, "Low straight, 1 to 5"),
    "high_straight": Words(_SCORE, "High straight, 2 to 6"),
    "three_pairs": Words(_SCORE, "Three pairs"),
    "pairs_may_repeat": Words(
        _SCORE, "Four and two equal dice are three pairs too", needs=("three_pairs", "bonus_scores")
    ),
    "two_triplets": Words(_SCORE, "Two triplets"),
    "four_and_pair": Words(_SCORE, "Four of a kind and a pair"),
    "full_house": Words(_SCORE, "Full house: three of a kind and a pair"),
    "lower_values": Words(
        _SCORE, "Lower Values: three pairs [750], straight [1500]", needs=("straight", "three_pairs", "bonus_scores")
    ),
    "no_straight": Words(_SCORE, "No Straight", needs=("straight", "low_straight", "high_straight", "bonus_scores")),
    "pocket_farkle": Words(_SCORE, "Pocket Farkle: three 1s are [300]"),
    "overpowered_ones": Words(_SCORE, "Overpowered Ones: six 1s are [5000]"),
}
"""The words of every switch, by name."""


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
