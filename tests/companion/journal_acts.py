"""Acts to write into journals: real events of an ordinary game. Also data folders filled with them, and refusals."""

import resource
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.storage.data_folder import open_storage
from companion.storage.database import connect
from companion.storage.journal import Loaded
from companion.table.state.events import Event, SelectionChosen, TrackLaid
from farkle.game.events import DiceRolled
from farkle.game.seating import start
from farkle.rules.catalogue import find_rule_set


def some_acts(count: int) -> Iterator[tuple[Event, ...]]:
    """Return the first `count` acts: a start, then throws and choices in turn, all of them different."""
    yield (*start(find_rule_set("farkle-cribbage"), ("Ann", "Ben")), TrackLaid(121))
    for number in range(1, count):
        if number % 2:
            yield (DiceRolled(0, (1, 1, 1, 1 + number // 36 % 6, 1 + number // 6 % 6, 1 + number % 6)),)
        else:
            yield (SelectionChosen((1,), number),)


def wall() -> float:
    return 1_790_000_000.0


def filled(folder: Path, count: int = 12) -> list[tuple[Event, ...]]:
    """Write `count` acts of one game into a data folder, and end its table."""
    written = list(some_acts(count))
    storage = open_storage(folder, wall)
    for number, events in enumerate(written, start=1):
        storage.journal.append(1, number, wall(), events)
    storage.close()
    return written


def loaded(folder: Path) -> Loaded:
    """Return what a table loads from a data folder, and end the table."""
    storage = open_storage(folder, wall)
    storage.close()
    return storage.loaded


class Refusing:
    """A connection that refuses each statement as SQLite does, while `words` are set."""

    def __init__(self, path: Path, words: str, *, on: str) -> None:
        self._inner = connect(path)
        self.words = words
        self._on = on

    def execute(self, statement: str, bindings=(), /):
        if self.words and statement.startswith(self._on):
            raise sqlite3.OperationalError(self.words)
        return self._inner.execute(statement, bindings)

    def close(self) -> None:
        self._inner.close()


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond `size`: writing fails as on a full disk, also without root."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
