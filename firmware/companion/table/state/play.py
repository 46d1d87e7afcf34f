"""The game that is played at the table: its acts, and everything that follows from them."""

from dataclasses import dataclass

from companion.table.state.coach_parts import CoachPart
from companion.table.state.events import BotSeated, StartToBeThrown, TournamentStands
from companion.table.state.history import Act, History
from farkle.game.state import GameState, Phase
from farkle.rules.scoring import Selection


@dataclass(frozen=True)
class Play:
    """The game that is played: its acts, and everything that follows from them.

    `history` holds the acts that count, each with the game after it, and `track` is the number of holes. `begins` says
    who begins a rematch: `seat`, `loser` or `winner`. `coach` are the parts of the coach that the table has chosen,
    None where nobody has chosen. `tournament` is the tournament as it was before this game, None if none goes on.
    """

    number: int
    acts: tuple[Act, ...]
    history: History
    track: int
    begins: str = "seat"
    coach: tuple[CoachPart, ...] | None = None
    tournament: TournamentStands | None = None

    @property
    def game(self) -> GameState:
        """The game now."""
        return self.history[-1].game

    @property
    def chosen(self) -> Selection | None:
        """The selection of the last roll that is chosen and not kept yet."""
        return self.history[-1].chosen

    @property
    def counting(self) -> bool:
        """Whether the players have chosen to count their points themselves."""
        return self.history[-1].counting

    @property
    def bot(self) -> BotSeated | None:
        """The bot whom the table waits for, or None if it waits for a person."""
        bots = self.history[-1].bots
        return next((bot for bot in bots if bot.player == self.to_move), None) if bots else None

    @property
    def bots(self) -> tuple[BotSeated, ...]:
        """The players that the board plays."""
        return self.history[-1].bots

    @property
    def bot_decides(self) -> bool:
        """Whether the player to move has something to bank or to choose from, so that a bot decides."""
        return self.game.phase in (Phase.CHOOSING, Phase.KEPT)

    @property
    def bot_banks(self) -> bool | None:
        """What the bot to move does with the dice that it has chosen; None until it has decided."""
        return self.history[-1].banks

    @property
    def newest(self) -> Act:
        """The newest act that counts."""
        return self.history[-1].act

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
