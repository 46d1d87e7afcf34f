"""Simulated games: against the exact odds, and against the rules' own machine."""

import json
import subprocess
import sys
from math import sqrt
from random import Random

import numpy as np
import pytest
from asked import Answered, Run

from farkle import Game, find_rule_set
from farkle.game.state import Phase
from farkle.odds.best_player import BestPlayer
from farkle.odds.duel import OddsError, duel_of
from farkle.odds.mean_turn import best_turn
from farkle.odds.players import PolicyPlayer
from farkle.odds.policy import distribution, policy_of
from farkle.odds.simulation import GameTable, SeatTally, play_games
from farkle.odds.solve import solve
from farkle.odds.strategies import strategy_named

ADVANCED = "farkle-cribbage-advanced"
EXACT = {
    "basic": ("farkle-cribbage", {"target": 9}),
    "penalty and swap": (ADVANCED, {"target": 5, "farkle3_penalty": 3}),
    "swaps undone": (ADVANCED, {"target": 6, "farkle3_penalty": 0, "bomb_swap": "undone_on_farkle"}),
    "another round": ("farkle-cribbage", {"target": 4, "tie": "extra_round"}),
    "who ends it wins ties": ("farkle-cribbage", {"target": 6, "tie": "trigger"}),
    "immediate": ("farkle-cribbage", {"target": 7, "endgame": "immediate", "farkle_penalty": 1}),
    "one more turn": ("sir-albert", {"target": 400, "opening_min": 150}),
    "first throws pay": ("farkle-cribbage", {"target": 9, "nobody_loses": True, "five_dice_rollover": True}),
    "any throw pays": ("farkle-cribbage", {"target": 9, "nobody_loses": True, "nobody_loses_scope": "any_six"}),
    "pegs bump": ("farkle-cribbage", {"target": 9, "one_peg_per_hole": 5}),
    "forced hot dice": ("farkle-cribbage", {"target": 20, "forced_hot": "any"}),
    "three strikes": ("classic", {"target": 800, "three_strikes_out": True, "opening_min": 0}),
}
SHORT = ("another round", "three sides")


def all_or_short(names: object) -> list[object]:
    return [name if name in SHORT else pytest.param(name, marks=pytest.mark.exhaustive) for name in names]


@pytest.mark.parametrize("name", all_or_short(EXACT))
def test_two_who_play_best_win_as_often_as_the_table_says(name: str) -> None:
    key, settings = EXACT[name]
    rules = find_rule_set(key).with_settings(settings)
    table = solve(duel_of(rules))
    player, count = BestPlayer(table), 20_000
    found = GameTable(rules, 2).play([player, player], count, np.random.default_rng(48)).shares[0]
    error = found.std() / sqrt(count)
    assert abs(found.mean() - table.chance(0, 0, 0)) < 4 * error


def test_the_best_player_plays_on_when_its_memory_is_full() -> None:
    table = solve(duel_of(find_rule_set("farkle-cribbage").with_settings({"target": 4})))
    game = GameTable(table.duel.rules, 2)
    won = []
    for most_bytes in (2**20, 20_000):
        player = BestPlayer(table, most_bytes)
        won.append(game.play([player, player], 500, np.random.default_rng(48)).shares[0])
    assert np.array_equal(*won)


MACHINE = {
    **EXACT,
    "rounds": ("classic", {"rounds": 3, "tie": "shared"}),
    "three sides": (ADVANCED, {"target": 20, "endgame": "one_more_turn"}),
    "three sides, another round": ("farkle-cribbage", {"target": 4, "endgame": "one_more_turn", "tie": "extra_round"}),
    "three sides bump": ("farkle-cribbage", {"target": 20, "one_peg_per_hole": 5, "farkle_penalty": 2}),
    "three sides strike out": ("classic", {"target": 1500, "three_strikes_out": True}),
}


@pytest.mark.parametrize("name", all_or_short(MACHINE))
def test_simulated_games_are_won_as_often_as_those_of_the_rules_own_machine(name: str) -> None:
    key, settings = MACHINE[name]
    rules = find_rule_set(key).with_settings(settings)
    unit, sides, count = rules.table.score((1,)).points, 3 if "three sides" in name else 2, 300
    limits = [unit * each for each in (3, 8, 5)][:sides]
    best = best_turn(rules)
    players = [PolicyPlayer(policy_of(strategy_named(f"bank-at {limit}"), best)) for limit in limits]
    simulated = GameTable(rules, sides).play(players, 20_000, np.random.default_rng(48)).shares.mean(axis=1)
    chance = Random(48)
    played = np.array(
        [play(Game(key, ["Ann", "Ben", "Cy"][:sides], settings=settings), limits, chance) for _ in range(count)]
    )
    error = np.sqrt(played.var(axis=0).clip(0.01) * (1 / count + 1 / 20_000))
    assert (np.abs(played.mean(axis=0) - simulated) < 4 * error).all()


