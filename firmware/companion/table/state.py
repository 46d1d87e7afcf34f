"""The state of a table: the game and its acts, the tray as last seen, the open question, the lobby, the faults."""

from dataclasses import dataclass, field, replace
from enum import StrEnum

from companion.table.events import SelectionChosen, TrackLaid
from companion.table.history import Act, effective, game_of
from companion.table.inputs import Motion
from companion.times import Times
from dicereader.reading import Observation, Zone
from farkle.game.events import DiceRolled
from farkle.game.state import GameState, Phase
from farkle.rules.dice import Faces
from farkle.rules.scoring import Selection
from farkle.rules.selections import find_selection

CHOICES = frozenset({"bomb", "vant_hof", "piggyback"})
"""The questions that a choice of the rules asks."""


@dataclass(frozen=True)
class House:
    """What this house does where the rule sheets are silent: the words of the configuration.

    `off_table` is what follows a die off the table: all are thrown again, or that die alone. `cocked` is what follows
    a die that leans or lies on another: it is thrown again, or laid flat and counts.
    """

    off_table: str = "all"
    cocked: str = "that_die"

    def __post_init__(self) -> None:
        for name, known in (("off_table", ("all", "that_die")), ("cocked", ("that_die", "flatten"))):
            if getattr(self, name) not in known:
                raise ValueError(f"{name}: expected {' or '.join(known)}, got {getattr(self, name)!r}")


@dataclass(frozen=True)
class Question:
    """What the table asks. `answers` are words; KEEP gives the first, ROLL the second, BANK that at `bank`.

    `kind` says what the answer is about: a reading in doubt, which dice were set aside, whether the dice that lie there
    were thrown, a throw that may be wrong, another game. `faces` and `choices` are what is asked about; where the
    faces are not `sure`, they are asked about next. Where one die alone is asked about, it is the one at `die` of the
    faces; `open` are those that come after it, `tried` what it has been said not to be.
    """

    kind: str
    text: str
    short: str
    answers: tuple[str, ...]
    faces: Faces = ()
    choices: tuple[Faces, ...] = ()
    sure: bool = True
    bank: int | None = None
    die: int | None = None
    open: tuple[int, ...] = ()
    tried: Faces = ()


@dataclass(frozen=True)
class Menu:
    """An open menu: the pause menu, a list of names to pick from, or a score that is being adjusted.

    `answers` are its items, `place` is where it stands; `side` and `amount` are whose score becomes what.
    """

    kind: str
    answers: tuple[str, ...]
    place: int = 0
    side: int = 0
    amount: int = 0


@dataclass(frozen=True)
class Complaint:
    """What is said of a tray that cannot be so; `next_s` is when, on the table's clock. `dice` are in doubt."""

    text: str
    short: str
    next_s: float
    dice: int = 1


@dataclass(frozen=True)
class Pending:
    """A throw that is not whole yet: `faces` count, `again` more are to be thrown, 0 where dice are only nudged.

    `kind` is cocked, missing or touching; `kept` is what had been set aside before.
    """

    kind: str
    faces: Faces
    again: int
    kept: Faces | None = None


@dataclass(frozen=True)
class Blind:
    """The table does not see its tray: since when, whether that may be a false alarm, whether it has asked."""

    since_s: float
    doubtful: bool = False
    asked: bool = False


class ByHand(StrEnum):
    """What players do in the eye's place."""

    NO = "no"
    COUNTING = "counting"  # they count points
    FACES = "faces"  # they enter the faces


class Rest(StrEnum):
    """For how long nothing has happened."""

    AWAKE = "awake"
    WAITING = "waiting"
    CALLED = "called"
    DIM = "dim"
    ASLEEP = "asleep"


@dataclass(frozen=True)
class FarkleShown:
    """A farkle that is still shown, until a time on the table's clock."""

    player: int
    faces: Faces
    lost: int
    until_s: float


@dataclass(frozen=True)
class Lobby:
    """Who has joined, and which rule set is chosen, before a game; `open` where an earlier game lies there still."""

    players: int = 2
    rules: int = 0
    open: bool = False


