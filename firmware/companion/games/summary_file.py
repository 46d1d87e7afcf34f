"""The summaries and reviews of games in a file of their own beside the journal, so that they need not be made again.

The file is only a shortcut. What it holds of a game counts if it names the hash of the game's newest row. All of it can
be made again from the journal, so a missing or damaged file loses nothing.
"""

import hashlib
import json
import os
import sqlite3
import stat
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from companion.games.statistics import GameStatistics

FILE = "games.db"
FORMAT = 6
"""Increase this number when `summarize` makes a different summary of the same rows."""

REVIEW_FORMAT = 4
"""Increase this number when a review of the same game becomes different, as by odds of games that had none."""

TABLES = ("summaries", "reviews")

_SUMMARY = TypeAdapter(GameStatistics)
T = TypeVar("T")


class SummaryFile:
    """The summaries and reviews of a data folder. Any thread may use it; no error of the file reaches the caller."""

    def __init__(self, folder: Path, *, writes: bool = True) -> None:
        """Use the file of a data folder; without `writes` nothing in the folder is changed."""
        self._path = folder / FILE
        self._writes = writes

    def read(self, newest: Mapping[int, str]) -> list[GameStatistics]:
        """Return the summaries that count, of games with the hashes of their newest rows; the others must be made."""
        found: list[GameStatistics] = []
        for body in self._bodies("summaries", newest).values():
            with suppress(ValidationError):
                found.append(_SUMMARY.validate_json(body))
        return found

    def kept(self, newest: Mapping[int, str]) -> list[int]:
        """Return the games whose summaries count, of games with the hashes of their newest rows."""
        return list(self._bodies("summaries", newest))

    def write(self, summary: GameStatistics, newest: str) -> None:
        """Keep the summary of a game whose newest row has the hash `newest`."""
        self._write("summaries", summary.number, newest, _SUMMARY.dump_json(summary).decode())

    def read_review(self, game: int, newest: str) -> str | None:
        """Return the review of a game whose newest row has the hash `newest` as JSON, or None if it must be made."""
        return self._bodies("reviews", {game: f"{REVIEW_FORMAT}|{newest}"}).get(game)

    def write_review(self, game: int, newest: str, body: str) -> None:
        """Keep the review of a game whose newest row has the hash `newest`."""
        self._write("reviews", game, f"{REVIEW_FORMAT}|{newest}", body)

    def _bodies(self, table: str, newest: Mapping[int, str]) -> dict[int, str]:
        query = f"SELECT game, body, hash FROM {table} WHERE game IN (SELECT value FROM json_each(?))"  # noqa: S608 - our own words
        found = self._use(lambda opened: opened.execute(query, (json.dumps(list(newest)),)).fetchall()) or ()
        return {game: body for game, body, made in found if made == _hash(newest[game], str(body))}

    def _write(self, table: str, game: int, newest: str, body: str) -> None:
        statement = f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?)"  # noqa: S608 - our own words
        if self._writes:
            self._use(lambda opened: opened.execute(statement, (game, body, _hash(newest, body))))

    def delete(self, game: int) -> None:
        """Delete the summary and the review of a game."""
        self._delete("WHERE game = ?", game)

    def keep_only(self, games: Iterable[int]) -> None:
        """Delete the summaries and reviews of all other games."""
        self._delete("WHERE game NOT IN (SELECT value FROM json_each(?))", json.dumps(list(games)))

    def _delete(self, which: str, value: object) -> None:
        def deleting(opened: sqlite3.Connection) -> bool:
            for table in TABLES:
                opened.execute(f"DELETE FROM {table} {which}", (value,))  # noqa: S608 - made of our own words
            return True

        if self._writes and self._path.exists() and self._use(deleting) is None:
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
            for table in TABLES:
                opened.execute(f"CREATE TABLE IF NOT EXISTS {table} (game INTEGER PRIMARY KEY, body TEXT, hash TEXT)")
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
