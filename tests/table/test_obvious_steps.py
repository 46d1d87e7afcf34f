"""In every rule set a player who only does the obvious next step gets from the lobby to the end of a game."""

import random
from dataclasses import replace

import pytest
from samples import sampled
from tables import Table

from companion.table.state.draft import draft_of_preset
from companion.table.state.inputs import NewGame
from farkle.rules.catalogue import catalogue

MOST_STEPS = 4000
KEYS = [rules.key for rules in catalogue()]


def plays(table: Table, chance: random.Random) -> Table:
    """Do the obvious next step until the game is over. The step is never a wait, because no hand is in the tray."""
    for _ in range(MOST_STEPS):
        view = table.view
        if view.phase == "over":
            return table
        if view.next == "throw":
            faces = "".join(str(chance.randint(1, 6)) for _ in range(view.dice_to_throw))
            kept = "".join(map(str, (*view.locked, *(view.chosen.dice if view.chosen else ()))))
            table.throws(faces, shelf=kept if view.dice_to_throw < 6 else "")
        else:
            table.taps(view.next)
    raise AssertionError(f"not over after {MOST_STEPS} steps: {table.view.message.text}")


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in (1, 2))])
@pytest.mark.parametrize("rules", sampled(KEYS, "farkle-cribbage", "classic", "free-the-dice", "zilch-online"))
def test_the_obvious_next_step_leads_to_the_end_of_a_game(rules: str, seed: int) -> None:
    table = Table()
    table.state = replace(table.state, lobby=draft_of_preset(NewGame(rules, ())))
    assert plays(table, random.Random(seed)).view.rules == rules


@pytest.mark.parametrize(
    ("rules", "settings"),
    [
        ("classic", {"piggyback": True, "vant_hof_6": True, "opening_min": 500, "target": 3000}),
        ("free-the-dice", {"nobody_loses": True, "charity": True, "target": 2000}),
        ("farkle-cribbage", {"one_peg_per_hole": "1", "find_loser": True, "target": 40}),
        ("farkle-cribbage-advanced", {"forced_hot": "any", "too_hot": True, "target": 60}),
        ("farkle-cribbage", {"rounds": 3, "farkle_penalty": 5, "six_ones_win": True}),
        ("free-the-dice", {"endgame": "defend", "target": 2000, "farkle_penalty": 50, "full_house_bonus": 250}),
        ("classic", {"last_turns": "one_throw", "opening_min": 500, "nobody_loses": True, "target": 2000}),
    ],
)
def test_the_obvious_next_step_leads_to_the_end_with_rules_that_ask_or_refuse(
    rules: str, settings: dict[str, object]
) -> None:
    table = Table()
    table.take(NewGame(rules, ("Ann", "Ben", "Cy"), settings=settings))
    assert plays(table, random.Random(7)).view.phase == "over"


def test_the_obvious_next_step_leads_to_the_end_for_one_player() -> None:
    table = Table()
    table.take(NewGame("farkle-cribbage", ("Ann",)))
    assert plays(table, random.Random(1)).view.winners == ("Ann",)