@dataclass(frozen=True)
class TableState:
    """Everything the table knows. Only `acts` is journalled; the rest is worked out of it, seen, or forgotten."""

    times: Times = field(default_factory=Times)
    house: House = field(default_factory=House)
    seq: int = 0
    game_number: int = 0
    acts: tuple[Act, ...] = ()
    effective: tuple[Act, ...] = ()
    game: GameState | None = None
    track: int = 121
    chosen: Selection | None = None
    observation: Observation | None = None
    source: str = ""
    motion: Motion = Motion.STILL
    stirred_s: float | None = None  # since when nothing has come to rest; None once that was asked about
    out_of_step: bool = False
    question: Question | None = None
    farkled: FarkleShown | None = None
    said: str = ""
    lobby: Lobby = field(default_factory=Lobby)
    menu: Menu | None = None
    complaint: Complaint | None = None
    pending: Pending | None = None
    blind: Blind | None = None
    by_hand: ByHand = ByHand.NO
    distrust: bool = False
    rest: Rest = Rest.AWAKE
    active_s: float | None = None
    address: str = ""
    faults: tuple[tuple[str, str], ...] = ()

    @property
    def in_lobby(self) -> bool:
        """Whether a game is being put together."""
        return self.game is None or self.lobby.open

    @property
    def set_aside(self) -> Faces:
        """The dice of the last roll that are seen on the shelf; none where the tray is out of step or unseen.

        A die that hopped there was thrown, and is not set aside until a hand touches it.
        """
        if self.observation is None or self.out_of_step or self.game is None or self.game.phase is not Phase.CHOOSING:
            return ()
        locked = list(self.game.turn.locked)
        roll = list(self.game.turn.roll)
        found: list[int] = []
        hopped = self.observation.episode.hopped
        for index, die in enumerate(self.observation.reading.dice):
            if die.zone is not Zone.SHELF or index in hopped:
                continue
            if die.face in locked:
                locked.remove(die.face)
            elif die.face in roll:
                roll.remove(die.face)
                found.append(die.face)
        return tuple(found)

    @property
    def hopped(self) -> Faces:
        """The dice of the last roll that hopped onto the shelf and that no hand has touched there."""
        if self.observation is None or self.out_of_step:
            return ()
        dice = self.observation.reading.dice
        return tuple(dice[index].face for index in self.observation.episode.hopped)

    def fault(self, part: str, text: str | None) -> "TableState":
        """This state with one part's fault said, or (None) well again."""
        others = tuple((name, said) for name, said in self.faults if name != part)
        return replace(self, faults=others if text is None else (*others, (part, text)))


def restored(
    acts: tuple[Act, ...],
    *,
    seq: int,
    game_number: int,
    times: Times | None = None,
    house: House | None = None,
) -> TableState:
    """The state of a table whose newest game has these acts; what was seen before is not known any more."""
    state = TableState(times=times or Times(), house=house or House(), seq=seq, game_number=game_number)
    return with_acts(state, acts) if acts else state


def with_acts(state: TableState, acts: tuple[Act, ...]) -> TableState:
    """This state with another history: everything that follows from it is worked out again."""
    counted = effective(acts)
    return replace(
        state,
        acts=acts,
        effective=counted,
        game=game_of(counted),
        track=track_of(counted),
        chosen=chosen_of(counted),
        seq=max(state.seq, acts[-1].number),
    )


def track_of(acts: tuple[Act, ...]) -> int:
    """The track that the game is shown on."""
    return next(event.holes for act in acts for event in act.events if isinstance(event, TrackLaid))


def chosen_of(acts: tuple[Act, ...]) -> Selection | None:
    """What has been chosen of the last roll and not been kept yet."""
    game = game_of(acts)
    if game.phase is not Phase.CHOOSING:
        return None
    for act in reversed(acts):
        for event in reversed(act.events):
            if isinstance(event, DiceRolled):
                return None
            if isinstance(event, SelectionChosen):
                found = find_selection(game.rules, game.turn.roll, event.dice)
                return replace(found, points=event.points)
    return None
