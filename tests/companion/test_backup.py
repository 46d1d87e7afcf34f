"""`farklecrib games backup` and `restore`: one file, verified, while a table runs or not; nothing is lost."""

import zipfile
from pathlib import Path

import pytest
from asked import Run, refused
from hosted import Hosted, hosted

from companion.errors import FolderInUseError
from companion.games.backup import BROUGHT, MOST_BYTES, MOST_PARTS, keep_for_start, take_brought
from companion.games.control_socket import ControlSocket
from companion.games.repository import open_games
from companion.games.throw_images import ThrowImages
from companion.page_settings import settings_file
from companion.runtime.changes import write_settings
from companion.storage.database import read
from companion.storage.files import FILE
from companion.words import NOTHING, english


def played(table: Hosted) -> None:
    table.game("Ann", "Ben", settings={"target": 20}).throws("111346").taps("bank").throws("344662").taps("bank")
    table.game("Cy", "Di").throws("111346")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with two games, and the image of one throw."""
    with hosted(tmp_path / "data") as table:
        played(table)
    ThrowImages(tmp_path / "data").keep(2, b"a picture")
    return tmp_path / "data"


def test_a_backup_comes_back_as_it_was(run: Run, folder: Path, tmp_path: Path) -> None:
    write_settings(settings_file(folder), {"leds.brightness": 0.1})
    made = run("games", "backup", tmp_path / "all.zip", "--data", folder)
    assert (made.status, made.err) == (0, f"2 games and 1 image of throws, in {tmp_path / 'all.zip'}\n")
    assert run("games", "restore", tmp_path / "all.zip", "--data", tmp_path / "new").status == 0
    assert read(tmp_path / "new" / FILE).rows == read(folder / FILE).rows
    assert ThrowImages(tmp_path / "new").image(2) == b"a picture"
    assert not settings_file(tmp_path / "new").exists()
    with hosted(tmp_path / "new") as table:
        assert (table.storage.loaded.loss, table.view.phase, table.view.to_move) == (None, "choosing", "Cy")
        table.taps("bank")
    assert run("games", "list", "--data", tmp_path / "new").out.count("\n") == 2


def test_a_running_table_is_backed_up_and_not_overwritten(run: Run, folder: Path, tmp_path: Path) -> None:
    with hosted(folder, running=True) as table:
        control = ControlSocket(folder, open_games(folder, table.host).store)
        control.start()
        try:
            assert run("games", "backup", tmp_path / "all.zip", "--data", folder).status == 0
            refused(run("games", "restore", tmp_path / "all.zip", "--data", folder), "a data folder of its own")
        finally:
            control.close()
        assert table.view.to_move == "Cy"
    assert run("games", "restore", tmp_path / "all.zip", "--data", tmp_path / "new").status == 0


def test_games_that_are_there_are_put_aside(run: Run, folder: Path, tmp_path: Path) -> None:
    run("games", "backup", tmp_path / "all.zip", "--data", folder)
    with hosted(tmp_path / "other") as table:
        table.game("Eve", "Flo")
    ThrowImages(tmp_path / "other").keep(1, b"another picture")
    other = read(tmp_path / "other" / FILE).rows
    told = run("games", "restore", tmp_path / "all.zip", "--data", tmp_path / "other")
    aside = tmp_path / "other" / told.err.split()[-1]
    assert "the games that were there are kept as journal.db.replaced-" in told.err
    assert read(aside).rows == other
    assert ThrowImages(tmp_path / "other").acts() == {2}


def test_a_backup_that_a_page_has_brought_is_taken_by_the_next_start_alone(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    run("games", "backup", tmp_path / "all.zip", "--data", folder)
    rows = read(folder / FILE).rows
    with hosted(tmp_path / "other", running=True) as table:
        table.game("Eve", "Flo")
        keep_for_start(tmp_path / "all.zip", tmp_path / "other")
        with pytest.raises(FolderInUseError):
            take_brought(tmp_path / "other", lambda: 0.0)
    assert (take_brought(tmp_path / "other", lambda: 0.0), read(tmp_path / "other" / FILE).rows) == (NOTHING, rows)
    with hosted(tmp_path / "other") as table:
        table.taps("bank")
    more = read(tmp_path / "other" / FILE).rows
    assert (take_brought(tmp_path / "other", lambda: 0.0), read(tmp_path / "other" / FILE).rows) == (NOTHING, more)
    (folder / BROUGHT).write_bytes(b"no backup")
    assert "expected a backup" in english().text(take_brought(folder, lambda: 0.0))
    assert take_brought(folder, lambda: 0.0) == NOTHING  # it is said once


def broken(file: Path, how: str) -> None:
    content = bytearray(file.read_bytes())
    with zipfile.ZipFile(file) as archive:
        acts = archive.read("acts.jsonl")
    match how:
        case "cut":
            del content[len(content) // 2 :]
        case "flipped":
            content[200] ^= 4
        case "many":
            with zipfile.ZipFile(file, "w") as archive:
                for number in range(MOST_PARTS + 1):
                    archive.writestr(str(number), b"")
            return
        case "bomb":
            with zipfile.ZipFile(file, "w") as archive:
                archive.writestr("acts.jsonl", acts)
                for part in [*archive.filelist] * 3:
                    archive.filelist.append(part)
                    part.file_size = MOST_BYTES // 3
            return
    file.write_bytes(content)
    if how in {"changed", "empty"}:
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("acts.jsonl", acts.replace(b"Ann", b"Eve") if how == "changed" else b"")


@pytest.mark.parametrize("how", ["cut", "flipped", "many", "bomb", "changed", "empty", "none"])
def test_a_damaged_backup_is_one_line_and_changes_nothing(run: Run, folder: Path, tmp_path: Path, how: str) -> None:
    run("games", "backup", tmp_path / "all.zip", "--data", folder)
    if how == "none":
        (tmp_path / "all.zip").unlink()
    else:
        broken(tmp_path / "all.zip", how)
    before = sorted(folder.rglob("*"))
    refused(run("games", "restore", tmp_path / "all.zip", "--data", folder), "backup")
    assert sorted(folder.rglob("*")) == before


def test_a_backup_overwrites_nothing_but_a_backup_and_needs_games(run: Run, folder: Path, tmp_path: Path) -> None:
    before = read(folder / FILE).rows
    for name in ("data/journal.db", "data", "/dev/null"):
        refused(run("games", "backup", tmp_path / name, "--data", folder), "expected a new file or an older backup")
    assert read(folder / FILE).rows == before
    for _ in range(2):
        assert run("games", "backup", tmp_path / "all.zip", "--data", folder).status == 0
    refused(run("games", "backup", tmp_path / "no.zip", "--data", tmp_path / "none"), "expected games to back up")
    assert not (tmp_path / "no.zip").exists()
