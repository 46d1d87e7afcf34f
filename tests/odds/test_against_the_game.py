"""Games played by the rules' own machine, each choice by the table, are won as often as the table says."""

from collections.abc import Callable
from math import sqrt
from random import Random

import pytest

from farkle import Game, find_rule_set
from farkle.game.state import GameState, Phase
from farkle.odds.game.answers import GameOdds, WinOdds
from farkle.odds.game.duel import duel_of
from farkle.odds.game.solve import solve

GAMES = {
    "advanced": ("farkle-cribbage-advanced", {"target": 8, "farkle3_penalty": 3}, 500),
    "undone swaps": (
        "farkle-cribbage-advanced",
        {"target": 6, "farkle3_penalty": 0, "bomb_swap": "undone_on_farkle"},
        500,
    ),
    "one more turn": ("sir-albert", {"target": 400, "opening_min": 150}, 500),
    "wins at once": ("farkle-cribbage", {"target": 7, "endgame": "immediate", "farkle_penalty": 1}, 500),
    "pegs bump": ("farkle-cribbage", {"target": 9, "one_peg_per_hole": 5, "nobody_loses": True}, 500),
    "piggyback": ("sir-albert", {"target": 600, "opening_min": 200, "min_bank": 100, "piggyback": True}, 500),
    "hot dice": ("farkle-cribbage", {"target": 9, "piggyback": True, "piggyback_hot": True, "n_dice": 5}, 2000),
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", GAMES)
def test_games_are_won_as_often_as_the_table_says(name: str) -> None:
    key, settings, count = GAMES[name]
    odds = GameOdds(solve(duel_of(find_rule_set(key).with_settings(settings))), 2)
    expected = odds.choices(Game(key, ["Ann", "Ben"], settings=settings).state).win
    chance, asked = Random(48), each_asked_once(odds)
    won = sum(play(Game(key, ["Ann", "Ben"], settings=settings), asked, chance) for _ in range(count))
    assert abs(won / count - expected) < 4 * sqrt(expected * (1 - expected) / count)


def each_asked_once(odds: GameOdds) -> Callable[[GameState], WinOdds]:
    """Return what the odds say of a state; one that differs in the number of the round alone is not asked again."""
    known: dict[object, WinOdds] = {}

    def asked(state: GameState) -> WinOdds:
        place = state.to_move, state.sides, state.seats, state.phase, state.turn, state.left_over, state.closer
        if place not in known:
            known[place] = odds.choices(state)
            assert known[place].exact
        return known[place]

    return asked


def play(game: Game, asked: Callable[[GameState], WinOdds], chance: Random) -> float:
    """Return Ann's share of the win."""
    while not game.over:
        found = asked(game.state)
        if game.state.phase is Phase.CHOOSING:
            best = max(found.choices or (), key=lambda each: each.worth)
            game.keep(*best.dice, points=best.points if best.choice is None else None)
        elif "swap" in game.options and (found.choices or ())[0].worth >= max(found.bank or 0, found.throw or 0):
            game.choose("swap")
        elif found.best == "piggyback":
            game.choose("piggyback")
        elif game.can_bank and found.best == "bank":
            game.bank()
        else:
            game.roll(*sorted(chance.randint(1, 6) for _ in range(game.dice_left)))
    return ("Ann" in game.winners) / len(game.winners)
