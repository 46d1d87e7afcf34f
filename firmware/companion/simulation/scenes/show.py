"""Show a scene on a whole table with its page, lights and sound, at a pace that people can follow."""

import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from companion.config import Config, words_of
from companion.errors import CompanionError, RefusedError, SceneError, reporting_file_errors
from companion.runtime.end_signals import EndEvent, on_end_signals
from companion.runtime.feed import Feed
from companion.runtime.host import Clock, Host
from companion.simulation.scenes.reading import read_scene
from companion.simulation.scenes.script import Expectation, LineOutcome, PlugPulled, Scene, SceneStep, Wait
from companion.simulation.scenes.tray import SceneTray, ThrowDice
from companion.storage.data_folder import open_storage
from companion.table.asking.idle import wake_at
from companion.table.state.events import Event, StartToBeThrown, TrackLaid
from companion.table.state.inputs import Input, MotionReported, ReadingSettled, Tick
from dicereader.data.files import read_text
from dicereader.reading import Motion
from farkle.errors import FarkleError, NotationError
from farkle.game.events import GameStarted
from farkle.replay import replay

PACE_S = 1.5
"""Seconds from one line of the scene to the next."""

THROW_S = 0.8
"""Seconds for which thrown dice move."""

LONGEST_S = 3.0
"""The most seconds that a wait takes on screen."""

NOTED = 4
"""Lines of the scene that stand below a board that is drawn in the terminal."""


class ShownTable(Protocol):
    """A table without an eye: the scene gives the readings itself.

    `drawing` tells that it draws its board in the terminal, with the lines of `note` below.
    """

    host: Host
    feed: Feed
    drawing: bool

    @property
    def address(self) -> str:
        """The page's address."""
        ...

    def note(self, *lines: str) -> None:
        """Show lines below the board."""

    def start(self) -> None:
        """Begin."""

    def close(self) -> None:
        """End everything."""


MakeTable = Callable[[Config, Path, Clock], ShownTable]
"""Builds a table on a data folder; the clock is that of the table's times, which does not advance between two lines."""


class SceneShow:
    """A table on which a scene is shown; each line is told on standard error as it is performed.

    Where the terminal shows the board, the last lines stand below it, and all are printed when the board has gone.
    """

    def __init__(self, scene: Scene, config: Config, data: Path, ending: EndEvent, make_table: MakeTable) -> None:
        times = scene.times
        house = replace(config.table, off_table=scene.house.off_table, cocked=scene.house.cocked)
        self._config = replace(config, times=times, table=house)
        self._scene = scene
        self._data = data
        self._ending = ending
        self._make_table = make_table
        self._now_s = 0.0
        self._tray = SceneTray()
        self._words = words_of(config)
        self._line = LineOutcome()
        self._told: list[str] = []
        if scene.game is not None:
            storage = open_storage(data, time.time)
            storage.journal.append(1, 1, time.time(), first_act(scene))
            storage.close()
        self.table = self._switched_on()

    def _switched_on(self) -> ShownTable:
        table = self._make_table(self._config, self._data, Clock(lambda: self._now_s))
        table.feed.subscribe(lambda update: self._line.hear(self._words, update.view, update.cues))
        return table

    def play(self) -> int:
        """Show the whole scene; return the number of expectations that failed."""
        self._tell(f"{self._scene.title}\nThe scene is shown at {self.table.address} (SIMULATED devices).")
        wrong = self._tell_all(problems(self._scene.at_start, self._line.ended(self.table.feed.latest, 0)))
        for step in self._scene.steps:
            if self._ending.wait(PACE_S):
                break
            self._tell(f"{step.line.number:4}  {step.line.text}")
            before = self.table.host.state.seq
            self._line = LineOutcome()
            self.perform(step)
            seen = self._line.ended(self.table.feed.latest, self.table.host.state.seq - before)
            wrong += self._tell_all(step_problems(step, seen))
        self._ending.wait(PACE_S)
        return wrong

    def close(self) -> None:
        """End the table, and print the scene's lines if they stood below its board."""
        drawn = self._is_drawn()
        self.table.close()
        if drawn:
            for words in self._told:
                _print(words)

    def _is_drawn(self) -> bool:
        return self.table.drawing and sys.stderr.isatty()

    def _tell(self, words: str) -> None:
        self._told += words.splitlines()
        if self._is_drawn():
            self.table.note(*self._told[-NOTED:], "")
        else:
            _print(words)

    def _tell_all(self, found: Iterable[SceneError]) -> int:
        """Tell the problems, and return their number."""
        listed = list(found)
        for problem in listed:
            self._tell(f"      {problem}")
        return len(listed)

    def perform(self, step: SceneStep) -> None:
        """Do the action of one line of the scene."""
        match step.action:
            case Wait(seconds=seconds):
                self._wait(seconds)
            case PlugPulled():
                self.table.close()
                self.table = self._switched_on()
                self.table.start()
            case Input() as given:
                self._take(given)
            case act:
                observation = self._tray.see(act)
                if isinstance(act, ThrowDice):
                    self._take(MotionReported(Motion.MOVING))
                    self._ending.wait(THROW_S)
                self._take(ReadingSettled(observation, "scene"))

    def _take(self, given: Input) -> None:
        try:
            self.table.host.submit(given).result(timeout=10)
        except RefusedError as error:
            self._line.refused = str(error)

    def _wait(self, seconds: float) -> None:
        """Let the table's time pass, and send each Tick at its own moment."""
        end_s = self._now_s + seconds
        self._ending.wait(min(seconds, LONGEST_S))
        while (due_s := wake_at(self.table.host.state)) is not None and due_s <= end_s:
            self._now_s = max(self._now_s, due_s)
            self._take(Tick())
        self._now_s = end_s


