"""From dice at rest to the score on the page: `python bench/table_bench.py [--throws N] [--seed N] [--hands clumsy]`.

The whole program on the desk in real time: page, host, journal, and the eye as a process of its own at 30 frames a
second. The hands throw over the API. Measured is the time from when the last die lies still, by the World that the
hands have laid, to when the server-sent event with the score has been read. Throws that are asked about, and those that
the eye must be surer of (a farkle, a win, a bomb), are counted apart.
"""

import argparse
import json
import queue
import random
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any

from figures import share, spread

from companion.app import Program
from companion.config import load_config
from companion.runtime.host import Clock
from companion.simulation.simulated_table import SimulatedTable
from companion.table.state.inputs import NewGame
from companion.table.throws.high_stakes import expected_throw
from dicereader.sources.synthetic.world import World

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "companion"))
from clumsy_hands import HANDS

GOAL_S, MOST_S = 0.6, 1.0
DICE = 6
PATIENCE_S = 20.0
AGAIN_S = 0.2
SETTLED_S = 2.0  # by then every throw has been told
GO_ON = 0.5  # how often the rest is thrown, and not all six after BANK

State = dict[str, Any]


@dataclass
class Times:
    """Seconds from rest to the score: of plain throws, of those that want more proof, and to the question."""

    plain: list[float] = field(default_factory=list)
    graver: list[float] = field(default_factory=list)
    asked: list[float] = field(default_factory=list)
    early: int = 0
    unseen: int = 0
    told: int = 0  # throws scored without a question
    wrong: list[str] = field(default_factory=list)  # of these, what was scored with other faces than lay there


class Hearing:
    """The page's stream of states, each with when it had been read."""

    def __init__(self, address: str) -> None:
        self.states: queue.Queue[tuple[float, State]] = queue.Queue()
        self._events = urllib.request.urlopen(f"{address}api/v1/events", timeout=60)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self._events:
            if line.startswith(b"data:"):
                state = json.loads(line[5:])
                self.states.put((time.monotonic(), state))

    def after(self, seq: int, patience_s: float = PATIENCE_S) -> tuple[float, State] | None:
        """The first state in which another act counts, or a throw is asked about; None where none comes."""
        deadline = time.monotonic() + patience_s
        while (left_s := deadline - time.monotonic()) > 0:
            try:
                at_s, state = self.states.get(timeout=left_s)
            except queue.Empty:
                return None
            if state["seq"] > seq or (state["seq"] == seq and (state["phase"] == "asking" or state["look"])):
                return at_s, state
        return None


class RestOf:
    """Notes when the last die of each World lies still, by the clock that the eye has too, and which dice moved."""

    def __init__(self, made: Program) -> None:
        assert isinstance(made.hands, SimulatedTable)
        self.at_s = 0.0
        self._moved: list[int] = []
        self._hands = made.hands.hands
        self._lay = made.hands._lay
        made.hands._lay = self._laid

    @property
    def faces(self) -> list[int]:
        """The faces of the dice thrown last."""
        return [self._hands.faces[die] for die in self._moved]

    def _laid(self, world: World) -> None:
        self._moved = [die for die, path in enumerate(world.dice) if len(path.keys) > 1]
        self.at_s = time.monotonic() + max((world.dice[die].keys[-1].t_s for die in self._moved), default=0.0)
        self._lay(world)


def post(address: str, path: str, body: State) -> State:
    """A write over the API, again where dice still move; the new state."""
    asked = urllib.request.Request(
        f"{address}api/v1/{path}", json.dumps(body).encode(), {"content-type": "application/json"}
    )
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            with urllib.request.urlopen(asked, timeout=20) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code != HTTPStatus.CONFLICT or time.monotonic() > deadline:
                said = json.load(error)
                raise SystemExit(f"expected the table to take {path} {body}, got {error.code}: {said}") from error
            time.sleep(AGAIN_S)


def get(address: str) -> State:
    """The state now."""
    with urllib.request.urlopen(f"{address}api/v1/state", timeout=20) as answer:
        return json.load(answer)


