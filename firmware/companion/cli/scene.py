"""`farklecrib play --scene FILE`: shows a written evening on the desk, at a pace that people can follow."""

import signal
import sys
import tempfile
import threading
import time
from concurrent.futures import Future
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from companion.app import Program
from companion.config import Config, TimesConfig
from companion.devices.phrases import load_catalogue
from companion.errors import CompanionError, RefusedError
from companion.runtime.feed import Update
from companion.runtime.host import Clock
from companion.simulation.scenes.playing import Shown, first_act, problems, problems_after
from companion.simulation.scenes.reading import read_scene
from companion.simulation.scenes.script import Beat, PlugPulled, Scene, Told, Wait
from companion.simulation.scenes.script import Seen as SeenNow
from companion.simulation.scenes.tray import Throw, Tray
from companion.storage.data_folder import open_storage
from companion.table.idle import wake_at
from companion.table.inputs import Input, MotionReported, ReadingSettled, Tick
from companion.table.view import View
from dicereader.reading import Motion

PACE_S = 1.5
"""From one line of the scene to the next."""

THROW_S = 0.8
"""So long dice move that are thrown."""

LONGEST_S = 3.0
"""A longer wait is shown as one of so long."""


@dataclass
class SceneClock:
    """The clock of the table's own times: it passes where the scene waits, and stands still between two lines."""

    now_s: float = 0.0

    def monotonic(self) -> float:
        """Seconds of the scene."""
        return self.now_s


class Show:
    """A table on which a scene is shown; each line is told on standard error as it is done."""

    def __init__(self, scene: Scene, config: Config, data: Path, ending: threading.Event) -> None:
        times = TimesConfig(**asdict(scene.times))
        table = replace(config.table, off_table=scene.house.off_table, cocked=scene.house.cocked)
        self._config = replace(config, times=times, table=table)
        self._scene = scene
        self._data = data
        self._ending = ending
        self._clock = SceneClock()
        self._tray = Tray()
        self._words = load_catalogue(config.sound.language)
        self._shown = Shown()
        if scene.game is not None:
            storage = open_storage(data, time.time)
            storage.journal.append(1, 1, time.time(), first_act(scene))
            storage.close()
        self.program = self._switch_on()

    def _switch_on(self) -> Program:
        program = Program(
            self._config,
            data=self._data,
            clock=Clock(),
            game=None,
            looks=False,
            table_clock=Clock(self._clock.monotonic),
        )
        program.feed.subscribe(self._on_update)
        return program

    def _on_update(self, update: Update) -> None:
        self._shown.hear(self._words, update.view, update.cues)

    def play(self) -> int:
        """Show the whole scene; how many things were otherwise than written."""
        found = [*problems(self._scene.before, self._seen(0))]
        for beat in self._scene.beats:
            if self._ending.wait(PACE_S):
                break
            _tell(f"{beat.line.number:4}  {beat.line.text}")
            before = self.program.host.state.seq
            self._shown = Shown()
            self.perform(beat)
            wrong = [*problems_after(beat, self._seen(self.program.host.state.seq - before))]
            for problem in wrong:
                _tell(f"      {problem}")
            found += wrong
        self._ending.wait(PACE_S)
        return len(found)

    def perform(self, beat: Beat) -> None:
        """Do what one line of the scene says."""
        match beat.doing:
            case Wait(seconds=seconds):
                self._wait(seconds)
            case PlugPulled():
                self.program.close()
                self.program = self._switch_on()
                self.program.start()
            case Told(given=given):
                self._take(given)
            case act:
                observation = self._tray.see(act, self._clock.monotonic())
                if isinstance(act, Throw):
                    self._take(MotionReported(Motion.MOVING))
                    self._ending.wait(THROW_S)
                self._take(ReadingSettled(observation, "scene"))

    def _take(self, given: Input) -> None:
        answer: Future[View] = self.program.host.submit(given)
        try:
            answer.result(timeout=10)
        except RefusedError as error:
            self._shown.refused = str(error)

    def _wait(self, seconds: float) -> None:
        """Let the table's time pass, each thing that is due at its own moment of it."""
        end = self._clock.now_s + seconds
        self._ending.wait(min(seconds, LONGEST_S))
        while (due := wake_at(self.program.host.state)) is not None and due <= end:
            self._clock.now_s = max(self._clock.now_s, due)
            self._take(Tick())
        self._clock.now_s = end

    def _seen(self, written: int) -> SeenNow:
        return self._shown.seen(self.program.host.state, self.program.feed.latest, written)


def show_scene(file: Path, config: Config) -> int:
    """Show a scene; 0 when all went as written, 1 when something did not."""
    try:
        scene = read_scene(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise CompanionError(f"expected a scene, got {str(file)!r}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CompanionError(f"expected a scene in UTF-8, got {str(file)!r}") from error
    except CompanionError as error:
        raise CompanionError(f"{file}: {error}") from error
    ending = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: ending.set())
    with tempfile.TemporaryDirectory(prefix="farklecrib-scene-") as folder:
        show = Show(scene, config, Path(folder), ending)
        try:
            show.program.start()
            _tell(f"{scene.title}\nThe scene is shown at {show.program.address} (SIMULATED devices).")
            wrong = show.play()
        finally:
            show.program.close()
    if not wrong:
        _tell("Everything went as written.")
    return 1 if wrong else 0


def _tell(words: str) -> None:
    sys.stderr.write(words + "\n")
    sys.stderr.flush()
