"""In every rule set a player who only presses what glows, or does the next step, gets from the lobby to the end."""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from samples import sampled
from tables import Table

from companion.table.state.draft import GameDraft, Lobby
from companion.table.state.inputs import NewGame
from companion.table.view import View
from farkle.rules.catalogue import catalogue, find_rule_set

MOST_STEPS = 4000
KEYS = [rules.key for rules in catalogue()]
Choose = Callable[[View, random.Random], str]


def obvious(view: View, _: random.Random) -> str:
    """Return the button of the next step."""
    return "roll" if view.next == "throw" else view.next


def anything(view: View, chance: random.Random) -> str:
    """Return a button that glows, by chance."""
    return chance.choice(view.glows)


def bank_first(view: View, _: random.Random) -> str:
    """Return BANK whenever it glows."""
    return view.glows[-1]  # KEEP, ROLL, BANK


def roll_first(view: View, _: random.Random) -> str:
    """Return ROLL whenever it glows."""
    return "roll" if "roll" in view.glows else view.glows[0]


def plays(table: Table, chance: random.Random, choose: Choose = obvious, turns: int = 0) -> Table:
    """Press what `choose` says until the game is over, or so many turns have ended.

    Something always glows, and the next step is one of the presses, because no hand is in the tray.
    """
    ended, mover = 0, None
    for _ in range(MOST_STEPS):
        view = table.view
        ended, mover = ended + (mover not in (None, view.to_move)), view.to_move
        if view.phase == "over" or ended == turns > 0:
            return table
        assert view.glows, view.message.text
        assert obvious(view, chance) in view.glows
        pressed = choose(view, chance)
        if pressed == "roll" and view.question is None:
            faces = "".join(str(chance.randint(1, 6)) for _ in range(view.dice_to_throw))
            kept = "".join(map(str, (*view.locked, *(view.chosen.dice if view.chosen else ()))))
            table.throws(faces, shelf=kept if view.dice_to_throw < 6 else "")
        else:
            table.taps(pressed)
    raise AssertionError(f"not over after {MOST_STEPS} steps: {table.view.message.text}")


def from_the_lobby(rules: str) -> Table:
    table = Table()
    table.state = replace(table.state, lobby=Lobby(GameDraft(rules=find_rule_set(rules))))
    return table


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in (1, 2))])
@pytest.mark.parametrize("choose", sampled([obvious, anything, bank_first], anything))
@pytest.mark.parametrize("rules", sampled(KEYS, "classic"))
def test_what_glows_leads_to_the_end_of_a_game(rules: str, choose: Choose, seed: int) -> None:
    assert plays(from_the_lobby(rules), random.Random(seed), choose).view.rules == rules


@pytest.mark.parametrize("turns", [10, pytest.param(100, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("rules", sampled(KEYS, "farkle-cribbage"))
def test_something_glows_in_each_turn_of_rolls(rules: str, turns: int) -> None:
    plays(from_the_lobby(rules), random.Random(3), roll_first, turns=turns)


@pytest.mark.parametrize(
    ("rules", "settings"),
    [
        ("classic", {"piggyback": True, "vant_hof_6": True, "opening_min": 500, "target": 2000}),
        ("free-the-dice", {"nobody_loses": True, "charity": True, "target": 1000}),
        ("farkle-cribbage", {"one_peg_per_hole": "1", "find_loser": True, "target": 30}),
        ("farkle-cribbage-advanced", {"forced_hot": "any", "too_hot": True, "target": 30}),
        ("farkle-cribbage", {"rounds": 3, "farkle_penalty": 5, "six_ones_win": True}),
        ("free-the-dice", {"endgame": "defend", "target": 1000, "farkle_penalty": 50, "full_house_bonus": 250}),
        ("classic", {"last_turns": "one_throw", "opening_min": 500, "nobody_loses": True, "target": 1000}),
    ],
)
@pytest.mark.parametrize("choose", sampled([obvious, anything], anything))
def test_what_glows_leads_to_the_end_with_rules_that_ask_or_refuse(
    rules: str, settings: dict[str, object], choose: Choose
) -> None:
    table = Table()
    table.take(NewGame(rules, ("Ann", "Ben", "Cy"), settings=settings))
    assert plays(table, random.Random(7), choose).view.phase == "over"


def test_the_obvious_next_step_leads_to_the_end_for_one_player() -> None:
    table = Table().start("Ann", settings={"target": 40})
    assert plays(table, random.Random(1)).view.winners == ("Ann",)
