"""Write a file whole or not at all: whatever fails leaves the old file, and nothing beside it."""

import errno
import fcntl
import os
import shutil
import sqlite3
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from companion.errors import CompanionError

SPARE_BYTES = 8_000_000
"""What a backup leaves free for the games that are played: an evening's journal, and its log."""


@contextmanager
def replacing(path: Path, mode: int = 0o600, *, synced: bool = True) -> Iterator[BinaryIO]:
    """Yield a new file that takes the place of `path` once it is whole; if anything fails, it is removed.

    It is written beside `path`, with `.part` behind its name. A kill leaves the old file or the new one.

    Args:
        path: the file to write.
        mode: who may read and write it, less the umask.
        synced: whether to wait until it is on disk; else a power cut may leave it empty.
    """
    part = path.with_name(f"{path.name}.part")
    with os.fdopen(_locked(part, mode), "w+b") as file:
        try:
            yield file
            file.flush()
            if synced:
                os.fsync(file.fileno())
            part.rename(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    if synced:
        sync(path.parent)


def write_whole(path: Path, lines: Iterable[bytes], *, synced: bool = True) -> None:
    """Write a file that only its owner may read, as `replacing` does."""
    with replacing(path, synced=synced) as file:
        file.writelines(lines)


def _locked(part: Path, mode: int) -> int:
    """Return a descriptor of an empty file, which a killed program may have left; no other program writes it.

    Raises:
        OSError: if another program writes it, or it is no ordinary file.
    """
    opened = os.open(part, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, mode)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not os.path.samestat(os.fstat(opened), os.lstat(part)):
            raise OSError(errno.EBUSY, "another program has just written it")
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            raise OSError(errno.EINVAL, f"{part.name} beside it is not a file")
        os.ftruncate(opened, 0)
    except BaseException:
        os.close(opened)
        raise
    return opened


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def is_full(error: BaseException | None) -> bool:
    """Return whether an error, or what caused it, says that the disk is full, or that no more may be written there."""
    if isinstance(error, sqlite3.Error):
        return error.sqlite_errorcode in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE}
    if isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
        return True
    return error is not None and is_full(error.__cause__)


def require_room(folder: Path, needed: int, what: str) -> None:
    """Check that a disk has room for so many bytes and leaves `SPARE_BYTES` free.

    Args:
        folder: a folder on that disk; it may be missing.
        needed: how many bytes are to be written.
        what: what is to be written, such as `the backup`.

    Raises:
        CompanionError: if it has not, with the figures.
    """
    there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    free = shutil.disk_usage(there).free
    if free < needed + SPARE_BYTES:
        raise CompanionError(
            f"expected {megabytes(needed + SPARE_BYTES)} free on the disk of {str(folder)!r}, {megabytes(needed)} for "
            f"{what} and {megabytes(SPARE_BYTES)} to play on, got {megabytes(free)}"
        )


def megabytes(size: int) -> str:
    """Return a number of bytes in megabytes."""
    return f"{size / 1e6:.1f} MB"
