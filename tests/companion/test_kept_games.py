"""The kept games: read from the running table or from the file, deleted whole, with the image of each throw."""

import queue
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hosted import Hosted, hosted, seen
from journal_acts import Refusing, wall
from running import launched

from companion.errors import CompanionError, JournalError, NoGameError, RefusedError
from companion.games import repository
from companion.games.control_socket import SOCKET, ControlSocket, SocketGames, open_games
from companion.games.repository import GameRepository
from companion.games.stores import FileGames, HostGames
from companion.games.throw_images import ThrowImages, ThrowImageWriter
from companion.runtime import guard
from companion.storage.data_folder import open_storage
from companion.storage.database import read
from companion.storage.files import COPY, FILE
from companion.storage.rows import sound_rows
from companion.table.state.inputs import Fault, NewGame
from companion.words import english


@contextmanager
def open_table(folder: Path) -> Iterator[tuple[Hosted, GameRepository]]:
    """Open a running table with two games, the second unfinished, and its control socket."""
    with hosted(folder, running=True) as table:
        games = repository.open_games(folder, table.host)
        control_socket = ControlSocket(folder, games.store)
        control_socket.start()
        table.game("Ann", "Ben", settings={"target": 20}).throws("111346").taps("bank")
        table.game("Cy", "Di").throws("123456")
        try:
            yield table, games
        finally:
            control_socket.close()


