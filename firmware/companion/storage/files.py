"""The files of a journal: its database, its text copy, and how a mended one takes the place of a damaged one.

The copy is one line of JSON for each act. It is written after the database and before anybody sees the act's effect,
and it is only read if the database has lost something. Its first line names its journal.

The new database is written beside the old one. Renaming it to `journal.db.mended-TIME` is the moment that counts: from
then on every start finishes the exchange, whenever a kill has ended it. The old files are kept as
`journal.db.damaged-TIME`; the newest three of them stay. All functions raise `OSError` if the disk refuses.
"""

import json
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import groupby, zip_longest
from pathlib import Path
from typing import IO, NamedTuple

from pydantic import TypeAdapter, ValidationError

from companion.errors import DataFolderError
from companion.storage.rows import JournalRow
from companion.storage.whole_file import sync, write_whole
from dicereader.data.files import FILE_KINDS

FILE = "journal.db"
NEW = ".new"
COPY = "-copy"
_FAMILY = ("-wal", "-shm", COPY, "")
_PENDING = {"damaged": "mended", "replaced": "restored"}
"""The word in the new database's name until the exchange is finished, by the word in the old one's name after it."""

KEPT_ASIDE = 3
"""How many damaged journals are kept, and how many that a backup replaced: the newest."""


def _family(path: Path) -> list[Path]:
    """Return the files that belong to a database: it comes last."""
    return [path.with_name(path.name + suffix) for suffix in _FAMILY]


def require_files(path: Path) -> None:
    """Check that the files of the journal are ordinary files, before anything opens or waits for them.

    Raises:
        DataFolderError: if one is not an ordinary file, or is a broken link.
    """
    for file in _family(path):
        try:
            mode = file.stat().st_mode
        except FileNotFoundError:
            if file.is_symlink():
                raise DataFolderError(
                    f"expected {str(file)!r} to be a file, got a link to {str(file.readlink())!r}, which is not there; "
                    "mount what it points to, or remove the link"
                ) from None
            continue
        except OSError as error:
            raise DataFolderError(f"expected {str(file)!r} to be a file, got: {error.strerror}") from error
        if not stat.S_ISREG(mode):
            kind = FILE_KINDS.get(stat.S_IFMT(mode), "something else")
            raise DataFolderError(f"expected {str(file)!r} to be a file, got {kind}; move it away, then start again")


def is_kept(file: Path) -> bool:
    """Return whether this is a file that an exchange has put aside."""
    return any(f".{kept}-" in file.name for kept in _PENDING)


