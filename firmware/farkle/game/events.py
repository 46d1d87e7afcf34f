"""Events: the facts of a game, in the past tense. Frozen; their meaning never changes, because journals hold them."""

from dataclasses import dataclass

from farkle.rules.dice import Faces
from farkle.rules.switches import Value


@dataclass(frozen=True)
class Event:
    """Base of all events of a game."""


@dataclass(frozen=True)
class GameStarted(Event):
    """A game began.

    `settings` are the switches that differ from the sheet, `sides` indices of `players`. `first` is the index of the
    player who begins the game and each round. `teams` are the names of the sides in a team game, empty if all play
    alone. `definition` is the document of a house's own rule set, else empty.
    """

    rules: str
    settings: tuple[tuple[str, Value], ...]
    players: tuple[str, ...]
    sides: tuple[tuple[int, ...], ...]
    first: int
    teams: tuple[str, ...] = ()
    definition: str = ""


@dataclass(frozen=True)
class StandingGiven(Event):
    """The game continues from a standing on paper. `scores` are by side, `farkles` and `on_board` by player.

    `out` are sides off the board, `dice_left` and `points_left` what may be piggybacked, `closer` the player who began
    the final round.
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
class StartThrown(Event):
    """The player threw these dice for the first turn."""

    player: int
    faces: Faces


@dataclass(frozen=True)
class StartTied(Event):
    """These players tied for the first turn and throw again."""

    players: tuple[int, ...]


@dataclass(frozen=True)
class StarterFound(Event):
    """This player threw the highest total, begins the game, and begins each round."""

    player: int


@dataclass(frozen=True)
class PiggybackTaken(Event):
    """The player continues with the dice and the points that the player before left."""

    player: int
    points: int
    dice: int


@dataclass(frozen=True)
class ChoiceMade(Event):
    """The player took the default option of a choice: points, or fresh dice."""

    player: int
    kind: str
    option: str


@dataclass(frozen=True)
class DiceRolled(Event):
    """The player's dice came to rest with these faces, in the order as thrown."""

    player: int
    faces: Faces


@dataclass(frozen=True)
class NobodyLost(Event):
    """A throw without scoring dice earned these points (Nobody Loses); all dice may be thrown again."""

    player: int
    points: int


@dataclass(frozen=True)
class DiceKept(Event):
    """The player kept these dice of the last roll for these points."""

    player: int
    dice: Faces
    points: int


@dataclass(frozen=True)
class HotDiceMade(Event):
    """All dice have been kept: the player may throw all of them again."""

    player: int


@dataclass(frozen=True)
class PegsSwapped(Event):
    """A Bomb: the player's side and another exchanged scores, in place of `forgone` points."""

    player: int
    side: int
    other: int
    forgone: int


@dataclass(frozen=True)
class SwapUndone(Event):
    """A farkle undid the turn's swap: both sides have their own scores again."""

    side: int
    other: int


@dataclass(frozen=True)
class VantHofTaken(Event):
    """Six 1s over several throws scored `points`, in place of their own `forgone` points."""

    player: int
    points: int
    forgone: int


@dataclass(frozen=True)
class PointsCounted(Event):
    """The players counted the turn's points themselves; its dice are unknown."""

    player: int
    points: int


@dataclass(frozen=True)
class FarkleCounted(Event):
    """The players counted a farkle themselves; its dice are unknown."""

    player: int


@dataclass(frozen=True)
class Farkled(Event):
    """The roll scored nothing: the turn's points are lost. `in_a_row` counts farkled turns."""

    player: int
    lost: int
    in_a_row: int


@dataclass(frozen=True)
class SixOnesThrown(Event):
    """The player threw six 1s in one throw, which win the game at once."""

    player: int


@dataclass(frozen=True)
class FarklePaid(Event):
    """A farkle cost the player's side these points; its score is now `score`."""

    player: int
    points: int
    score: int


@dataclass(frozen=True)
class PenaltyPaid(Event):
    """Farkles in a row cost the player's side these points; its score is now `score`."""

    player: int
    points: int
    score: int


@dataclass(frozen=True)
class PlayerDisqualified(Event):
    """Farkles in a row put the player out of the game."""

    player: int


@dataclass(frozen=True)
class TurnBanked(Event):
    """The player ended the turn: `points` were added, and the side's score is now `score`."""

    player: int
    points: int
    score: int


@dataclass(frozen=True)
class PointsGiven(Event):
    """A turn overshot the target: `side` got its points and has `score`, or nobody got them (None)."""

    player: int
    points: int
    side: int | None
    score: int


@dataclass(frozen=True)
class PegBumped(Event):
    """Another peg came to rest in this side's hole: this side's peg went back to `score`."""

    side: int
    score: int


@dataclass(frozen=True)
class SideOut(Event):
    """This side's peg left the board; the others play on."""

    side: int


@dataclass(frozen=True)
class FinalRoundBegan(Event):
    """The player's side reached the target; the others complete the game."""

    player: int


@dataclass(frozen=True)
class LastRoundBegan(Event):
    """In a game of rounds the last round begins."""


@dataclass(frozen=True)
class LeadTaken(Event):
    """In the final round the player's side passed the leader with `score`; each other side has a turn to pass that."""

    player: int
    score: int


@dataclass(frozen=True)
class FinalRoundCalledOff(Event):
    """No side has reached the target any more: a score was adjusted, or a player left."""


@dataclass(frozen=True)
class ExtraRoundBegan(Event):
    """These sides tied and play another round."""

    sides: tuple[int, ...]


@dataclass(frozen=True)
class TurnPassed(Event):
    """It is this player's turn."""

    player: int


@dataclass(frozen=True)
class GameEnded(Event):
    """The game is over. `winners` are the sides that won or share the win, `loser` the side that lost it."""

    winners: tuple[int, ...]
    loser: int | None = None


@dataclass(frozen=True)
class GameCalledOff(Event):
    """The players ended the game early; nobody won."""


@dataclass(frozen=True)
class ScoreAdjusted(Event):
    """The players agreed that this side has this score."""

    side: int
    score: int


@dataclass(frozen=True)
class PlayerJoined(Event):
    """A player joined, last in the order."""

    name: str


@dataclass(frozen=True)
class PlayerLeft(Event):
    """A player left the game."""

    player: int


@dataclass(frozen=True)
class TurnSkipped(Event):
    """The player missed this turn."""

    player: int


@dataclass(frozen=True)
class TurnGiven(Event):
    """This player throws now; the player whose turn it was has the next turn."""

    player: int


EVENT_KINDS: tuple[type[Event], ...] = tuple(Event.__subclasses__())
"""Every kind of event, in the order of this module."""
