"""The game that is played at the table: its acts, and everything that follows from them."""

from dataclasses import dataclass
from typing import TypeVar

from companion.table.state.events import Aside, BotSeated, NextStarterChosen, StartToBeThrown
from companion.table.state.history import Act, History, Snapshot
from farkle.game.state import Phase

Beside = TypeVar("Beside", bound=Aside)


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