@contextmanager
def program(seed: int, hands: str) -> Iterator[Program]:
    """The desk's table, in real time, with hands of that name."""
    config = load_config(None, {"web.port": 0, "camera.source": f"simulated:{seed}"})
    game = NewGame("farkle-cribbage", ("Ann", "Ben"))
    with tempfile.TemporaryDirectory() as data:
        made = Program(config, data=Path(data), clock=Clock(), game=game, chance=random.Random(seed))
        assert isinstance(made.hands, SimulatedTable)
        made.hands.hands = HANDS[hands](seed)
        try:
            made.start()
            assert made.feed.wait(lambda update: update.view.reading is not None, PATIENCE_S)
            yield made
        finally:
            made.close()


def measure(made: Program, throws: int, chance: random.Random) -> Times:
    """So many throws, and how long each took."""
    times, rest, hearing = Times(), RestOf(made), Hearing(made.address)
    for _ in range(throws):
        before, expected = made.feed.latest.view, expected_throw(made.host.state)
        post(made.address, "simulator/throw", {"dice": None})
        heard = hearing.after(before.seq)
        if heard is None:
            times.unseen += 1
            break
        at_s, state = heard
        took_s = at_s - rest.at_s
        if state["seq"] == before.seq:
            if took_s > 0:
                times.asked.append(took_s)
            else:  # about what was set aside, while the dice were yet to be thrown
                times.early += 1
                time.sleep(SETTLED_S - took_s)
                state = get(made.address)
            play_on(made.address, answered(made.address, state, rest) if state["seq"] == before.seq else state, chance)
            continue
        times.told += 1
        if sorted(state["roll"]) != sorted(rest.faces):
            times.wrong.append(f"throw {times.told}: {sorted(state['roll'])} scored, {sorted(rest.faces)} lay there")
        grave = tuple(sorted(state["roll"])) in expected.high_stakes
        (times.graver if grave else times.plain).append(took_s)
        play_on(made.address, state, chance)
    return times


def answered(address: str, state: State, rest: RestOf) -> State:
    """Say what lies there until the table has no more questions about it; the state then.

    To what was set aside, where not all the dice came to rest, nothing that it offers is right but to throw again.
    """
    if state["phase"] != "asking":  # dice that lean, or touch: somebody enters the faces
        return post(address, "roll", {"roll": rest.faces})
    while state["phase"] == "asking":
        if state["question"]["kind"] == "doubt":
            state = post(address, "correct", {"roll": rest.faces})
        else:
            whole = len(state["reading"]["dice"]) == DICE
            state = post(address, "answer", {"answer": state["question"]["answers"][0 if whole else -1]})
    return state


def play_on(address: str, state: State, chance: random.Random) -> None:
    """Keep the best, and BANK or leave the rest to be thrown."""
    if state["phase"] == "choosing":
        state = post(address, "keep", {"dice": state["selections"][0]["dice"]})
        if chance.random() >= GO_ON and "bank" in state["legal"]:
            state = post(address, "buttons/bank", {"press": "tap"})
    if state["phase"] == "over":
        post(address, "game", {"rules": "farkle-cribbage", "players": ["Ann", "Ben"]})


def printed(times: Times) -> Iterator[str]:
    """Every figure, with its n and its interval."""
    plain = times.plain
    thrown = len(plain) + len(times.graver) + len(times.asked) + times.early
    yield f"settled to score shown, s      {spread(plain, 2)}"
    for limit_s in (GOAL_S, MOST_S):
        within = sum(took_s <= limit_s for took_s in plain)
        yield f"  within {limit_s} s                 {share(within, len(plain))}"
    yield f"  where more proof is wanted   {spread(times.graver, 2)}"
    yield f"scored with wrong faces        {share(len(times.wrong), times.told)}"
    yield from (f"  {each}" for each in times.wrong)
    yield f"asked about, of all throws     {share(len(times.asked), thrown)}"
    yield f"  settled to the question, s   {spread(times.asked, 2)}"
    yield f"asked before the throw         {share(times.early, thrown)}"
    if times.unseen:
        yield "a throw was never told: the run was broken off"


def main() -> int:
    """Throw, measure and print; 1 where a throw was not told."""
    parser = argparse.ArgumentParser(description="From dice at rest to the score on the page.")
    parser.add_argument("--throws", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hands", choices=HANDS, default="sure")
    arguments = parser.parse_args()
    with program(arguments.seed, arguments.hands) as made:
        times = measure(made, arguments.throws, random.Random(arguments.seed))
    for line in printed(times):
        sys.stdout.write(f"{line}\n")
    return 1 if times.unseen else 0


if __name__ == "__main__":
    sys.exit(main())
