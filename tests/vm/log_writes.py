"""The log of qemu's driver blklogwrites, and the disks that power cuts leave.

The format is that of Linux' dm-log-writes (Documentation/admin-guide/device-mapper/log-writes.rst,
drivers/md/dm-log-writes.c): a superblock of one sector (magic, version, number of entries, sector size), then entries
of one sector (sector, sectors, flags, length), each followed by its data.
"""

import random
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MAGIC = 0x6A736677736872
FLUSH, FUA, DISCARD, MARK = 1, 2, 4, 8


class LogError(ValueError):
    """A file is no log of blklogwrites."""


@dataclass(frozen=True)
class Entry:
    """One request of the guest; `data_at` and `end` are places in the log, `offset` and `length` bytes of the disk."""

    offset: int
    length: int
    flags: int
    data_at: int
    end: int


def recorded(image: Path, log: Path, node: str) -> str:
    """Return the -blockdev option of a raw image whose writes also go to an empty log."""
    log.write_bytes(b"")
    return (
        f"driver=blklogwrites,node-name={node},file.driver=file,file.filename={image},"
        f"log.driver=file,log.filename={log}"
    )


def read_entries(log: Path) -> Iterator[Entry]:
    """Yield the entries of a log, up to one that is not whole.

    Raises:
        LogError: if the file is no log.
    """
    with log.open("rb") as file:
        size = log.stat().st_size
        magic, version, _entries, sector = struct.unpack("<QQQI", file.read(28))
        if magic != MAGIC or version != 1 or not sector:
            raise LogError(f"expected a log of writes in {log}, got magic {magic:#x}, version {version}")
        at = sector
        while at + sector <= size:
            file.seek(at)
            start, sectors, flags, _length = struct.unpack("<QQQQ", file.read(32))
            data_at = at + sector
            at = data_at + (0 if flags & DISCARD else sectors * sector)
            if at > size or (not sectors and not flags):
                return
            yield Entry(start * sector, sectors * sector, flags, data_at, at)


def cut_disk(base: Path, log: Path, entries: list[Entry], seed: int, out: Path, sector: int = 512) -> tuple[int, int]:
    """Write the disk that a power cut after these entries leaves. Return the numbers of dropped and torn writes.

    All data from before the last flush is on the disk. Each later write is whole, torn at a sector or missing, at
    random and independently, as on a disk with a cache.
    """
    chance = random.Random(seed)
    flushed = max((n for n, entry in enumerate(entries) if entry.flags & FLUSH), default=-1)
    dropped = torn = 0
    subprocess.run(["cp", "--sparse=auto", base, out], check=True)  # keep the file sparse
    with log.open("rb") as source, out.open("r+b") as disk:
        for n, entry in enumerate(entries):
            length = entry.length
            if n > flushed and not entry.flags & FUA and length:
                fate = chance.random()
                if fate < 0.4:
                    dropped += 1
                    continue
                if fate < 0.6 and length > sector:
                    length = chance.randrange(1, length // sector) * sector
                    torn += 1
            if entry.flags & DISCARD or not length:
                continue
            source.seek(entry.data_at)
            disk.seek(entry.offset)
            disk.write(source.read(length))
    return dropped, torn
