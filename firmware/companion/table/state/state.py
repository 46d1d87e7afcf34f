"""The state of a table: the game that is played on it, and everything else that the table knows.

A field of the view says beside its name, its type and its line of explanation how it is made from a state (`shows`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

from companion.errors import RefusedError
from companion.table.state.draft import Lobby
from companion.table.state.events import Aside, BotSeated, NextStarterChosen, StartToBeThrown
from companion.table.state.history import Act, History, Snapshot, history_of, track_of
from companion.table.state.house import AnyFeature, House
from companion.table.state.menus import Menu
from companion.table.state.questions import Question
from companion.table.state.seen import FarkleShown, ManualEntry, Seen
from companion.words import NOTHING, Text, message
from dicereader.reading import Zone
from farkle.game.state import GameState, Phase
from farkle.rules.dice import Faces
from pegboard.pegs import IdleStage

Beside = TypeVar("Beside", bound=Aside)
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Play(Snapshot):
    """The game that is played: as it is after its newest act that counts, with its acts.

    `history` holds the acts that count, each with the game after it, and `track` is the number of holes. `beside` holds
    the last event of each type beside the game.
    """

    number: int
    acts: tuple[Act, ...]
    history: History
    track: int
    beside: tuple[Aside, ...] = ()

    def last(self, kind: type[Beside]) -> Beside | None:
        """Return the last event of a type beside the game, None if there is none."""
        for event in self.beside:
            if isinstance(event, kind):
                return event
        return None

    @property
    def begins(self) -> str:
        """Who begins a rematch: `seat`, `loser` or `winner`."""
        chosen = self.last(NextStarterChosen)
        return "seat" if chosen is None else chosen.begins

    @property
    def bot(self) -> BotSeated | None:
        """The bot whom the table waits for, or None if it waits for a person."""
        return next((bot for bot in self.bots if bot.player == self.to_move), None) if self.bots else None

    @property
    def bot_decides(self) -> bool:
        """Whether the player to move has something to bank or to choose from, so that a bot decides."""
        return self.game.phase in (Phase.CHOOSING, Phase.KEPT)

    @property
    def start_thrower(self) -> int | None:
        """The player who throws next for who begins, or None if that is decided or not thrown for."""
        game = self.game
        if game.begun or game.phase not in (Phase.STARTING, Phase.TO_THROW):
            return None
        if not any(isinstance(event, StartToBeThrown) for each in self.history for event in each.act.events):
            return None
        thrown = {player for player, _ in game.start_throws}
        return next((player for player in game.start_among or game.playing() if player not in thrown), None)

    @property
    def to_move(self) -> int:
        """The player whom the table waits for."""
        return self.game.to_move if self.start_thrower is None else self.start_thrower

    @property
    def dice_for_start(self) -> int:
        """How many dice each player throws for who begins."""
        return self.game.rules.switches.start_roll_dice


@dataclass(frozen=True)
class TableState(Seen, House):
    """Everything a table knows. Only the acts of `play` are journalled; a restart loses all other fields of its own."""

    seq: int = 0
    """The number of the last act."""
    last_game: int = 0
    """The highest number of a game."""
    play: Play | None = None
    """The game; None before the first."""
    announced: Text = NOTHING
    """What was said last."""
    farkled: FarkleShown | None = None
    """A farkle that is shown for a while."""
    question: Question | None = None
    """The open question."""
    menu: Menu | None = None
    """The open menu."""
    lobby: Lobby = field(default_factory=Lobby)
    """The form of the next game."""
    bot_waits: bool = False
    """Whether a bot's act was taken off, and the bot waits until the players let it go on."""
    idle: IdleStage = IdleStage.AWAKE
    """How far the table has gone to sleep."""
    active_s: float | None = None
    """When somebody did something last."""
    lets_in: bool = False
    """Whether phones may be let in to play."""
    asks: str = ""
    """The name of the phone that asks now."""
    door_open: bool = False
    """Whether that phone gets in now."""
    sets_up: str = ""
    """The name of the phone that asks to set the table up."""
    by: str = ""
    """The name of the phone that made the newest act; empty if none did."""
    seats: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The names of the phones that have taken a player's place, by player."""

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
        return tuple([each.act for each in self.history])

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
        if self.play is None or not self.play.bots:
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


def restored(
    acts: tuple[Act, ...], *, seq: int, game_number: int, last_game: int = 0, features: tuple[AnyFeature, ...] = ()
) -> TableState:
    """Return the state of a table with the acts of its game; the tray has not been seen yet.

    Args:
        acts: the acts of the game at the table; empty before the first game.
        seq: the number of the newest act of all games.
        game_number: the number of the game at the table.
        last_game: the highest number of a game, if it is higher than `game_number`.
        features: the features of the table.
    """
    state = TableState(features=features, seq=seq, last_game=max(last_game, game_number))
    return with_acts(state, game_number, acts) if acts else state


def with_acts(state: TableState, number: int, new: tuple[Act, ...]) -> TableState:
    """Return the state with these new acts of game `number`: the game that is played, or one that begins with them."""
    play = state.play if state.play is not None and state.play.number == number else None
    history = history_of(new, play.history if play else ())
    acts = (*play.acts, *new) if play else new
    beside = {type(event): event for event in play.beside} if play else {}
    beside |= {type(event): event for act in new for event in act.events if isinstance(event, Aside)}
    track = play.track if play else track_of(history)
    newest = vars(history[-1])
    played = Play(**newest, number=number, acts=acts, history=history, track=track, beside=tuple(beside.values()))
    manual = state.manual
    if played.counting != (play is not None and play.counting):
        manual = ManualEntry.COUNTING if played.counting else ManualEntry.NO
    return replace(
        state, play=played, manual=manual, seq=max(state.seq, new[-1].number), last_game=max(state.last_game, number)
    )


def shows(make: Callable[[TableState], T]) -> T:
    """Return a field of the view that a function makes from the state of the table."""
    return shows_from(make, of_state=True)


def shows_from(make: Callable[[Any], T], *, of_state: bool = False) -> T:
    """Return a field of the view that a function makes from what is derived from the state, or from the state alone."""
    made: T = field(metadata={"make": make, "of_state": of_state})
    return made


def makers_of(part: type) -> tuple[tuple[str, Callable[[Any], object], bool], ...]:
    """Return the name of each field of a part of the view, what makes it, and whether that takes the state alone."""
    return tuple((each.name, each.metadata["make"], each.metadata["of_state"]) for each in fields(part))
