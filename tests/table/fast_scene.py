"""A scene in its fast form: observations go straight into the table's step, on a clock that the test sets."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Protocol

from tables import FEATURES

from companion.errors import RefusedError, SceneError
from companion.runtime.feed import Update
from companion.simulation.scenes.script import LineOutcome, PlugPulled, Scene, SceneStep, Wait
from companion.simulation.scenes.show import first_act, problems, step_problems
from companion.simulation.scenes.tray import FirstLook, HandAct, SceneTray
from companion.table.asking.idle import wake_at
from companion.table.state.cues import Cue, CueKind
from companion.table.state.history import Act
from companion.table.state.inputs import Input, MotionReported, ReadingSettled, Started, Tick
from companion.table.state.state import TableState, restored
from companion.table.step import step, with_open_choice
from companion.table.view import view
from companion.words import Catalogue, load_catalogue
from dicereader.reading import Motion, Observation


class TraySight(Protocol):
    """An observer of the hand's acts: the tray of the scene, or hands over drawn pictures."""

    def see(self, act: HandAct, at_s: float) -> Observation:
        """Return the observation after an act. Raises `SceneError` if the act is impossible."""


@dataclass
class Stage:
    """A table for a scene. Its journal is a list of acts."""

    state: TableState
    words: Catalogue
    now: float = 0.0
    tray: TraySight = field(default_factory=SceneTray)
    version: int = 0
    recorder: LineOutcome = field(default_factory=LineOutcome)

    def take(self, given: Input) -> None:
        """Take one input as the host does."""
        try:
            made = step(self.state, given, self.now)
        except RefusedError as error:
            self.recorder.refused = str(error)
            self._hear((Cue(CueKind.REFUSED, error.reason),))
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
        """Drop all state that is not journalled, and start again."""
        kept = self.state
        again = restored(kept.acts, seq=kept.seq, game_number=kept.game_number, features=FEATURES)
        self.state = with_open_choice(replace(again, times=kept.times, house=kept.house))
        self.take(Started())

    def snapshot(self, written: int) -> LineOutcome:
        """Return everything that people see and hear now."""
        self.version += 1
        return self.recorder.ended(Update(self.version, view(self.state)), written)

    def perform(self, scene_step: SceneStep) -> None:
        """Do the action of a line. An error names the line."""
        try:
            match scene_step.action:
                case Wait(seconds=seconds):
                    self.wait(seconds)
                case PlugPulled():
                    self.plug()
                case Input() as given:
                    self.take(given)
                case act:
                    observation = self.tray.see(act)
                    if observation.episode.thrown():
                        self.take(MotionReported(Motion.MOVING))
                    self.take(ReadingSettled(observation, "scene"))
        except SceneError as error:
            raise scene_step.line.error(str(error)) from error


def play(scene: Scene, tray: TraySight | None = None) -> None:
    """Play a scene. Raises `SceneError` with the line at the first difference from the text.

    `tray` observes the acts of the hand instead of the scene's own tray.
    """
    stage = set_up(scene)
    if tray is not None:
        stage.tray = tray
        stage.take(ReadingSettled(tray.see(FirstLook()), "scene"))
    check(problems(scene.at_start, stage.snapshot(0)))
    for scene_step in scene.steps:
        before = stage.state.seq
        stage.recorder = LineOutcome()
        stage.perform(scene_step)
        check(step_problems(scene_step, stage.snapshot(stage.state.seq - before)))


def set_up(scene: Scene) -> Stage:
    """Set up the table by the scene's head. Raises `SceneError` if the head is impossible."""
    acts = () if scene.game is None else (Act(1, first_act(scene)),)
    state = restored(acts, seq=len(acts), game_number=len(acts), features=FEATURES)
    return Stage(with_open_choice(replace(state, times=scene.times, house=scene.house)), load_catalogue())


def check(found: Iterator[SceneError]) -> None:
    """Raise the first problem."""
    for problem in found:
        raise problem
