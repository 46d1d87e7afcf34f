"""The switches as a form shows them: their groups, the switches that they need, their labels and values in words."""

from collections.abc import Mapping
from dataclasses import fields

from companion.words import Message, message
from farkle.rules.combinations import Chart
from farkle.rules.switches import SWITCHES, OneOf, Switches, Value

_FIRST = {
    "target": "start_end",
    "opening_min": "banking",
    "farkle_penalty": "farkles",
    "five_dice_rollover": "extras",
    "of_a_kind": "scoring",
}
"""The groups of switches by the first switch of each, in the order of `Switches`."""


def _groups() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for switch in fields(Switches):
        if switch.name in _FIRST:
            names = found[_FIRST[switch.name]] = []
        names.append(switch.name)
    return found


GROUPS = _groups()
"""The switches of each group in the order of a form; the keys are those of [group] in the catalogue of words."""

NEEDS: Mapping[str, tuple[str, ...]] = {
    "penalty_floor": ("farkle_penalty", "farkle3_penalty", "three_strikes_ouch"),
    "farkle_streak_reset": ("farkle3_penalty", "three_strikes_ouch"),
    "nobody_loses_scope": ("nobody_loses",),
    "five_dice_rollover_points": ("five_dice_rollover",),
    "bomb_swap": ("bonus_scores",),
    "vant_hof_scope": ("vant_hof_6",),
    "piggyback_hot": ("piggyback",),
    "twos_kind_value": ("of_a_kind", "four_kind", "five_kind", "six_kind", "bonus_scores"),
    "pairs_may_repeat": ("three_pairs", "bonus_scores"),
    "lower_values": ("straight", "three_pairs", "bonus_scores"),
    "no_straight": ("straight", "low_straight", "high_straight", "bonus_scores"),
}
"""Switches that have no effect unless one of these others is on."""

UNLESS: Mapping[str, tuple[str, ...]] = dict.fromkeys(("target", "endgame", "last_turns"), ("rounds",))
"""Switches that have no effect while one of these others is on."""

_AMOUNTS: Mapping[str, Mapping[str, int]] = {
    "vant_hof_6": {"points": 3000},
    "of_a_kind_flat": {"four": 1000, "five": 2000, "six": 3000},
    "bonus_scores": {"four": 500, "five": 750, "six": 1000, "pairs": 500, "straight": 1250},
    "lower_values": {"pairs": 750, "straight": 1500},
    "pocket_farkle": {"points": 300},
    "overpowered_ones": {"points": 5000},
}
"""The amounts in the words of a switch or of a value, in points."""


_NOTHING: Mapping[str, str] = {
    "points_a_hole": "switch_value.automatic",
    **dict.fromkeys(
        ("straight", "low_straight", "high_straight", "three_pairs", "two_triplets", "four_and_pair", "full_house"),
        "switch_value.no_row",
    ),
}
"""The words for 0 where it does not mean off: other switches may give a row its points."""


def amounts(name: str, chart: Chart) -> dict[str, int]:
    """Return the amounts in the words of a switch, or of a value such as `of_a_kind_flat`, in the chart's unit."""
    return {field: chart.convert_points(points) for field, points in _AMOUNTS.get(name, {}).items()}


def label(name: str, chart: Chart) -> Message:
    """Return a switch's label, with its amounts in the chart's unit."""
    return message(f"switch.{name}", **amounts(name, chart))


def value_words(name: str, value: Value, chart: Chart) -> Message:
    """Return the words for a value of a switch, with its amounts in the chart's unit."""
    if isinstance(SWITCHES[name], OneOf):
        return message(f"switch_value.{name}_{value}", **amounts(f"{name}_{value}", chart))
    if not value:
        return message(_NOTHING.get(name, "switch_value.off"))
    if value is True:
        return message("switch_value.on")
    return message("switch_value.points", points=value)
