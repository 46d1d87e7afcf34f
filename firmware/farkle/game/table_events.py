"""Events of the table's own acts: what people do beside the rules. Frozen, as all events are."""

from dataclasses import dataclass


@dataclass(frozen=True)
class GameCalledOff:
    """The players ended the game as it stood; nobody has won."""


@dataclass(frozen=True)
class ScoreAdjusted:
    """All agreed that this side has this score."""

    side: int
    score: int


@dataclass(frozen=True)
class PlayerJoined:
    """A player joined, last in the order."""

    name: str


@dataclass(frozen=True)
class PlayerLeft:
    """A player left the game."""

    player: int


@dataclass(frozen=True)
class TurnSkipped:
    """The player missed this turn."""

    player: int


@dataclass(frozen=True)
class TurnGiven:
    """This player throws now; the one whose turn it was has it afterwards."""

    player: int
