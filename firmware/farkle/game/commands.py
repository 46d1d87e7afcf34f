"""Commands: requests to the game, which `farkle.game.machine.decide` answers with events or a refusal."""

from dataclasses import dataclass

from farkle.rules.dice import Faces


@dataclass(frozen=True)
class ThrowForStart:
    """Throw for the first turn. `player` is an index."""

    player: int
    faces: Faces


@dataclass(frozen=True)
class Roll:
    """Throw the dice, with these faces."""

    faces: Faces


@dataclass(frozen=True)
class Keep:
    """Keep these dice of the last roll; `points` declares a lower total if the dice have several."""

    dice: Faces
    points: int | None = None


@dataclass(frozen=True)
class Choose:
    """Take an option of the open choice; `side` is the side to swap with if several lead."""

    option: str
    side: int | None = None


@dataclass(frozen=True)
class Bank:
    """End the turn and score its points."""


@dataclass(frozen=True)
class Count:
    """State the turn's points so far, or None for a farkle; the players counted, the dice are unknown."""

    points: int | None


@dataclass(frozen=True)
class Adjust:
    """Set a side's score to the one that the players agreed on. `side` is an index."""

    side: int
    score: int


@dataclass(frozen=True)
class Join:
    """Add a player, last in the order, with no score."""

    name: str


@dataclass(frozen=True)
class Leave:
    """Take a player out of the game."""

    player: int


@dataclass(frozen=True)
class Skip:
    """Let the player to move miss this turn."""

    player: int


@dataclass(frozen=True)
class GiveTurn:
    """Let this player throw now; the player to move has the next turn."""

    player: int


@dataclass(frozen=True)
class End:
    """End the game early; nobody wins."""


Command = ThrowForStart | Roll | Keep | Choose | Bank | Count | End | Adjust | Join | Leave | Skip | GiveTurn
