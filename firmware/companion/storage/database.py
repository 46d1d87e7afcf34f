"""The journal's database: rows in SQLite, each act in one transaction, on disk before anybody sees its effect.

SQLite runs with a write-ahead log and `synchronous=FULL` on exactly one connection: anything less loses acknowledged
acts at a power cut. The table has no index that could disagree with the rows.
"""

import secrets
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from urllib.parse import quote

from companion.errors import JournalDamagedError, JournalError
from companion.storage.rows import JournalRow

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

_FORMAT_OF_A_LOG = b"\x02\x02"
"""Bytes 18 and 19 of a database with a write-ahead log; with other bytes SQLite only reads the file, or refuses it."""

_EVENTS = """
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
_WRITER = "CREATE TABLE IF NOT EXISTS writer (version TEXT NOT NULL) STRICT"
_INSERT = f"INSERT INTO events ({', '.join(JournalRow._fields)}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
# Text is read as bytes: a changed byte that is not UTF-8 makes a wrong row, not an unreadable file.
_SELECT = "SELECT seq, game, act, CAST(kind AS BLOB), schema, at, CAST(body AS BLOB), CAST(hash AS BLOB) FROM events"


_ALONE = "PRAGMA locking_mode=EXCLUSIVE"
"""Keeps every other connection out, and so needs no file of shared memory (`journal.db-shm`)."""

_LITTLE_ROOM = 1_000_000
"""With fewer bytes free, SQLite must not use shared memory: where the disk refuses its pages, the program dies."""


class Connection(Protocol):
    """The methods that the journal needs of a database connection, such as those of sqlite3 and apsw."""

    def execute(self, statement: str, bindings: Sequence[Any] = ..., /) -> Iterable[Any]:
        """Run one statement and return its rows."""

    def close(self) -> None:
        """Close the connection."""


Connect = Callable[[Path], Connection]
"""Opens the connection to a journal."""


def connect(path: Path) -> Connection:
    """Open a connection in autocommit mode: the journal begins and ends its transactions itself."""
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5.0)


class Content(NamedTuple):
    """The content of a database file, as far as it can be read.

    `name` is the random number of the journal, 0 before it has one; `highest_deleted` is the highest act of all deleted
    games; `version` is the version of the last program that wrote; `wrong` says what is wrong with the file, None if it
    is sound.
    """

    rows: list[JournalRow]
    name: int = 0
    highest_deleted: int = 0
    version: str = ""
    wrong: str | None = None


def read(path: Path) -> Content:
    """Read a whole database file and check it; the file stays as it is. `JournalError` if the storage refuses."""
    if not path.exists():
        return Content([])
    rows: list[JournalRow] = []
    try:
        with _errors_of(path), closing(_read_only(path)) as connection:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
            rows.extend(map(_row, connection.execute(f"{_SELECT} ORDER BY seq") if "events" in tables else ()))
            ((checked,),) = connection.execute("PRAGMA integrity_check(1)")
            ((name,),) = connection.execute("PRAGMA application_id")
            ((highest,),) = connection.execute("PRAGMA user_version")
            written = connection.execute("SELECT version FROM writer").fetchone() if "writer" in tables else None
    except JournalDamagedError as error:
        return Content(_from_both_ends(path, rows), wrong=str(error))
    wrong = None if checked == "ok" else f"the journal {path.name} is damaged: {' '.join(str(checked).split())}"
    return Content(rows, name, highest, written[0] if written else "", wrong)


def _from_both_ends(path: Path, forward: list[JournalRow]) -> list[JournalRow]:
    """Return the rows before an unreadable place, without their last act, and the rows behind it."""
    found = [row for row in forward if row.act != forward[-1].act]
    with suppress(JournalError), _errors_of(path), closing(_read_only(path)) as connection:
        behind: list[JournalRow] = []
        try:
            behind.extend(map(_row, connection.execute(f"{_SELECT} ORDER BY seq DESC")))
        finally:
            found += behind
    return found


class Database:
    """An open database, for one thread at a time.

    All methods raise `JournalError` if the storage refuses, and `JournalDamagedError` if the file is damaged.
    """

    def __init__(self, path: Path, opened: Connection) -> None:
        self.path = path
        self._connection = opened

    def prepare(self, version: str = "") -> None:
        """Set the pragmas for durability, create what is missing, note the program's version, and try to write."""
        if _has_little_room(self.path):
            self._run(_ALONE)
        self._run("PRAGMA journal_mode=WAL")
        self._run("PRAGMA synchronous=FULL")
        self._run("PRAGMA secure_delete=ON")  # a deleted game's names are overwritten, not only released
        self._run("DROP INDEX IF EXISTS events_by_game")  # of version 0.1.0
        self._run(_EVENTS)
        self._run(_WRITER)
        if not self.name:
            self._run(f"PRAGMA application_id={1 + secrets.randbelow(2**31 - 1)}")
        if self._run("SELECT version FROM writer") != [(version,)]:
            with self._transaction():
                self._run("DELETE FROM writer")
                self._run("INSERT INTO writer (version) VALUES (?)", (version,))
        ((last,),) = self._run("SELECT MAX(seq) FROM events")
        self._run("BEGIN IMMEDIATE")
        try:
            self._run(_INSERT, ((last or 0) + 1, 0, 0, "", 0, 0.0, "", ""))
        finally:
            self._roll_back()

    @property
    def name(self) -> int:
        """The random number of this journal, the same in its text copy."""
        ((name,),) = self._run("PRAGMA application_id")
        return int(name)

    @property
    def highest_deleted(self) -> int:
        """The highest act of all deleted games: no number is used twice, and a missing deleted act is not a loss."""
        ((highest,),) = self._run("PRAGMA user_version")
        return int(highest)

    def insert(self, rows: Iterable[JournalRow]) -> None:
        """Write rows in one transaction, and wait until they are on disk; if it fails, the file stays as it was."""
        with self._transaction():
            for row in rows:
                self._run(_INSERT, row)

    def rows(self, first: int = 0, last: int = 2**63 - 1, most: int = -1) -> list[JournalRow]:
        """Return the rows from seq `first` to seq `last`, in order; only the first `most`, if that is not negative."""
        found = self._run(f"{_SELECT} WHERE seq BETWEEN ? AND ? ORDER BY seq LIMIT ?", (first, last, most))
        return [_row(row) for row in found]

    def delete(self, game: int, highest_deleted: int) -> None:
        """Delete the rows of a game; if it fails, all stay. The log keeps deleted rows until its next checkpoint."""
        with self._transaction():
            self._run("DELETE FROM events WHERE game = ?", (game,))
            self.note_deleted(highest_deleted)

    def delete_in_place(self, game: int, highest_deleted: int) -> None:
        """Delete the rows of a game without a log, which needs no room on the disk.

        A power cut meanwhile damages the file: the text copy must hold all other rows.
        """
        self._run("PRAGMA journal_mode=MEMORY")
        try:
            self.delete(game, highest_deleted)
        finally:
            try:
                self._run("PRAGMA journal_mode=WAL")
            except JournalError:  # as safe, and slower; the next start has a log again
                self._run("PRAGMA journal_mode=DELETE")

    def note_deleted(self, highest: int) -> None:
        """Note the highest act of all deleted games."""
        self._run(f"PRAGMA user_version={int(highest)}")

    def checkpoint(self) -> None:
        """Merge the write-ahead log into the file and cut it."""
        self._run("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Merge the write-ahead log into the file and close it."""
        with suppress(JournalError):  # if that fails, the next start reads the log
            self.checkpoint()
        self._connection.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._run("BEGIN IMMEDIATE")
        try:
            yield
            self._run("COMMIT")
        except BaseException:
            self._roll_back()
            raise

    def _roll_back(self) -> None:
        with suppress(JournalError):  # with a full disk SQLite has rolled back itself
            self._run("ROLLBACK")

    def _run(self, statement: str, bindings: Sequence[Any] = ()) -> list[Any]:
        with _errors_of(self.path):
            return list(self._connection.execute(statement, bindings))


@contextmanager
def _errors_of(path: Path) -> Iterator[None]:
    """Turn SQLite's errors, and those of columns with a wrong type, into the journal's."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError, TypeError) as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_IOERR) & 0xFF
        refused = isinstance(error, sqlite3.Error) and code in _STORAGE_TROUBLE
        damaged = not refused or (code == sqlite3.SQLITE_READONLY and _header_is_changed(path))
        made = (JournalDamagedError if damaged else JournalError)(f"the journal {path.name} cannot be used: {error}")
        raise made from error


def _header_is_changed(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(20)[18:] not in {_FORMAT_OF_A_LOG, b""}
    except OSError:
        return False


def _read_only(path: Path) -> sqlite3.Connection:
    """Return a connection for reading.

    Raises:
        Error: if SQLite cannot open the file.
    """
    if not _has_little_room(path):
        return sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=5.0)
    opened = sqlite3.connect(f"file:{quote(str(path))}?mode=rw", uri=True, timeout=5.0)
    try:
        opened.execute(_ALONE)
        opened.execute("PRAGMA query_only=ON")
    except sqlite3.Error:
        opened.close()
        raise
    return opened


def _has_little_room(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < _LITTLE_ROOM
    except OSError:
        return False


def _row(found: Sequence[Any]) -> JournalRow:
    seq, game, act, kind, schema, at, body, hashed = found
    return JournalRow(seq, game, act, _text(kind), schema, at, _text(body), _text(hashed))


def _text(stored: object) -> str:
    return stored.decode("utf-8", "replace") if isinstance(stored, bytes) else str(stored)
