"""The database on both kinds of connection: SQLite's own, and the one to a disk that loses power."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sector_disk
from journal_acts import some_acts

from companion.storage.database import Connection, Database, connect
from companion.storage.files import FILE
from companion.storage.rows import JournalRow, acts_of, rows_of, sound_rows
from companion.table.state.history import Act

Opened = Callable[[], Database]


@pytest.fixture(params=["sqlite3 on a file", "apsw on a disk of sectors"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    """Return a function that opens the same database on a new connection. It closes the previous connection first."""
    path = tmp_path / FILE
    disk = sector_disk.Disk(random.Random(1), fuse=10**9)
    open_now: list[Database] = []

    def opening() -> Database:
        for each in open_now:
            each.close()
        open_now.clear()
        files = request.param.startswith("sqlite3")
        connection: Connection = connect(path) if files else sector_disk.Connection(disk, str(path), "FULL")
        open_now.append(Database(path, connection))
        open_now[0].prepare()
        return open_now[0]

    yield opening
    for each in open_now:
        each.close()


def test_a_new_database_is_empty_and_has_a_name_that_stays(opened: Opened) -> None:
    assert opened().rows() == []
    assert opened().name == opened().name > 0


def test_acts_come_back_as_they_were_and_in_order(opened: Opened) -> None:
    written = list(some_acts(20))
    rows: list[JournalRow] = []
    for number, events in enumerate(written, start=1):
        rows += rows_of(1, number, 1.5 * number, events, len(rows), rows[-1].hash if rows else "")
    for row in rows:
        opened().insert([row])
    found = opened().rows()
    assert (found, sound_rows(found)) == (rows, (rows, None))
    assert acts_of(found) == tuple(Act(number, events) for number, events in enumerate(written, start=1))


def test_a_deleted_game_is_gone_and_its_highest_act_is_noted(opened: Opened) -> None:
    rows = rows_of(1, 1, 0.0, next(some_acts(1)), 0, "")
    opened().insert([*rows, *rows_of(2, 2, 0.0, next(some_acts(1)), len(rows), "")])
    opened().delete(1, 1)
    assert {row.game for row in opened().rows()} == {2}
    assert opened().highest_deleted == 1
