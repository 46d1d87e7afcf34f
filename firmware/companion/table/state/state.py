"""The state of a table: the game that is played on it, and everything else that the table knows."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeVar

from companion.errors import RefusedError
from companion.table.state.bots import BUILT_IN, BotKind
from companion.table.state.draft import ANY_TRACK, BoardTracks, Lobby
from companion.table.state.events import Aside, BotSeated
from companion.table.state.history import Act, History, history_of, track_of
from companion.table.state.menus import Menu
from companion.table.state.play import Play
from companion.table.state.questions import Question
from companion.times import Times
from companion.words import NOTHING, Message, Text, message
from dicereader.reading import Motion, Observation, Zone
from farkle.game.state import GameState, Phase
from farkle.rules.dice import Faces
from farkle.rules.ruleset import RuleSet
from pegboard.pegs import IdleStage

SETTINGS = "settings"
"""The part that is degraded while the package's configuration is used in place of the machine's own."""


@dataclass(frozen=True)
class HouseRules:
    """The house's customs where the rule sheets say nothing; the words are those of the configuration.

    `off_table`: after a die falls off the table, `all` dice are thrown again, or `that_die`.
    `cocked`: a die that leans or stands on another is thrown again (`that_die`), or laid flat and counted (`flatten`).
    """

    off_table: str = "all"
    cocked: str = "that_die"

    def __post_init__(self) -> None:
        for name, known in (("off_table", ("all", "that_die")), ("cocked", ("that_die", "flatten"))):
            if getattr(self, name) not in known:
                raise ValueError(f"{name}: expected {' or '.join(known)}, got {getattr(self, name)!r}")


@dataclass(frozen=True)
class Complaint:
    """A message about a tray that cannot be right; repeated at `next_s` on the table's clock.

    `dice` is the number of dice to look at.
    """

    says: Message
    next_s: float
    dice: int = 1


@dataclass(frozen=True)
class IncompleteThrow:
    """A throw that waits for some of its dice.

    `kind` is cocked, missing or touching. `faces` count already, `again` dice are to be thrown again (0 if they are
    only to be moved), and `kept` was set aside before the throw.
    """

    kind: str
    faces: Faces
    again: int
    kept: Faces | None = None


@dataclass(frozen=True)
class Blindness:
    """Since when the table cannot see its tray, whether that may be a false alarm, and whether the table has asked."""

    since_s: float
    false_alarm: bool = False
    asked: bool = False


class ManualEntry(StrEnum):
    """What the players do in place of the eye."""

    NO = "no"
    COUNTING = "counting"  # they count points
    FACES = "faces"  # they enter the faces


@dataclass(frozen=True)
class SoundLevel:
    """The volume of the table's sound in percent, and whether it is muted. It is not journalled."""

    volume: int
    muted: bool = False


@dataclass(frozen=True)
class FarkleShown:
    """A farkle that is shown until a time on the table's clock."""

    player: int
    faces: Faces
    lost: int
    until_s: float


class AnyFeature:
    """A feature of the table. What it may bring along says `companion.table.feature.TableFeature`."""


Note = TypeVar("Note")


