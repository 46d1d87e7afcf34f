"""The inputs of a table: everything that can reach it, as frozen data. The host takes them in order of arrival.

The limits of a field hold for requests from outside: the API makes the bodies of its writes from these types. A type
without fields of its own has no decorator: it would only make the start slower.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from annotated_types import Ge, Le, MaxLen

from companion.words import Text
from dicereader.reading import Motion, Observation
from farkle.rules.dice import Faces
from farkle.rules.ruleset import FEWEST_HOLES, MOST_HOLES, RuleSet
from pegboard.buttons.port import Button as Button

if TYPE_CHECKING:
    from companion.table.state.bots import BotKind
    from companion.table.state.history import Act


Name = Annotated[str, MaxLen(100)]
"""A name in a request. The game checks further whether a player can have it."""

Points = Annotated[int, Ge(0), Le(10**6)]

Throw = Annotated[Faces, MaxLen(6)]

Teams = Annotated[tuple[Name, ...] | Mapping[str, tuple[Name, ...]], MaxLen(6)]

TrackHoles = Annotated[int, Ge(FEWEST_HOLES), Le(MOST_HOLES)]
"""The number of holes of a track; the board may have fewer lengths."""


@dataclass(frozen=True)
class Input:
    """Anything that can reach the table; `by` is the name of the phone that sends it, if any.

    An `attended` input comes from a person, so it wakes the table.
    """

    attended: ClassVar[bool] = True
    by: str = field(default="", kw_only=True)


@dataclass(frozen=True)
class UnattendedInput(Input):
    """An input that no person gives; it does not wake the table."""

    attended: ClassVar[bool] = False


class PageInput(Input):
    """An input that comes from a page alone: the page shows why it is refused, and the table does not say it."""


class Gesture(StrEnum):
    """How a button was pressed.

    A press of `buttons.hold_s` (1.5 s by default) is a hold, a shorter one a tap. A press of `buttons.long_hold_s`
    (5 s by default) is a hold, and then a long one.
    """

    TAP = "tap"
    HOLD = "hold"
    LONG_HOLD = "long hold"


class Origin(StrEnum):
    """Where a press or an answer comes from."""

    TABLE = "table"  # a button or key of the table
    MACHINE = "machine"  # a page or a script on the table's own machine
    NETWORK = "network"


@dataclass(frozen=True)
class Press(Input):
    """A button was pressed, at the table or on the page."""

    button: Button
    gesture: Gesture = Gesture.TAP
    origin: Origin = Origin.NETWORK


@dataclass(frozen=True)
class Pause(Input):
    """Open the pause menu, or close it: two buttons were held together, or the page asks."""

    origin: Origin = Origin.TABLE


@dataclass(frozen=True)
class Located(UnattendedInput):
    """The page is at `address`; `network_address` is this machine's IPv4 address, empty without a network or lights."""

    address: str
    network_address: str = ""


class SwitchFound(UnattendedInput):
    """The table may switch its machine off; without this input it only ends the program."""


@dataclass(frozen=True)
class Started(Input):
    """The table was switched on.

    `real_buttons`: it has buttons of its own, beside those of the page. `lets_in`: phones may be let in to play.
    """

    real_buttons: bool = False
    lets_in: bool = False


@dataclass(frozen=True)
class DoorChanged(UnattendedInput):
    """The phone of this name asks to play, none with an empty name; and whether the table shows what lets phones in.

    `sets_up` is the name of a phone that plays and asks to set the table up.
    """

    asks: str = ""
    is_open: bool = False
    sets_up: str = ""


class OpenDoor(PageInput):
    """Let phones in, as the pause menu does."""


@dataclass(frozen=True)
class PhonesSeated(UnattendedInput):
    """The names of the phones that show the page and have taken a player's place, by player."""

    seats: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class PhoneLetIn(UnattendedInput):
    """The phone of this name may play from now on."""

    name: str


@dataclass(frozen=True)
class EnterRoll(PageInput):
    """A player enters the faces of a throw that the table cannot see."""

    faces: Throw


@dataclass(frozen=True)
class CountPoints(PageInput):
    """In points mode a player gives the points of the turn so far."""

    points: Points


@dataclass(frozen=True)
class JoinGame(PageInput):
    """A player of this name joins the game that is under way."""

    name: Name


