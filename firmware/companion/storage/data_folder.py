"""Open the data folder for one table at a time, with its journal.

If the folder cannot be written, the table plays on a copy and says that nothing is saved.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from companion.errors import DataFolderError, JournalError
from companion.storage import files
from companion.storage.database import Connect, connect
from companion.storage.files import FILE
from companion.storage.journal import NOTICE, Journal, Loaded, Wall, build
from companion.storage.rows import Row

LOCK = "table.lock"
NOT_SAVED = "Not saved: the data folder cannot be written. The game goes on from a copy."

_IN_THE_WAY = ("journal.last",)
"""Files of version 0.1.0 that nothing reads any more."""


@dataclass
class Storage:
    """An open data folder: its journal, and whether acts are saved there.

    The lock keeps other tables out; without one the journal is a copy in a temporary folder.
    """

    journal: Journal
    saved: bool
    _held: IO[str] | tempfile.TemporaryDirectory[str]

    @property
    def loaded(self) -> Loaded:
        """What the journal held when it was opened."""
        return self.journal.loaded

    def close(self) -> None:
        """Close the journal, and release the folder or remove the copy."""
        self.journal.close()
        if isinstance(self._held, tempfile.TemporaryDirectory):
            self._held.cleanup()
        else:
            self._held.close()


def open_storage(folder: Path, wall: Wall, *, connecting: Connect = connect) -> Storage:
    """Open the data folder for one table.

    Raises:
        DataFolderError: if another table uses the folder, if it can neither be written nor copied, if its journal is no
            file, or if a newer program has written it.
    """
    path = folder / FILE
    try:
        lock = _lock(folder)
    except DataFolderError:
        raise
    except OSError as error:
        if path.exists():
            return _from_copy(folder, wall, connecting)
        refused = _unwritable(folder, error)
        raise refused from error
    try:
        files.require_files(path)
        files.make_private(path)
        for old in _IN_THE_WAY:
            with suppress(OSError):
                (folder / old).unlink()
        return Storage(Journal(path.resolve(), wall, connecting), True, lock)
    except (JournalError, PermissionError):
        lock.close()
        return _from_copy(folder, wall, connecting)
    except BaseException:
        lock.close()
        raise


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep tables out of a data folder, and make the folder if there is none.

    Raises:
        DataFolderError: if a table uses the folder, or it cannot be written.
    """
    try:
        lock = _lock(folder)
    except DataFolderError:
        raise
    except OSError as error:
        refused = _unwritable(folder, error)
        raise refused from error
    with lock:
        yield


def replace_journal(folder: Path, rows: Sequence[Row], wall: Wall) -> Path | None:
    """Put a journal of these rows in the place of the one in a `locked` folder, at once.

    `DataFolderError` reaches the caller if the folder cannot be written; then the old journal is in its place.

    Returns:
        The database that was put aside, None if there was none.
    """
    path = (folder / FILE).resolve()
    try:
        files.finish_exchange(path)
        build(path, rows, 0)
        aside = files.name_to_keep(path, wall(), "replaced")
        files.exchange(path, aside)
        path.with_name(NOTICE).unlink(missing_ok=True)
    except OSError as error:
        refused = _unwritable(folder, error)
        raise refused from error
    return aside if aside.exists() else None


def _lock(folder: Path) -> IO[str]:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = (folder / LOCK).open("a+", encoding="ascii")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
    except BlockingIOError as error:
        lock.seek(0)
        with lock:
            pid = lock.read().strip() or "unknown"
        raise DataFolderError(
            f"expected a data folder of its own, but the table with process id {pid} uses {str(folder)!r}"
        ) from error
    except OSError:
        lock.close()
        raise
    return lock


def _unwritable(folder: Path, error: OSError) -> DataFolderError:
    reason = error.strerror or error
    return DataFolderError(f"expected a data folder that can be written, got {str(folder)!r}: {reason}")


def _from_copy(folder: Path, wall: Wall, connecting: Connect) -> Storage:
    copy = tempfile.TemporaryDirectory(prefix="farklecrib-")
    try:
        return Storage(copied(folder, Path(copy.name), wall, connecting), False, copy)
    except BaseException:
        copy.cleanup()
        raise


def copied(folder: Path, copy: Path, wall: Wall, connecting: Connect = connect) -> Journal:
    """Copy the journal of `folder` into the folder `copy`, and open and mend it there.

    Raises:
        DataFolderError: if the journal cannot be read.
    """
    files.require_files(folder / FILE)
    try:
        for file in (*folder.glob(f"{FILE}*"), folder / NOTICE):
            if file.exists() and not files.is_kept(file):
                shutil.copy(file, copy / file.name)
        return Journal(copy / FILE, wall, connecting, keeps_damaged=False)
    except DataFolderError:
        raise
    except OSError as error:
        raise DataFolderError(
            f"expected a data folder that this user can read, got {str(folder)!r}: {error.strerror or error}; "
            "see who owns its files with ls -l"
        ) from error
