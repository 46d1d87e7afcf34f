"""The journal: acts in SQLite, one transaction for each act, on disk before anybody sees its effect.

Acts are only appended. A row is one event: seq, game, act, kind, schema, at, body, hash; the hashes chain the rows of a
game, so that a changed byte is found and a game can be deleted whole. SQLite runs with a write-ahead log and
`synchronous=FULL` on exactly one connection: anything less loses acknowledged acts at a power cut.
"""

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from companion.errors import JournalDamagedError, JournalError
from companion.storage.codec import decode, encode
from companion.table.events import Event
from companion.table.history import Act

FILE = "journal.db"
LAST = "journal.last"

_STORAGE_TROUBLE = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
    }
)
"""SQLite's results when the storage refuses; any other error means that the file is damaged."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS events (
    seq INTEGER PRIMARY KEY,
    game INTEGER NOT NULL,
    act INTEGER NOT NULL,
    kind TEXT NOT NULL,
    schema INTEGER NOT NULL,
    at REAL NOT NULL,
    body TEXT NOT NULL,
    hash TEXT NOT NULL
) STRICT
"""
_INDEX = "CREATE INDEX IF NOT EXISTS events_by_game ON events (game, seq)"
_COLUMNS = "seq, game, act, kind, schema, at, body, hash"


class JournalConnection(Protocol):
    """What the journal needs of a database connection; those of sqlite3 and apsw have it."""

    def execute(self, statement: str, bindings: Sequence[Any] = ..., /) -> Iterable[Any]:
        """Run one statement and return its rows."""

    def close(self) -> None:
        """Close the connection."""


Connect = Callable[[Path], JournalConnection]
"""Opens the connection to a journal."""


@dataclass(frozen=True)
class Row:
    """One event as stored; `at` is wall-clock time in seconds since 1970, for people only."""

    seq: int
    game: int
    act: int
    kind: str
    schema: int
    at: float
    body: str
    hash: str

    def expected_hash(self, before: str) -> str:
        """Return the hash that this row must have after a row with the hash `before`."""
        text = f"{before}|{self.seq}|{self.game}|{self.act}|{self.kind}|{self.schema}|{self.at!r}|{self.body}"
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Loaded:
    """What the file held: the newest game, its acts, the highest act of all games, and any loss in words."""

    game: int = 0
    seq: int = 0
    acts: tuple[Act, ...] = ()
    loss: str | None = None


def connect(path: Path) -> JournalConnection:
    """Open the connection to a journal in autocommit mode: the journal begins and ends its transactions itself."""
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5.0)