@pytest.fixture(params=["in the program", "over the socket", "from the file"])
def games(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[GameRepository]:
    """Return the same two games, read in every possible way."""
    if request.param == "from the file":
        with open_table(tmp_path):
            pass
        with open_games(tmp_path, wall) as (found, _):
            assert isinstance(found.store, FileGames)
            yield found
        return
    with open_table(tmp_path) as (_, own):
        if request.param == "in the program":
            yield own
            return
        with open_games(tmp_path, wall) as (found, _):
            assert isinstance(found.store, SocketGames)
            yield found


def test_games_are_listed_newest_first_and_found_by_number_or_as_the_last(games: GameRepository) -> None:
    assert [(each.number, each.players) for each in games.summaries()] == [(2, ("Cy", "Di")), (1, ("Ann", "Ben"))]
    assert (games.story(1).players, games.story(None).players) == (("Ann", "Ben"), ("Cy", "Di"))
    for number in (9, 99999999999999999999):
        with pytest.raises(NoGameError, match=rf"expected the number of a game that is kept \(1, 2\), got {number}$"):
            games.story(number)


def test_a_report_is_made_once_for_each_act_of_its_game(tmp_path: Path) -> None:
    with open_table(tmp_path) as (table, games):
        first = games.story(None)
        assert games.story(2) is first
        table.taps("bank")
        assert games.story(2).turns != first.turns


def test_a_finished_game_is_deleted_with_its_stills(games: GameRepository) -> None:
    acts = [throw.act for throw in games.story(1).throws]
    for act in acts:
        games.images.keep(act, b"jpeg")
    games.images.keep(99, b"another game's")
    games.delete(1)
    assert games.images.acts() == {99}
    assert [each.number for each in games.summaries()] == [2]
    with pytest.raises(NoGameError):
        games.story(1)


def test_after_a_deletion_the_others_are_whole_and_the_table_goes_on(tmp_path: Path) -> None:
    with open_table(tmp_path) as (table, games):
        with pytest.raises(RefusedError, match="game 2 is on the table"):
            games.delete(2)
        games.delete(1)
        table.taps("bank")
        rows, wrong = sound_rows(read(table.storage.journal.path).rows)
        assert (wrong, {row.game for row in rows}) == (None, {2})
    storage = open_storage(tmp_path, wall)
    assert (storage.loaded.loss, storage.loaded.game) == (None, 2)
    storage.close()


def test_after_a_deletion_the_game_at_the_table_is_still_mended_from_memory(tmp_path: Path) -> None:
    with open_table(tmp_path) as (table, games):
        games.delete(1)
        before = table.storage.journal.rows(2)
        for file in (FILE, f"{FILE}-wal", FILE + COPY):
            (tmp_path / file).unlink(missing_ok=True)
        table.taps("bank")
        rows, wrong = sound_rows(read(tmp_path / FILE).rows)
        assert (wrong, rows[: len(before)]) == (None, before)
        assert len(rows) > len(before)


def test_after_the_newest_game_is_deleted_the_one_before_comes_back_without_a_warning(tmp_path: Path) -> None:
    with open_table(tmp_path):
        pass
    FileGames(tmp_path, wall).delete(2)
    with hosted(tmp_path) as table:
        assert table.storage.loaded.loss is None
        assert [player.name for player in table.view.players] == ["Ann", "Ben"]
        acts = {row.act for row in read(table.storage.journal.path).rows}
        table.take(NewGame("farkle-cribbage", ("Eve",)))
        assert sound_rows(read(table.storage.journal.path).rows)[1] is None
        assert table.host.state.seq > max(acts) + 2  # the deleted game's numbers are not used again


@pytest.mark.parametrize("damaged", [False, True])
def test_after_every_game_is_deleted_the_numbers_of_acts_go_on(tmp_path: Path, damaged: bool) -> None:
    with open_table(tmp_path) as (table, _):
        last = table.host.state.seq
    for game in (1, 2):
        FileGames(tmp_path, wall).delete(game)
    if damaged:
        (tmp_path / FILE).write_bytes(b"no database" * 100)
    with hosted(tmp_path) as table:
        assert (table.storage.loaded.loss is None, table.view.phase) == (not damaged, "lobby")
        assert table.game().host.state.seq == last + 1


def test_nothing_of_a_deleted_game_is_left_in_the_file(tmp_path: Path) -> None:
    with hosted(tmp_path) as table:
        table.game("Unforgettable", "Ben")
        table.game("Cy", "Di")
        table.storage.journal.delete(1)
        assert all(b"Unforgettable" not in file.read_bytes() for file in tmp_path.glob(f"{FILE}*"))


def test_a_deletion_succeeds_even_if_the_log_cannot_be_truncated(tmp_path: Path) -> None:
    with open_table(tmp_path):
        pass
    busy = partial(Refusing, words="database table is locked", on="PRAGMA wal_checkpoint")
    storage = open_storage(tmp_path, wall, connecting=busy)
    deleted = storage.journal.delete(1)
    assert (len(deleted) > 0, storage.journal.games().keys()) == (True, {2})
    storage.close()
    with hosted(tmp_path) as table:
        assert (table.storage.loaded.loss, table.storage.journal.games().keys()) == (None, {2})


def test_a_deletion_that_fails_takes_nothing_away(tmp_path: Path) -> None:
    with open_table(tmp_path) as (table, games):
        table.connected.refuse_writes()
        with pytest.raises(JournalError):
            table.host.consult(lambda journal: journal.delete(1)).result(60)
        table.connected.refuse_writes(False)
        assert [each.number for each in games.summaries()] == [2, 1]
    with hosted(tmp_path) as table:
        assert (table.storage.loaded.loss, table.storage.journal.games().keys()) == (None, {1, 2})


def test_an_image_whose_act_is_lost_goes_at_the_start(tmp_path: Path) -> None:
    with open_table(tmp_path):
        pass
    for act in (1, 2, 99):
        ThrowImages(tmp_path).keep(act, b"jpeg")
    with launched(tmp_path):
        pass
    assert ThrowImages(tmp_path).acts() == {1, 2}


def test_a_damaged_journal_is_reported_and_not_changed(tmp_path: Path) -> None:
    with open_table(tmp_path):
        pass
    (tmp_path / FILE).write_bytes((tmp_path / FILE).read_bytes().replace(b"Ann", b"Eve"))
    (tmp_path / f"{FILE}{COPY}").unlink()
    before = {file: file.read_bytes() for file in tmp_path.iterdir() if file.is_file()}
    with open_games(tmp_path, wall) as (games, loss):
        assert "not as it was written" in (loss or "")
        assert [each.number for each in games.summaries()] == [2]
    assert {file: file.read_bytes() for file in tmp_path.iterdir() if file.is_file()} == before


def test_an_empty_folder_keeps_no_games(tmp_path: Path) -> None:
    with open_games(tmp_path / "none", wall) as (games, loss):
        assert (games.summaries(), loss) == ((), None)
    assert not (tmp_path / "none").exists()


def test_a_game_is_read_again_only_when_it_has_changed(tmp_path: Path) -> None:
    with open_table(tmp_path) as (table, games):
        asked: list[int] = []
        rows = games.store.rows

        def counting(game: int) -> object:
            asked.append(game)
            return rows(game)

        games.store.rows = counting  # type: ignore[method-assign, assignment]
        games.summaries()
        table.taps("bank")
        games.summaries()
        assert asked == [2, 1, 2]


def test_a_socket_left_by_a_killed_table_does_not_stop_the_next_table(tmp_path: Path) -> None:
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(tmp_path / SOCKET))
    left.close()
    assert not SocketGames(tmp_path).runs()
    with open_table(tmp_path):
        assert SocketGames(tmp_path).runs()
        assert (tmp_path / SOCKET).stat().st_mode & 0o777 == 0o600
    assert not (tmp_path / SOCKET).exists()
    (long := tmp_path / ("d" * 120)).mkdir()
    with open_table(long):
        assert SocketGames(long).games().keys() == {1, 2}


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"[]\n",
        b"[" * 999 + b"\n",
        b'{"ask": "everything"}\n',
        b'{"ask": "rows", "game": "1"}\n',
        b'{"ask": "rows", "game": 99999999999999999999}\n',
        b'{"ask": "delete", "game": 99999999999999999999}\n',
    ],
)
def test_an_invalid_request_gets_an_error_and_the_next_one_is_answered(tmp_path: Path, line: bytes) -> None:
    with open_table(tmp_path):
        with socket.socket(socket.AF_UNIX) as asked:
            asked.settimeout(60)
            asked.connect(str(tmp_path / SOCKET))
            asked.sendall(line)
            asked.shutdown(socket.SHUT_WR)
            assert (b'"error":"' in asked.recv(1000)) == (b"999" not in line)
        assert SocketGames(tmp_path).games().keys() == {1, 2}


