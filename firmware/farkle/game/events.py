"""Events: what has happened, in the past tense. Frozen; their meaning never changes, since journals hold them."""

from dataclasses import dataclass

from farkle.game.table_events import GameCalledOff as GameCalledOff
from farkle.game.table_events import PlayerJoined as PlayerJoined
from farkle.game.table_events import PlayerLeft as PlayerLeft
from farkle.game.table_events import ScoreAdjusted as ScoreAdjusted
from farkle.game.table_events import TurnGiven as TurnGiven
from farkle.game.table_events import TurnSkipped as TurnSkipped
from farkle.rules.dice import Faces
from farkle.rules.switches import Value


@dataclass(frozen=True)
class GameStarted:
    """A game began. `settings` are the switches set otherwise than the sheet; `sides` hold indices of `players`.

    `first` is the index of the player who begins, and with whom each round begins. `teams` are the sides' names in a
    team game, empty where each plays alone. `definition` is the document of a rule set of the house's own, else empty.
    """

    rules: str
    settings: tuple[tuple[str, Value], ...]
    players: tuple[str, ...]
    sides: tuple[tuple[int, ...], ...]
    first: int
    teams: tuple[str, ...] = ()
    definition: str = ""


@dataclass(frozen=True)
class StandingGiven:
    """The game was taken over as it stood. `scores` by side; `farkles` and `on_board` by player.

    `out` are sides off the board, `dice_left` and `points_left` what may be piggybacked, `closer` the player who set
    off the last round.
    """

    to_move: int
    scores: tuple[int, ...]
    farkles: tuple[int, ...]
    on_board: tuple[bool, ...]
    out: tuple[int, ...]
    dice_left: int
    points_left: int
    closer: int | None


@dataclass(frozen=True)
class StartThrown:
    """The player threw these dice for who begins."""

    player: int
    faces: Faces


@dataclass(frozen=True)
class StartTied:
    """These players tied for who begins, and throw again."""

    players: tuple[int, ...]


@dataclass(frozen=True)
class StarterFound:
    """This player threw the most and begins; each round begins there."""

    player: int


@dataclass(frozen=True)
class PiggybackTaken:
    """The player goes on with the dice and the points that the one before left."""

    player: int
    points: int
    dice: int


@dataclass(frozen=True)
class ChoiceMade:
    """The player chose what happens anyway where nothing is chosen: points, or fresh dice."""

    player: int
    kind: str
    option: str


@dataclass(frozen=True)
class DiceRolled:
    """The player's dice came to rest with these faces, in the order as thrown."""

    player: int
    faces: Faces


@dataclass(frozen=True)
class NobodyLost:
    """The throw held nothing that scores and is paid instead: these points are at risk, and all dice thrown again."""

    player: int
    points: int


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
class PegsSwapped:
    """A Bomb: the player's side and another exchanged their scores, in place of `forgone` points."""

    player: int
    side: int
    other: int
    forgone: int


@dataclass(frozen=True)
class SwapUndone:
    """A farkle took the turn's swap back: both sides have their own scores again."""

    side: int
    other: int


@dataclass(frozen=True)
class VantHofTaken:
    """Six 1s over several throws were given `points`, in place of the `forgone` that they had made."""

    player: int
    points: int
    forgone: int


@dataclass(frozen=True)
class PointsCounted:
    """The players counted: the turn stands at these points, and what dice lie is not known."""

    player: int
    points: int


@dataclass(frozen=True)
class FarkleCounted:
    """The players saw a farkle; the dice are not known."""

    player: int


@dataclass(frozen=True)
class Farkled:
    """The roll held nothing that scores: the turn's points are lost. `in_a_row` counts farkled turns."""

    player: int
    lost: int
    in_a_row: int


@dataclass(frozen=True)
class PenaltyPaid:
    """Farkles in a row cost the player's side points, which made its score this."""

    player: int
    points: int
    score: int


@dataclass(frozen=True)
class PlayerDisqualified:
    """Farkles in a row put the player out of the game."""

    player: int


@dataclass(frozen=True)
class TurnBanked:
    """The player ended the turn; `points` were added and make `score`."""

    player: int
    points: int
    score: int


@dataclass(frozen=True)
class PointsGiven:
    """The turn overshot the target: its points went to another side and make `score` there; to none where void."""

    player: int
    points: int
    side: int | None
    score: int


@dataclass(frozen=True)
class PegBumped:
    """A peg came to rest in this side's hole: it went back and has this score."""

    side: int
    score: int


@dataclass(frozen=True)
class SideOut:
    """This side's peg left the board; the others play on."""

    side: int


@dataclass(frozen=True)
class FinalRoundBegan:
    """The player's side has reached the target; the others complete the game."""

    player: int


@dataclass(frozen=True)
class FinalRoundCalledOff:
    """No side has reached the target any more, after a score was adjusted."""


@dataclass(frozen=True)
class ExtraRoundBegan:
    """These sides tied and play one round more."""

    sides: tuple[int, ...]


@dataclass(frozen=True)
class TurnPassed:
    """It is this player's turn."""

    player: int


@dataclass(frozen=True)
class GameEnded:
    """The game is over; `winners` are indices of sides, several where they share it; `loser` where one was sought."""

    winners: tuple[int, ...]
    loser: int | None = None


Event = (
    GameStarted
    | StandingGiven
    | StartThrown
    | StartTied
    | StarterFound
    | PiggybackTaken
    | ChoiceMade
    | DiceRolled
    | NobodyLost
    | DiceKept
    | HotDiceMade
    | PegsSwapped
    | SwapUndone
    | VantHofTaken
    | PointsCounted
    | FarkleCounted
    | Farkled
    | PenaltyPaid
    | PlayerDisqualified
    | TurnBanked
    | PointsGiven
    | PegBumped
    | SideOut
    | FinalRoundBegan
    | FinalRoundCalledOff
    | ExtraRoundBegan
    | TurnPassed
    | GameEnded
    | GameCalledOff
    | ScoreAdjusted
    | PlayerJoined
    | PlayerLeft
    | TurnSkipped
    | TurnGiven
)
