"""The kinds of named events, which stream, hooks and MQTT send to other programs.

Field names and kinds are a contract; `docs/events.schema.json` is generated from these types.
"""

from dataclasses import dataclass
from typing import Literal, get_args

from companion.words import Text
from farkle.rules.dice import Faces

VERSION: Literal[1] = 1
"""The version of the events' form; a field or a kind may be added without a new one."""


@dataclass(frozen=True)
class Standing:
    """The game after an act. A listener that keeps the newest standing shows what the table shows."""

    scores: tuple[int, ...]
    """The points of each side."""
    to_move: int | None
    """The seat of the player to move; null after the end."""
    turn_points: int
    """The points of the turn so far."""
    roll: Faces
    """The dice to choose from."""
    locked: Faces
    """The dice that were kept in this turn."""
    dice_left: int
    """The number of dice that may be thrown next, without those that are chosen."""
    round: int
    """The number of the round."""
    over: bool
    """Whether the game has ended."""


@dataclass(frozen=True, kw_only=True)
class NamedEvent:
    """The fields of every event."""

    version: Literal[1] = VERSION
    """The version of this form."""
    game: int
    """The number of the game; 0 before the first."""
    act: int
    """The number of the act, which the view calls `seq`."""
    id: str = ""
    """The act's `SEQ-HASH`; empty for a fault or a question, which no journal holds."""
    before: str = ""
    """The id of the act before. A listener that does not know this id has missed an act."""
    at: float
    """The time of the event in seconds since 1970, by the table's clock."""
    late: bool = False
    """Whether the event is sent late, so that a lamp should not flash."""
    text: Text
    """The event as a sentence; empty if there is none."""
    player: str | None = None
    """The player or team of the event."""
    seat: int | None = None
    """The player's place in the order of play, from 1; null for a team."""
    side: int | None = None
    """The index of the side in `scores`."""
    color: str | None = None
    """The colour of the side, as in CSS."""
    shape: str | None = None
    """The shape of the side's mark."""
    standing: Standing | None = None
    """The game after the act; null in a fault or question before the first game."""


@dataclass(frozen=True)
class Seated:
    """One player of a game."""

    name: str
    """The name."""
    side: int
    """The index of the side in `scores`."""
    color: str
    """The colour of the side, as in CSS."""
    shape: str
    """The shape of the side's mark."""


@dataclass(frozen=True, kw_only=True)
class Start(NamedEvent):
    """A game began, or one that was kept goes on."""

    event_type: Literal["start"] = "start"
    rules: str
    """The key of the rule set."""
    target: int
    """The points to win; 0 where no target ends the game."""
    track: int
    """The number of holes of the track."""
    players: tuple[Seated, ...]
    """All players, in the order of play."""


@dataclass(frozen=True, kw_only=True)
class Throw(NamedEvent):
    """The dice came to rest."""

    event_type: Literal["throw"] = "throw"
    faces: Faces
    """The faces, in the order as thrown."""


@dataclass(frozen=True, kw_only=True)
class Keep(NamedEvent):
    """A player chose dice, or kept those chosen by a throw or BANK."""

    event_type: Literal["keep"] = "keep"
    dice: Faces
    """The dice; empty if a choice was taken back."""
    points: int
    """Their points."""
    committed: bool
    """Whether the dice are kept; without that the choice may still change."""


@dataclass(frozen=True, kw_only=True)
class HotDice(NamedEvent):
    """All dice count, and may be thrown again."""

    event_type: Literal["hot_dice"] = "hot_dice"


@dataclass(frozen=True, kw_only=True)
class Farkle(NamedEvent):
    """A throw scored nothing. It may be corrected until the next throw."""

    event_type: Literal["farkle"] = "farkle"
    faces: Faces
    """The faces of the throw; empty if the players counted the farkle themselves."""
    lost: int
    """The points that the turn lost."""
    in_a_row: int
    """How many turns of the player in a row were farkles."""


@dataclass(frozen=True, kw_only=True)
class Bank(NamedEvent):
    """A player ended a turn."""

    event_type: Literal["bank"] = "bank"
    points: int
    """The points that it brought."""
    score: int
    """The points that the side has now."""


@dataclass(frozen=True, kw_only=True)
class Bump(NamedEvent):
    """A peg was bumped back, because another peg came to its hole."""

    event_type: Literal["bump"] = "bump"
    score: int
    """The points that the bumped side has now."""


@dataclass(frozen=True, kw_only=True)
class FinalRound(NamedEvent):
    """The last turns began, or another side took the lead in them."""

    event_type: Literal["final_round"] = "final_round"


@dataclass(frozen=True, kw_only=True)
class Win(NamedEvent):
    """The game ended."""

    event_type: Literal["win"] = "win"
    winners: tuple[str, ...]
    """The players or teams that won; empty if nobody won."""
    loser: str | None
    """The player or team that lost, if the rules look for a loser."""


@dataclass(frozen=True, kw_only=True)
class Undo(NamedEvent):
    """An act was taken off."""

    event_type: Literal["undo"] = "undo"
    undone: int
    """The number of the act."""


@dataclass(frozen=True, kw_only=True)
class Correction(NamedEvent):
    """The faces of a throw were corrected."""

    event_type: Literal["correction"] = "correction"
    corrected: int
    """The number of the throw's act."""
    faces: Faces
    """The right faces."""
    makes: tuple[str, ...]
    """The kinds of events that the corrected throw makes."""


@dataclass(frozen=True, kw_only=True)
class Change(NamedEvent):
    """Another act: a score was adjusted, a player joined or left, a choice of the rules was made."""

    event_type: Literal["change"] = "change"


@dataclass(frozen=True, kw_only=True)
class Fault(NamedEvent):
    """A part is degraded, or works again."""

    event_type: Literal["fault"] = "fault"
    part: str
    """The part."""
    over: bool
    """Whether it works again."""


@dataclass(frozen=True, kw_only=True)
class Question(NamedEvent):
    """The table asks something."""

    event_type: Literal["question"] = "question"
    answers: tuple[Text, ...]
    """The answers to choose from."""


ActEvent = Start | Throw | Keep | HotDice | Farkle | Bank | Bump | FinalRound | Win | Undo | Correction | Change
"""An event of an act, which the journal holds."""

AnyEvent = ActEvent | Fault | Question

KINDS: tuple[str, ...] = tuple(each.__dataclass_fields__["event_type"].default for each in get_args(AnyEvent))
"""The names of all kinds."""
