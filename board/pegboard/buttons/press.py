"""What hands can do with the buttons: taps, holds, a chord; and on a desk the keys for the simulated tray."""

from dataclasses import dataclass
from enum import StrEnum

from pegboard.errors import ViewError


class Button(StrEnum):
    """The three buttons."""

    KEEP = "keep"
    ROLL = "roll"
    BANK = "bank"


@dataclass(frozen=True)
class Press:
    """One button, tapped or held."""

    button: Button
    hold: bool = False


@dataclass(frozen=True)
class Chord:
    """Two buttons or more at once, for three seconds."""


@dataclass(frozen=True)
class Stuck:
    """A button has been down for so long that it is not listened to; or it has come up again."""

    button: Button
    stuck: bool


@dataclass(frozen=True)
class DeskThrow:
    """The key of the desk that throws the simulated dice."""


@dataclass(frozen=True)
class DeskSlide:
    """A key of the desk that slides a simulated die, 0 to 5 by its place in the throw, onto the shelf."""

    die: int

    def __post_init__(self) -> None:
        if not 0 <= self.die <= 5:
            raise ViewError(f"expected a die from 0 to 5, got {self.die!r}")


Gesture = Press | Chord | Stuck | DeskThrow | DeskSlide
