"""Damage of the journal's files never gives a wrong state, each loss is reported, and the table goes on."""

import json
import os
import random
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import accumulate, chain, count, cycle, islice, pairwise, product
from pathlib import Path

import pytest
from hosted import Connected
from journal_acts import filled, loaded, some_acts, wall
from samples import sampled

from companion.errors import DataFolderError
from companion.games.story import story_of
from companion.storage import files
from companion.storage.data_folder import Storage, open_storage
from companion.storage.database import read
from companion.storage.files import COPY, FILE
from companion.storage.rows import JournalRow, newest_of, rows_of, sound_rows
from companion.table.state.events import Event, Undone

SECTOR = 512
TEXT = FILE + COPY

Bytes = dict[str, bytes]


def contents(folder: Path) -> Bytes:
    return {file: (folder / file).read_bytes() for file in (FILE, f"{FILE}-wal", TEXT) if (folder / file).exists()}


def laid(folder: Path, whole: Bytes) -> Path:
    """Create a folder that holds just these files."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for file, data in whole.items():
        (folder / file).write_bytes(data)
    return folder


def used(folder: Path, written: list[tuple[Event, ...]]) -> tuple[list[tuple[Event, ...]], str | None]:
    """Open a journal, write, list and export, then open it again. Return the remaining acts of game 1, and the loss."""
    storage = open_storage(folder, wall)
    first, journal = storage.loaded, storage.journal
    left = [act.events for act in first.acts]
    journal.append(first.game or 1, first.seq + 1, wall(), (Undone(first.seq),) if left else written[0])
    assert {game: newest_of(journal.rows(game)) for game in journal.games()} == journal.games()
    assert story_of(journal.rows(first.game or 1)).number == (first.game or 1)
    storage.close()
    again = loaded(folder)
    assert [act.events for act in again.acts][: len(left)] == left
    assert (again.seq, again.loss) == (first.seq + 1, None)
    return left, first.loss


def flips(data: bytes, count: int) -> Iterator[bytes]:
    for seed in range(count):
        chance = random.Random(seed)
        changed = bytearray(data)
        changed[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        yield bytes(changed)


def damages(data: bytes, every: int) -> Iterator[bytes]:
    """Yield the file with one sector after the other zeroed, then cut off at many lengths."""
    for start in range(0, len(data), SECTOR * every):
        yield data[:start] + bytes(min(SECTOR, len(data) - start)) + data[start + SECTOR :]
    for length in range(0, len(data), 173 * every):
        yield data[:length]


def left_by_a_kill(folder: Path) -> list[tuple[Event, ...]]:
    """Copy the folder of a table as a kill leaves it: half of its acts stand only in the log. Return the acts."""
    written = list(some_acts(30))
    connected = Connected()
    storage = open_storage(folder / "running", wall, connecting=connected)
    for number, events in enumerate(written, start=1):
        storage.journal.append(1, number, wall(), events)
        if number == 15:
            connected.set("wal_checkpoint(TRUNCATE)")
    laid(folder / "killed", contents(folder / "running"))
    storage.close()
    return written


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Bytes, list[tuple[Event, ...]]]:
    folder = tmp_path_factory.mktemp("killed")
    return (written := left_by_a_kill(folder)) and (contents(folder / "killed"), written)


def outcomes(folder: Path, whole: Bytes, written: list[tuple[Event, ...]], changed: Iterator[Bytes]) -> Counter[str]:
    """Count the damages tried, and those that gave acts never written, lost acts without a report, or lost any acts."""
    count = Counter[str]()
    for each in changed:
        left, loss = used(laid(folder / "damaged", {**whole, **each}), written)
        lost = len(left) < len(written)
        count.update(tried=1, wrong=left != written[: len(left)], silent=lost and loss is None, lost=lost)
    return count


def one_by_one(whole: Bytes, changing: Callable[[bytes], Iterator[bytes]]) -> Iterator[Bytes]:
    return ({name: data} for name in whole for data in changing(whole[name]))


@pytest.mark.parametrize(
    ("flipped", "every"),
    [(8, 30), pytest.param(60, 12, marks=pytest.mark.exhaustive), pytest.param(1500, 1, marks=pytest.mark.soak)],
)
def test_damage_of_one_file_loses_nothing_and_of_both_each_loss_is_reported(
    tmp_path: Path, killed: tuple[Bytes, list], flipped: int, every: int
) -> None:
    whole, written = killed
    alone = {name: data for name, data in whole.items() if name != TEXT}
    one = one_by_one(whole, lambda data: chain(flips(data, flipped), damages(data, every)))
    found = outcomes(tmp_path, whole, written, one)
    assert (found["tried"] > 3 * flipped, found["wrong"], found["silent"], found["lost"]) == (True, 0, 0, 0)
    both = zip(damages(whole[FILE], every), cycle(damages(whole[TEXT], every)), strict=False)
    found = outcomes(tmp_path, whole, written, ({FILE: one, TEXT: other} for one, other in both if one and other))
    assert (found["wrong"], found["silent"]) == (0, 0)
    found = outcomes(tmp_path, alone, written, ({FILE: each} for each in flips(alone[FILE], 2 * flipped)))
    assert (found["wrong"], found["silent"]) == (0, 0)


@pytest.mark.parametrize("place", sampled(product((18, 19), range(8)), (18, 0), (19, 3)))
def test_a_header_that_makes_the_file_read_only_or_unreadable_is_damage(tmp_path: Path, place: tuple[int, int]) -> None:
    written, (byte, bit) = filled(tmp_path, 20), place
    header = bytearray((tmp_path / FILE).read_bytes())
    header[byte] ^= 1 << bit
    (tmp_path / FILE).write_bytes(header)
    assert used(tmp_path, written)[0] == written


def test_a_zeroed_index_of_an_older_journal_is_dropped(tmp_path: Path) -> None:
    written = filled(tmp_path, 30)
    (tmp_path / TEXT).unlink()  # version 0.1.0 had no copy, but an index
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("CREATE INDEX events_by_game ON events (game, seq)")
        ((root,),) = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'events_by_game'")
        ((size,),) = database.execute("PRAGMA page_size")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    with (tmp_path / FILE).open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(bytes(SECTOR))
    left, loss = used(tmp_path, written)
    assert left == written
    assert "nothing is lost" in (loss or "")


SIZES = {1: (2, 1, 3, 2), 2: (2, 2)}
"""The numbers of rows of each act, game by game."""


def chained() -> list[JournalRow]:
    """Return the rows of two games."""
    events, rows, acts = (event for events in some_acts(20) for event in events), [], count(1)
    for game, sizes in SIZES.items():
        before = ""
        for size in sizes:
            rows += rows_of(game, next(acts), wall(), islice(events, size), len(rows), before)
            before = rows[-1].hash
    return rows


def after(rows: list[JournalRow], game: int) -> list[JournalRow]:
    """Return the rows of a game that are sound, and check that they are its first acts and nothing of another one."""
    found = [row for row in sound_rows(rows)[0] if row.game == game]
    assert found == [row for row in chained() if row.game == game][: len(found)]
    assert len(found) in (0, *accumulate(SIZES[game]))
    return found


@pytest.mark.parametrize("field", ["body", "hash", "kind", "at", "schema", "act", "game", "seq"])
def test_a_changed_row_leaves_whole_acts_alone(field: str) -> None:
    rows = chained()
    assert sound_rows(rows) == (rows, None)
    for place, row in enumerate(rows):
        value = getattr(row, field)
        other = 3 - value if field == "game" else value + 90 if isinstance(value, int | float) else f"{value}x"
        changed = [*rows[:place], row._replace(**{field: other}), *rows[place + 1 :]]
        wrong = sound_rows(changed)[1]
        assert wrong == f"row {row.seq} is not as it was written" or (wrong and field == "seq")
        kept = {game: after(changed, game) for game in SIZES}
        if field not in ("act", "game", "seq"):
            assert kept[row.game] == [each for each in rows if each.game == row.game and each.act < row.act]
            assert kept[3 - row.game] == [each for each in rows if each.game == 3 - row.game]


def test_a_missing_row_ends_its_own_game_and_no_other() -> None:
    rows = chained()
    for row, following in pairwise(rows):
        missing = [each for each in rows if each is not row]
        found, wrong = sound_rows(missing)
        if following.game == row.game:  # the last row of a game may never have been written
            assert wrong == f"row {following.seq} is not as it was written"
            assert after(missing, row.game) == [each for each in found if each.game == row.game and each.act < row.act]
        assert after(missing, 3 - row.game) == [each for each in rows if each.game == 3 - row.game]


def test_the_report_of_a_loss_stays_until_a_game_has_gone_on(tmp_path: Path) -> None:
    written = filled(tmp_path, 5)
    (tmp_path / FILE).write_bytes(b"")
    first = open_storage(tmp_path, wall)
    shutil.copytree(tmp_path, tmp_path / "killed")
    first.close()
    again = open_storage(tmp_path / "killed", wall)
    assert first.loaded.loss is not None
    assert again.loaded.loss == first.loaded.loss
    again.journal.append(1, len(written) + 1, wall(), (Undone(2),))
    again.close()
    assert loaded(tmp_path / "killed").loss is None


class Killed(BaseException):
    """The program was killed during a call of the operating system."""


def killing(monkeypatch: pytest.MonkeyPatch, at: int) -> list[str]:
    """Kill the program before its `at`-th change of a file. Yield the changes made until then."""
    made: list[str] = []

    def counted(name: str, real: Callable[..., object]) -> Callable[..., object]:
        def call(*given: object, **named: object) -> object:
            if len(made) == at:
                raise Killed(name)
            made.append(name)
            return real(*given, **named)

        return call

    for name in ("open", "rename", "unlink", "fsync"):
        monkeypatch.setattr(files.os, name, counted(name, getattr(os, name)))
    for name in ("rename", "unlink"):
        monkeypatch.setattr(Path, name, counted(name, getattr(Path, name)))
    return made


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.exhaustive)])
def test_a_mending_that_is_killed_at_any_instant_is_finished_by_the_next_start(
    tmp_path: Path, killed: tuple[Bytes, list], step: int
) -> None:
    whole, written = killed
    broken = {**whole, FILE: whole[FILE][:18] + b"\x0a" + whole[FILE][19:]}
    for alone in (False, True):  # with the copy, and with the readable part of the database and its log
        given = {name: data for name, data in broken.items() if name != TEXT} if alone else broken
        at, most = int(alone), 0
        while True:
            laid(tmp_path / "folder", given)
            with pytest.MonkeyPatch.context() as patched:
                made = killing(patched, at)
                try:
                    open_storage(tmp_path / "folder", wall).close()
                except Killed:
                    most = len(made)
                else:
                    break
            left, loss = used(tmp_path / "folder", written)
            assert (left, loss is None) == (written, False), (at, made)
            at += step
        assert most > 10


def running(folder: Path, connected: Connected) -> tuple[Storage, list[str], list[tuple[Event, ...]]]:
    """Return an open journal with acts, the list of its reports, and the acts."""
    written = list(some_acts(20))
    storage = open_storage(folder, wall, connecting=connected)
    reports: list[str] = []
    storage.journal.subscribe(reports.append)
    for number, events in enumerate(written, start=1):
        storage.journal.append(1, number, wall(), events)
    return storage, reports, written


@pytest.mark.parametrize("harm", ["removed", "removed with its copy", "overwritten", "another file"])
def test_a_file_that_is_lost_while_the_table_runs_is_written_anew(tmp_path: Path, harm: str) -> None:
    connected = Connected()
    storage, reports, written = running(tmp_path, connected)
    file = tmp_path / FILE
    match harm:
        case "removed" | "another file":
            file.unlink()
            if harm == "another file":
                file.write_bytes(b"x" * 9000)
        case "removed with its copy":
            for each in (file, tmp_path / TEXT):
                each.unlink()
        case "overwritten":
            connected.set("wal_checkpoint(TRUNCATE)")
            file.write_bytes(b"\0" * file.stat().st_size)
            os.truncate(tmp_path / f"{FILE}-wal", 0)
    storage.journal.append(1, 21, wall(), (Undone(20),))
    assert len(storage.journal.rows(1)) > 20
    storage.close()
    left, _ = used(tmp_path, written)
    assert left[:20] == written
    assert len(left) == 21
    if harm != "overwritten":  # SQLite still knows the pages, and the next start finds the damage
        assert "nothing is lost" in reports[0]


def test_a_row_that_changes_while_the_table_runs_is_mended_when_it_is_read(tmp_path: Path) -> None:
    storage, reports, written = running(tmp_path, Connected())
    other = sqlite3.connect(tmp_path / FILE)
    other.execute("UPDATE events SET body = replace(body, '1', '2') WHERE act = 4")
    other.commit()
    other.close()
    assert sound_rows(storage.journal.rows(1))[1] is None
    assert "game 1 is not as it was written" in reports[0]
    storage.close()
    assert used(tmp_path, written)[0] == written


def with_row(folder: Path, kind: str, schema: int, body: str) -> None:
    """Add an act of one row with a correct hash."""
    rows = read(folder / FILE).rows
    row = rows_of(1, rows[-1].act + 1, wall(), (Undone(1),), rows[-1].seq, rows[-1].hash)[0]
    row = row._replace(kind=kind, schema=schema, body=body)
    row = row._replace(hash=row.expected_hash(rows[-1].hash))
    with sqlite3.connect(folder / FILE) as database:
        database.execute(f"INSERT INTO events VALUES ({','.join('?' * 8)})", row)
    database.close()


@pytest.mark.parametrize(
    ("kind", "schema", "what"),
    [("Teleported", 2, "an event of the kind 'Teleported'"), ("DiceRolled", 3, "schema 3 of DiceRolled")],
)
def test_a_journal_of_a_newer_program_is_refused_and_not_changed(
    tmp_path: Path, kind: str, schema: int, what: str
) -> None:
    filled(tmp_path, 6)
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("UPDATE writer SET version = '9.1.0'")
    with_row(tmp_path, kind, schema, "{}")
    before = contents(tmp_path)
    with pytest.raises(DataFolderError, match=f"can read, got .* with {what}, last written by version 9.1.0; install"):
        open_storage(tmp_path, wall)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("body", ['{"faces":[1,2,3,4,5,6],"player":9}', '{"faces":"?","player":0}'])
def test_acts_that_cannot_be_folded_are_put_aside_and_the_game_goes_on_before_them(tmp_path: Path, body: str) -> None:
    written = filled(tmp_path, 6)
    with_row(tmp_path, "DiceRolled", 2, body)
    left, loss = used(tmp_path, written)
    assert left == written
    assert "game 1 cannot be played on from act 7" in (loss or "")
    assert "1 of" in (loss or "")


def test_a_copy_of_another_journal_is_not_mixed_in(tmp_path: Path) -> None:
    filled(tmp_path / "mine", 5)
    written = filled(tmp_path / "other", 9)
    shutil.copy(tmp_path / "other" / TEXT, tmp_path / "mine" / TEXT)
    left, loss = used(tmp_path / "mine", written)
    assert (left, loss) == (written[:5], None)


def test_each_line_of_the_copy_is_one_act_and_a_sound_start_writes_it_no_more(tmp_path: Path) -> None:
    written = filled(tmp_path, 5)
    head, *acts = [json.loads(line) for line in (tmp_path / TEXT).read_text().splitlines()]
    assert head == [read(tmp_path / FILE).name, 0]
    assert [len(act) for act in acts] == [len(events) for events in written]
    before = (tmp_path / TEXT).stat().st_ino
    loaded(tmp_path)
    assert (tmp_path / TEXT).stat().st_ino == before
