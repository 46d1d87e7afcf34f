"""Measure the time from a press to its view in long games: `python bench/press_bench.py [--games N] [--acts N]`.

The whole program on the desk without its eye: host, journal, lights, sound, page. Inputs go through the host's inbox,
and throws come as observations. The commit and the sync of the journal's copy wait for the disk, and are measured
separately. Each game is measured at its 10th act and at its last ones, over the same number of acts.
"""

import argparse
import os
import random
import sys
import tempfile
import time
import tracemalloc
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from figures import mean_and_spread

from companion.app import Program
from companion.config_files import load_config
from companion.errors import CompanionError
from companion.launch import Launch
from companion.storage import files
from companion.storage.database import Connection
from companion.table.state.inputs import (
    Answer,
    Button,
    CorrectRoll,
    Gesture,
    Input,
    NewGame,
    Press,
    ReadingSettled,
    Undo,
)
from companion.table.state.state import TableState, restored
from farkle.game.state import Phase
from pegboard.ledframe import LedFrame
from pegboard.pegs import BoardView, Effect

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "table"))
from tables import observation

PATIENCE_S = 60.0
EARLY = 10
WINDOW = 50
"""Acts over which presses are measured, from the early act on and up to the last."""

FRAMES = 40
"""Presses of each game for which the time from the view to the frame is measured."""

TABLES = ((2, 121), (8, 241))
"""Players and holes."""


@dataclass
class TimedConnection:
    """A connection that adds up the seconds of its commits, and of the syncs of the journal's copy."""

    connection: Connection
    commits_s: float = 0.0

    def execute(self, statement: str, bindings: Sequence[Any] = ()) -> Any:
        """Run one statement."""
        began = time.perf_counter()
        try:
            return self.connection.execute(statement, bindings)
        finally:
            if statement == "COMMIT":
                self.commits_s += time.perf_counter() - began

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()


@dataclass(frozen=True)
class TimedSyncs:
    """The module `os`, with syncs whose seconds are added to those of the commits."""

    disk: TimedConnection

    def fsync(self, file: int) -> None:
        """Sync a file."""
        began = time.perf_counter()
        os.fsync(file)
        self.disk.commits_s += time.perf_counter() - began

    def __getattr__(self, name: str) -> Any:
        """Return any other attribute of the module."""
        return getattr(os, name)


@dataclass
class PressTimes:
    """Milliseconds without the disk by what was done, and milliseconds of the disk."""

    took_ms: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    disk_ms: list[float] = field(default_factory=list)


class Player:
    """A player of one long game, measured within windows of acts."""

    def __init__(self, made: Program, chance: random.Random, acts: int) -> None:
        self._host = made.host
        self._chance = chance
        self._acts = acts
        opened = made.opened.storage.journal._opened
        opened._connection = self._disk = TimedConnection(opened._connection)
        files.os = TimedSyncs(self._disk)  # type: ignore[attr-defined]
        self.times = {"early": PressTimes(), "late": PressTimes()}

    @property
    def _state(self) -> TableState:
        return self._host.state

    def _window(self) -> PressTimes | None:
        acts = len(self._state.acts)
        if EARLY <= acts < EARLY + WINDOW:
            return self.times["early"]
        return self.times["late"] if acts >= self._acts else None

    def _take(self, what: str, given: Input) -> bool:
        """Give one input through the inbox; return whether it was accepted. A refusal takes its time, too."""
        times, before_s, acts = self._window(), self._disk.commits_s, len(self._state.acts)
        began = time.perf_counter()
        refused = isinstance(self._host.submit(given).exception(PATIENCE_S), CompanionError)
        took_s, disk_s = time.perf_counter() - began, self._disk.commits_s - before_s
        if times is not None:
            times.took_ms[what].append(1e3 * (took_s - disk_s))
            if len(self._state.acts) > acts:
                times.disk_ms.append(1e3 * disk_s)
        return not refused

    def play(self, players: int, track: int) -> None:
        """Play until the last window is full."""
        self._take("new game", NewGame("farkle-cribbage", tuple(f"P{seat}" for seat in range(players)), track=track))
        while len(self._state.acts) < self._acts + WINDOW:
            game = self._state.current.game
            if game.over:
                self._take("undo", Undo())
            elif self._state.question is not None:
                self._take("answer", Answer(self._state.question.answers[0]))
            elif game.phase is Phase.CHOOSING:
                self._choose()
            else:
                self._throw()

    def _throw(self) -> None:
        game, chosen = self._state.current.game, self._state.current.chosen
        count = self._host.feed.latest.view.dice_to_throw
        aside = (*game.turn.locked, *chosen.dice) if chosen and count < 6 else game.turn.locked if count < 6 else ()
        dice = "".join(str(self._chance.randint(1, 6)) for _ in range(count))
        self._take("throw", ReadingSettled(observation(dice, shelf="".join(map(str, aside))), "synthetic"))

    def _choose(self) -> None:
        chance, game = self._chance, self._state.current.game
        if chance.random() < 0.3 and self._take("hold KEEP", Press(Button.KEEP, Gesture.HOLD)):
            self._take("answer", Answer("it was right"))
        self._take("KEEP", Press(Button.KEEP))
        if chance.random() < 0.15:
            self._take("undo", Undo())
            self._take("KEEP", Press(Button.KEEP))
        if chance.random() < 0.15:
            face = chance.randint(1, 6)
            self._take("correct", CorrectRoll((face, *game.turn.roll[1:])))
        if self._state.current.game.phase is not Phase.CHOOSING:
            return
        view = self._host.feed.latest.view
        ends = max(player.score for player in view.players) + view.turn_points + 40 > view.target
        if "bank" in view.legal and not ends and chance.random() < 0.5:
            self._take("BANK", Press(Button.BANK))
        elif self._state.current.chosen is not None:
            self._throw()


