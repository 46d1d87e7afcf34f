"""A table for tests: its state, a clock that the test sets, and observations as from a tray."""

from dataclasses import dataclass, field

from companion.features.coach.table import COACH
from companion.features.tournament.table import TOURNAMENT
from companion.table.state import inputs
from companion.table.state.acts import Step
from companion.table.state.cues import Cue
from companion.table.state.events import Event
from companion.table.state.inputs import Button, Gesture, Input, NewGame, Origin, Press, ReadingSettled
from companion.table.state.state import TableState, restored
from companion.table.step import step
from companion.table.view import View, view
from companion.words import english
from dicereader.reading import Box, DiceReading, Doubt, Episode, Fate, Observation, ReadDie, Zone

FEATURES = (COACH, TOURNAMENT)
"""The features of a table."""


def faces(text: str) -> tuple[int, ...]:
    return tuple(int(face) for face in text)


def observation(
    thrown: str = "",
    *,
    shelf: str = "",
    left: str = "",
    hand: bool = False,
    first: bool = False,
    sure: bool = True,
    still: bool = False,
    number: int = 1,
) -> Observation:
    """Return a settled tray: dice thrown just now, dice on the shelf, dice left in the throw area."""
    dice: list[ReadDie] = []
    fates: list[Fate] = []
    doubts = () if sure else (Doubt.FACE,)
    groups = (
        (thrown, Zone.THROW, Fate.THROWN),
        (shelf, Zone.SHELF, Fate.PLACED),
        (left, Zone.THROW, Fate.STAYED),
    )
    for text, zone, fate in groups:
        for face in faces(text):
            dice.append(ReadDie(face, Box(60 * len(dice), 0, 50, 50), 0.999 if sure else 0.6, zone, doubts))
            fates.append(Fate.PLACED if first else fate)
    episode = Episode(first=first, hand=hand, fates=tuple(fates))
    return Observation(DiceReading(tuple(dice), sure=sure), episode, still=still, number=number)


@dataclass
class Table:
    """A table whose journal is a list."""

    state: TableState = field(default_factory=lambda: restored((), seq=0, game_number=0, features=FEATURES))
    now: float = 0.0
    journal: list[tuple[Event, ...]] = field(default_factory=list)
    cues: list[Cue] = field(default_factory=list)

    def take(self, given: Input) -> Step:
        made = step(self.state, given, self.now)
        begins = made.state.game_number != self.state.game_number
        self.state = made.state
        self.cues = list(english().rendered(made.cues))
        if made.events:
            if begins:
                self.journal = []
            self.journal.append(made.events)
        return made

    def start(self, *players: str, **given: object) -> "Table":
        self.take(NewGame("farkle-cribbage", players or ("Ann", "Ben"), **given))  # type: ignore[arg-type]
        return self

    def throws(self, thrown: str, *, shelf: str = "", left: str = "", **given: bool) -> "Table":
        self.take(ReadingSettled(observation(thrown, shelf=shelf, left=left, **given), "synthetic"))
        return self

    def sets_aside(self, shelf: str, left: str) -> "Table":
        self.take(ReadingSettled(observation(shelf=shelf, left=left, hand=True), "synthetic"))
        return self

    def chooses(self, dice: str, points: int | None = None) -> "Table":
        self.take(inputs.ChooseSelection(faces(dice), points))
        return self

    def taps(self, button: str) -> "Table":
        self.take(Press(Button(button), origin=Origin.TABLE))
        return self

    def holds(self, button: str) -> "Table":
        self.take(Press(Button(button), Gesture.HOLD, Origin.TABLE))
        return self

    def answers(self, answer: str) -> "Table":
        self.take(inputs.Answer(answer, Origin.MACHINE))
        return self

    def take_answer(self, answer: str) -> Step:
        return self.take(inputs.Answer(answer, Origin.MACHINE))

    def undoes(self) -> "Table":
        self.take(inputs.Undo())
        return self

    def corrects(self, dice: str) -> "Table":
        self.take(inputs.CorrectRoll(faces(dice)))
        return self

    @property
    def view(self) -> View:
        """The view in English."""
        return english().rendered(view(self.state))

    def score(self, name: str) -> int:
        return next(player.score for player in self.view.players if player.name == name)


def game(rules: str = "farkle-cribbage", *players: str, **settings: object) -> Table:
    """Return a table on which a game by these rules and settings has begun."""
    table = Table()
    table.take(NewGame(rules, players or ("Ann", "Ben"), settings=settings))
    return table


def paused(table: Table, *items: str) -> Table:
    """Open the pause menu, and choose these items of it and of what follows."""
    table.take(inputs.Pause())
    for item in items:
        table.answers(item)
    return table


def banks(table: Table, roll: str, kept: str) -> Table:
    """Play a whole turn of one throw."""
    return table.throws(roll).chooses(kept).taps("bank")
