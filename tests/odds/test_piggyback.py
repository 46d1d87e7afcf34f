"""Piggyback between two sides: against a second solver, and against the game's own machine."""

import numpy as np
import plain_piggyback
import pytest

from farkle import find_rule_set
from farkle.odds.duel import duel_of
from farkle.odds.solve import solve

CLOSE = 1e-9
FIVE = {"n_dice": 5}
GAMES = {
    "hot dice are left over": (12, {"piggyback_hot": True}, {"hot": True}),
    "hot dice are not": (12, {}, {}),
    "opening": (14, {"opening_min": 6, "min_bank": 3}, {"opening": 6, "least": 3}),
    "one more turn": (12, {"endgame": "one_more_turn", "tie": "trigger"}, {"ending": "one_more_turn", "tie": 0.0}),
    "immediate": (12, {"endgame": "immediate", "piggyback_hot": True}, {"ending": "immediate", "hot": True}),
    "penalty": (6, {"farkle3_penalty": 3, "penalty_floor": "start"}, {"penalty": 3}),
    "each farkle costs": (
        8,
        {"farkle_penalty": 1, "penalty_floor": "start", "opening_min": 0},
        {"cost": 1},
    ),
}


@pytest.mark.parametrize("name", GAMES)
def test_every_offer_is_worth_what_the_second_solver_says(name: str) -> None:
    target, settings, switches = GAMES[name]
    rules = find_rule_set("farkle-cribbage").with_settings({"piggyback": True, "target": target, **FIVE, **settings})
    duel = duel_of(rules)
    table = solve(duel)
    assert duel.exact
    game = plain_piggyback.plain_game("farkle-cribbage", target, FIVE, **switches)
    fresh, offers = plain_piggyback.values(game)
    assert np.abs(table.values - fresh).max() < CLOSE