def frames(made: Program, chance: random.Random, presses: int) -> list[float]:
    """Return the milliseconds from each view that a press publishes to the end of the first frame that shows it."""
    views: list[float] = []
    found: list[float] = []
    animator, strip = made.opened.board.lights._animator, made.opened.board.devices.strip
    taken, drawn, show = animator.show, animator.frame, strip.show
    waiting: list[float] = []

    def take(view: BoardView, now_s: float, effect: Effect | None = None) -> None:
        views.append(time.perf_counter())
        taken(view, now_s, effect)

    def frame(now_s: float) -> LedFrame:
        waiting[:], views[:] = [*waiting, *views], []
        return drawn(now_s)

    def shown(each: LedFrame) -> None:
        show(each)
        found.extend(1e3 * (time.perf_counter() - at_s) for at_s in waiting)
        waiting.clear()

    animator.show, animator.frame, strip.show = take, frame, shown  # type: ignore[method-assign]
    for _ in range(presses):
        time.sleep(chance.uniform(0.1, 0.3))
        made.host.submit(Press(Button.ROLL)).exception(PATIENCE_S)
    time.sleep(0.3)
    return found


def measure(players: int, track: int, seed: int, acts: int) -> tuple[dict[str, PressTimes], TableState, list[float]]:
    """Play one game, and return its times, its state at the end, and the milliseconds from a view to its frame."""
    config = load_config(None, {"web.port": 0, "camera.source": f"simulated:{seed}", "leds.layout": "long-board-4"})
    with tempfile.TemporaryDirectory() as data:
        made = Program(Launch(config, Path(data), chance=random.Random(seed), eye=False))
        try:
            made.start()
            player = Player(made, random.Random(seed), acts)
            player.play(players, track)
            return player.times, made.host.state, frames(made, random.Random(seed), FRAMES)
        finally:
            made.close()


def printed(games: Sequence[dict[str, PressTimes]], acts: int) -> Iterator[str]:
    """Return the lines of every figure, with its n and its interval, in milliseconds."""
    for window, at in (("early", EARLY), ("late", acts)):
        yield f"  at {at} acts, ms"
        for what in ("KEEP", "BANK", "throw", "undo", "correct", "hold KEEP"):
            values = [each for game in games for each in game[window].took_ms[what]]
            if values:
                yield f"    {what:10}{mean_and_spread(values, 2)}"
        disk = [each for game in games for each in game[window].disk_ms]
        yield f"    {'the disk':10}{mean_and_spread(disk, 2)}"


def memory_of(state: TableState) -> float:
    """Return the kilobytes that the state of these acts keeps beside the acts themselves."""
    acts = state.acts
    restored(acts, seq=state.seq, game_number=1)  # build everything that is made only once
    tracemalloc.start()
    kept = restored(acts, seq=state.seq, game_number=1)
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert kept.play is not None
    return held / 1e3


def main() -> int:
    """Play, measure and print."""
    parser = argparse.ArgumentParser(description="From a press to its answered view in long games.")
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--acts", type=int, default=1000)
    arguments = parser.parse_args()
    for players, track in TABLES:
        games, states, shown = zip(
            *(measure(players, track, seed, arguments.acts) for seed in range(arguments.games)), strict=True
        )
        sys.stdout.write(f"{players} players, {track} holes, {len(games)} games\n")
        for line in printed(games, arguments.acts):
            sys.stdout.write(f"{line}\n")
        shown_ms = [each for game in shown for each in game]
        sys.stdout.write(f"  view to frame, ms: {mean_and_spread(shown_ms, 1)}; most {max(shown_ms):.0f}\n")
        sys.stdout.write(f"  kept of {len(states[0].acts)} acts, kB: {memory_of(states[0]):.0f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
