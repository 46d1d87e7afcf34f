"""Inputs: everything that can reach the table. Frozen data; the host puts them into one inbox, in order of arrival."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from dicereader.reading import Observation
from farkle.rules.dice import Faces
from farkle.rules.ruleset import RuleSet
from pegboard.buttons.port import Button as Button


class Gesture(StrEnum):
    """How a button was pressed."""

    TAP = "tap"
    HOLD = "hold"


class Motion(StrEnum):
    """What goes on in the tray right now; shown, never journalled."""

    STILL = "still"
    MOVING = "moving"
    HAND = "hand"


@dataclass(frozen=True)
class Press:
    """A button was pressed, at the table or on the page."""

    button: Button
    gesture: Gesture = Gesture.TAP


@dataclass(frozen=True)
class Pause:
    """Two buttons were held together, or the page asks for the pause menu; once more closes it."""


@dataclass(frozen=True)
class Started:
    """The table has just been switched on, its page at `address`: it says how the game stands."""

    address: str = ""


@dataclass(frozen=True)
class EnterRoll:
    """Nobody can see the dice: a player enters the faces of a throw."""

    faces: Faces


@dataclass(frozen=True)
class Seen:
    """The eye has settled on a reading."""

    observation: Observation
    source: str = ""


@dataclass(frozen=True)
class TrayMotion:
    """The eye sees the tray move, or come to rest."""

    motion: Motion


@dataclass(frozen=True)
class Bumped:
    """The tray was moved, and the eye has found it again."""


@dataclass(frozen=True)
class Fault:
    """Something is degraded, or (with `text` None) well again. `part` names it: eye, camera, leds ...

    `doubtful` says that it may be a false alarm, which players may wave away.
    """

    part: str
    text: str | None
    doubtful: bool = False


@dataclass(frozen=True)
class NewGame:
    """Start a game by a rule set or its name. `teams` hold players by the team's name; `start` names who begins.

    With `thrown_for` the players throw for who begins.
    """

    rules: str | RuleSet
    players: tuple[str, ...]
    settings: Mapping[str, object] = field(default_factory=dict, hash=False)
    track: int | None = None
    start: str | None = None
    teams: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    thrown_for: bool = False


@dataclass(frozen=True)
class ChooseSelection:
    """A player chose these dice of the roll on the page; `points` declares a lower total where rules allow it."""

    dice: Faces
    points: int | None = None


@dataclass(frozen=True)
class CorrectRoll:
    """The last throw showed these faces, not those that were read."""

    faces: Faces


@dataclass(frozen=True)
class Undo:
    """Take the last effective act off."""


@dataclass(frozen=True)
class Answer:
    """The answer to the open question, one of its answers word for word."""

    answer: str


@dataclass(frozen=True)
class Tick:
    """Time has passed: the host sends it at the `wake_at` of the last step."""


Input = (
    Press
    | Pause
    | Started
    | EnterRoll
    | Seen
    | TrayMotion
    | Bumped
    | Fault
    | NewGame
    | ChooseSelection
    | CorrectRoll
    | Undo
    | Answer
    | Tick
)
