"""Contradictions: switches that exclude each other, in one table, each with the reason a player is told."""

from collections.abc import Callable

from farkle.errors import ContradictionError
from farkle.rules.switches import Switches, changed

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
"""The switches about six dice: with five dice they can never happen."""

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
"""Each as a test of the switches and the reason."""


def check_switches(switches: Switches, sheet: Switches) -> None:
    """Raise `ContradictionError` with the reason where switches exclude each other.

    Rows of the sheet's own that need six dice simply cannot happen with five; to ask for one of them is refused.
    """
    for excluded, reason in CONTRADICTIONS:
        if excluded(switches):
            raise ContradictionError(f"expected switches that go together, got {reason}")
    if switches.n_dice == 5:
        asked = [name for name, value in changed(switches, sheet).items() if name in SIX_DICE and value]
        if asked:
            raise ContradictionError(
                f"expected switches that go together, got n_dice=5 and {asked[0]}, which needs six dice"
            )
