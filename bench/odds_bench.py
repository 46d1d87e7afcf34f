"""Measure the odds: listing, turns, a packaged table, answers, and the solution of short games.

`python bench/odds_bench.py`; with `--long` also the basic game to 121 holes.
"""

import argparse
import sys
import time
from collections.abc import Callable

from figures import milliseconds, spread

from farkle import find_rule_set
from farkle.game.commands import Roll
from farkle.game.machine import course_of
from farkle.odds.game.answers import GameOdds
from farkle.odds.game.asked import game_of, in_turn
from farkle.odds.game.duel import duel_of
from farkle.odds.game.files import packaged_table
from farkle.odds.game.solve import solve
from farkle.odds.turn.mean import best_turn

TIMES = 20
KEYS = ("farkle-cribbage", "farkle-cribbage-advanced", "classic")


def line(name: str, do: Callable[[], object]) -> None:
    """Print how long a call takes, in milliseconds by the clock."""
    do()
    sys.stdout.write(f"{name:58}{spread([milliseconds(do) for _ in range(TIMES)], 2)}\n")


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How fast the odds are.")
    parser.add_argument("--long", action="store_true", help="solve the basic game to 121 holes, too")
    arguments = parser.parse_args()
    for key in KEYS:
        rules = find_rule_set(key)
        line(f"{key}: listing and best turn, ms", lambda rules=rules: best_turn(rules))
    for key in KEYS[:2]:
        rules = find_rule_set(key)
        table = packaged_table(rules)
        assert table is not None
        line(f"{key}: load the table, ms", lambda rules=rules: packaged_table(rules))
        odds, state = GameOdds(table), game_of(rules, (30, 40))
        for name, asked in (
            ("before a turn", state),
            ("in a turn", in_turn(state, 8, 3)),
            ("after a roll", course_of(state, Roll((1, 1, 1, 2, 3, 4))).state),
        ):
            line(f"{key}: an answer {name}, ms", lambda asked=asked, odds=odds: odds.choices(asked))
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
