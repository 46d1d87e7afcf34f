"""The bots of a table: a thread that decides in their turns, by the same inputs as anybody, and throws simulated dice.

It looks at the table's state, which the host adopts after its act is in the journal: a bot never sees dice earlier.
"""

import random
from collections.abc import Callable

from companion.errors import CompanionError
from companion.games.stores import GameStore
from companion.nothing import nothing
from companion.odds.live_odds import LiveOdds
from companion.opponents.human_play import human_kind
from companion.runtime.feed import Update
from companion.runtime.guard import Guard, Worker
from companion.runtime.host import Host
from companion.table.state.bots import BUILT_IN
from companion.table.state.inputs import Answer, BotBank, BotChoice, BotKindsKnown, Input
from companion.table.state.questions import Choice, HowToGoOn
from companion.table.state.state import TableState
from companion.words import message
from dicereader.reading import Motion

PAUSE_S = 1.6
"""Seconds between what people see and what the bot does next, so that they can follow."""

LOOK_S = 0.5
"""Seconds until another look, where dice could not be thrown yet."""

FOREVER_S = 3600.0

Throw = Callable[[None], None]
"""Throws the simulated dice that the table expects."""


class Opponents(Worker):
    """Plays for all bots of a table on a thread of its own."""

    def __init__(
        self,
        host: Host,
        throw: Throw | None,
        chance: random.Random,
        odds: LiveOdds,
        games: GameStore,
        *,
        speed: float = 1.0,
        pause_s: float = PAUSE_S,
        alone: bool = False,
    ) -> None:
        """Prepare the thread.

        Args:
            host: The table.
            throw: Throws simulated dice; None at a real tray, where people throw for the bots.
            chance: The chance of bots that do not always decide alike.
            odds: The odds of the games that the table plays.
            games: The games from which the table learns how its people play.
            speed: How many seconds of waits pass in a second.
            pause_s: Seconds before each act of a bot.
            alone: Nobody else is at the table. The bots then also answer questions about dice, and throw without
                waiting until people have seen a farkle.
        """
        super().__init__("opponents", Guard("opponents", message("fault.opponents"), host.submit), speed)
        self._host = host
        self._throw = throw
        self._chance = chance
        self._pause_s = pause_s / speed
        self._alone = alone
        self._odds = odds
        self._games = games
        self._learned: object = None  # what the table has learned how its people play from
        self._leave = host.feed.subscribe(self._on_update, "opponents")

    def close(self) -> None:
        """End the thread."""
        self._leave()
        self._end()

    def _on_update(self, update: Update) -> None:
        if update.view.bot is not None or update.view.phase == "over":
            self._wake()

    def _work(self) -> float:
        state = self._host.state
        self._learn(state)
        if not self._is_due(state):
            self._guard.works()
            return FOREVER_S
        due = self._due(state)
        self._idle()
        if self._ending.wait(self._pause_s):
            return 0.0
        now = self._host.state
        if (now.seq, now.question, self._is_due(now)) != (state.seq, state.question, True):
            return 0.0  # something else came first
        try:
            if due is not None:
                self._host.submit(due, state.seq).result(timeout=10)
            elif self._throw is not None:
                self._throw(None)
        except (CompanionError, TimeoutError):
            return LOOK_S / self._speed  # the dice still move, another input came first, the disk is slow: look again
        self._guard.works()
        return LOOK_S / self._speed if due is None else 0.0

    def _learn(self, state: TableState) -> None:
        """Offer a bot that plays like the people of this table; anew at the start, and after each game."""
        now = (state.game_number, state.play is None or state.play.game.over)
        if now == self._learned or (self._learned is not None and state.under_way):
            return
        self._learned = now
        try:
            kind = human_kind(self._games)
        except (CompanionError, TimeoutError):
            return
        kinds = BUILT_IN if kind is None else (*BUILT_IN, kind)
        if kinds != state.bots:
            self._host.submit(BotKindsKnown(kinds))

    def _is_due(self, state: TableState) -> bool:
        """Return whether a bot is to do something now."""
        if state.bot is None or state.menu is not None or state.bot_waits or state.motion is not Motion.STILL:
            return False
        if state.question is not None:
            return self._alone or isinstance(state.question, Choice)
        if state.current.bot_decides and state.current.bot_banks is not False:
            return True
        return self._throw is not None and (self._alone or state.farkled is None)

    def _due(self, state: TableState) -> Input | None:
        """Return what the bot to move does next; None throws simulated dice."""
        from companion.opponents import decisions  # with numpy, which a table without bots does not need

        bot = state.bot
        choices = self._odds.choices if bot is not None and bot.kind == decisions.EXACT else nothing
        if isinstance(state.question, Choice):
            return Answer(decisions.answer(state, choices))
        if state.question is not None:
            last = isinstance(state.question, HowToGoOn)  # its last answer waits for the camera or the dice
            return Answer(state.question.answers[-1 if last else 0].id)
        if not state.current.bot_decides or state.current.bot_banks is False:
            return None
        if state.current.bot_banks:
            return BotBank()
        move = decisions.decide(state, self._chance, choices)
        return BotChoice(move.dice, move.points, move.bank)