def play(game: Game, limits: list[int], chance: Random) -> list[float]:
    """Play a game of those who keep the most points and bank with a number of them; return the shares of the win."""
    while not game.over:
        state = game.state
        if state.phase is Phase.CHOOSING:
            game.keep(*max(game.selections, key=lambda each: (each.points, -len(each.dice))).dice)
        elif "swap" in game.options and _gain(game) > (state.turn.bomb or 0):
            leader = max(game.scores, key=lambda name: (game.scores[name], name == state.players[0]))
            game.choose("swap", min(name for name in game.scores if game.scores[name] == game.scores[leader]))
        elif game.can_bank and (game.turn_points >= limits[state.side_to_move] or _risky(game)):
            game.bank()
        else:
            game.roll(*(chance.randint(1, 6) for _ in range(game.dice_left)))
    return [(side in game.state.winners) / len(game.winners) for side in range(len(limits))]


def _gain(game: Game) -> int:
    own = game.state.side_to_move
    scores = [side.score for side in game.state.sides]
    return max(scores[:own] + scores[own + 1 :]) - scores[own]


def _risky(game: Game) -> bool:
    return bool(game.state.turn.swaps) and game.rules.switches.bomb_swap == "undone_on_farkle"


@pytest.mark.parametrize(
    ("key", "settings", "name"),
    [
        (ADVANCED, {}, "best-turn"),
        ("classic", {"too_hot": True}, "bank-at 500"),
        ("zilch-online", {"nobody_loses": True}, "three-dice-rule"),
    ],
)
def test_turns_bring_what_their_distribution_says(key: str, settings: dict[str, object], name: str) -> None:
    rules = find_rule_set(key).with_settings({**settings, "opening_min": 0})
    policy = policy_of(strategy_named(name), best_turn(rules))
    exact = distribution(policy)
    spread = sqrt(sum(chance * (points - exact.mean) ** 2 for points, chance in exact.chances))
    tallies = play_games(GameTable(rules, 2), [PolicyPlayer(policy)] * 2, 2000, 3)
    turns = sum(each.turns for each in tallies)
    mean = sum(each.points for each in tallies) / turns
    assert abs(mean - exact.mean) < 4 * spread / sqrt(turns)


def test_each_player_begins_as_many_games_and_one_seed_gives_the_same_games() -> None:
    rules = find_rule_set("farkle-cribbage").with_settings({"target": 21})
    best = best_turn(rules)
    players = [PolicyPlayer(policy_of(strategy_named(each), best)) for each in ("bank-at 4", "best-turn", "bank-at 9")]
    shares: list[float] = []
    first, same, other = (play_games(GameTable(rules, 3), players, 301, seed, shares.append) for seed in (5, 5, 6))
    assert first == same != other
    assert [each.games for each in first] == [301] * 3
    assert sum(each.wins for each in first) == pytest.approx(301)
    assert shares[:3] == [101 / 301, 201 / 301, 1]


def test_an_interval_is_that_of_wilson() -> None:
    assert SeatTally(10, 5.0).interval() == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert SeatTally(10, 0.0).interval() == pytest.approx((0, 0.2775), abs=1e-4)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"piggyback": True}, "piggyback=True"),
        ({"endgame": "defend"}, "endgame=defend"),
        ({"endgame": "one_more_turn", "last_turns": "one_throw"}, "last_turns=one_throw"),
    ],
)
def test_rules_that_strategies_cannot_play_are_refused(settings: dict[str, object], words: str) -> None:
    with pytest.raises(OddsError, match=f"expected rules that strategies can play, got {words}"):
        GameTable(find_rule_set("classic").with_settings(settings), 2)


def simulate(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "companion", "simulate", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_the_command_prints_what_the_contract_says() -> None:
    done = simulate("farkle-cribbage", "bank-at 20", "best-win", "--set", "target=2", "--games", "500", "--json")
    assert done.returncode == 0, done.stderr
    assert "playing" in done.stderr
    said = json.loads(done.stdout)
    assert list(said) == ["games", "strategies", "turns_per_s"]
    assert [each["name"] for each in said["strategies"]] == ["bank-at 20", "best-win"]
    for each in said["strategies"]:
        assert list(each) == ["name", "wins", "low", "high", "mean_turn"]
        assert each["low"] < each["wins"] < each["high"]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["best-turn"], "expected 2 to 12 strategies, got 1"),
        (["best-turn", "best-turn", "--games", "1"], "expected --games from 2 to 100000000, got 1"),
        (["best-turn", "best-turn", "--seed", "-1"], "expected --seed of 0 or more, got -1"),
        (
            ["best-win", "best-win", "--set", "rounds=2"],
            "expected a game to a number of points for best-win, got one of rounds",
        ),
    ],
)
def test_a_mistake_gets_one_line(run: Run, words: list[str], error: str) -> None:
    assert run("simulate", "farkle-cribbage", *words) == Answered(2, "", f"farklecrib: error: {error}\n")
