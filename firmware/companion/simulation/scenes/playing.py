"""Playing a scene in its fast form: observations straight into the table's step, on a clock that is told the time."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from companion.devices.lights import board_view
from companion.devices.phrases import Catalogue, call_out, load_catalogue
from companion.errors import RefusedError, SceneError
from companion.runtime.feed import Update
from companion.simulation.scenes.script import Beat, Expectation, PlugPulled, Scene, Told, Wait
from companion.simulation.scenes.script import Seen as SeenNow
from companion.simulation.scenes.tray import Look, Sight, Tray
from companion.table.cues import Cue, CueKind
from companion.table.events import Event, StartToBeThrown, TrackLaid
from companion.table.history import Act
from companion.table.idle import wake_at
from companion.table.inputs import Input, MotionReported, ReadingSettled, Started, Tick
from companion.table.make_view import view
from companion.table.state import TableState, restored
from companion.table.step import step, with_open_choice
from companion.table.view import View
from dicereader.reading import Motion
from farkle.errors import FarkleError, NotationError
from farkle.game.events import GameStarted
from farkle.replay import replay


@dataclass
class Shown:
    """What people have seen and heard since a line of a scene began."""

    cues: list[Cue] = field(default_factory=list)
    spoken: list[str] = field(default_factory=list)
    refused: str | None = None

    def hear(self, words: Catalogue, shown: View, cues: tuple[Cue, ...]) -> None:
        """Cues of the table, and what the voice says to them."""
        self.cues.extend(cues)
        said = call_out(words, shown, cues)
        if said:
            self.spoken.append(said)

    def seen(self, state: TableState, update: Update, written: int) -> SeenNow:
        """What there is to see and hear now; `written` is how many acts the journal got."""
        return SeenNow(
            state=state,
            update=update,
            board=board_view(update.view),
            lamps=frozenset(update.view.legal),
            spoken=tuple(self.spoken),
            refused=self.refused,
            written=written,
            cues=frozenset(cue.kind.value for cue in self.cues),
        )


@dataclass
class Stage:
    """A table that a scene is played on. Its journal is a list of acts."""

    state: TableState
    words: Catalogue
    now: float = 0.0
    tray: Sight = field(default_factory=Tray)
    version: int = 0
    shown: Shown = field(default_factory=Shown)

    def take(self, given: Input) -> None:
        """One input, as the host would take it."""
        try:
            made = step(self.state, given, self.now)
        except RefusedError as error:
            self.shown.refused = str(error)
            self._hear((Cue(CueKind.REFUSED, str(error)),))
            return
        self.state = made.state
        self._hear(made.cues)

    def _hear(self, cues: tuple[Cue, ...]) -> None:
        self.shown.hear(self.words, view(self.state), cues)

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

    def seen(self, written: int) -> SeenNow:
        """What there is to see and hear now."""
        self.version += 1
        return self.shown.seen(self.state, Update(self.version, view(self.state)), written)


def play(scene: Scene, tray: Sight | None = None) -> None:
    """Play a scene and check what it expects; raises `SceneError` with the line at the first that is otherwise.

    `tray` sees the acts of the hand in the fast form's place.
    """
    stage = set_up(scene)
    if tray is not None:
        stage.tray = tray
        stage.take(ReadingSettled(tray.see(Look(), stage.now), "scene"))
    _check(problems(scene.before, stage.seen(0)))
    for beat in scene.beats:
        before = stage.state.seq
        stage.shown = Shown()
        do(stage, beat)
        _check(problems_after(beat, stage.seen(stage.state.seq - before)))


def set_up(scene: Scene) -> Stage:
    """The table as the scene's head says; raises `SceneError` where the head cannot be."""
    state = restored((), seq=0, game_number=0, times=scene.times, house=scene.house)
    if scene.game is not None:
        first = Act(1, first_act(scene))
        state = with_open_choice(restored((first,), seq=1, game_number=1, times=scene.times, house=scene.house))
    return Stage(state, load_catalogue())


def first_act(scene: Scene) -> tuple[Event, ...]:
    """The events of the game in the scene's head, which are one act."""
    assert scene.game is not None
    try:
        played = replay(scene.game)
    except NotationError as error:
        raise SceneError(str(error), error.line) from error
    except FarkleError as error:
        raise SceneError(f"line 1: {error}", 1) from error
    rules = played.state.rules
    track = scene.track or rules.smallest_track
    try:
        rules.check_fit(track)
    except FarkleError as error:
        raise SceneError(f"line 1: {error}", 1) from error
    assert isinstance(played.events[0], GameStarted)
    thrown_for = (StartToBeThrown(),) if scene.thrown_for else ()
    return (*played.events, TrackLaid(track), *thrown_for)


def do(stage: Stage, beat: Beat) -> None:
    """Do what a line says, and add what is wrong with it to its place."""
    try:
        match beat.doing:
            case Wait(seconds=seconds):
                stage.wait(seconds)
            case PlugPulled():
                stage.plug()
            case Told(given=given):
                stage.take(given)
            case act:
                observation = stage.tray.see(act, stage.now)
                if observation.episode.thrown():
                    stage.take(MotionReported(Motion.MOVING))
                stage.take(ReadingSettled(observation, "scene"))
    except SceneError as error:
        raise beat.line.fail(str(error)) from error


def _check(found: Iterator[SceneError]) -> None:
    for problem in found:
        raise problem


def problems_after(beat: Beat, seen: SeenNow) -> Iterator[SceneError]:
    """What is otherwise than a line and its expectations say, each with its line; first a refusal nobody expects."""
    if seen.refused is not None and not any(each.refusal for each in beat.expected):
        yield beat.line.fail(f"{beat.line.text}: refused: {seen.refused}")
    yield from problems(beat.expected, seen)


def problems(expected: tuple[Expectation, ...], seen: SeenNow) -> Iterator[SceneError]:
    """What is otherwise than expected, each with its line."""
    for each in expected:
        problem = each.check(seen)
        if problem is not None:
            yield each.line.fail(f"{each.line.text}: {problem}")
