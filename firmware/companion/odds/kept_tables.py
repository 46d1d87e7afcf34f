"""The table of odds of a game: the packaged one, one that was solved and kept, or one that is solved now.

A kept table is named after the hash of everything that changes the odds. A solution under way is kept, too, and gone on
with after an interruption.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, TypeVar

import platformdirs

from companion.errors import CompanionError
from companion.storage.whole_file import replacing
from farkle.odds.game.duel import OddsError, duel_of
from farkle.odds.game.files import packaged_table, read_progress, read_table, write_table
from farkle.odds.game.solve import SolveProgress, solve
from farkle.odds.game.table import Table
from farkle.odds.switches import settings_hash
from farkle.rules.ruleset import RuleSet

KEEP_EVERY_S = 20.0
"""The least seconds between two writes of a solution under way; an interruption loses the work since the last one."""

KEEPING = 0.05
"""The greatest share of the time that these writes may take."""

Found = TypeVar("Found")

Share = Callable[[float], object]
"""Takes the share of the work that is done, from 0 to 1."""


def cache_folder() -> Path:
    """Return the user's folder for kept tables."""
    return Path(platformdirs.user_cache_dir("farklecrib", appauthor=False)) / "odds"


def table_of(
    rules: RuleSet,
    folder: Path,
    share: Share | None = None,
    *,
    step: int = 0,
    clock: Callable[[], float] = time.monotonic,
) -> Table:
    """Return the table of a game of two sides.

    Args:
        rules: the rule set, with the settings of the game.
        folder: where solved tables are kept; a folder that cannot be written only costs the time of the solution.
        share: is told how much is done while the table is solved.
        step: the points of one step; 0 chooses the shortest that keeps the states few.
        clock: monotonic seconds.
    """
    if not step and (table := packaged_table(rules)) is not None:
        return table
    duel = duel_of(rules, step)
    file = _file(rules, folder, step)
    under_way = file.with_suffix(".unfinished.npz")
    if (table := _kept(file, lambda opened: read_table(duel, opened))) is not None:
        return table
    progress = _kept(under_way, lambda opened: read_progress(duel, opened))
    kept_at, every_s = clock(), KEEP_EVERY_S

    def report(now: SolveProgress | None, done: float) -> None:
        nonlocal kept_at, every_s
        if share is not None:
            share(done)
        if now is not None and (began := clock()) - kept_at >= every_s:
            _keep(under_way, lambda opened: write_table(now.table, opened, now))
            kept_at = clock()
            every_s = max(KEEP_EVERY_S, (kept_at - began) / KEEPING)

    table = solve(duel, report, progress)
    _keep(file, lambda opened: write_table(table, opened))
    under_way.unlink(missing_ok=True)
    return table


def is_at_hand(rules: RuleSet, folder: Path) -> bool:
    """Return whether the table of a game of two sides need not be solved first."""
    return packaged_table(rules) is not None or _file(rules, folder).exists()


def _file(rules: RuleSet, folder: Path, step: int = 0) -> Path:
    return folder / f"{settings_hash(rules)}{f'-{step}' if step else ''}.npz"


def _kept(file: Path, read: Callable[[BinaryIO], Found]) -> Found | None:
    """Return what a file holds, or None if it is missing or damaged."""
    try:
        with file.open("rb") as opened:
            return read(opened)
    except (OSError, OddsError):
        return None


def _keep(file: Path, write: Callable[[BinaryIO], None]) -> None:
    """Write a file whole or not at all; a failure is ignored, because the table can be solved again."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with replacing(file, synced=False) as opened:
            write(opened)
    except (OSError, CompanionError):
        return
