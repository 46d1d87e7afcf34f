"""A scene as written: its head, and what is done line by line with what is expected after each. Plain data."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from companion.errors import SceneError
from companion.runtime.feed import Update
from companion.simulation.scenes.tray import Act
from companion.table.inputs import Input
from companion.table.state import HouseRules, TableState
from companion.times import Times
from pegboard.pegs import BoardView


@dataclass(frozen=True)
class Seen:
    """What there is to see and hear after one line of a scene.

    `state` and `update` are the table's, `board` its lights at rest, `spoken` what the voice has said since the line
    began, `refused` the words of a press that was not allowed, `written` how many acts the journal got, `cues` what
    just happened.
    """

    state: TableState
    update: Update
    board: BoardView
    lamps: frozenset[str]
    spoken: tuple[str, ...] = ()
    refused: str | None = None
    written: int = 0
    cues: frozenset[str] = frozenset()


Check = Callable[[Seen], str | None]
"""Says what is otherwise than expected, `expected ..., got ...`; None where all is as written."""


@dataclass(frozen=True)
class Line:
    """Where something stands, word for word."""

    number: int
    text: str

    def fail(self, reason: str) -> SceneError:
        """The error that points here."""
        return SceneError(f"line {self.number}: {reason}", self.number)


@dataclass(frozen=True)
class Expectation:
    """One indented line."""

    line: Line
    check: Check
    refusal: bool = False


@dataclass(frozen=True)
class Wait:
    """Time passes; `seconds` of the table's clock."""

    seconds: float


@dataclass(frozen=True)
class PlugPulled:
    """Everything but the journal is lost, and the table starts again."""


@dataclass(frozen=True)
class Told:
    """Something reaches the table that is no reading: a press, the page, a fault."""

    given: Input


Doing = Act | Wait | PlugPulled | Told


@dataclass(frozen=True)
class Beat:
    """One thing that is done, and what is expected after it."""

    line: Line
    doing: Doing
    expected: tuple[Expectation, ...] = ()


@dataclass(frozen=True)
class Scene:
    """A whole scene. `game` is its head in the notation, None for a table that opens with its lobby.

    `eye` marks a scene that is also played through rendered pictures and the eye.
    """

    title: str
    game: str | None
    beats: tuple[Beat, ...]
    before: tuple[Expectation, ...] = ()
    track: int | None = None
    thrown_for: bool = False
    eye: bool = False
    times: Times = field(default_factory=Times)
    house: HouseRules = field(default_factory=HouseRules)
    settings: Mapping[str, str] = field(default_factory=dict)