@dataclass(frozen=True)
class TableState:
    """Everything a table knows. Only the acts of `play` are journalled; the rest is derived, seen or lost at a restart.

    `seq` is the number of the last act, `last_game` the highest number of a game. `announced` is what was said last.
    `moving_since_s` is when the tray began to move, None once the table has asked about it. `out_of_step`: the tray
    differs from the game until the next throw. `confirm_readings`: the players ignored an alarm of the camera, so the
    table asks about every reading. `sound` is None at a table that makes no sound. `address` is that of the page, and
    `network_address` this machine's IPv4 address, empty without a network. `real_buttons`: the table has buttons of its
    own. `switches_off`: it may switch its machine off. `lets_in`: phones may be let in to play; `asks` is the name of
    the phone that asks now, and the door is open if they get in now. `sets_up` is
    the name of the phone that asks to set the table up. `by` is the name of the phone that made the newest
    act, empty if none did, and `seats` are the names of the phones that have taken a player's place, by player.
    `own_rules` are those that the house saved, and `tracks` those of the board.
    `settings_agreed`: the players play although the machine's configuration cannot be used.
    `bots` are the kinds of bots that may play. `bot_waits`: a bot's act was taken off, and the bot waits until the
    players let it go on. `features` are those of the table, and `notes` hold what they note without journalling it.
    """

    times: Times = field(default_factory=Times)
    house: HouseRules = field(default_factory=HouseRules)
    simulated: bool = False
    seq: int = 0
    last_game: int = 0
    play: Play | None = None
    observation: Observation | None = None
    source: str = ""
    motion: Motion = Motion.STILL
    moving_since_s: float | None = None
    out_of_step: bool = False
    question: Question | None = None
    farkled: FarkleShown | None = None
    announced: Text = NOTHING
    lobby: Lobby = field(default_factory=Lobby)
    menu: Menu | None = None
    complaint: Complaint | None = None
    incomplete: IncompleteThrow | None = None
    blind: Blindness | None = None
    manual: ManualEntry = ManualEntry.NO
    confirm_readings: bool = False
    idle: IdleStage = IdleStage.AWAKE
    active_s: float | None = None
    address: str = ""
    network_address: str = ""
    real_buttons: bool = False
    switches_off: bool = False
    lets_in: bool = False
    asks: str = ""
    door_open: bool = False
    sets_up: str = ""
    by: str = ""
    seats: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sound: SoundLevel | None = None
    own_rules: tuple[RuleSet, ...] = ()
    tracks: BoardTracks = ANY_TRACK
    settings_agreed: bool = False
    bots: tuple[BotKind, ...] = BUILT_IN
    bot_waits: bool = False
    features: tuple[AnyFeature, ...] = ()
    notes: tuple[object, ...] = ()
    faults: tuple[tuple[str, Text], ...] = ()

    def note(self, kind: type[Note]) -> Note:
        """Return the note of this type, as it is made without arguments where there is none."""
        for note in self.notes:
            if isinstance(note, kind):
                return note
        return kind()

    def with_note(self, note: object) -> "TableState":
        """Return this state with a note in place of the one of the same type."""
        others = [other for other in self.notes if type(other) is not type(note)]
        return replace(self, notes=(*others, note))

    @property
    def current(self) -> Play:
        """The game that is played.

        Raises:
            RefusedError: if no game has been started.
        """
        if self.play is None:
            raise RefusedError(message("refused.no_game"))
        return self.play

    @property
    def game(self) -> GameState | None:
        """The rules' state of the game, or None before the first game."""
        return None if self.play is None else self.play.game

    @property
    def game_number(self) -> int:
        """The number of the game, or 0 before the first."""
        return 0 if self.play is None else self.play.number

    @property
    def acts(self) -> tuple[Act, ...]:
        """All acts of the game; empty before the first game."""
        return () if self.play is None else self.play.acts

    @property
    def history(self) -> History:
        """The acts of the game that count, each with the game after it; empty before the first game."""
        return () if self.play is None else self.play.history

    @property
    def effective(self) -> tuple[Act, ...]:
        """The acts of the game that count; empty before the first game."""
        return tuple(each.act for each in self.history)

    @property
    def settings_unsure(self) -> bool:
        """Whether the configuration is not the machine's own, and nobody has agreed to play with it yet."""
        return not self.settings_agreed and any(part == SETTINGS for part, _ in self.faults)

    @property
    def in_lobby(self) -> bool:
        """Whether a game is being put together."""
        return self.play is None or self.lobby.open

    @property
    def under_way(self) -> bool:
        """Whether a game is played that has not ended."""
        return self.play is not None and not self.lobby.open and not self.play.game.over

    @property
    def bot(self) -> BotSeated | None:
        """The bot whom the table waits for, or None. Nobody plays for the players who count their points themselves."""
        if self.play is None or not self.play.history[-1].bots:
            return None
        if not self.under_way or self.manual is ManualEntry.COUNTING:
            return None
        return self.play.bot

    @property
    def bot_name(self) -> str:
        """The name of the bot whom the table waits for; empty if it waits for a person."""
        return "" if self.bot is None else self.current.game.players[self.bot.player]

    @property
    def set_aside(self) -> Faces:
        """The dice of the last roll that lie on the shelf; empty while the tray is out of step or unseen.

        A die that hopped onto the shelf was thrown: it is not set aside until a hand touches it.
        """
        play, seen = self.play, self.observation
        if seen is None or self.out_of_step or play is None or play.game.phase is not Phase.CHOOSING:
            return ()
        locked, roll = list(play.game.turn.locked), list(play.game.turn.roll)
        found: list[int] = []
        for index, die in enumerate(seen.reading.dice):
            if die.zone is not Zone.SHELF or index in seen.episode.hopped:
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

    def with_fault(self, part: str, text: Text | None) -> "TableState":
        """Return this state with the fault of one part set, or cleared if `text` is None."""
        others = tuple((name, said) for name, said in self.faults if name != part)
        return replace(self, faults=others if text is None else (*others, (part, text)))


def restored(
    acts: tuple[Act, ...],
    *,
    seq: int,
    game_number: int,
    last_game: int = 0,
    times: Times | None = None,
    house: HouseRules | None = None,
    simulated: bool = False,
    features: tuple[AnyFeature, ...] = (),
) -> TableState:
    """Return the state of a table with the acts of its game; the tray has not been seen yet.

    Args:
        acts: the acts of the game at the table; empty before the first game.
        seq: the number of the newest act of all games.
        game_number: the number of the game at the table.
        last_game: the highest number of a game, if it is higher than `game_number`.
        times: the times of the table.
        house: the house's customs.
        simulated: whether the tray is simulated.
        features: the features of the table.
    """
    state = TableState(
        times or Times(), house or HouseRules(), simulated, seq, max(last_game, game_number), features=features
    )
    return with_acts(state, game_number, acts) if acts else state


def with_acts(state: TableState, number: int, new: tuple[Act, ...]) -> TableState:
    """Return the state with these new acts of game `number`: the game that is played, or one that begins with them."""
    play = state.play if state.play is not None and state.play.number == number else None
    history = history_of(new, play.history if play else ())
    acts = (*play.acts, *new) if play else new
    beside = {type(event): event for event in play.beside} if play else {}
    beside |= {type(event): event for act in new for event in act.events if isinstance(event, Aside)}
    track = play.track if play else track_of(history)
    played = Play(number, acts, history, track, tuple(beside.values()))
    manual = state.manual
    if played.counting != (play is not None and play.counting):
        manual = ManualEntry.COUNTING if played.counting else ManualEntry.NO
    return replace(
        state, play=played, manual=manual, seq=max(state.seq, new[-1].number), last_game=max(state.last_game, number)
    )