@pytest.mark.parametrize(
    "line",
    [b"", b"{}\n", b"[]\n", b"[" * 9999 + b"\n", b'{"games": 7}\n', b'{"games": [[1, 1e999]]}\n', b'{"rows": [[1]]}\n'],
)
def test_an_invalid_answer_of_the_table_is_a_journal_error(tmp_path: Path, line: bytes) -> None:
    def answer() -> None:
        for _ in range(2):
            asked, _ = table.accept()
            with asked:
                asked.recv(1000)
                asked.sendall(line)

    with socket.socket(socket.AF_UNIX) as table:
        table.bind(str(tmp_path / SOCKET))
        table.listen()
        answering = threading.Thread(target=answer)
        answering.start()
        for ask in (SocketGames.games, lambda games: games.rows(1)):
            with pytest.raises(JournalError, match="expected an answer of the table that runs, got "):
                ask(SocketGames(tmp_path))
        answering.join()


def test_an_error_of_the_journal_reaches_the_caller_and_the_table_goes_on(tmp_path: Path) -> None:
    with open_table(tmp_path) as (table, _):
        with pytest.raises(ZeroDivisionError):
            table.host.consult(lambda _: 1 // 0).result(60)
        assert table.taps("bank").host.alive


def test_the_last_stills_are_kept_and_the_oldest_go(tmp_path: Path) -> None:
    images = ThrowImages(tmp_path, kept=3)
    images.keep(0, b"jpeg")
    (tmp_path / "stills" / "holiday.jpg").write_bytes(b"sea")  # somebody put it there
    for act in range(1, 6):
        images.keep(act, bytes([act]))
    assert (images.acts(), images.image(5), images.image(1)) == ({3, 4, 5}, b"\x05", None)
    assert (tmp_path / "stills" / "holiday.jpg").exists()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "stills").write_text("a file where the folder should be")
    images = ThrowImages(tmp_path / "full")
    images.keep(1, b"jpeg")
    assert (images.acts(), images.image(1)) == (frozenset(), None)


def kept_by(table: Hosted, folder: Path, given: Callable[[], object], jpeg: bytes | None = b"jpeg") -> frozenset[int]:
    """Return the acts whose images are kept during a call of `given`."""
    images = ThrowImages(folder)
    keeper = ThrowImageWriter(images, table.host.feed, acts=lambda: table.host.state.acts, picture=lambda _: jpeg)
    keeper.start()
    given()
    keeper.close()
    return images.acts()


def test_an_image_that_cannot_be_kept_is_reported_and_the_next_one_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "FIRST_WAIT_S", 0.0)
    faults: queue.Queue[Fault] = queue.Queue()

    class Failing(ThrowImages):
        def keep(self, act: int, *given: Any) -> None:
            if act == 2:
                raise ValueError(act)
            super().keep(act, *given)

    with hosted(tmp_path) as table:
        table.game()
        images = Failing(tmp_path)
        keeper = ThrowImageWriter(images, table.host.feed, lambda: table.host.state.acts, lambda _: b"x", faults.put)
        keeper.start()
        table.throws("111346").taps("bank").throws("123456")
        keeper.close()
    said = "The pictures of the throws are not kept: an error of the program (ValueError), see its log"
    found = [english().rendered(faults.get(timeout=0)) for _ in range(2)]
    assert found == [Fault("throw images", said), Fault("throw images", None)]
    assert images.acts() == {4}


def test_each_throws_image_is_kept_under_its_act_with_its_reading(tmp_path: Path) -> None:
    with hosted(tmp_path) as table:
        table.game()
        assert kept_by(table, tmp_path, lambda: table.throws("111346").taps("bank").throws("123456")) == {2, 4}
        ThrowImages(tmp_path).delete([4])
        assert kept_by(table, tmp_path, lambda: table.taps("bank")) == {2}  # not of a throw before the start
        assert kept_by(table, tmp_path, lambda: table.take(seen("111346")), jpeg=None) == {2}
    marks = ThrowImages(tmp_path).marks(2)
    assert [die.face for die in marks.dice] == [1, 1, 1, 3, 4, 6]
    assert marks.dice[1].outline == ((60.0, 0.0), (110.0, 0.0), (110.0, 50.0), (60.0, 50.0))
    ThrowImages(tmp_path).delete([2])
    assert list((tmp_path / "stills").iterdir()) == []


@pytest.mark.parametrize("text", ["", "{", "[]", '{"size": [1]}', '{"size": [9, 9], "dice": [[1]]}'])
def test_broken_marks_of_an_image_are_ignored(tmp_path: Path, text: str) -> None:
    ThrowImages(tmp_path).keep(2, b"jpeg")
    (tmp_path / "stills" / "00000002.json").write_text(text)
    assert ThrowImages(tmp_path).marks(2) is None


def test_a_request_to_a_host_that_ended_is_an_error_and_does_not_hang(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.runtime.host.ANSWER_S", 0.05)
    with hosted(tmp_path) as table:
        store = HostGames(table.host, ThrowImages(tmp_path))
        with pytest.raises(CompanionError, match="did not answer"):
            store.games()
