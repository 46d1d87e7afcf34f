"""How quick the rules are: `python bench/rules_bench.py [--games N]`, one core, ratios in one run.

Prints the time to build each rule set's whole table (923 sorted rolls), the time of all rolls of six dice through
`farklecrib score RULES -` with its start-up, whole games of two a second through the game's machine, and the ratio to
the plain scorer that the tests keep.
"""

import argparse
import random
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations_with_replacement, product
from pathlib import Path

from figures import spread

from farkle.game.commands import Bank, Keep, Roll
from farkle.game.evolve import Course, fold
from farkle.game.machine import carry_out
from farkle.game.seating import start
from farkle.game.state import Phase
from farkle.rules.catalogue import catalogue, find_rule_set
from farkle.rules.selections import legal_selections

SORTED = [roll for size in range(1, 7) for roll in combinations_with_replacement(range(1, 7), size)]
BANK_FROM = 8


def timed(work: Callable[[], object]) -> float:
    """Seconds that the work takes on this thread's core."""
    before = time.process_time()
    work()
    return time.process_time() - before


def build(key: str) -> float:
    """Milliseconds of all selections of all sorted rolls, from a table that knows none."""
    rules = replace(find_rule_set(key))
    return 1000 * timed(lambda: [legal_selections(rules, roll) for roll in SORTED])


def whole_game(seed: int) -> int:
    """Play one game of two to its end by a simple rule; how many commands it took."""
    chance = random.Random(seed)
    rules = find_rule_set("farkle-cribbage")
    course = Course(fold(start(rules, ("Ann", "Ben"))))
    commands = 0
    while not (state := course.state).over:
        if state.phase is Phase.CHOOSING:
            command: Roll | Keep | Bank = Keep(legal_selections(rules, state.turn.roll)[0].dice)
        elif state.phase is Phase.KEPT and state.turn.points >= BANK_FROM:
            command = Bank()
        else:
            command = Roll(tuple(chance.randint(1, 6) for _ in range(state.turn.dice_left)))
        carry_out(course, command)
        commands += 1
    return commands


def score_all(key: str) -> float:
    """Seconds of `farklecrib score KEY - --json` for all 46,656 rolls of six dice, with start-up."""
    rolls = "\n".join("".join(map(str, roll)) for roll in product(range(1, 7), repeat=6)) + "\n"
    before = time.perf_counter()
    made = subprocess.run(
        [sys.executable, "-m", "companion", "score", key, "-", "--json"], input=rolls, capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
    assert made.stdout.count("\n") == 6**6
    return time.perf_counter() - before


def to_plain() -> str:
    """How many times as long the tests' plain scorer takes as our table, for basic Farkle Cribbage."""
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "rules"))
    import brute_force

    plain = timed(lambda: brute_force.selections("farkle-cribbage"))
    return f"{1000 * plain / build('farkle-cribbage'):.0f} times as long"


def main() -> None:
    """Print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=300)
    games = options.parse_args().games
    for rules in catalogue():
        print(f"table of {rules.key}: {spread([build(rules.key) for _ in range(5)], 1)} ms")
    for key in ("farkle-cribbage", "classic"):
        print(f"46,656 rolls through score {key} - --json: {spread([score_all(key) for _ in range(3)], 2)} s")
    whole_game(0)
    took = timed(lambda: [whole_game(seed) for seed in range(games)])
    print(f"whole games of two through the machine: {games / took:.0f} a second on one core, n {games}")
    print(f"the tests' plain scorer for the same table: {to_plain()}")


if __name__ == "__main__":
    main()
