"""The state of a game: sides, the turn under way, and the phase that says what may be done now."""

from dataclasses import dataclass, field
from enum import StrEnum

from farkle.rules.dice import Faces, without
from farkle.rules.ruleset import RuleSet


class Phase(StrEnum):
    """What the game waits for."""

    TO_THROW = "to throw"  # the first throw of a turn
    CHOOSING = "choosing"  # dice lie that score: which are kept?
    KEPT = "kept"  # throw the rest, or bank
    OVER = "over"


@dataclass(frozen=True)
class Side:
    """Who scores together: a single player or a team. `players` are indices, in the order they throw."""

    players: tuple[int, ...]
    score: int = 0
    farkles: int = 0  # turns farkled in a row
    banked: bool = False  # has banked points, so is on the board


@dataclass(frozen=True)
class Turn:
    """The turn under way. `locked` are the dice kept of this set of dice; `roll` is the last throw, empty before it."""

    points: int = 0
    dice_left: int = 6
    roll: Faces = ()
    locked: Faces = ()

    def after(self, dice: Faces) -> Faces:
        """The dice of the last roll that are left when these are kept."""
        return without(self.roll, dice)


@dataclass(frozen=True)
class GameState:
    """A whole game as it stands."""

    rules: RuleSet
    players: tuple[str, ...]
    sides: tuple[Side, ...]
    first: int
    to_move: int
    phase: Phase = Phase.TO_THROW
    turn: Turn = field(default_factory=Turn)
    closer: int | None = None  # the player who set off the final round
    winners: tuple[int, ...] = ()

    @property
    def side_to_move(self) -> int:
        """The index of the side whose turn it is."""
        return self.side_of(self.to_move)

    def side_of(self, player: int) -> int:
        """The index of the side that a player belongs to."""
        return next(index for index, side in enumerate(self.sides) if player in side.players)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase is Phase.OVER
