"""Commands: what may be asked of the game; `farkle.game.machine.decide` answers with events or a refusal."""

from dataclasses import dataclass

from farkle.rules.dice import Faces


@dataclass(frozen=True)
class ThrowForStart:
    """A player threw for who begins. `player` is an index."""

    player: int
    faces: Faces


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
class Choose:
    """One of the options of the open choice; `side` names whom to swap with where several lead."""

    option: str
    side: int | None = None


@dataclass(frozen=True)
class Bank:
    """The turn ends and its points are scored."""


@dataclass(frozen=True)
class Count:
    """Players counted the turn themselves: its points so far, or None for a farkle. No dice are known then."""

    points: int | None


@dataclass(frozen=True)
class Adjust:
    """All agree that this side's score is another. `side` is an index."""

    side: int
    score: int


@dataclass(frozen=True)
class Join:
    """Another player joins, last in the order, with nothing scored."""

    name: str


@dataclass(frozen=True)
class Leave:
    """A player leaves the game."""

    player: int


@dataclass(frozen=True)
class Skip:
    """The player to move misses this turn."""

    player: int


@dataclass(frozen=True)
class GiveTurn:
    """This player throws now; the player to move has the turn afterwards."""

    player: int


@dataclass(frozen=True)
class End:
    """The players end the game as it stands; nobody has won."""


Command = ThrowForStart | Roll | Keep | Choose | Bank | Count | End | Adjust | Join | Leave | Skip | GiveTurn
