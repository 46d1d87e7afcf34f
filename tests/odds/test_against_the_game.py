"""Games played by the rules' own machine, each choice by the table, are won as often as the table says."""

from collections.abc import Callable
from functools import cache
from math import sqrt
from random import Random

import pytest

from farkle import Game, find_rule_set
from farkle.game.choices import open_choice
from farkle.game.state import GameState, Hot, Phase
from farkle.odds.answers import answer
from farkle.odds.duel import duel_of
from farkle.odds.moments import odds_of, question_of
from farkle.odds.questions import OddsQuestion
from farkle.odds.solve import solve
from farkle.odds.standings import Table
from farkle.odds.win_odds import WinOdds

GAMES = {
    "advanced": ("farkle-cribbage-advanced", {"target": 8, "farkle3_penalty": 3}),
    "undone swaps": ("farkle-cribbage-advanced", {"target": 6, "farkle3_penalty": 0, "bomb_swap": "undone_on_farkle"}),
    "one more turn": ("sir-albert", {"target": 400, "opening_min": 150}),
    "wins at once": ("farkle-cribbage", {"target": 7, "endgame": "immediate", "farkle_penalty": 1}),
    "pegs bump": ("farkle-cribbage", {"target": 9, "one_peg_per_hole": 5, "nobody_loses": True}),
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", GAMES)
def test_games_are_won_as_often_as_the_table_says(name: str) -> None:
    key, settings = GAMES[name]
    table = solve(duel_of(find_rule_set(key).with_settings(settings)))
    expected = table.chance(0, 0, 0)
    chance, count = Random(48), 500

    @cache
    def asked(question: OddsQuestion) -> WinOdds:
        return answer(table, question)

    won = sum(play(Game(key, ["Ann", "Ben"], settings=settings), asked, chance) for _ in range(count))
    assert abs(won / count - expected) < 4 * sqrt(expected * (1 - expected) / count)


TEAM_GAMES = {
    "trigger": ("farkle-cribbage", {"target": 6, "tie": "trigger"}),
    "in a row": ("farkle-cribbage", {"target": 6, "endgame": "one_more_turn"}),
    "extra round": ("farkle-cribbage", {"target": 5, "tie": "extra_round"}),
    "undone swaps": (
        "farkle-cribbage-advanced",
        {"target": 5, "farkle3_penalty": 2, "bomb_swap": "undone_on_farkle"},
    ),
    "opening": ("sir-albert", {"target": 400, "opening_min": 150, "streaks_per": "side"}),
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", TEAM_GAMES)
def test_games_of_teams_are_won_as_often_as_the_table_says(name: str) -> None:
    key, settings = TEAM_GAMES[name]
    table = solve(duel_of(find_rule_set(key).with_settings(settings), partners=2))
    expected = table.chance(0, 0, 0)
    chance, count = Random(48), 500
    teams = {"A": ["Ann", "Cy"], "B": ["Ben", "Di"]}
    asked = each_asked_once(table, 2)
    won = 0.0
    for _ in range(count):
        won += play_by_state(Game(key, ["Ann", "Ben", "Cy", "Di"], settings=settings, teams=teams), asked, chance)
    assert abs(won / count - expected) < 4 * sqrt(expected * (1 - expected) / count)


PIGGYBACK = {
    "opening": ("sir-albert", {"target": 600, "opening_min": 200, "min_bank": 100, "piggyback": True}, 500),
    "hot dice": ("farkle-cribbage", {"target": 9, "piggyback": True, "piggyback_hot": True, "n_dice": 5}, 2000),
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", PIGGYBACK)
def test_games_with_piggyback_are_won_as_often_as_the_table_says(name: str) -> None:
    key, settings, count = PIGGYBACK[name]
    table = solve(duel_of(find_rule_set(key).with_settings(settings)))
    expected = table.chance(0, 0, 0)
    chance, asked = Random(48), each_asked_once(table)
    won = sum(play_by_state(Game(key, ["Ann", "Ben"], settings=settings), asked, chance) for _ in range(count))
    assert abs(won / count - expected) < 4 * sqrt(expected * (1 - expected) / count)


def each_asked_once(table: Table, partners: int = 1) -> Callable[[GameState], WinOdds]:
    """Return what the table says of a state; a moment that comes again is not asked again."""
    known: dict[object, WinOdds] = {}

    def asked(state: GameState) -> WinOdds:
        question = question_of(state, 1 - state.side_to_move, partners), open_choice(state)
        if question not in known:
            known[question] = odds_of(table, state)
            assert known[question].exact
        return known[question]

    return asked


def play_by_state(game: Game, asked: Callable[[GameState], WinOdds], chance: Random) -> float:
    """Return the share of the win of the side that begins."""
    while not game.over:
        found = asked(game.state)
        swaps = "swap" in game.options and (found.choices or ())[0].worth >= max(found.bank or 0, found.throw or 0)
        if game.state.phase is Phase.CHOOSING:
            best = max(found.choices or (), key=lambda each: each.worth)
            game.keep(*best.dice, points=best.points if best.choice is None else None)
        elif swaps:
            game.choose("swap")
        elif found.best == "piggyback":
            game.choose("piggyback")
        elif game.can_bank and found.best == "bank":
            game.bank()
        else:
            game.roll(*sorted(chance.randint(1, 6) for _ in range(game.dice_left)))
    return ("Ann" in game.winners or "A" in game.winners) / len(game.winners) if game.winners else 0.0


def play(game: Game, asked: Callable[[OddsQuestion], WinOdds], chance: Random) -> float:
    """Return 1 if the side that begins wins, 0.5 for a tie, else 0."""
    while not game.over:
        state = game.state
        turn = state.turn
        before = moment(state)
        if state.phase is Phase.KEPT and (turn.points or turn.swaps):
            if before["mine"] >= state.rules.switches.target:  # a swap in the last turn has passed the other side
                game.bank()
                continue
            hot = turn.hot is Hot.SINGLE_THROW and state.rules.switches.forced_hot == "single_throw"
            question = OddsQuestion(**before, points=turn.points, dice=turn.dice_left, must_throw=hot)
            if asked(question).best == "bank":
                game.bank()
                continue
        roll = tuple(sorted(chance.randint(1, 6) for _ in range(turn.dice_left)))
        under_way = {} if state.phase is Phase.TO_THROW else {"points": turn.points}
        game.roll(*roll)
        if game.state.phase is not Phase.CHOOSING:
            continue
        found = asked(OddsQuestion(**before, **under_way, roll=roll)).choices
        best = max(found, key=lambda each: each.worth)
        game.keep(*best.dice)
        if best.choice == "swap":
            game.choose("swap")
    return 0.5 if len(game.winners) > 1 else float(game.winners == ("Ann",))


def moment(state: GameState) -> dict[str, object]:
    """Return what the question about a state says between two throws."""
    own = state.side_to_move
    mine, theirs = state.sides[own].score, state.sides[1 - own].score
    farkles = [min(2, state.seats[each].farkles) for each in (own, 1 - own)]
    return {
        "mine": mine,
        "theirs": theirs,
        "second": own == 1,
        "my_farkles": farkles[0],
        "their_farkles": farkles[1],
        "swapped": bool(state.turn.swaps),
        "off_board": tuple(not state.seats[each].on_board for each in (own, 1 - own))
        if state.rules.switches.opening_min
        else None,
    }