class Journal:
    """The journal of one data folder, for one thread at a time. All methods raise `JournalError`."""

    def __init__(self, path: Path, opened: JournalConnection) -> None:
        """Take over an open connection to `path`; `companion.storage.data_folder` opens one and mends it."""
        self._path = path
        self._connection = opened
        self._last_row = 0
        self._hashes: dict[int, str] = {}

    @property
    def path(self) -> Path:
        """The database file."""
        return self._path

    def prepare(self) -> None:
        """Set the pragmas for durability, and create the table."""
        self._run("PRAGMA journal_mode=WAL")
        self._run("PRAGMA synchronous=FULL")
        self._run("PRAGMA secure_delete=ON")  # a deleted game's names are overwritten, not only released
        self._run(_SCHEMA)
        self._run(_INDEX)

    def append(self, game: int, act: int, at: float, events: Sequence[Event]) -> None:
        """Write one act and wait until it is on disk; if that fails, nothing of it is in the file."""
        rows: list[Row] = []
        before = self._hashes.get(game, "")
        for offset, event in enumerate(events, start=1):
            kind, schema, body = encode(event)
            row = Row(self._last_row + offset, game, act, kind, schema, at, body, "")
            before = row.expected_hash(before)
            rows.append(replace(row, hash=before))
        self.insert(rows)
        self._note_last(act)

    def insert(self, rows: Sequence[Row]) -> None:
        """Write rows as they are, in one transaction.

        Raises:
            JournalError: if it fails; then none of them is in the file.
        """
        self._run("BEGIN IMMEDIATE")
        try:
            for row in rows:
                values = (row.seq, row.game, row.act, row.kind, row.schema, row.at, row.body, row.hash)
                self._run(f"INSERT INTO events ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)  # noqa: S608
            self._run("COMMIT")
        except JournalError:
            self._roll_back()
            raise
        for row in rows:
            self._last_row = row.seq
            self._hashes[row.game] = row.hash

    def rows(self, game: int | None = None) -> list[Row]:
        """Return all rows in order, or those of one game, as stored."""
        chosen, bindings = ("", ()) if game is None else (" WHERE game = ?", (game,))
        # Text is read as bytes: a changed byte that is not UTF-8 makes a wrong row, not an unreadable file.
        found = self._run(
            "SELECT seq, game, act, CAST(kind AS BLOB), schema, at, CAST(body AS BLOB), CAST(hash AS BLOB)"  # noqa: S608
            f" FROM events{chosen} ORDER BY seq",
            bindings,
        )
        return [
            Row(seq, game, act, _text(kind), schema, at, _text(body), _text(hashed))
            for seq, game, act, kind, schema, at, body, hashed in found
        ]

    def games(self) -> dict[int, int]:
        """Return the numbers of the games that are kept, each with the seq of its newest row."""
        return dict(self._run("SELECT game, MAX(seq) FROM events GROUP BY game ORDER BY game"))

    def delete(self, game: int) -> tuple[int, ...]:
        """Delete one game, also from the write-ahead log, and return the numbers of its acts.

        Raises:
            JournalError: if it fails; then nothing is gone.
        """
        acts = tuple(row[0] for row in self._run("SELECT DISTINCT act FROM events WHERE game = ?", (game,)))
        highest = max((self.highest_deleted(), *acts))
        self._run("BEGIN IMMEDIATE")
        try:
            self._run("DELETE FROM events WHERE game = ?", (game,))
            self._run(f"PRAGMA user_version={highest}")
            self._run("COMMIT")
        except JournalError:
            self._roll_back()
            raise
        self._run("PRAGMA wal_checkpoint(TRUNCATE)")
        self._hashes.pop(game, None)
        return acts

    def highest_deleted(self) -> int:
        """Return the highest act of all deleted games: no number is used twice, and its absence is no loss."""
        found: int = self._run("PRAGMA user_version")[0][0]
        return found

    def adopt(self, rows: Sequence[Row]) -> None:
        """Continue after these rows, which are all rows of the file."""
        self._last_row = rows[-1].seq if rows else 0
        self._hashes = {row.game: row.hash for row in rows}

    def close(self) -> None:
        """Merge the write-ahead log into the file and close it."""
        with suppress(JournalError):  # if that fails, the next start reads the log
            self._run("PRAGMA wal_checkpoint(TRUNCATE)")
        self._connection.close()

    def _run(self, statement: str, bindings: Sequence[Any] = ()) -> list[Any]:
        try:
            return list(self._connection.execute(statement, bindings))
        except sqlite3.Error as error:
            words = f"the journal {self._path.name} cannot be used: {error}"
            damaged = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_IOERR) & 0xFF not in _STORAGE_TROUBLE
            raise (JournalDamagedError if damaged else JournalError)(words) from error
        except UnicodeDecodeError as error:  # SQLite's own words quote what it found in a broken file
            raise JournalDamagedError(f"the journal {self._path.name} cannot be used: {error}") from error

    def _roll_back(self) -> None:
        with suppress(JournalError):  # with a full disk SQLite has rolled back itself
            self._run("ROLLBACK")

    def _note_last(self, act: int) -> None:
        """Note the last act beside the journal, so that a truncated log is noticed. Losing the note loses nothing."""
        with suppress(OSError):
            self._path.with_name(LAST).write_text(f"{act}\n", encoding="ascii")


def _text(stored: object) -> str:
    return stored.decode("utf-8", "replace") if isinstance(stored, bytes) else str(stored)


def sound_rows(rows: Sequence[Row]) -> tuple[list[Row], str | None]:
    """Return the undamaged rows, and what is wrong with the first damaged one.

    A game with a broken chain of hashes keeps the acts before the break. The rows of the newest game are also decoded,
    because they are folded next; for the other games the chain is proof enough.
    """
    newest = max((row.game for row in rows), default=0)
    good: list[Row] = []
    hashes: dict[int, str] = {}
    broken: set[int] = set()
    first_wrong: str | None = None
    for row in rows:
        if row.game in broken:
            continue
        wrong = _wrong(row, hashes.get(row.game, ""), good[-1].seq if good else 0, row.game == newest)
        if wrong is None:
            hashes[row.game] = row.hash
            good.append(row)
            continue
        first_wrong = first_wrong or wrong
        broken.add(row.game)
        last = next((each for each in reversed(good) if each.game == row.game), None)
        if last is not None and not _begins_after(last, row):
            good = [each for each in good if (each.game, each.act) != (last.game, last.act)]
    return good, first_wrong


def _begins_after(last: Row, broken: Row) -> bool:
    """Return whether the broken row certainly begins another act, so that the act of `last` is complete."""
    same_act = replace(broken, act=last.act).expected_hash(last.hash) == broken.hash
    return not same_act and (broken.seq, broken.act) == (last.seq + 1, last.act + 1)


def _wrong(row: Row, before: str, last_seq: int, decoded: bool) -> str | None:
    try:
        if row.seq <= last_seq or row.hash != row.expected_hash(before):
            return f"row {row.seq} is not as it was written"
        if decoded:
            decode(row.kind, row.schema, row.body)
    except (JournalError, TypeError) as error:
        return str(error)
    return None


def acts_of(rows: Iterable[Row]) -> tuple[Act, ...]:
    """Return the acts of these rows of one game."""
    events: dict[int, list[Event]] = {}
    for row in rows:
        events.setdefault(row.act, []).append(decode(row.kind, row.schema, row.body))
    return tuple(Act(number, tuple(made)) for number, made in events.items())


def last_noted(path: Path) -> int:
    """Return the last act noted beside the journal, or 0 without a note."""
    try:
        text = path.with_name(LAST).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return 0
    return int(text) if text.isdecimal() else 0
