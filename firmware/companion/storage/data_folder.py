"""Open the data folder for one table at a time, with its journal.

If the folder cannot be written, the table plays on a copy and says that nothing is saved.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from companion.errors import DataFolderError, FolderInUseError, JournalError
from companion.nothing import nothing
from companion.storage import files
from companion.storage.database import Connect, connect
from companion.storage.files import FILE
from companion.storage.journal import NOTICE, Journal, Loaded, Wall, build
from companion.storage.rows import JournalRow
from companion.storage.whole_file import is_full
from companion.words import message

PID = "table.pid"
"""The process id of the table that uses the folder, or was the last to do so."""
NOT_SAVED = message("fault.not_saved")

MEMORY = "/dev/shm"  # noqa: S108 - a folder of our own is made in it
"""Where the copy of a journal goes if the disk is full: this folder is in memory on every Linux."""

_NOT_READ = ("journal.last", "table.lock")
"""Files of version 0.1.0 that nothing reads any more."""


@dataclass
class Storage:
    """An open data folder: its journal, and whether acts are saved there.

    The folder is locked against other tables; if it cannot be locked, the journal is a copy in a temporary folder.
    """

    journal: Journal
    saved: bool
    _held: ExitStack

    @property
    def loaded(self) -> Loaded:
        """What the journal held when it was opened."""
        return self.journal.loaded

    def close(self) -> None:
        """Close the journal, and release the folder or remove the copy."""
        self.journal.close()
        self._held.close()


def open_storage(folder: Path, wall: Wall, *, connecting: Connect = connect) -> Storage:
    """Open the data folder for one table.

    Raises:
        DataFolderError: if the folder can neither be written nor copied, if its journal is not a file, or if a newer
            program has written it; a `FolderInUseError` if another table uses it.
    """
    path = folder / FILE
    try:
        lock = locked(folder)
    except DataFolderError as error:
        if isinstance(error, FolderInUseError) or not path.exists():
            raise
        return open_copy(folder, wall, connecting)
    try:
        files.require_files(path)
        path = path.resolve()
        files.require_files(path)
        files.make_private(path)
        for old in _NOT_READ:
            with suppress(OSError):
                (folder / old).unlink()
        return Storage(Journal(path, wall, connecting), True, lock)
    except (JournalError, PermissionError):
        lock.close()
        return open_copy(folder, wall, connecting)
    except BaseException:
        lock.close()
        raise


def locked(folder: Path) -> ExitStack:
    """Keep tables out of a data folder until the returned stack is closed; make the folder if it is missing.

    The folder where its journal lies is locked, too, if that is a link to a file elsewhere. `DataFolderError` reaches
    the caller if a table uses the folder, or it cannot be written.
    """
    with _writing(folder), ExitStack() as held:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        elsewhere = Path(os.path.realpath(folder / FILE)).parent
        linked = elsewhere.is_dir() and not elsewhere.samefile(folder)
        for each in (folder, elsewhere) if linked else (folder,):
            _lock(each, held)
        return held.pop_all()


def replace_journal(
    folder: Path, rows: Sequence[JournalRow], wall: Wall, before: Callable[[], object] = nothing
) -> Path | None:
    """Replace the journal in a `locked` folder by a journal of these rows, in one step.

    `DataFolderError` reaches the caller if the folder cannot be written; then the old journal stays in its place.

    Args:
        folder: the data folder.
        rows: the rows of the new journal.
        wall: the clock of the name under which the old journal is kept.
        before: called once the new journal is on disk, before it takes the old one's place.

    Returns:
        The database that was put aside, or None if the folder had no database.
    """
    path = (folder / FILE).resolve()
    with _writing(folder):
        files.finish_exchange(path)
        with files.removing_new(path):
            build(path, rows, 0)
            before()
            aside = files.name_to_keep(path, wall(), "replaced")
            files.exchange(path, aside)
        path.with_name(NOTICE).unlink(missing_ok=True)
    return aside if aside.exists() else None


def _lock(folder: Path, held: ExitStack) -> None:
    """Lock the folder itself: unlike a file in it, it cannot be removed while a table uses it.

    Raises:
        FolderInUseError: if a table uses it.
        OSError: if the folder cannot be written; a full disk is no reason.
    """
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    held.callback(os.close, opened)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        pid = "unknown"
        with suppress(OSError, UnicodeDecodeError):
            pid = (folder / PID).read_text(encoding="ascii").strip()
        raise FolderInUseError(
            f"expected a data folder of its own, but the table with process id {pid or 'unknown'} uses {str(folder)!r}"
        ) from error
    try:
        (folder / PID).write_text(f"{os.getpid()}\n", encoding="ascii")
    except OSError as error:
        if not is_full(error):
            raise


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """Turn an error of the operating system into a `DataFolderError` of the folder that is written.

    Raises:
        DataFolderError: if the folder cannot be written.
    """
    try:
        yield
    except DataFolderError:
        raise
    except OSError as error:
        reason = error.strerror or error
        if isinstance(error, FileExistsError) and folder.is_symlink():
            reason = f"it is a link to {str(folder.readlink())!r}, which is not there"
        raise DataFolderError(f"expected a data folder that can be written, got {str(folder)!r}: {reason}") from error


def open_copy(folder: Path, wall: Wall, connecting: Connect = connect) -> Storage:
    """Copy the journal of `folder` into a temporary folder, and open and mend it there: in memory if the disk is full.

    Raises:
        OSError: a `DataFolderError` or a `JournalError`, if the journal cannot be read.
    """

    def copy(parent: str | None) -> Storage:
        with ExitStack() as held:
            with _writing(folder):
                made = held.enter_context(tempfile.TemporaryDirectory(prefix="farklecrib-", dir=parent))
            return Storage(_copied(folder, Path(made), wall, connecting), False, held.pop_all())

    try:
        return copy(None)
    except OSError as error:
        if not is_full(error) or not os.path.isdir(MEMORY):  # noqa: PTH112 - never raises
            raise
    return copy(MEMORY)


def _copied(folder: Path, copy: Path, wall: Wall, connecting: Connect) -> Journal:
    """Copy the journal of `folder` into the folder `copy`, and open and mend it there.

    Raises:
        DataFolderError: if the journal cannot be read, or there is no room for the copy.
    """
    files.require_files(folder / FILE)
    path = (folder / FILE).resolve()  # its log and its copy are beside the file itself
    files.require_files(path)
    try:
        for file in (*path.parent.glob(f"{path.name}*"), path.with_name(NOTICE)):
            if file.exists() and not files.is_kept(file):
                shutil.copy(file, copy / file.name)
        return Journal(copy / path.name, wall, connecting, keeps_damaged=False)
    except DataFolderError:
        raise
    except OSError as error:
        reason = error.strerror or error
        text = f"expected a data folder that this user can read, got {str(folder)!r}: {reason}; "
        text += "see who owns its files with ls -l"
        if is_full(error):
            text = f"expected room in {str(copy.parent)!r} for a copy of the games, got: {reason}"
        raise DataFolderError(text) from error
