"""The journal on every connection that it may be given: SQLite's own, and the one on a disk that loses power."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sector_disk
from journal_acts import some_acts

from companion.storage.journal import FILE, Journal, JournalConnection, acts_of, connect, sound_rows
from companion.table.history import Act

Opened = Callable[[], Journal]


@pytest.fixture(params=["sqlite3 on a file", "apsw on a disk of sectors"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    """Opens the same journal again and again, each time on a new connection; the one before is closed first."""
    path = tmp_path / FILE
    disk = sector_disk.Disk(random.Random(1), fuse=10**9)
    open_now: list[Journal] = []

    def opening() -> Journal:
        for journal in open_now:
            journal.close()
        open_now.clear()
        files = request.param.startswith("sqlite3")
        connection: JournalConnection = connect(path) if files else sector_disk.Connection(disk, str(path), "FULL")
        journal = Journal(path, connection)
        journal.prepare()
        rows, wrong = sound_rows(journal.rows())
        assert wrong is None
        journal.adopt(rows)
        open_now.append(journal)
        return journal

    yield opening
    for journal in open_now:
        journal.close()


def test_a_new_journal_is_empty(opened: Opened) -> None:
    assert opened().rows() == []


def test_acts_come_back_as_they_were_and_in_order(opened: Opened) -> None:
    written = list(some_acts(20))
    journal = opened()
    for number, events in enumerate(written, start=1):
        journal.append(1, number, 1.5 * number, events)
    assert acts_of(opened().rows()) == tuple(Act(number, events) for number, events in enumerate(written, start=1))


def test_the_chain_of_a_game_goes_on_over_restarts(opened: Opened) -> None:
    for number, events in enumerate(some_acts(6), start=1):
        opened().append(1, number, 0.0, events)
    rows, wrong = sound_rows(opened().rows())
    assert (len(acts_of(rows)), wrong) == (6, None)


def test_each_game_has_a_chain_of_its_own(opened: Opened) -> None:
    journal = opened()
    for number, events in enumerate(some_acts(6), start=1):
        journal.append(1 + number % 2, number, 0.0, events)
    for game in (1, 2):
        alone = [row for row in opened().rows() if row.game == game]
        rows, wrong = sound_rows(alone)
        assert (rows, wrong) == (alone, None)


def test_rows_are_numbered_without_a_gap(opened: Opened) -> None:
    journal = opened()
    for number, events in enumerate(some_acts(6), start=1):
        journal.append(1, number, 0.0, events)
    rows = opened().rows()
    assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
    assert [row.at for row in rows] == [0.0] * len(rows)
