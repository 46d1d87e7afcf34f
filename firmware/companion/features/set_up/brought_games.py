"""Bring the games of a backup to a running table: one at a time, with room left to play on, checked beside the table.

A few bytes of a ZIP file can stand for gigabytes, so a process of the lowest priority reads it, with limits of time and
memory, and ends with the table.
"""

import os
import resource
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO

from companion.errors import CompanionError, RefusedError
from companion.games.backup import read_backup
from companion.log import logger_of
from companion.odds.live_odds import IDLE_PRIORITY
from companion.storage.whole_file import require_room
from companion.words import message
from companion.work_process import WorkProcess

UPLOAD = "restore.upload-"
"""The beginning of the name of a backup that is being brought, in the data folder."""

CHECK_S = 60.0
"""Seconds in which a backup must be read: a hundred evenings take some seconds on a Raspberry Pi Zero 2 W."""

_log = logger_of("set-up")


class BroughtGames:
    """The backup that is being brought, one at a time. Any thread may use it."""

    def __init__(self, data: Path) -> None:
        """Begin without a backup; `data` is the data folder."""
        self._data = data
        self._work = WorkProcess(message("set_up.not_read"))

    @contextmanager
    def receiving(self, size: int) -> Iterator["Upload"]:
        """Yield the file of a new backup, which stays if nothing fails.

        Args:
            size: how many bytes will come, 0 if that is unknown.

        Raises:
            RefusedError: if the disk has no room for it, or cannot be written.
            CompanionError: as the caller raised it. `BusyError` reaches the caller while another one is being brought.
        """
        with self._work.alone(message("set_up.bringing_other")):
            try:
                _require_room(self._data, size)
                with tempfile.NamedTemporaryFile(prefix=UPLOAD, dir=self._data, delete=False) as opened:
                    upload = Upload(Path(opened.name), opened, self._data, self._work)
                    try:
                        yield upload
                    except BaseException:
                        upload.file.unlink(missing_ok=True)
                        raise
            except CompanionError:
                raise
            except OSError as error:
                raise RefusedError(message("fault.not_saved")) from error

    def close(self) -> None:
        """End a check under way."""
        self._work.close()


class Upload:
    """A backup that comes part by part, and is then checked."""

    def __init__(self, file: Path, opened: IO[bytes], data: Path, work: WorkProcess) -> None:
        self.file = file
        self._opened = opened
        self._data = data
        self._work = work

    def write(self, part: bytes) -> None:
        """Add a part. `RefusedError` reaches the caller if the disk has no room for it, or an `OSError` of the disk."""
        _require_room(self._data, len(part))
        self._opened.write(part)

    def check(self) -> None:
        """Check the whole backup, and that its games have room.

        Raises:
            RefusedError: if not.
        """
        self._opened.flush()
        try:
            needed = self._work.run(partial(_room_for, self.file), CHECK_S)
        except RefusedError:
            raise
        except CompanionError as error:
            _log.warning("games were not brought: %s", error)
            raise RefusedError(message("set_up.no_backup")) from error
        finally:
            self._work.end()
        _require_room(self._data, needed)


def remove_leftovers(data: Path) -> None:
    """Remove backups that were being brought when the table was killed."""
    for file in data.glob(f"{UPLOAD}*"):
        with suppress(OSError):
            file.unlink()


def _require_room(data: Path, needed: int) -> None:
    try:
        require_room(data, needed, "a backup")
    except CompanionError as error:
        raise RefusedError(message("set_up.no_room")) from error


def _room_for(file: Path) -> int:
    """Return how many bytes the games of a backup need. It runs in a process of its own.

    Raises:
        CompanionError: if it is no whole backup, or is larger than this machine's memory allows.
    """
    os.nice(IDLE_PRIORITY)
    half = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    resource.setrlimit(resource.RLIMIT_AS, (half, half))
    try:
        return read_backup(file).room
    except MemoryError as error:
        raise CompanionError(f"expected a backup that half of this machine's memory can hold, got {file}") from error
