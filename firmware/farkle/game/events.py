"""Events: what has happened, in the past tense. Frozen; their meaning never changes, since journals hold them."""

from dataclasses import dataclass

from farkle.rules.dice import Faces


@dataclass(frozen=True)
class GameStarted:
    """A game began. `settings` are the switches set otherwise than the sheet; `sides` hold indices of `players`.

    `first` is the index of the player who begins, and with whom each round begins.
    """

    rules: str
    settings: tuple[tuple[str, int], ...]
    players: tuple[str, ...]
    sides: tuple[tuple[int, ...], ...]
    first: int


@dataclass(frozen=True)
class DiceRolled:
    """The player's dice came to rest with these faces, in the order as thrown."""

    player: int
    faces: Faces


@dataclass(frozen=True)
class DiceKept:
    """The player kept these dice of the last roll for these points."""

    player: int
    dice: Faces
    points: int


@dataclass(frozen=True)
class HotDiceMade:
    """All dice have been kept: the player may throw them all again."""

    player: int


@dataclass(frozen=True)
class Farkled:
    """The roll held nothing that scores: the turn's points are lost. `in_a_row` counts this side's farkled turns."""

    player: int
    lost: int
    in_a_row: int


@dataclass(frozen=True)
class TurnBanked:
    """The player ended the turn; `points` were added and make `score`."""

    player: int
    points: int
    score: int


@dataclass(frozen=True)
class FinalRoundBegan:
    """The player's side is off the end of the board; the others complete the round."""

    player: int


@dataclass(frozen=True)
class TurnPassed:
    """It is this player's turn."""

    player: int


@dataclass(frozen=True)
class GameEnded:
    """The game is over; `winners` are indices of sides, several where they share it."""

    winners: tuple[int, ...]


Event = (
    GameStarted | DiceRolled | DiceKept | HotDiceMade | Farkled | TurnBanked | FinalRoundBegan | TurnPassed | GameEnded
)
