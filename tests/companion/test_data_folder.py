"""A data folder that cannot be used gives one line that says how to repair it. Nothing hangs or is lost."""

import os
import stat
import tempfile
from importlib.metadata import version
from pathlib import Path

import pytest
from asked import Run, refused
from journal_acts import filled, loaded, some_acts, wall
from samples import sampled

from companion.errors import DataFolderError
from companion.games.throw_images import ThrowImages
from companion.storage.data_folder import open_storage
from companion.storage.files import COPY, FILE


def spoiled(file: Path, how: str) -> None:
    file.unlink(missing_ok=True)
    match how:
        case "a folder":
            file.mkdir()
        case "a named pipe":
            os.mkfifo(file)
        case "a link to nothing":
            file.symlink_to(file.parent / "not mounted")
        case "a device":
            file.symlink_to("/dev/zero")
        case "a socket":
            os.mknod(file, stat.S_IFSOCK | 0o600)
        case "a link to itself":
            file.symlink_to(file)


HARMS = ("a folder", "a named pipe", "a link to nothing", "a device", "a socket", "a link to itself")


@pytest.mark.parametrize("how", sampled(HARMS, "a named pipe", "a link to nothing", "a device"))
def test_an_entry_that_is_no_file_is_reported_in_one_line_and_left_unchanged(
    run: Run, tmp_path: Path, how: str
) -> None:
    for name in (f"{FILE}-wal", FILE + COPY, FILE):
        folder = tmp_path / name
        filled(folder)
        before = (folder / FILE).read_bytes()
        spoiled(folder / name, how)
        with pytest.raises(DataFolderError, match=f"expected .*{name}' to be a file, got"):
            open_storage(folder, wall)
        assert name == FILE or (folder / FILE).read_bytes() == before
    refused(run("games", "delete", "1", "--yes", "--data", folder), "journal.db' to be a file, got")


def as_nobody(act: str, folder: Path) -> str:
    """Return the result of `open_storage` in a process without root's rights."""
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        try:
            os.setgid(65534)
            os.setuid(65534)
            storage = open_storage(folder, wall)
            os.write(writing, f"saved {storage.saved}, {len(storage.loaded.acts)} acts".encode())
            storage.close()
        except DataFolderError as error:
            os.write(writing, str(error).encode())
        finally:
            os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading) as told:
        return told.read()


@pytest.mark.skipif(os.getuid() != 0, reason="needs root, which can become another user")
@pytest.mark.parametrize(
    ("mode", "said"), [(0o000, "expected a data folder that this user can read, got"), (0o644, "saved False, 12 acts")]
)
def test_files_of_another_user(mode: int, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # The user nobody cannot read the program's files if the clone is in root's home folder.
    known = version("farklecrib")
    monkeypatch.setattr("companion.storage.journal.version", lambda _: known)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        filled(folder)
        for file in folder.iterdir():
            file.chmod(mode)
        folder.chmod(0o755)
        assert as_nobody("open", folder).startswith(said)


def test_games_and_images_are_for_their_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        filled(tmp_path / "data")
        (tmp_path / "data" / FILE).chmod(0o644)  # as version 0.1.0 left it, with notes that nobody reads
        os.mkfifo(tmp_path / "data" / "journal.last")
        storage = open_storage(tmp_path / "data", wall)
        storage.journal.append(1, 13, wall(), list(some_acts(13))[-1])
        ThrowImages(tmp_path / "data").keep(13, b"a picture")
        modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in (tmp_path / "data").rglob("*")}
        storage.close()
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700
    assert {name for name, mode in modes.items() if mode & 0o077} <= {"table.pid"}
    assert {FILE, FILE + COPY, f"{FILE}-wal", "stills", "00000013.jpg"} <= modes.keys()


def test_a_copy_on_a_read_only_disk_goes_with_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(tmp_path / "data")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "data" / "table.pid").unlink()
    (tmp_path / "data" / "table.pid").mkdir()  # as on a read-only disk, nothing can be written
    storage = open_storage(tmp_path / "data", wall)
    assert (storage.saved, len(storage.loaded.acts)) == (False, 12)
    storage.close()
    assert list((tmp_path / "temporary").iterdir()) == []


def test_a_second_table_is_refused_even_if_the_lock_file_is_removed(run: Run, tmp_path: Path) -> None:
    filled(tmp_path)
    storage = open_storage(tmp_path, wall)
    refused(run("play", "--data", tmp_path, "--port", 0), f"but the table with process id {os.getpid()} uses")
    for file in tmp_path.iterdir():
        file.unlink()
    with pytest.raises(DataFolderError, match="a data folder of its own, but the table with process id unknown uses"):
        open_storage(tmp_path, wall)
    storage.journal.append(1, 13, wall(), list(some_acts(13))[-1])
    storage.close()
    assert len(loaded(tmp_path).acts) == 13


def test_a_link_to_a_disk_that_is_not_there_is_named(tmp_path: Path) -> None:
    link = tmp_path / "games"
    link.symlink_to(tmp_path / "disk" / "games")
    with pytest.raises(DataFolderError, match=r"it is a link to '.*/disk/games', which is not there$"):
        open_storage(link, wall)
    (tmp_path / "disk" / "games").mkdir(parents=True)
    open_storage(link, wall).close()