def show_scene(file: Path, config: Config, make_table: MakeTable) -> int:
    """Show the scene of a file; return the exit status: 1 if an expectation failed.

    Raises:
        CompanionError: if the file cannot be read, or is not a scene.
    """
    with reporting_file_errors("a scene", file):
        text = read_text(file)
    try:
        scene = read_scene(text)
    except SceneError as error:
        raise CompanionError(f"{file}: {error}") from error
    ending = EndEvent()
    on_end_signals(lambda _: ending.set())
    with tempfile.TemporaryDirectory(prefix="farklecrib-scene-") as folder:
        show = SceneShow(scene, config, Path(folder), ending, make_table)
        try:
            show.table.start()
            wrong = show.play()
        finally:
            show.close()
    if not wrong:
        _print("Everything went as written.")
    return 1 if wrong else 0


def first_act(scene: Scene) -> tuple[Event, ...]:
    """Return the events of the game in the scene's head, which are one act.

    Raises:
        SceneError: if the head cannot be played, or its target does not fit the track.
    """
    assert scene.game is not None
    try:
        played = replay(scene.game)
        rules = played.state.rules
        track = scene.track or rules.smallest_track
        rules.check_fit(track)
    except NotationError as error:
        raise SceneError(str(error), error.line) from error
    except FarkleError as error:
        raise SceneError(f"line 1: {error}", 1) from error
    assert isinstance(played.events[0], GameStarted)
    return (*played.events, TrackLaid(track), *((StartToBeThrown(),) if scene.thrown_for else ()))


def step_problems(step: SceneStep, seen: LineOutcome) -> Iterator[SceneError]:
    """Yield the problems of a step: first a refusal that was not expected, then each expectation that failed."""
    if seen.refused is not None and not any(each.refusal for each in step.expected):
        yield step.line.error(f"{step.line.text}: refused: {seen.refused}")
    yield from problems(step.expected, seen)


def problems(expected: tuple[Expectation, ...], seen: LineOutcome) -> Iterator[SceneError]:
    """Yield each expectation that failed, with its line."""
    for each in expected:
        if problem := each.check(seen):
            yield each.line.error(f"{each.line.text}: {problem}")


def _print(words: str) -> None:
    sys.stderr.write(f"{words}\n")
    sys.stderr.flush()
