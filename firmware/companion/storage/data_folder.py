"""Open the data folder for one table at a time, with its journal, and report every loss.

A damaged journal is renamed and kept unchanged, and a new one is made from its undamaged rows. If the folder cannot be
written, the table plays on a copy and says that nothing is saved.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from companion.errors import DataFolderError, JournalDamagedError, JournalError
from companion.storage.journal import (
    FILE,
    LAST,
    Connect,
    Journal,
    Loaded,
    Row,
    acts_of,
    connect,
    last_noted,
    sound_rows,
)

LOCK = "table.lock"
NOT_SAVED = "Not saved: the data folder cannot be written. The game goes on from a copy."

Wall = Callable[[], float]
"""Wall-clock time in seconds since 1970."""


@dataclass
class Storage:
    """An open data folder: its journal, what the journal held when it was opened, and whether acts are saved there.

    The lock keeps other tables out; without one the journal is a copy.
    """

    journal: Journal
    loaded: Loaded
    saved: bool
    _lock: IO[str] | None

    def close(self) -> None:
        """Close the journal and release the folder."""
        self.journal.close()
        if self._lock is not None:
            self._lock.close()


def open_storage(folder: Path, wall: Wall, *, connecting: Connect = connect) -> Storage:
    """Open the data folder for one table.

    Raises:
        DataFolderError: if another table uses the folder, or it can neither be written nor copied.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = _lock(folder)
    except BlockingIOError as error:
        pid = (folder / LOCK).read_text(encoding="ascii").strip() or "unknown"
        raise DataFolderError(
            f"expected a data folder of its own, but the table with process id {pid} uses {str(folder)!r}"
        ) from error
    except OSError as error:
        if (folder / FILE).exists():
            return _from_copy(folder, wall, connecting)
        reason = error.strerror or error
        raise DataFolderError(f"expected a data folder that can be written, got {str(folder)!r}: {reason}") from error
    try:
        journal, loaded = _open(folder / FILE, wall, connecting)
    except JournalError:
        lock.close()
        return _from_copy(folder, wall, connecting)
    return Storage(journal, loaded, True, lock)


def _lock(folder: Path) -> IO[str]:
    lock = (folder / LOCK).open("a+", encoding="ascii")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
    except OSError:
        lock.close()
        raise
    return lock


def _from_copy(folder: Path, wall: Wall, connecting: Connect) -> Storage:
    journal, loaded = copied(folder, Path(tempfile.mkdtemp(prefix="farklecrib-")), wall, connecting)
    return Storage(journal, loaded, False, None)


def copied(folder: Path, copy: Path, wall: Wall, connecting: Connect = connect) -> tuple[Journal, Loaded]:
    """Copy the journal of `folder` into the folder `copy`, and open and mend it there.

    Raises:
        DataFolderError: if the journal cannot be read.
    """
    try:
        for file in (FILE, f"{FILE}-wal", LAST):
            if (folder / file).exists():
                shutil.copy(folder / file, copy / file)
        return _open(copy / FILE, wall, connecting)
    except OSError as error:
        raise DataFolderError(f"expected a data folder that can be read, got {str(folder)!r}: {error}") from error


def _open(path: Path, wall: Wall, connecting: Connect) -> tuple[Journal, Loaded]:
    journal = Journal(path, connecting(path))
    rows: list[Row] = []
    try:
        journal.prepare()
        rows = journal.rows()
        good, wrong = sound_rows(rows)
    except (JournalDamagedError, TypeError) as error:
        good, wrong = [], str(error)
    except JournalError:
        journal.close()
        raise
    if wrong is None:
        journal.adopt(good)
        least = journal.highest_deleted()
        return journal, _loaded(good, _cut_short(path, good, least), least)
    journal.close()
    aside = _put_aside(path, wall)
    mended = Journal(path, connecting(path))
    mended.prepare()
    mended.insert(good)
    lost = f"{len(rows) - len(good)} of {len(rows)} events are lost" if rows else "nothing of it could be read"
    said = f"The journal was damaged ({wrong}); {lost}. The damaged file is kept as {aside.name}."
    return mended, _loaded(good, said)


def _put_aside(path: Path, wall: Wall) -> Path:
    stamp = datetime.fromtimestamp(wall(), tz=UTC).strftime("%Y%m%d-%H%M%S")
    aside = path.with_name(f"{path.name}.damaged-{stamp}")
    number = 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"{path.name}.damaged-{stamp}-{number}")
    for suffix in ("", "-wal", "-shm"):
        file = path.with_name(path.name + suffix)
        if file.exists():
            file.rename(aside.with_name(aside.name + suffix))
    return aside


def _cut_short(path: Path, rows: list[Row], least: int) -> str | None:
    noted = last_noted(path)
    last = max((row.act for row in rows), default=0)
    if noted <= max(last, least):  # the act is there, or was deleted
        return None
    return f"The journal ends at act {last}, but act {noted} had been written: what came between is lost."


def _loaded(rows: list[Row], loss: str | None, least: int = 0) -> Loaded:
    if not rows:
        return Loaded(seq=least, loss=loss)
    game = max(row.game for row in rows)
    acts = acts_of(row for row in rows if row.game == game)
    return Loaded(game, max(least, *(row.act for row in rows)), acts, loss)
