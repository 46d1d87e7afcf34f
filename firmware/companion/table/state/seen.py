"""What a table sees of its tray, and what is wrong there. It is seen again after a restart."""

from dataclasses import dataclass
from enum import StrEnum

from companion.words import Message
from dicereader.reading import Motion, Observation
from farkle.rules.dice import Faces


@dataclass(frozen=True)
class FarkleShown:
    """A farkle that is shown until a time on the table's clock."""

    faces: Faces
    lost: int
    until_s: float


@dataclass(frozen=True)
class Complaint:
    """A message about a tray that cannot be right; repeated at `next_s` on the table's clock.

    `dice` is the number of dice to look at.
    """

    says: Message
    next_s: float
    dice: int = 1


@dataclass(frozen=True)
class IncompleteThrow:
    """A throw that waits for some of its dice.

    `kind` is cocked, missing or touching. `faces` count already, `again` dice are to be thrown again (0 if they are
    only to be moved), and `kept` was set aside before the throw.
    """

    kind: str
    faces: Faces
    again: int
    kept: Faces | None = None


@dataclass(frozen=True)
class Blindness:
    """Since when the table cannot see its tray, whether that may be a false alarm, and whether the table has asked."""

    since_s: float
    false_alarm: bool = False
    asked: bool = False


class ManualEntry(StrEnum):
    """What the players do in place of the eye."""

    NO = "no"
    COUNTING = "counting"  # they count points
    FACES = "faces"  # they enter the faces


@dataclass(frozen=True)
class Seen:
    """The tray, and how the players do without it."""

    observation: Observation | None = None
    """The tray as it was seen last."""
    source: str = ""
    """What saw it."""
    motion: Motion = Motion.STILL
    """Whether something moves in the tray."""
    moving_since_s: float | None = None
    """When the tray began to move; None once the table has asked about it."""
    out_of_step: bool = False
    """Whether the tray differs from the game until the next throw."""
    complaint: Complaint | None = None
    """What is wrong in the tray."""
    incomplete: IncompleteThrow | None = None
    """A throw that waits for some of its dice."""
    blind: Blindness | None = None
    """Since when the table cannot see its tray."""
    manual: ManualEntry = ManualEntry.NO
    """What the players do in place of the eye."""
    confirm_readings: bool = False
    """Whether the table asks about every reading, because the players ignored an alarm of the camera."""