@dataclass(frozen=True)
class SetSound(PageInput):
    """Set the volume of the table's sound in percent, and whether it is muted; None leaves it as it is."""

    volume: Annotated[int, Ge(0), Le(100)] | None = None
    muted: bool | None = None


@dataclass(frozen=True)
class ReadingSettled(Input):
    """The eye has read the dice at rest; `source` is the camera."""

    observation: Observation
    source: str = ""


@dataclass(frozen=True)
class MotionReported(Input):
    """The tray began to move, or came to rest."""

    motion: Motion


class TrayFoundAgain(Input):
    """The tray or its camera was pushed, and the eye has located the tray again."""


@dataclass(frozen=True)
class Fault(UnattendedInput):
    """A part is degraded, or works again (`text` is None).

    `part` names it, such as `eye` or `lights`. `false_alarm` tells that the players may ignore it.
    """

    part: str
    text: Text | None
    false_alarm: bool = False


@dataclass(frozen=True)
class DraftPatch(PageInput):
    """Changes of the draft of a game; a field that is None stays as it is.

    `rules` is a rule set, or the key of one. `names` are the players'. `teams` are the names of teams, whose players
    take turns, or the players by their team. `start` is who begins: the index of a row, a player's name, `ask` or
    `throw`.
    `plays` is the name of what a feature offers in place of one game; empty for one game.
    """

    rules: Name | RuleSet | None = None
    names: Annotated[tuple[Name, ...], MaxLen(12)] | None = None
    settings: Annotated[Mapping[str, int | bool | str], MaxLen(60)] | None = field(default=None, hash=False)
    track: TrackHoles | None = None
    start: int | Name | None = None
    teams: Teams | None = field(default=None, hash=False)
    plays: Annotated[str, MaxLen(40)] | None = None


class NewGame(DraftPatch):
    """Start a game at once; what is not given is as in a new draft, and the table does not ask who begins."""


@dataclass(frozen=True)
class EditLobby(DraftPatch):
    """Change the draft of the next game. Nothing is journalled.

    `open` opens the lobby over the game at the table, which is kept, or goes back to that game.
    """

    open: bool | None = None


class StartDraft(EditLobby):
    """Change the draft and start its game, as BANK does: the table may ask first who begins."""


@dataclass(frozen=True)
class ResumeGame(PageInput):
    """An unfinished game goes on at the table. The host adds its acts, as the journal keeps them."""

    game: int
    acts: "tuple[Act, ...]" = ()


@dataclass(frozen=True)
class ChooseNextStarter(PageInput):
    """A rematch is begun by the first in the order of seats, by the loser or by the winner, from now on."""

    begins: Literal["seat", "loser", "winner"]


@dataclass(frozen=True)
class CloseEvening(PageInput):
    """The evening ends with the newest act; or it ended with act `after`, and the game that said so is deleted."""

    after: int | None = None


class ReopenEvening(PageInput):
    """The evening that was closed last, after the game at the table, goes on."""


@dataclass(frozen=True)
class ChooseSelection(PageInput):
    """A player chose these dice of the roll on the page; `points` declares a lower total where the rules allow it."""

    dice: Throw
    points: Points | None = None


@dataclass(frozen=True)
class BotChoice(Input):
    """The bot to move keeps these dice of the roll for these points; then it banks, or throws the others."""

    dice: Faces
    points: int
    bank: bool


class BotBank(Input):
    """The bot to move banks, as it has decided."""


class SeatBots(Input):
    """The board plays for everybody in the game at the table, under the players' own names."""


@dataclass(frozen=True)
class BotKindsKnown(UnattendedInput):
    """The kinds of bots that may play from now on."""

    kinds: "tuple[BotKind, ...]"


@dataclass(frozen=True)
class CorrectRoll(PageInput):
    """The last throw showed these faces, not those that were read."""

    faces: Throw


class Undo(PageInput):
    """Take the last effective act off."""


@dataclass(frozen=True)
class Answer(PageInput):
    """Answer the open question with one of its answers, by its id or in its English words."""

    answer: Annotated[str, MaxLen(200)]
    origin: Origin = Origin.NETWORK


class Attended(PageInput):
    """Somebody does something at the table that is no act of the game, such as calibrating the camera."""


class Tick(UnattendedInput):
    """Time has passed: the host sends it when the table wants one (`companion.table.asking.idle.wake_at`)."""
