"""A full disk: nothing half-written stays on it, deleting games makes room, and a backup leaves some."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from asked import TRAYS, Run, refused
from hosted import hosted, seen
from journal_acts import files_of_at_most, filled, loaded, some_acts, wall
from samples import sampled

from companion.errors import CompanionError, DataFolderError, JournalError
from companion.games.backup import restore_backup, write_backup
from companion.games.control_socket import open_games
from companion.games.stores import HostGames
from companion.games.throw_images import ThrowImages
from companion.storage.data_folder import open_storage
from companion.storage.database import read
from companion.storage.files import COPY, FILE, TextCopy
from companion.storage.whole_file import replacing
from companion.table.state.inputs import NewGame

JPEG = b"a picture" * 1000


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of four megabytes."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", place), capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("needs root, and a kernel that lets it mount a disk")
    try:
        yield place
    finally:
        subprocess.run(("umount", "--lazy", place), check=True)


def fill(disk: Path) -> None:
    """Fill a disk to its last byte."""
    with suppress(OSError), (disk / "others").open("ab", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    assert shutil.disk_usage(disk).free == 0


def games_of(folder: Path, games: int, acts: int) -> None:
    """Write games with this many acts each; the last of them is at the table."""
    storage = open_storage(folder, wall)
    try:
        for game in range(1, games + 1):
            for number, events in enumerate(some_acts(acts), start=1):
                storage.journal.append(game, (game - 1) * acts + number, wall(), events)
    finally:
        storage.close()


def left(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir()} - {"journal.db-shm", "journal.db-wal"}


@pytest.mark.parametrize("size", sampled([(1, 3), (9, 20), (3, 100), (1, 300)], (1, 3), (3, 100)))
def test_deleting_a_game_works_on_a_full_disk(run: Run, disk: Path, size: tuple[int, int]) -> None:
    games, acts = size
    games_of(disk / "data", games, acts)
    fill(disk)
    assert run("games", "list", "--data", disk / "data").out.count("\n") == games
    assert len(loaded(disk / "data").acts) == acts
    assert run("games", "delete", 1, "--yes", "--data", disk / "data").status == 0
    assert left(disk / "data") == {FILE, FILE + COPY, "table.pid"}
    rows = read(disk / "data" / FILE).rows
    assert {row.game for row in rows} == set(range(2, games + 1))
    assert TextCopy(disk / "data" / (FILE + COPY)).read()[1] == rows
    storage = open_storage(disk / "data", wall)
    assert (storage.saved, storage.loaded.loss) == (True, None)
    storage.close()


def test_a_log_that_fills_the_disk_is_merged_when_a_game_is_deleted(run: Run, disk: Path) -> None:
    with suppress(JournalError):
        games_of(disk / "data", 20, 300)
    assert shutil.disk_usage(disk).free < 10_000
    before = {row.game for row in read(disk / "data" / FILE).rows}
    assert run("games", "delete", 1, "--yes", "--data", disk / "data").status == 0
    assert {row.game for row in read(disk / "data" / FILE).rows} == before - {1}
    assert shutil.disk_usage(disk).free > 1_000_000


def test_a_running_table_deletes_a_game_on_a_full_disk_and_then_saves_again(disk: Path) -> None:
    with hosted(disk / "data", running=True) as table:
        table.game("Ann", "Ben", settings={"target": 20}).throws("111346").taps("bank")
        ThrowImages(disk / "data").keep(2, 10 * JPEG)
        table.game("Cy", "Di")
        fill(disk)
        for _ in range(200):  # what SQLite has reserved before
            with suppress(JournalError):
                table.take(NewGame("farkle-cribbage", ("Eve", "Flo")))
                continue
            break
        assert any("Not saved" in each for each in table.view.degraded)
        games = HostGames(table.host, ThrowImages(disk / "data"))
        games.delete(1)
        assert 1 not in games.games()
        table.take(seen("111346"))
        assert not table.view.degraded
    assert not ThrowImages(disk / "data").acts()


def test_a_backup_that_leaves_no_room_to_play_on_is_neither_written_nor_restored(
    run: Run, disk: Path, tmp_path: Path
) -> None:
    filled(disk / "data")
    told = run("games", "backup", disk / "all.zip", "--data", disk / "data")
    refused(told, "expected 8.0 MB free on the disk of")
    assert "8.0 MB to play on, got 4." in told.err
    assert left(disk) == {"data"}
    run("games", "backup", tmp_path / "all.zip", "--data", disk / "data")
    told = run("games", "restore", tmp_path / "all.zip", "--data", disk / "new")
    refused(told, "for the games and 8.0 MB to play on")
    assert left(disk / "new") == {"table.pid"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with a game, the image of a throw, and files that were written before."""
    filled(tmp_path / "data", 40)
    ThrowImages(tmp_path / "data").keep(2, JPEG)
    return tmp_path / "data"


