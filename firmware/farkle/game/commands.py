"""Commands: what may be asked of the game; `farkle.game.machine.decide` answers with events or a refusal."""

from dataclasses import dataclass

from farkle.rules.dice import Faces


@dataclass(frozen=True)
class Roll:
    """The dice were thrown and show these faces."""

    faces: Faces


@dataclass(frozen=True)
class Keep:
    """These dice of the last roll are kept; `points` declares a lower total where the dice allow several."""

    dice: Faces
    points: int | None = None


@dataclass(frozen=True)
class Bank:
    """The turn ends and its points are scored."""


Command = Roll | Keep | Bank
