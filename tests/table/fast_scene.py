"""A scene in its fast form: observations straight into the table's step, on a clock that is set by hand."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from companion.devices.phrases import Catalogue, load_catalogue
from companion.errors import RefusedError, SceneError
from companion.runtime.feed import Update
from companion.simulation.scenes.script import GiveInput, LineOutcome, PlugPulled, Scene, SceneStep, Wait
from companion.simulation.scenes.show import Recorder, first_act, problems, step_problems
from companion.simulation.scenes.tray import FirstLook, HandAct, SceneTray
from companion.table.asking.idle import wake_at
from companion.table.make_view import view
from companion.table.state.cues import Cue, CueKind
from companion.table.state.history import Act
from companion.table.state.inputs import Input, MotionReported, ReadingSettled, Started, Tick
from companion.table.state.state import TableState, restored
from companion.table.step import step, with_open_choice
from dicereader.reading import Motion, Observation


class TraySight(Protocol):
    """What sees the acts of the hand: the tray of the scene, or hands over drawn pictures."""

    def see(self, act: HandAct, at_s: float) -> Observation:
        """The observation after an act; raises `SceneError` if it cannot be done."""


@dataclass
class Stage:
    """A table that a scene is played on. Its journal is a list of acts."""

    state: TableState
    words: Catalogue
    now: float = 0.0
    tray: TraySight = field(default_factory=SceneTray)
    version: int = 0
    recorder: Recorder = field(default_factory=Recorder)

    def take(self, given: Input) -> None:
        """One input, as the host would take it."""
        try:
            made = step(self.state, given, self.now)
        except RefusedError as error:
            self.recorder.refused = str(error)
            self._hear((Cue(CueKind.REFUSED, str(error)),))
            return
        self.state = made.state
        self._hear(made.cues)

    def _hear(self, cues: tuple[Cue, ...]) -> None:
        self.recorder.hear(self.words, view(self.state), cues)

    def wait(self, seconds: float) -> None:
        """Let time pass, with each Tick that is due."""
        end = self.now + seconds
        while (due := wake_at(self.state)) is not None and due <= end:
            self.now = max(self.now, due)
            before = self.state
            self.take(Tick())
            if self.state == before:
                raise SceneError(f"expected a Tick to change what it was wished for at {due:g} s, and it did not")
        self.now = end

    def plug(self) -> None:
        """Forget all that is not journalled, and start again."""
        kept = self.state
        again = restored(kept.acts, seq=kept.seq, game_number=kept.game_number, times=kept.times, house=kept.house)
        self.state = with_open_choice(again)
        self.take(Started())

    def snapshot(self, written: int) -> LineOutcome:
        """What people see and hear now."""
        self.version += 1
        return self.recorder.snapshot(self.state, Update(self.version, view(self.state)), written)

    def perform(self, scene_step: SceneStep) -> None:
        """Do the action of a line, and name the line in what is wrong with it."""
        try:
            match scene_step.action:
                case Wait(seconds=seconds):
                    self.wait(seconds)
                case PlugPulled():
                    self.plug()
                case GiveInput(given=given):
                    self.take(given)
                case act:
                    observation = self.tray.see(act, self.now)
                    if observation.episode.thrown():
                        self.take(MotionReported(Motion.MOVING))
                    self.take(ReadingSettled(observation, "scene"))
        except SceneError as error:
            raise scene_step.line.error(str(error)) from error


def play(scene: Scene, tray: TraySight | None = None) -> None:
    """Play a scene; raises `SceneError` with the line at the first thing that is otherwise than written.

    `tray` sees the acts of the hand in place of the scene's own tray.
    """
    stage = set_up(scene)
    if tray is not None:
        stage.tray = tray
        stage.take(ReadingSettled(tray.see(FirstLook(), stage.now), "scene"))
    check(problems(scene.at_start, stage.snapshot(0)))
    for scene_step in scene.steps:
        before = stage.state.seq
        stage.recorder = Recorder()
        stage.perform(scene_step)
        check(step_problems(scene_step, stage.snapshot(stage.state.seq - before)))


def set_up(scene: Scene) -> Stage:
    """The table as the scene's head says; raises `SceneError` if the head cannot be."""
    state = restored((), seq=0, game_number=0, times=scene.times, house=scene.house)
    if scene.game is not None:
        first = Act(1, first_act(scene))
        state = with_open_choice(restored((first,), seq=1, game_number=1, times=scene.times, house=scene.house))
    return Stage(state, load_catalogue())


def check(found: Iterator[SceneError]) -> None:
    """Raise the first problem."""
    for problem in found:
        raise problem
