"""Measure the odds: listing, turns, a packaged table, answers, and the solution of short games.

`python bench/odds_bench.py`; with `--long` also the basic game to 121 holes. With `--several` the estimates
of several sides are measured instead, in simulated games.
"""

import argparse
import sys
import time
from collections.abc import Callable

import numpy as np
from figures import milliseconds, spread

from farkle import find_rule_set
from farkle.odds.answers import answer
from farkle.odds.best_player import BestPlayer
from farkle.odds.duel import duel_of
from farkle.odds.mean_turn import best_turn, long_run_solver
from farkle.odds.players import PolicyPlayer, SimulatedPlayer
from farkle.odds.policy import distribution, policy_of
from farkle.odds.questions import OddsQuestion
from farkle.odds.several import SeveralOdds
from farkle.odds.simulation import GameTable, play_games
from farkle.odds.solve import solve
from farkle.odds.strategies import strategy_named
from farkle.odds.tables import packaged_table

TIMES = 20
KEYS = ("farkle-cribbage", "farkle-cribbage-advanced", "classic")


def line(name: str, do: Callable[[], object]) -> None:
    """Print how long a call takes, in milliseconds by the clock."""
    do()
    sys.stdout.write(f"{name:58}{spread([milliseconds(do) for _ in range(TIMES)], 2)}\n")


def simulated() -> None:
    """Print how many turns a second of a processor are simulated, by rule set and strategy."""
    for key, names in (
        ("farkle-cribbage", ("bank-at 8", "best-turn")),
        ("farkle-cribbage-advanced", ("bank-at 8", "best-turn")),
        ("classic", ("bank-at 400", "best-turn")),
        ("farkle-cribbage", ("best-win", "best-win")),
    ):
        rules = find_rule_set(key)
        best, table = best_turn(rules), packaged_table(rules)
        players: list[SimulatedPlayer] = []
        for name in names:
            if name == "best-win" and table is not None:
                players.append(BestPlayer(table))
            else:
                players.append(PolicyPlayer(policy_of(strategy_named(name), best)))
        speeds, chance = [], np.random.default_rng(48)
        for _ in range(3):
            used = time.process_time()
            batch = GameTable(rules, 2).play(players, 50_000, chance)
            speeds.append(batch.turns.sum() / 1e6 / (time.process_time() - used))
        first, *others = speeds
        text = f"{first:.2f} at first, then {', '.join(f'{each:.2f}' for each in others)}"
        sys.stdout.write(f"{f'{key}: {names[0]} and {names[1]}, million turns/s':58}{text}\n")


def several() -> int:
    """Print how far the estimates of several sides are off, and what another strategy gains among three."""
    rules = find_rule_set("farkle-cribbage").with_settings({"target": 61})
    table = packaged_table(rules)
    assert table is not None
    best, chance, count = BestPlayer(table), np.random.default_rng(11), 6000
    for sides in (3, 4, 6, 12):
        game = GameTable(rules, sides)
        for number in range(8 if sides == 3 else 4):
            scores = [int(each) for each in chance.integers(0, 58, sides)] if number else [0] * sides
            won = game.play([best] * sides, count, chance, scores).shares[0].mean()
            questions = [OddsQuestion(scores[0], each) for each in scores[1:]]
            said = SeveralOdds(table, questions).answer().win
            error = 2 * (won * (1 - won) / count) ** 0.5
            sys.stdout.write(f"{sides} sides, {scores}: {said:.4f} estimated, {won:.4f} ± {error:.4f} won\n")
    turn = best_turn(rules)
    for name in ("best-turn", "three-dice-rule", "bank-at 6", "bank-at 8", "bank-at 12"):
        player = PolicyPlayer(policy_of(strategy_named(name), turn))
        tally = play_games(GameTable(rules, 3), [player, best, best], 30_000, 48)[0]
        low, high = tally.interval()
        gain = f"between {low - 1 / 3:+.4f} and {high - 1 / 3:+.4f}"
        sys.stdout.write(f"{name} against two of best-win: it wins {gain} more than a third\n")
    return 0


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How fast the odds are.")
    parser.add_argument("--long", action="store_true", help="solve the basic game to 121 holes, too")
    parser.add_argument("--several", action="store_true", help="measure the estimates of several sides instead")
    arguments = parser.parse_args()
    if arguments.several:
        return several()
    for key in KEYS:
        rules = find_rule_set(key)
        solver = long_run_solver(rules)
        best = best_turn(rules, solver)
        line(f"{key}: listing and best turn, ms", lambda rules=rules: best_turn(rules))
        line(f"{key}: best turn, listed, ms", lambda rules=rules, solver=solver: best_turn(rules, solver))
        policy = policy_of(strategy_named("best-turn"), best)
        line(f"{key}: turns of best-turn, ms", lambda policy=policy: distribution(policy))
    for key in KEYS[:2]:
        rules = find_rule_set(key)
        table = packaged_table(rules)
        assert table is not None
        line(f"{key}: load the table, ms", lambda rules=rules: packaged_table(rules))
        for name, question in (
            ("before a turn", OddsQuestion(30, 40)),
            ("in a turn", OddsQuestion(30, 40, points=8, dice=3)),
            ("after a roll", OddsQuestion(30, 40, roll=(1, 1, 1, 2, 3, 4))),
        ):
            line(f"{key}: an answer {name}, ms", lambda question=question, table=table: answer(table, question))
    simulated()
    games = [("farkle-cribbage", 31), *([("farkle-cribbage", 121)] if arguments.long else [])]
    for key, target in games:
        duel = duel_of(find_rule_set(key).with_settings({"target": target}))
        began, used = time.perf_counter(), time.process_time()
        solve(duel)
        seconds = f"{time.perf_counter() - began:.1f} s by the clock, {time.process_time() - used:.1f} s of a processor"
        sys.stdout.write(f"{f'{key} to {target} holes: solved':58}{seconds}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
