"""The file of summaries: a cache. The journal decides if they differ, and the loss of the file loses no data."""

import hashlib
import os
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hosted import Hosted, eventually, hosted

from companion.games import repository, summary_file
from companion.games.repository import GameRepository, SummaryMaker
from companion.games.statistics import GameStatistics
from companion.games.stores import HostGames
from companion.games.summary_file import FILE, SummaryFile
from companion.games.throw_images import ThrowImages


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Hosted]:
    """Open a table with three games."""
    with hosted(tmp_path / "table", running=True) as table:
        table.game("Ann", "Ben", settings={"target": 20}).throws("111346").taps("bank")
        table.game("Unforgettable", "Di").throws("123456").taps("bank")
        table.game("Eve", "Fay")
        yield table


def games_of(table: Hosted, folder: Path, *, writes: bool = True) -> GameRepository:
    images, summaries = ThrowImages(folder), SummaryFile(folder, writes=writes)
    return GameRepository(HostGames(table.host, images), images, summaries)


def told(table: Hosted, folder: Path, **given: bool) -> tuple[GameStatistics, ...]:
    """Return the summaries that a newly started table gives."""
    return games_of(table, folder, **given).summaries()


@pytest.fixture
def folds(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, str]]:
    """Return the list that collects the numbers of the games folded from now on, with the names of the threads."""
    found: list[tuple[int, str]] = []
    story_of = repository.story_of

    def folding(rows):
        found.append((rows[0].game, threading.current_thread().name))
        return story_of(rows)

    monkeypatch.setattr(repository, "story_of", folding)
    return found


def numbers(folds: list[tuple[int, str]]) -> list[int]:
    return [game for game, _ in folds]


@contextmanager
def making(games: GameRepository) -> Iterator[None]:
    maker = SummaryMaker(games)
    maker.start()
    try:
        yield
    finally:
        maker.close()


def test_summaries_are_made_before_a_page_needs_them(
    table: Hosted, tmp_path: Path, folds: list[tuple[int, str]]
) -> None:
    games = games_of(table, tmp_path)
    with making(games):
        eventually(lambda: not games.missing())
    assert numbers(folds) == [2, 1]
    assert [each.number for each in told(table, tmp_path)] == [3, 2, 1]
    assert numbers(folds) == [2, 1, 3]


def test_a_page_and_the_maker_fold_each_past_game_once(
    table: Hosted, tmp_path: Path, folds: list[tuple[int, str]]
) -> None:
    games = games_of(table, tmp_path)
    with making(games):
        assert [each.number for each in games.summaries()] == [3, 2, 1]
        table.game("Gil")
        assert [each.number for each in games.newest_first()] == [4, 3, 2, 1]
    assert sorted(game for game in numbers(folds) if game < 3) == [1, 2]


def test_another_summary_of_the_same_rows_has_another_format(table: Hosted, tmp_path: Path) -> None:
    made = hashlib.sha256(repr(told(table, tmp_path)).encode()).hexdigest()
    assert (summary_file.FORMAT, made[:8]) == (6, "73d1ae32")


def test_a_past_game_is_folded_once(table: Hosted, tmp_path: Path, folds: list[tuple[int, str]]) -> None:
    first = told(table, tmp_path)
    assert told(table, tmp_path) == first
    assert numbers(folds) == [3, 2, 1, 3]  # the last game may go on, so it is not in the file
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    folds.clear()
    assert (told(table, tmp_path, writes=False), numbers(folds)) == (first, [3])
    (tmp_path / FILE).unlink()
    folds.clear()
    assert [each.number for each in games_of(table, tmp_path, writes=False).summaries(slice(1, 2))] == [2]
    assert (numbers(folds), list(tmp_path.glob(f"{FILE}*"))) == ([2], [])  # a command that only reads makes no file


def test_the_summaries_of_another_journal_are_ignored(table: Hosted, tmp_path: Path) -> None:
    told(table, tmp_path)
    with hosted(tmp_path / "other", running=True) as other:
        for name in ("Gil", "Hal", "Ina"):
            other.game(name)
        assert [each.players for each in told(other, tmp_path)] == [("Ina",), ("Hal",), ("Gil",)]


@pytest.mark.parametrize("step", [1, 64, 4096])
def test_a_damaged_file_is_ignored_and_written_anew(
    table: Hosted, tmp_path: Path, step: int, folds: list[tuple[int, str]]
) -> None:
    whole = told(table, tmp_path)
    content = (tmp_path / FILE).read_bytes()
    for at in range(0, len(content), max(step, len(content) // 40)):
        (tmp_path / FILE).write_bytes(
            content[:at] + bytes(byte ^ 0x15 for byte in content[at : at + step]) + content[at + step :]
        )
        assert told(table, tmp_path) == whole
    told(table, tmp_path)
    folds.clear()
    assert told(table, tmp_path) == whole
    assert numbers(folds) == [3]


def test_nothing_of_a_deleted_game_is_left_in_the_file(table: Hosted, tmp_path: Path) -> None:
    games = games_of(table, tmp_path)
    games.summaries()
    assert b"Unforgettable" in (tmp_path / FILE).read_bytes()
    games.store.delete(2)
    assert all(b"Unforgettable" not in file.read_bytes() for file in tmp_path.glob(f"{FILE}*"))
    assert [each.number for each in games.summaries()] == [3, 1]
    assert b'"Ann"' in (tmp_path / FILE).read_bytes()
    table.storage.journal.delete(1)  # it is lost
    told(table, tmp_path)
    assert b'"Ann"' not in (tmp_path / FILE).read_bytes()


@pytest.mark.parametrize("writes", [True, False])
@pytest.mark.parametrize("put", [Path.mkdir, os.mkfifo, "nothing", "/dev/zero"])
def test_a_file_that_cannot_be_written_stops_no_command(
    table: Hosted, tmp_path: Path, put: Callable[[Path], None] | str, writes: bool
) -> None:
    file = tmp_path / FILE
    file.symlink_to(put) if isinstance(put, str) else put(file)
    assert [each.number for each in told(table, tmp_path, writes=writes)] == [3, 2, 1]
    games_of(table, tmp_path).delete(1)


def test_a_review_counts_for_the_rows_and_the_format_that_it_was_made_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = SummaryFile(tmp_path)
    file.write_review(1, "hash", "a review")
    assert SummaryFile(tmp_path).read_review(1, "hash") == "a review"
    assert file.read_review(1, "another hash") is None
    monkeypatch.setattr(summary_file, "REVIEW_FORMAT", summary_file.REVIEW_FORMAT + 1)
    assert file.read_review(1, "hash") is None
    file.delete(1)
    assert b"a review" not in (tmp_path / FILE).read_bytes()
