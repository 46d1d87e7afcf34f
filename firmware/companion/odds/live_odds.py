"""The odds of the games that a table plays, as far as they are known: a game is solved in a process of its own."""

import multiprocessing
import os
import threading
from contextlib import suppress
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING

from farkle.game.state import GameState
from farkle.rules.ruleset import RuleSet

if TYPE_CHECKING:
    from companion.odds.game_odds import GameOdds
    from farkle.odds.win_odds import WinOdds

ODDS = "odds"
"""The folder in the data folder where solved games are kept."""

IDLE_PRIORITY = 19
"""How much less than the table a solution may use the processor, as of `nice`."""

_Key = tuple[str, int, int]
"""A hash of the settings, the number of sides, and the players of each."""


class LiveOdds:
    """The odds of the newest game; any thread may use it.

    Args:
        folder: where solved games are kept.
        solves: whether a game that was never solved is solved beside the table, which may take an hour.
    """

    def __init__(self, folder: Path, *, solves: bool = True) -> None:
        self._folder, self._solves = folder, solves
        self._lock = threading.Lock()
        self._known: tuple[_Key, GameOdds] | None = None
        self._refused: set[_Key] = set()
        self._solving: tuple[str, BaseProcess] | None = None

    def choices(self, game: GameState) -> "WinOdds | None":
        """Return what the choices of the player to move are worth, or None if that is not known (yet)."""
        from farkle.odds.duel import OddsError  # with numpy, which a table without bots and coach does not need

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
        """Return the odds of the game, or None if they are not known (yet).

        While a game of teams with several players is solved, those of one player a side stand in, as an estimate.
        """
        from companion.odds.game_odds import GameOdds
        from companion.odds.kept_tables import is_at_hand
        from farkle.odds.duel import OddsError
        from farkle.odds.moments import partners_of
        from farkle.odds.tables import settings_hash

        sides = len(game.sides)
        partners = partners_of(game) if sides == 2 else 1
        with self._lock:
            if sides > 1 and not is_at_hand(game.rules, self._folder, partners):
                self._solve(settings_hash(game.rules, partners), game.rules, partners)
                if partners == 1 or not is_at_hand(game.rules, self._folder):
                    return None
                partners = 1
            key = settings_hash(game.rules), sides, partners
            if self._known is not None and self._known[0] == key:
                return self._known[1]
            if key in self._refused:
                return None
            try:
                odds = GameOdds(game.rules, sides, self._folder, partners=partners)
            except OddsError:
                self._refused.add(key)
                return None
            self._known = key, odds
            return odds

    def _solve(self, name: str, rules: RuleSet, partners: int) -> None:
        """Solve a game beside the table, unless it is being solved or cannot be."""
        if not self._solves or (self._solving is not None and self._solving[0] == name):
            return
        self._stop()
        process = multiprocessing.get_context("spawn").Process(
            target=_solve_slowly, args=(rules, self._folder, partners), name="odds", daemon=True
        )
        process.start()
        self._solving = (name, process)

    def _stop(self) -> None:
        if self._solving is not None:
            self._solving[1].terminate()
            self._solving[1].join(5.0)
            self._solving = None


def _solve_slowly(rules: RuleSet, folder: Path, partners: int) -> None:
    """Solve a game and keep its table; games that have no odds are left alone."""
    from companion.odds.kept_tables import table_of
    from farkle.odds.duel import OddsError

    os.nice(IDLE_PRIORITY)
    with suppress(OddsError):
        table_of(rules, folder, partners=partners)