def make_private(path: Path) -> None:
    """Create the database's file if it is missing, and let only its owner read the files of the journal."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    for file in _family(path):
        with suppress(OSError):
            if file.stat().st_mode & 0o077:
                file.chmod(0o600)


def name_to_keep(path: Path, now_s: float, kept: str) -> Path:
    """Return a free name for the old database.

    Args:
        path: the journal's database.
        now_s: wall-clock time in seconds since 1970.
        kept: `damaged`, or `replaced` by a backup.
    """
    stamp = datetime.fromtimestamp(now_s, tz=UTC).strftime("%Y%m%d-%H%M%S")
    aside = path.with_name(f"{path.name}.{kept}-{stamp}")
    number = 1
    while any(path.parent.glob(f"{aside.name}*")):
        number += 1
        aside = path.with_name(f"{path.name}.{kept}-{stamp}-{number}")
    return aside


def exchange(path: Path, aside: Path) -> None:
    """Put the finished `journal.db.new` in the journal's place; no connection to either may be open.

    If it fails, the old journal is in its place, or the next start finishes the exchange.

    Args:
        path: the journal's database.
        aside: the name from `name_to_keep`.
    """
    new = path.with_name(path.name + NEW)
    sync(new)
    kept, dash, stamp = aside.name.removeprefix(f"{path.name}.").partition("-")
    new.rename(path.with_name(f"{path.name}.{_PENDING[kept]}{dash}{stamp}"))
    sync(path.parent)
    finish_exchange(path)


def finish_exchange(path: Path) -> None:
    """Finish an exchange that a kill has ended, and remove a new database that was not finished."""
    for kept, pending in _PENDING.items():
        for new in path.parent.glob(f"{path.name}.{pending}-*"):
            aside = new.name.replace(f"{path.name}.{pending}-", f"{path.name}.{kept}-")
            for suffix in _FAMILY:
                with suppress(FileNotFoundError):
                    path.with_name(path.name + suffix).rename(path.with_name(aside + suffix))
            new.rename(path)
            sync(path.parent)
            for older in oldest_aside(path, path.with_name(aside)):
                for file in _family(older):
                    with suppress(OSError):
                        file.unlink()
    remove_new(path)


def remove_new(path: Path) -> None:
    """Remove a new database that was not finished."""
    for left in path.parent.glob(f"{path.name}{NEW}*"):
        left.unlink()


@contextmanager
def removing_new(path: Path) -> Iterator[None]:
    """Remove the new database if the disk refuses anything: a full disk needs its room.

    Raises:
        OSError: the error of the disk.
    """
    try:
        yield
    except OSError:
        with suppress(OSError):
            remove_new(path)
        raise


def oldest_aside(path: Path, aside: Path) -> list[Path]:
    """Return what was put aside so long ago that it is to be removed: `KEPT_ASIDE` stay.

    Args:
        path: the journal's database, or the folder of the throw images.
        aside: the name under which it was put aside last. It stays, even if the clock was wrong then.
    """
    kept = aside.name.removeprefix(f"{path.name}.").partition("-")[0]
    names = {_without_suffix(each.name) for each in path.parent.glob(f"{path.name}.{kept}-*")} - {aside.name}
    return [path.with_name(name) for name in sorted(names)[: 1 - KEPT_ASIDE]]


def _without_suffix(name: str) -> str:
    return name.removesuffix(next(suffix for suffix in _FAMILY if name.endswith(suffix)))


class Head(NamedTuple):
    """The first line: the random number of the journal, and the highest act of all deleted games."""

    name: int
    highest_deleted: int


_HEAD = TypeAdapter(Head)
_ACT = TypeAdapter(list[JournalRow])


class TextCopy:
    """The copy of one journal. Writing raises `OSError` if the disk refuses; reading skips damaged lines."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._waiting = b""

    def read(self) -> tuple[Head | None, list[JournalRow]]:
        """See `read_lines`; a file that cannot be read gives no rows."""
        with suppress(OSError), self.path.open("rb") as file:
            return read_lines(file)
        return None, []

    def holds(self, head: Head, rows: Iterable[JournalRow]) -> bool:
        """Return whether the file is exactly the copy of these rows."""
        with suppress(OSError), self.path.open("rb") as file:
            return all(found == wanted for found, wanted in zip_longest(file, lines(head, rows)))
        return False

    def write(self, head: Head, rows: Iterable[JournalRow]) -> None:
        """Write the whole copy again; a kill leaves the old one or the new one."""
        write_whole(self.path, lines(head, rows))
        self._waiting = b""

    def append(self, rows: Sequence[JournalRow]) -> bool:
        """Add one act, wait until it is on disk, and return whether there is a file.

        If the disk refuses, the next call adds the act, too.
        """
        self._waiting += _line(rows)
        with suppress(OSError), self.path.open("r+b", buffering=0) as file:
            before = file.seek(0, os.SEEK_END)
            try:
                whole = file.write(self._waiting) == len(self._waiting)
                os.fsync(file)
            except OSError:
                whole = False
            if whole:
                self._waiting = b""
            else:
                file.truncate(before)
        return self.path.exists()


def read_lines(file: IO[bytes]) -> tuple[Head | None, list[JournalRow]]:
    """Return the first line and all rows that can be read; a line that is damaged or torn is left out."""
    head, rows = None, []
    with suppress(ValidationError):
        head = _HEAD.validate_json(file.readline(), strict=True)
    for line in file:
        with suppress(ValidationError):
            rows += _ACT.validate_json(line, strict=True)
    return head, rows


def lines(head: Head, rows: Iterable[JournalRow]) -> Iterator[bytes]:
    """Yield the first line, and a line for each act of these rows."""
    yield _line(head)
    for _, act in groupby(rows, key=lambda row: (row.game, row.act)):
        yield _line(list(act))


def _line(content: Head | Sequence[JournalRow]) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"
