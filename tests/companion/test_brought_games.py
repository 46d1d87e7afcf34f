"""Games that are brought to a running table: the room on its disk, and what a kill leaves."""

import errno
from pathlib import Path
from shutil import disk_usage

import pytest

from companion.errors import BusyError, RefusedError
from companion.features.set_up.brought_games import BroughtGames, remove_leftovers
from companion.storage import whole_file
from companion.storage.whole_file import SPARE_BYTES


@pytest.fixture
def brought(tmp_path: Path) -> BroughtGames:
    return BroughtGames(tmp_path)


def leave_free(free: int, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = disk_usage("/")._replace(free=free)
    monkeypatch.setattr(whole_file.shutil, "disk_usage", lambda _: usage)


def test_a_backup_for_which_there_is_no_room_is_refused_before_it_comes(
    brought: BroughtGames, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_free(SPARE_BYTES + 999, monkeypatch)
    with pytest.raises(RefusedError, match="no room"), brought.receiving(1000):
        pass
    with brought.receiving(999):
        assert len([*tmp_path.iterdir()]) == 1


def test_a_disk_that_fills_meanwhile_keeps_room_to_play_on(
    brought: BroughtGames, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with brought.receiving(0) as upload:
        leave_free(SPARE_BYTES + 4, monkeypatch)
        upload.write(b"1234")
        with pytest.raises(RefusedError, match="no room"):
            upload.write(b"12345")
    with pytest.raises(RefusedError, match="cannot be written"), brought.receiving(0):
        raise OSError(errno.ENOSPC, "full")
    assert [*tmp_path.iterdir()] == [upload.file]


def test_a_data_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RefusedError, match="cannot be written"), BroughtGames(tmp_path / "file").receiving(0):
        pass


def test_one_backup_is_brought_at_a_time(brought: BroughtGames) -> None:
    with brought.receiving(0), pytest.raises(BusyError, match="Another backup"), brought.receiving(0):
        pass
    with brought.receiving(0):
        pass


def test_what_a_kill_has_left_is_removed_and_nothing_else(brought: BroughtGames, tmp_path: Path) -> None:
    with brought.receiving(0) as upload:
        pass
    (tmp_path / "restore.other").touch()
    remove_leftovers(tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["restore.other"]
    assert not upload.file.exists()
