"""Damage of the journal's files never shows a wrong state, and no loss is silent."""

import random
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from journal_acts import filled, some_acts, wall

from companion.storage.data_folder import open_storage
from companion.storage.journal import FILE, LAST
from companion.table.events import Event

SECTOR = 512


def flipped(path: Path, chance: random.Random) -> None:
    data = bytearray(path.read_bytes())
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


def damage_outcomes(folder: Path, flips: int) -> tuple[int, int]:
    """Flip one bit and open: how often acts showed that were never written, how often some were lost in silence."""
    written = filled(folder / "whole", 40)
    whole = (folder / "whole" / FILE).read_bytes()
    wrong = silent = 0
    for seed in range(flips):
        target = folder / f"flip-{seed}"
        target.mkdir()
        (target / FILE).write_bytes(whole)
        (target / LAST).write_text(f"{len(written)}\n")
        flipped(target / FILE, random.Random(seed))
        storage = open_storage(target, wall)
        left = [act.events for act in storage.loaded.acts]
        wrong += left != written[: len(left)]
        silent += len(left) < len(written) and storage.loaded.loss is None
        storage.close()
    return wrong, silent


def test_a_flipped_bit_never_shows_a_wrong_state_and_no_loss_is_silent(tmp_path: Path) -> None:
    assert damage_outcomes(tmp_path, 150) == (0, 0)


@pytest.mark.soak
def test_fifteen_hundred_flipped_bits_never_show_a_wrong_state(tmp_path: Path) -> None:
    assert damage_outcomes(tmp_path, 1500) == (0, 0)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.6, 0.99])
def test_a_file_cut_short_or_zeroed_is_put_aside_and_the_loss_is_said(tmp_path: Path, share: float) -> None:
    written = filled(tmp_path, 30)
    whole = (tmp_path / FILE).read_bytes()
    cut = int(len(whole) * share)
    for content in (whole[:cut], whole[:cut] + bytes(len(whole) - cut)):
        (tmp_path / FILE).write_bytes(content)
        storage = open_storage(tmp_path, wall)
        left = [act.events for act in storage.loaded.acts]
        assert left == written[: len(left)]
        assert (storage.loaded.loss is None) == (len(left) == len(written))
        storage.close()
        (tmp_path / LAST).write_text(f"{len(written)}\n")


def left_by_a_kill(folder: Path) -> list[tuple[Event, ...]]:
    """A data folder whose table was killed: half of it is in the write-ahead log alone."""
    written = list(some_acts(30))
    storage = open_storage(folder / "running", wall)
    for number, events in enumerate(written, start=1):
        storage.journal.append(1, number, wall(), events)
        if number == 15:
            storage.journal._run("PRAGMA wal_checkpoint(TRUNCATE)")
    for file in (FILE, f"{FILE}-wal", LAST):
        (folder / file).write_bytes((folder / "running" / file).read_bytes())
    storage.close()
    return written


def opened_after(folder: Path, name: str, content: bytes, whole: dict[str, bytes]) -> tuple[list, str | None]:
    """The acts and the loss that a table finds where this file has this content and the others are whole."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for file, data in {**whole, name: content}.items():
        (folder / file).write_bytes(data)
    storage = open_storage(folder, wall)
    storage.close()
    return [act.events for act in storage.loaded.acts], storage.loaded.loss


def damages(data: bytes, every: int) -> Iterator[bytes]:
    """The file with each sector zeroed in turn, and cut off at many lengths."""
    for start in range(0, len(data), SECTOR * every):
        yield data[:start] + bytes(min(SECTOR, len(data) - start)) + data[start + SECTOR :]
    for length in range(0, len(data), 173 * every):
        yield data[:length]


def sectors_and_cuts(folder: Path, every: int) -> tuple[int, int, int]:
    """How many damages were tried, how many showed acts that were never written, how many lost some in silence."""
    written = left_by_a_kill(folder)
    whole = {name: (folder / name).read_bytes() for name in (FILE, f"{FILE}-wal", LAST)}
    tried = wrong = silent = 0
    for name in (FILE, f"{FILE}-wal"):
        for content in damages(whole[name], every):
            left, loss = opened_after(folder / "damaged", name, content, whole)
            tried += 1
            wrong += left != written[: len(left)]
            silent += len(left) < len(written) and loss is None
    return tried, wrong, silent


def test_no_zeroed_sector_and_no_cut_file_shows_a_wrong_state_or_loses_in_silence(tmp_path: Path) -> None:
    tried, wrong, silent = sectors_and_cuts(tmp_path, every=12)
    assert tried > 50
    assert (wrong, silent) == (0, 0)


@pytest.mark.soak
def test_no_sector_at_all_shows_a_wrong_state_when_it_is_zeroed(tmp_path: Path) -> None:
    assert sectors_and_cuts(tmp_path, every=1)[1:] == (0, 0)


def test_a_damaged_file_is_kept_beside_the_mended_one(tmp_path: Path) -> None:
    filled(tmp_path)
    (tmp_path / FILE).write_bytes(b"this is no database at all, but long enough to be looked at" * 20)
    damaged = (tmp_path / FILE).read_bytes()
    storage = open_storage(tmp_path, wall)
    kept = [path for path in tmp_path.iterdir() if "damaged" in path.name]
    assert [path.read_bytes() for path in kept] == [damaged]
    assert kept[0].name in (storage.loaded.loss or "")
    storage.journal.append(1, 1, wall(), next(some_acts(1)))
    storage.close()


def test_a_changed_row_ends_its_own_game_and_leaves_the_others_whole(tmp_path: Path) -> None:
    filled(tmp_path, 6)
    storage = open_storage(tmp_path, wall)
    storage.journal.append(2, 7, wall(), next(some_acts(1)))
    storage.close()
    database = sqlite3.connect(tmp_path / FILE)
    database.execute("UPDATE events SET body = replace(body, '1', '2') WHERE game = 1 AND act = 4")
    database.commit()
    database.close()
    storage = open_storage(tmp_path, wall)
    assert storage.loaded.game == 2
    assert "1 is not" in (storage.loaded.loss or "") or "not as it was written" in (storage.loaded.loss or "")
    assert {row.act for row in storage.journal.rows()} == {1, 2, 3, 7}
    storage.close()


def test_a_log_cut_short_is_noticed_by_the_note_beside_it(tmp_path: Path) -> None:
    filled(tmp_path, 5)
    (tmp_path / LAST).write_text("9\n")
    storage = open_storage(tmp_path, wall)
    assert "act 9 had been written" in (storage.loaded.loss or "")
    storage.close()
