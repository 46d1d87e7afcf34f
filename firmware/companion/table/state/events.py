"""The table's own events, journalled beside the game's: what was chosen, seen, undone and corrected."""

from dataclasses import dataclass
from typing import ClassVar

from farkle.game import events as game
from farkle.rules.dice import Faces


@dataclass(frozen=True)
class TableEvent:
    """An event of the table's own."""


@dataclass(frozen=True)
class Aside(TableEvent):
    """An event beside the game: it changes nothing in the game, and holding ROLL does not take it off.

    The last event of a type counts (`Play.last`), so each says all that there is to say. The events of features
    inherit from this class, and `of` is the feature's name: the journal calls them `feature.Event`.
    """

    journal_kind: ClassVar[str]

    def __init_subclass__(cls, of: str = "") -> None:
        """Note the name of the kind."""
        cls.journal_kind = f"{of}.{cls.__name__}" if of else cls.__name__


@dataclass(frozen=True)
class TrackLaid(TableEvent):
    """The game is shown on a track of this many holes."""

    holes: int


@dataclass(frozen=True)
class StartToBeThrown(TableEvent):
    """The players throw for who begins."""


@dataclass(frozen=True)
class SelectionChosen(TableEvent):
    """A player chose dice of the roll; the next throw or BANK keeps them. Empty `dice` take the choice back."""

    dice: Faces
    points: int


@dataclass(frozen=True)
class ThrowSeen(TableEvent):
    """The eye read the throw of this act: its source, the number and name of the picture, and whether it was sure."""

    source: str
    picture: int
    name: str
    sure: bool


@dataclass(frozen=True)
class Undone(TableEvent):
    """The act was taken off. The state is the fold of the acts that are left and of the events after this one."""

    act: int


@dataclass(frozen=True)
class RollCorrected(TableEvent):
    """The throw of the act showed these faces; the acts after it are folded again."""

    act: int
    faces: Faces


@dataclass(frozen=True)
class GameResumed(Aside):
    """The game goes on at the table, after others were played. It changes nothing, and no undo takes it off."""


@dataclass(frozen=True)
class CountingBegan(TableEvent):
    """The players chose from the menu to count their points themselves; a camera that sees again does not end it."""


@dataclass(frozen=True)
class CountingEnded(TableEvent):
    """The players chose from the menu that the table reads the dice again."""


@dataclass(frozen=True)
class EveningClosed(Aside):
    """The evening ended with act `after`; later games are of the next evening. It changes no game."""

    after: int


@dataclass(frozen=True)
class NextStarterChosen(Aside):
    """A rematch is begun by the `loser` or the `winner`, or `seat`: by the first in the order of seats."""

    begins: str


@dataclass(frozen=True)
class BotSeated(TableEvent):
    """The board itself plays for a player, with decisions of this kind and these parameters."""

    player: int
    kind: str
    parameters: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class BotDecided(TableEvent):
    """The bot to move keeps the dice that the same act chooses; then it banks, or throws the others."""

    bank: bool


@dataclass(frozen=True)
class Gone(Aside):
    """An event of a kind or form that this table does not have, as its row holds it."""

    kind: str
    schema: int
    body: str


Event = game.Event | TableEvent
"""Everything the journal holds."""
