"""The journal's second copy: a text file beside the database, one line of JSON for each act.

The database is the journal. The copy is written after it and before anybody sees the act's effect, and it is only read
if the database has lost something. Its first line names its journal; each further line holds the rows of one act.
"""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby, zip_longest
from pathlib import Path
from typing import IO, NamedTuple

from pydantic import TypeAdapter, ValidationError

from companion.storage.files import write_synced
from companion.storage.rows import JournalRow


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
        write_synced(self.path, lines(head, rows))
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
