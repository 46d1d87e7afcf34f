"""Measure the simulated throw, from the request to the score: `python bench/throw_bench.py [--throws N] [--seed S]`.

`farklecrib play` runs as a process of its own, with its eye. Each throw is a request to the API, as the page sends it;
it ends when the page's stream shows the journalled throw. Throws that TABLE asks more proof of (a farkle, a possible
win) are printed apart. A turn keeps its best selection and throws again, or banks, by chance.
"""

import argparse
import os
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from figures import cpu_s, interval, mean_and_spread, share
from table_program import State, Table, accepted, begin_game, new_table, until_read

from companion.simulation.hands import SimulatedHands

LIMIT_S = 1.6
"""The longest time of 95 of 100 throws."""

ROLLS_AGAIN = 0.6
"""The share of throws after which the best selection is kept and the rest thrown; the others are banked."""


@dataclass
class ScoreTimes:
    """Seconds until the score of throws, and what went wrong."""

    plain_s: list[float] = field(default_factory=list)
    more_votes_s: list[float] = field(default_factory=list)
    first_turn_s: list[float] = field(default_factory=list)
    asked: int = 0
    missed: int = 0
    wrong: int = 0

    def add(self, before: State, state: State, faces: Sequence[int], took_s: float) -> list[float] | None:
        """Count a throw of these faces. Return the times of its kind, or None if the table asks about it."""
        if state["throw_seq"] == before["throw_seq"]:
            self.asked += 1
            return None
        self.wrong += sorted(state["roll"]) != sorted(faces)
        more_votes = state["phase"] != "choosing" or may_win(state)
        times = self.first_turn_s if before["first_turn"] else self.more_votes_s if more_votes else self.plain_s
        times.append(took_s)
        return times

    def lines(self, to_score: str, limit_s: float) -> Iterator[str]:
        """Yield the times of throws, and how many were scored within the limit."""
        for name, values in (
            (to_score, self.plain_s),
            ("  with more votes, s", self.more_votes_s),
            ("  in the first turn, s", self.first_turn_s),
        ):
            yield f"{name:30}{mean_and_spread(values, 2)}"
        every = self.plain_s + self.more_votes_s + self.first_turn_s
        for name, values in (("scored within", self.plain_s), ("  of all throws,", every)):
            yield f"{f'{name} {limit_s:g} s':30}{share(sum(value <= limit_s for value in values), len(values))}"
        yield f"{'throws missed, asked, wrong':30}{self.missed}, {self.asked}, {self.wrong}"


def throw(table: Table, chance: random.Random, found: ScoreTimes, kept_before_s: list[float]) -> float:
    """Throw dice by chance, and measure the time until the page's stream has their score; then play on.

    Return the seconds until the answer to the request.
    """
    before = table.get("state")
    faces = [chance.randint(1, 6) for _ in range(before["dice_to_throw"])]
    began_s = time.monotonic()
    accepted(table, "simulator/throw", {"dice": faces})
    answered_s = time.monotonic() - began_s
    state = table.until(lambda state: state["throw_seq"] > before["throw_seq"] or state["phase"] == "asking")
    took_s = time.monotonic() - began_s
    if found.add(before, state, faces, took_s) is found.plain_s and before["chosen"] is not None:
        kept_before_s.append(took_s)
    play_on(table, state, chance)
    return answered_s


def flights(throws: int, seed: int) -> list[float]:
    """Return the seconds from the release of the dice to the rest of the last one, of quick throws."""
    hands, chance, found = SimulatedHands(seed), random.Random(seed), []
    for _ in range(throws):
        world = hands.quick_throw([chance.randint(1, 6) for _ in range(6)], range(6))
        assert world.hand is not None
        found.append(world.length_s - world.hand.keys[-3].t_s)  # the hand is at the place of the release, and withdraws
    return found


def may_win(state: State) -> bool:
    """Return whether the best selection of the throw would reach the target."""
    score = next(player["score"] for player in state["players"] if player["name"] == state["to_move"])
    best = max((each["points"] for each in state["selections"]), default=0)
    return bool(score + state["turn_points"] + best >= state["target"])


def play_on(table: Table, state: State, chance: random.Random) -> None:
    """Keep the best selection, or bank; answer what is asked; open another game after the end."""
    if state["phase"] == "asking":
        state = accepted(table, "answer", {"answer": state["question"]["answers"][0]})
    if state["phase"] == "choosing":
        if "bank" in state["legal"] and chance.random() > ROLLS_AGAIN:
            state = accepted(table, "buttons/bank", {"press": "tap"})
        else:
            state = accepted(table, "keep", {"dice": state["selections"][0]["dice"]})
    if state["phase"] == "over":
        begin_game(table)


def measure(throws: int, seed: int) -> Iterator[str]:
    """Play this many throws after the first turn, and yield every figure."""
    found, chance = ScoreTimes(), random.Random(seed)
    kept_before_s: list[float] = []
    answered_s: list[float] = []
    with new_table("--players", "Ann,Ben", "--camera", f"simulated:{seed}") as table:
        until_read(table)
        began_s, worked_s = time.monotonic(), cpu_s(table.process.pid)
        while len(found.plain_s) < throws:
            answered_s.append(throw(table, chance, found, kept_before_s))
            time.sleep(chance.uniform(0.2, 0.6))
        busy = (cpu_s(table.process.pid) - worked_s) / (time.monotonic() - began_s)
    yield from found.lines("throw to score, s", LIMIT_S)
    yield f"{'  with dice kept before, s':30}{mean_and_spread(kept_before_s, 2)}"
    yield f"{'throw to its answer, s':30}{mean_and_spread(answered_s, 2)}"
    flown = flights(len(found.plain_s), 1)
    yield f"{'flight of the dice, s':30}{interval(flown, 2)}; least {min(flown):.2f}, n {len(flown)}"
    yield f"{'the game, % of a core':30}{100 * busy:.0f}"


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="From a simulated throw to its score.")
    parser.add_argument("--throws", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    sys.stdout.write(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    for line in measure(arguments.throws, arguments.seed):
        sys.stdout.write(f"{line}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
