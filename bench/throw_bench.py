"""Measure the simulated throw, from the request to the score: `python bench/throw_bench.py [--throws N] [--seed S]`.

`farklecrib play` runs as a process of its own, with its eye. Each throw is a request to the API, as the page sends it;
it ends when the page's stream shows the journalled throw. Throws that TABLE asks more proof of (a farkle, a possible
win) are printed apart. A turn keeps its best selection and throws again, or banks, by chance.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from figures import address_in, cpu_s, interval, share, spread
from slow_table import PATIENCE_S, START_S, Hearing, State, get, post

from companion.simulation.hands import SimulatedHands

LIMIT_S = 1.6
"""The longest time of 95 of 100 throws."""

ROLLS_AGAIN = 0.6
"""The share of throws after which the best selection is kept and the rest thrown; the others are banked."""


@dataclass
class ThrowTimes:
    """Seconds from the request of a throw to its score."""

    plain_s: list[float] = field(default_factory=list)
    more_votes_s: list[float] = field(default_factory=list)
    first_turn_s: list[float] = field(default_factory=list)
    kept_before_s: list[float] = field(default_factory=list)
    moving_s: list[float] = field(default_factory=list)
    asked: int = 0
    wrong: int = 0


def throw(address: str, hearing: Hearing, chance: random.Random, found: ThrowTimes) -> State:
    """Throw dice by chance, and measure the time until the stream has their score. Return the state then."""
    before = get(address)
    faces = [chance.randint(1, 6) for _ in range(before["dice_to_throw"])]
    began_s = time.monotonic()
    moving = post(address, "simulator/throw", {"dice": faces})
    moves_s = time.monotonic() - began_s
    deadline_s = began_s + PATIENCE_S
    state = moving
    while state["throw_seq"] == before["throw_seq"] and state["phase"] != "asking" and time.monotonic() < deadline_s:
        told = hearing.after(before["seq"], deadline_s - time.monotonic())
        if told is None:
            raise SystemExit(f"expected the score of {faces!r} within {PATIENCE_S:g} s, got none")
        at_s, state = told
    if state["throw_seq"] == before["throw_seq"]:
        found.asked += 1
        return state
    took_s = at_s - began_s
    found.wrong += sorted(state["roll"]) != sorted(faces)
    found.moving_s.append(moves_s)
    plain = state["phase"] == "choosing" and not may_win(state)
    if before["first_turn"]:
        found.first_turn_s.append(took_s)
    elif not plain:
        found.more_votes_s.append(took_s)
    else:
        found.plain_s.append(took_s)
        if before["chosen"] is not None:
            found.kept_before_s.append(took_s)
    return state


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


def play_on(address: str, state: State, chance: random.Random) -> None:
    """Keep the best selection, or bank; answer what is asked; open another game after the end."""
    if state["phase"] == "asking":
        state = post(address, "answer", {"answer": state["question"]["answers"][0]})
    if state["phase"] == "choosing":
        if "bank" in state["legal"] and chance.random() > ROLLS_AGAIN:
            state = post(address, "buttons/bank", {"press": "tap"})
        else:
            state = post(address, "keep", {"dice": state["selections"][0]["dice"]})
    if state["phase"] == "over":
        post(address, "game", {"rules": "farkle-cribbage", "players": ["Ann", "Ben"]})


def measure(throws: int, seed: int) -> Iterator[str]:
    """Play this many throws after the first turn, and yield every figure."""
    found, chance = ThrowTimes(), random.Random(seed)
    with tempfile.TemporaryDirectory() as data:
        options = ["--data", data, "--port", "0", "--players", "Ann,Ben", "--camera", f"simulated:{seed}"]
        command = [sys.executable, "-m", "companion", "play", *options]
        table = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            assert table.stderr is not None
            address = address_in(table.stderr)
            hearing = Hearing(address)
            deadline_s = time.monotonic() + START_S
            while get(address)["reading"] is None and time.monotonic() < deadline_s:
                time.sleep(0.1)
            began_s, worked_s = time.monotonic(), cpu_s(table.pid)
            while len(found.plain_s) < throws:
                play_on(address, throw(address, hearing, chance, found), chance)
                time.sleep(chance.uniform(0.2, 0.6))
            busy = (cpu_s(table.pid) - worked_s) / (time.monotonic() - began_s)
            table.send_signal(signal.SIGINT)
            table.wait(PATIENCE_S)
        finally:
            if table.poll() is None:
                table.kill()
            table.communicate()
    yield from printed(found)
    yield f"the game, % of a core         {100 * busy:.0f}"


def printed(found: ThrowTimes) -> Iterator[str]:
    """Return the lines of every figure, with its n and its interval."""
    for name, values in (
        ("throw to score, s", found.plain_s),
        ("  with dice kept before, s", found.kept_before_s),
        ("  with more votes, s", found.more_votes_s),
        ("  in the first turn, s", found.first_turn_s),
        ("throw to its answer, s", found.moving_s),
    ):
        yield f"{name:30}" + (f"{interval(values, 2)}; {spread(values, 2)}" if values else "none")
    flown = flights(len(found.plain_s), 1)
    yield f"{'flight of the dice, s':30}{interval(flown, 2)}; least {min(flown):.2f}, n {len(flown)}"
    within = sum(value <= LIMIT_S for value in found.plain_s)
    yield f"throws scored within {LIMIT_S:g} s     {share(within, len(found.plain_s))}"
    yield f"throws wrong, asked about     {found.wrong}, {found.asked}"


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