@pytest.mark.parametrize(
    "words",
    [
        "board draw long-board-4 --out board.svg",
        "calibrate --sheet tags.svg",
        pytest.param("doctor --bundle report.tar.gz", marks=pytest.mark.exhaustive),
        "read TRAY --overlay .",
    ],
)
def test_a_command_that_cannot_write_leaves_the_old_file_and_nothing_beside_it(
    run: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FARKLECRIB_CONFIG", str(tmp_path / "config.toml"))
    (tmp_path / "config.toml").write_text(f"[table]\ndata = '{folder}'\n", encoding="utf-8")
    named = {"TRAY": TRAYS / "00104.jpg"}
    command = [named.get(word, word) for word in words.split()]
    for _ in range(2):  # without a file before, and with one
        before = {each: each.read_bytes() for each in tmp_path.iterdir() if each.is_file()}
        with files_of_at_most(300):
            told = run(*command)
        assert "expected a file that can be written" in told.err
        assert told.err.rstrip().endswith("File too large")
        assert {each: each.read_bytes() for each in tmp_path.iterdir() if each.is_file()} == before
        run(*command)


def test_an_export_that_cannot_be_written_leaves_nothing(run: Run, disk: Path, folder: Path) -> None:
    fill(disk)
    for form in ("json", "csv", "notation"):
        told = run("games", "export", 1, "--format", form, "--out", disk / "game", "--data", folder)
        refused(told, "No space left on device")
        assert left(disk) == {"others"}


def test_a_backup_and_an_image_that_cannot_be_written_leave_nothing(folder: Path, tmp_path: Path) -> None:
    with open_games(folder, wall) as (games, _):
        with files_of_at_most(300), pytest.raises(CompanionError, match="File too large"):
            write_backup(games.store, games.images, tmp_path / "all.zip")
        with files_of_at_most(300):
            games.images.keep(3, JPEG)
        assert (left(tmp_path), left(folder / "stills")) == ({"data"}, {"00000002.jpg"})
        write_backup(games.store, games.images, tmp_path / "all.zip")
        before = (tmp_path / "all.zip").read_bytes()
        with files_of_at_most(300), pytest.raises(CompanionError, match="File too large"):
            write_backup(games.store, games.images, tmp_path / "all.zip")
    assert (tmp_path / "all.zip").read_bytes() == before
    assert left(tmp_path) == {"data", "all.zip"}


def test_a_journal_that_cannot_be_mended_leaves_no_new_one_beside_it(folder: Path) -> None:
    (folder / FILE).write_bytes(b"no database" * 100)
    before = left(folder)
    with files_of_at_most(8000), pytest.raises((JournalError, DataFolderError)):
        open_storage(folder, wall)
    assert left(folder) == before
    assert len(loaded(folder).acts) == 40


def test_a_restore_that_fails_changes_nothing(folder: Path, tmp_path: Path) -> None:
    with open_games(folder, wall) as (games, _):
        write_backup(games.store, games.images, tmp_path / "all.zip")
    with hosted(tmp_path / "other") as table:
        table.game("Eve", "Flo")
    ThrowImages(tmp_path / "other").keep(1, JPEG)
    rows, before = read(tmp_path / "other" / FILE).rows, left(tmp_path / "other")
    with files_of_at_most(8000), pytest.raises(CompanionError):
        restore_backup(tmp_path / "all.zip", tmp_path / "other", wall)
    assert (read(tmp_path / "other" / FILE).rows, left(tmp_path / "other")) == (rows, before)
    assert ThrowImages(tmp_path / "other").image(1) == JPEG
    for number in range(5):  # of many that are put aside the newest are kept
        restore_backup(tmp_path / "all.zip", folder, lambda number=number: wall() + 60 * number)
    for name in (FILE, "stills"):
        kept = [path for path in folder.glob(f"{name}.replaced-*") if not path.name.endswith(COPY)]
        assert len(kept) == 3, name


def test_of_many_damaged_journals_the_newest_are_kept(tmp_path: Path) -> None:
    written = filled(tmp_path, 5)
    lost = []
    for number in range(5):
        (tmp_path / FILE).write_bytes(b"no database, number %d" % number * 100)
        storage = open_storage(tmp_path, lambda number=number: wall() + 60 * number)
        lost.append(storage.loaded.loss or "")
        assert len(storage.loaded.acts) == len(written)
        storage.close()
    kept = sorted(path.name for path in tmp_path.glob("journal.db.damaged-*") if not path.name.endswith(COPY))
    assert len(kept) == 3
    assert all(any(name in loss for loss in lost[-3:]) for name in kept)
    assert (tmp_path / kept[-1]).read_bytes().startswith(b"no database, number 4")
    (tmp_path / FILE).write_bytes(b"no database, and no clock" * 100)
    storage = open_storage(tmp_path, lambda: 0.0)
    storage.close()
    assert (tmp_path / "journal.db.damaged-19700101-000000").exists()
    assert len([path for path in tmp_path.glob("journal.db.damaged-*") if not path.name.endswith(COPY)]) == 3


def test_two_tables_cannot_open_one_journal_through_two_links_and_both_show_its_games(run: Run, tmp_path: Path) -> None:
    written = filled(tmp_path / "real", 5)
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / FILE).symlink_to(tmp_path / "real" / FILE)
    storage = open_storage(tmp_path / "one", wall)
    try:
        assert [act.events for act in storage.loaded.acts] == written
        assert "Ann 0, Ben 0" in run("games", "list", "--data", tmp_path / "two").out
        for name in ("two", "real", "one"):
            with pytest.raises(DataFolderError, match="expected a data folder of its own, but the table with process"):
                open_storage(tmp_path / name, wall)
    finally:
        storage.close()
    open_storage(tmp_path / "two", wall).close()


def test_two_writers_of_one_file_do_not_mix_and_a_killed_one_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "file.part").write_bytes(b"half" * 100)  # a killed writer left it
    with replacing(tmp_path / "file") as first:
        first.write(b"first")
        with pytest.raises(OSError, match="Resource temporarily unavailable"), replacing(tmp_path / "file"):
            pass
    assert (tmp_path / "file").read_bytes() == b"first"
    assert left(tmp_path) == {"file"}


def test_a_device_is_written_as_it_is_and_a_link_stays_one(run: Run, folder: Path, tmp_path: Path) -> None:
    refused(run("games", "export", 1, "--out", "/dev/full", "--data", folder), "No space left on device")
    (tmp_path / "as-usual").touch()
    (tmp_path / "link.json").symlink_to(tmp_path / "game.json")
    assert run("games", "export", 1, "--out", tmp_path / "link.json", "--data", folder).status == 0
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "game.json").stat().st_mode == (tmp_path / "as-usual").stat().st_mode
