"""The summaries of games in a file of their own beside the journal, so that a list of games need not fold them again.

The file is only a shortcut. A summary counts if it names the hash of the game's newest row. All summaries can be made
again from the journal, so a missing or damaged file loses nothing.
"""

import hashlib
import json
import os
import sqlite3
import stat
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from companion.games.statistics import GameStatistics

FILE = "games.db"
FORMAT = 4
"""Increase this number when `summarize` makes a different summary of the same rows."""

_SUMMARY = TypeAdapter(GameStatistics)
T = TypeVar("T")


class SummaryFile:
    """The summaries of one data folder. Any thread may use it, and no error of the file reaches the caller."""

    def __init__(self, folder: Path, *, writes: bool = True) -> None:
        """Use the file of a data folder; without `writes` nothing in the folder is changed."""
        self._path = folder / FILE
        self._writes = writes

    def read(self, game: int, newest: str) -> GameStatistics | None:
        """Return the summary of a game whose newest row has the hash `newest`, or None if it must be made."""
        found = self._use(
            lambda opened: opened.execute("SELECT body, hash FROM summaries WHERE game = ?", (game,)).fetchone()
        )
        if found is None or found[1] != _hash(newest, found[0]):
            return None
        try:
            return _SUMMARY.validate_json(found[0])
        except ValidationError:
            return None

    def write(self, summary: GameStatistics, newest: str) -> None:
        """Keep the summary of a game whose newest row has the hash `newest`."""
        body = _SUMMARY.dump_json(summary).decode()
        values = (summary.number, body, _hash(newest, body))
        if self._writes:
            self._use(lambda opened: opened.execute("INSERT OR REPLACE INTO summaries VALUES (?, ?, ?)", values))

    def delete(self, game: int) -> None:
        """Delete the summary of a game."""
        self._delete("DELETE FROM summaries WHERE game = ?", game)

    def keep_only(self, games: Iterable[int]) -> None:
        """Delete the summaries of all other games."""
        others = "DELETE FROM summaries WHERE game NOT IN (SELECT value FROM json_each(?))"
        self._delete(others, json.dumps(list(games)))

    def _delete(self, statement: str, value: object) -> None:
        there = self._writes and self._path.exists()
        if there and self._use(lambda opened: opened.execute(statement, (value,))) is None:
            self._remove()  # the names of deleted games must not stay

    def _use(self, run: Callable[[sqlite3.Connection], T]) -> T | None:
        try:
            with closing(self._opened()) as opened, opened:
                return run(opened)
        except sqlite3.OperationalError:  # another process writes, the disk is full or read-only
            return None
        except sqlite3.Error:
            self._remove()
            return None
        except OSError:
            return None

    def _opened(self) -> sqlite3.Connection:
        """Open the file, which only its owner may read.

        Raises:
            OSError: if it is missing and may not be made, or is not a file.
            Error: if SQLite cannot use it.
        """
        flags = os.O_RDWR | os.O_CREAT if self._writes else os.O_RDONLY
        descriptor = os.open(self._path, flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError(f"expected a file, got {self._path}")
        finally:
            os.close(descriptor)
        if not self._writes:
            return sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=ro", uri=True, timeout=1.0)
        opened = sqlite3.connect(self._path, timeout=1.0)
        try:
            opened.execute("PRAGMA journal_mode=MEMORY")  # after a power cut a damaged file is made again
            opened.execute("PRAGMA synchronous=OFF")
            opened.execute("PRAGMA secure_delete=ON")
            opened.execute("CREATE TABLE IF NOT EXISTS summaries (game INTEGER PRIMARY KEY, body TEXT, hash TEXT)")
        except sqlite3.Error:
            opened.close()
            raise
        return opened

    def _remove(self) -> None:
        if self._writes:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)


def _hash(newest: str, body: str) -> str:
    return hashlib.sha256(f"{FORMAT}|{newest}|{body}".encode()).hexdigest()
