"""A scene as written: its head, and its steps with the expectations after each. Plain data."""

from collections.abc import Callable
from dataclasses import dataclass, field

from companion.errors import SceneError
from companion.runtime.feed import Update
from companion.simulation.scenes.tray import HandAct
from companion.table.state.house import HouseRules
from companion.table.state.inputs import Input
from companion.table.state.state import TableState
from companion.times import Times
from pegboard.pegs import BoardView


@dataclass(frozen=True)
class LineOutcome:
    """What people see and hear after one line of a scene."""

    state: TableState
    update: Update
    board: BoardView  # the lights at rest
    lamps: frozenset[str]  # the buttons that are lit
    spoken: tuple[str, ...] = ()  # since the line began
    refused: str | None = None  # the words of a press that was not allowed
    written: int = 0  # acts in the journal since the line began
    cues: frozenset[str] = frozenset()


Check = Callable[[LineOutcome], str | None]
"""Returns None if the snapshot is as expected, else `expected ..., got ...`."""


@dataclass(frozen=True)
class SceneLine:
    """A line of the scene's text."""

    number: int
    text: str

    def error(self, reason: str) -> SceneError:
        """Return an error that names this line."""
        return SceneError(f"line {self.number}: {reason}", self.number)


@dataclass(frozen=True)
class Expectation:
    """One indented line: something that must be seen or heard."""

    line: SceneLine
    check: Check
    refusal: bool = False


@dataclass(frozen=True)
class Wait:
    """A wait of some seconds on the table's clock."""

    seconds: float


@dataclass(frozen=True)
class PlugPulled:
    """A power cut: everything but the journal is lost, and the table starts again."""


@dataclass(frozen=True)
class GiveInput:
    """An input of the table other than a reading: a press, an act on the page, a fault."""

    given: Input


Action = HandAct | Wait | PlugPulled | GiveInput


@dataclass(frozen=True)
class SceneStep:
    """One action, and the expectations after it."""

    line: SceneLine
    action: Action
    expected: tuple[Expectation, ...] = ()


@dataclass(frozen=True)
class Scene:
    """A whole scene."""

    title: str
    game: str | None  # the head in the notation; None for a table that opens with its lobby
    steps: tuple[SceneStep, ...]
    at_start: tuple[Expectation, ...] = ()
    track: int | None = None
    thrown_for: bool = False  # the players throw for who begins
    eye: bool = False  # the tests play it through rendered pictures and the eye, too
    times: Times = field(default_factory=Times)
    house: HouseRules = field(default_factory=HouseRules)
