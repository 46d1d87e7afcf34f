"""A disk below SQLite that loses data that was not synced: an apsw VFS in memory, for power cuts.

A read returns the data that was last written, as the system's cache does. At a cut each unsynced 512-byte sector is
kept, lost or torn at random, in any order, as on real disks.
"""

import itertools
import random
from dataclasses import dataclass, field

import apsw

SECTOR = 512


class PowerCutError(Exception):
    """The power failed in the middle of a write or a sync."""


@dataclass
class File:
    """One file: its content as the system shows it, its content on the disk, and the writes between the two."""

    live: bytearray = field(default_factory=bytearray)
    durable: bytearray | None = None
    pending: list[tuple[int, bytes]] = field(default_factory=list)  # at an offset; a truncate is (size, b"")


class Disk:
    """All files, and a fuse: the number of writes and syncs until the power fails."""

    def __init__(self, chance: random.Random, fuse: int | None = None) -> None:
        self.files: dict[str, File] = {}
        self.chance = chance
        self.fuse = fuse
        self.operations = 0

    def burn(self) -> None:
        """Count one write or sync. When the fuse reaches its end, the power fails and stays off."""
        self.operations += 1
        if self.fuse is not None and self.operations > self.fuse:
            raise PowerCutError

    def after_cut(self) -> "Disk":
        """Return the disk as it is when the power is back."""
        found = Disk(self.chance)
        for name, file in self.files.items():
            content = self._left_of(file)
            if content is not None:
                found.files[name] = File(bytearray(content), bytearray(content))
        return found

    def _left_of(self, file: File) -> bytearray | None:
        if file.durable is None and (not file.pending or self.chance.random() < 0.3):
            return None
        content = bytearray(file.durable or b"")
        for offset, data in file.pending:
            if not data:
                if self.chance.random() < 0.5:
                    del content[offset:]
                continue
            for start in range(0, len(data), SECTOR):
                self._maybe_write(content, offset + start, data[start : start + SECTOR])
        return content

    def _maybe_write(self, content: bytearray, offset: int, sector: bytes) -> None:
        fate = self.chance.random()
        if fate < 0.45:
            return
        if fate < 0.55:
            sector = sector[: self.chance.randrange(1, len(sector) + 1)]
        if len(content) < offset:
            content.extend(bytes(offset - len(content)))
        content[offset : offset + len(sector)] = sector


class OpenFile:
    """One open file, as SQLite drives it."""

    def __init__(self, disk: Disk, file: File) -> None:
        self._disk = disk
        self._file = file

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802 - SQLite's name
        return bytes(self._file.live[offset : offset + amount])

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self._disk.burn()
        live = self._file.live
        if len(live) < offset:
            live.extend(bytes(offset - len(live)))
        live[offset : offset + len(data)] = data
        self._file.pending.append((offset, bytes(data)))

    def xTruncate(self, size: int) -> None:  # noqa: N802
        self._disk.burn()
        del self._file.live[size:]
        self._file.pending.append((size, b""))

    def xSync(self, _flags: int) -> None:  # noqa: N802
        self._disk.burn()
        self._file.durable = bytearray(self._file.live)
        self._file.pending.clear()

    def xFileSize(self) -> int:  # noqa: N802
        return len(self._file.live)

    def xClose(self) -> None:  # noqa: N802
        return

    def xLock(self, _level: int) -> None:  # noqa: N802
        return

    def xUnlock(self, _level: int) -> None:  # noqa: N802
        return

    def xCheckReservedLock(self) -> bool:  # noqa: N802
        return False

    def xFileControl(self, _op: int, _pointer: int) -> bool:  # noqa: N802
        return False

    def xDeviceCharacteristics(self) -> int:  # noqa: N802
        return 0

    def xSectorSize(self) -> int:  # noqa: N802
        return SECTOR


class DiskVFS(apsw.VFS):
    """SQLite's view of the disk."""

    def __init__(self, name: str, disk: Disk) -> None:
        self.disk = disk
        super().__init__(name, base="")

    def xOpen(self, name, flags: list[int]) -> OpenFile:  # noqa: N802
        path = name if isinstance(name, str) or name is None else name.filename()
        flags[1] = flags[0]
        return OpenFile(self.disk, self.disk.files.setdefault(str(path), File()))

    def xDelete(self, name: str, _sync: bool) -> None:  # noqa: N802
        self.disk.burn()
        self.disk.files.pop(name, None)

    def xAccess(self, name: str, _flags: int) -> bool:  # noqa: N802
        return name in self.disk.files

    def xFullPathname(self, name: str) -> str:  # noqa: N802
        return name


class Connection:
    """An apsw connection on a disk; `synchronous` other than FULL is the negative control."""

    def __init__(self, disk: Disk, path: str, synchronous: str) -> None:
        name = f"disk-{next(_NAMES)}"
        self._vfs = DiskVFS(name, disk)
        self._synchronous = synchronous
        self._connection = apsw.Connection(path, vfs=name)
        # Without shared memory in the VFS, the log's index is kept on the heap.
        self._connection.execute("PRAGMA locking_mode=EXCLUSIVE")

    def execute(self, statement: str, bindings=(), /):
        if statement == "PRAGMA synchronous=FULL":
            statement = f"PRAGMA synchronous={self._synchronous}"
        return self._connection.execute(statement, bindings)

    def close(self) -> None:
        self._connection.close()


_NAMES = itertools.count()
