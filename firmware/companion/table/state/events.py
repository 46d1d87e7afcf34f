"""The table's own events, journalled beside the game's: what was chosen, seen, undone and corrected."""

from dataclasses import dataclass

from farkle.game import events as game
from farkle.rules.dice import Faces
from farkle.rules.switches import Value


@dataclass(frozen=True)
class TrackLaid:
    """The game is shown on a track of this many holes."""

    holes: int


@dataclass(frozen=True)
class StartToBeThrown:
    """The players throw for who begins."""


@dataclass(frozen=True)
class SelectionChosen:
    """A player chose dice of the roll; the next throw or BANK keeps them. Empty `dice` take the choice back."""

    dice: Faces
    points: int


@dataclass(frozen=True)
class ThrowSeen:
    """The eye read the throw of this act: its source, the number and name of the picture, and whether it was sure."""

    source: str
    picture: int
    name: str
    sure: bool


@dataclass(frozen=True)
class Undone:
    """The act was taken off. The state is the fold of the acts that are left and of the events after this one."""

    act: int


@dataclass(frozen=True)
class RollCorrected:
    """The throw of the act showed these faces; the acts after it are folded again."""

    act: int
    faces: Faces


@dataclass(frozen=True)
class GameResumed:
    """The game goes on at the table, after others were played. It changes nothing, and no undo takes it off."""


@dataclass(frozen=True)
class CountingBegan:
    """The players chose from the menu to count their points themselves; a camera that sees again does not end it."""


@dataclass(frozen=True)
class CountingEnded:
    """The players chose from the menu that the table reads the dice again."""


@dataclass(frozen=True)
class EveningClosed:
    """The evening ended with act `after`; later games are of the next evening. It changes no game."""

    after: int


@dataclass(frozen=True)
class NextStarterChosen:
    """A rematch is begun by the `loser` or the `winner`, or `seat`: by the first in the order of seats."""

    begins: str


@dataclass(frozen=True)
class CoachChosen:
    """The whole table wants these parts of the coach from now on, by their names in `CoachPart`."""

    parts: tuple[str, ...]


@dataclass(frozen=True)
class BotSeated:
    """The board itself plays for a player, with decisions of this kind and these parameters."""

    player: int
    kind: str
    parameters: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class BotDecided:
    """The bot to move keeps the dice that the same act chooses; then it banks, or throws the others."""

    bank: bool


@dataclass(frozen=True)
class TournamentStands:
    """A tournament goes on: its form and players, its rules, and the matches that were finished before this game.

    `players` are in the order as named, and `kinds` the kinds of those that the board plays, empty for people. `rules`,
    `settings`, `definition` and `track` are those of each match, as in `GameStarted` and `TrackLaid`. `lanes` is not
    used any more. `results` holds for each finished match the indices of its players, the one who began first, and
    their places. `left` holds who left the tournament, each with the number of matches that were finished by then.
    `ended`: the players ended it early. `last_game` is the number of the game that the last result is of, 0 where there
    is no result.
    """

    form: str
    players: tuple[str, ...]
    kinds: tuple[str, ...]
    rules: str
    settings: tuple[tuple[str, Value], ...]
    definition: str
    track: int
    lanes: int = 4
    results: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()
    left: tuple[tuple[int, int], ...] = ()
    ended: bool = False
    last_game: int = 0


@dataclass(frozen=True)
class Gone:
    """An event of a kind or form that the table has no longer, as its row holds it. It changes nothing."""

    kind: str
    schema: int
    body: str


TableEvent = (
    TrackLaid
    | StartToBeThrown
    | SelectionChosen
    | ThrowSeen
    | Undone
    | RollCorrected
    | GameResumed
    | CountingBegan
    | CountingEnded
    | EveningClosed
    | NextStarterChosen
    | CoachChosen
    | BotSeated
    | BotDecided
    | TournamentStands
    | Gone
)

Aside = GameResumed | EveningClosed | NextStarterChosen | CoachChosen | TournamentStands | Gone
"""Events beside the game: they change nothing in it, and holding ROLL does not take them off."""

Event = game.Event | TableEvent
"""Everything the journal holds."""
