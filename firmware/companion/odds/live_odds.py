"""The odds of the games that a table plays, as far as they are known: a game is solved in a process of its own."""

import multiprocessing
import os
import threading
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING

from farkle.game.state import GameState
from farkle.rules.ruleset import RuleSet

if TYPE_CHECKING:
    from farkle.odds.game.answers import GameOdds, WinOdds

ODDS = "odds"
"""The folder in the data folder where solved games are kept."""

IDLE_PRIORITY = 19
"""How much less than the table a solution may use the processor, as of `nice`."""


class LiveOdds:
    """The odds of the newest game; any thread may use it.

    Args:
        folder: where solved games are kept.
        solves: whether a game that was never solved is solved beside the table, which may take an hour.
    """

    def __init__(self, folder: Path, *, solves: bool = True) -> None:
        self._folder, self._solves = folder, solves
        self._lock = threading.Lock()
        self._known: tuple[str, GameOdds] | None = None  # by the hash of the settings
        self._solving: tuple[str, BaseProcess] | None = None

    def choices(self, game: GameState) -> "WinOdds | None":
        """Return what the choices of the player to move are worth, or None if that is not known (yet)."""
        from farkle.odds.game.duel import OddsError  # with numpy, which a table without bots and coach does not need

        odds = self.known(game)
        if odds is None:
            return None
        try:
            return odds.choices(game)
        except OddsError:
            return None

    def close(self) -> None:
        """End a solution under way; it is gone on with later."""
        with self._lock:
            self._stop()

    def known(self, game: GameState) -> "GameOdds | None":
        """Return the odds of the game, or None if they are not known (yet)."""
        from companion.odds.kept_tables import is_at_hand, table_of
        from farkle.odds.game.answers import GameOdds
        from farkle.odds.switches import settings_hash

        key = settings_hash(game.rules)
        with self._lock:
            if self._known is not None and self._known[0] == key:
                return self._known[1]
            if len(game.sides) < 2:
                return None
            if not is_at_hand(game.rules, self._folder):
                self._solve(key, game.rules)
                return None
            odds = GameOdds(table_of(game.rules, self._folder))
            self._known = key, odds
            return odds

    def _solve(self, name: str, rules: RuleSet) -> None:
        """Solve a game beside the table, unless it is being solved or cannot be."""
        if not self._solves or (self._solving is not None and self._solving[0] == name):
            return
        self._stop()
        process = multiprocessing.get_context("spawn").Process(
            target=_solve_slowly, args=(rules, self._folder), name="odds", daemon=True
        )
        process.start()
        self._solving = (name, process)

    def _stop(self) -> None:
        if self._solving is not None:
            self._solving[1].terminate()
            self._solving[1].join(5.0)
            self._solving = None


def _solve_slowly(rules: RuleSet, folder: Path) -> None:
    """Solve a game and keep its table."""
    from companion.odds.kept_tables import table_of

    os.nice(IDLE_PRIORITY)
    table_of(rules, folder)
