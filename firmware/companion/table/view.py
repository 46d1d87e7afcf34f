"""What is shown of a table: the view and its parts, as plain data."""

from dataclasses import dataclass

from companion.table.state import ByHand, Rest
from farkle.rules.dice import Faces
from farkle.rules.switches import Value


@dataclass(frozen=True)
class PlayerView:
    """One player as shown. In a team game score and holes are the team's; `place` is 1 for the first.

    `half` and `front_half` say that a peg stands half a hole further, where a hole is worth more than one step.
    """

    name: str
    color: str
    shape: str
    side: int
    score: int
    position: int
    hole: int
    front_hole: int
    farkles: int
    out: bool
    place: int
    half: bool = False
    front_half: bool = False


@dataclass(frozen=True)
class PartView:
    """One combination of a selection."""

    name: str
    dice: Faces
    points: int


@dataclass(frozen=True)
class SelectionView:
    """Dice that may be kept, for how many points, and what makes them: in words, and part by part."""

    dice: Faces
    points: int
    totals: tuple[int, ...]
    parts: str
    made: tuple[PartView, ...] = ()


@dataclass(frozen=True)
class DieView:
    """One die as read: face, box in pixels of the picture, and whether it is in doubt."""

    face: int
    box: tuple[int, int, int, int]
    outline: tuple[tuple[float, float], ...]
    confidence: float
    zone: str | None
    doubts: tuple[str, ...]


@dataclass(frozen=True)
class ReadingView:
    """The last settled reading; `picture` names the still that was read, `size` is its width and height."""

    sure: bool
    dice: tuple[DieView, ...]
    picture: int
    size: tuple[int, int]


@dataclass(frozen=True)
class QuestionView:
    """The open question and its answers; KEEP gives the first, ROLL the second.

    `kind` is the question's; `outcomes` are the holes to which the answers lead, where they move a peg. `face` is asked
    of one die, the one at `die` of those thrown; `bank` is the place of the answer that BANK gives, `place` where an
    open menu stands.
    """

    text: str
    answers: tuple[str, ...]
    kind: str = ""
    outcomes: tuple[int, ...] = ()
    face: int | None = None
    die: int | None = None
    bank: int | None = None
    place: int | None = None


@dataclass(frozen=True)
class MessageView:
    """What the table says: `told` what happened, `text` with what it waits for, `short` in 21 characters."""

    text: str
    short: str
    told: str


@dataclass(frozen=True)
class LastView:
    """What the newest effective act was: `kind` is roll, farkle, bank, choose or start."""

    kind: str
    player: str
    points: int


@dataclass(frozen=True)
class View:
    """The whole table as people see it. `seq` counts journalled acts; `blind` is a table that cannot see its tray.

    `look` is how many dice are to be looked at: cocked, missing, not counting. `rest` is for how long nothing has
    happened, `by_hand` what players do in the eye's place.
    """

    seq: int
    phase: str
    rules: str | None
    title: str
    settings: dict[str, Value]
    target: int
    track: int
    to_move: str | None
    players: tuple[PlayerView, ...]
    teams: dict[str, tuple[str, ...]]
    roll: Faces
    shelf: Faces
    locked: Faces
    turn_points: int
    dice_to_throw: int
    may_throw: tuple[int, ...]
    grave: tuple[Faces, ...]
    throws: int
    selections: tuple[SelectionView, ...]
    chosen: SelectionView | None
    bank: SelectionView | None
    bank_hole: int | None
    farkle_limit: int | None
    reading: ReadingView | None
    legal: tuple[str, ...]
    refused: dict[str, str]
    question: QuestionView | None
    message: MessageView
    final_round: bool
    winners: tuple[str, ...]
    loser: str | None
    out_of_step: bool
    blind: bool
    undo: bool
    last: LastView | None
    degraded: tuple[str, ...]
    lobby_players: int
    lobby_rules: int
    look: int = 0
    rest: str = Rest.AWAKE
    by_hand: str = ByHand.NO
