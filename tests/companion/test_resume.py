"""An unfinished game goes on: through the real journal, over restarts, with undo and correction after it."""

from pathlib import Path

import pytest
from hosted import hosted
from test_any_evening import kept

from companion.devices.lights import board_view
from companion.errors import RefusedError
from companion.games.repository import open_games
from companion.storage import journal
from companion.storage.data_folder import open_storage
from companion.storage.database import read
from companion.storage.files import COPY, FILE
from companion.storage.rows import sound_rows
from companion.table.state.cues import CueKind
from companion.table.state.inputs import EditLobby, NewGame, ResumeGame, Undo
from companion.table.view import view


def two_games(table) -> object:
    """Leave a turn under way in game 1, and start game 2."""
    table.game("Ann", "Ben").throws("111346").taps("bank").throws("233346")
    before = table.host.state
    table.game("Cy", "Di").throws("123456")
    return before


def scores(table) -> list[tuple[str, int]]:
    return [(player.name, player.score) for player in table.view.players]


def test_a_game_goes_on_where_it_stood(tmp_path: Path) -> None:
    with hosted(tmp_path) as table:
        before = two_games(table)
        table.take(ResumeGame(1))
        assert scores(table) == [("Ann", 20), ("Ben", 0)]
        assert (table.view.to_move, table.view.roll, table.view.phase) == ("Ben", (2, 3, 3, 3, 4, 6), "choosing")
        assert table.host.state.game == before.game
        assert table.view.out_of_step
        assert table.view.message.told == "The game goes on: Ann 20, Ben 0."
        assert [lane.back for lane in board_view(table.view).lanes] == [20, 0]
        assert table.told[-1].cues[0].kind is CueKind.RESUMED
        table.take(ResumeGame(2))
        assert (table.view.to_move, table.view.roll) == ("Cy", (1, 2, 3, 4, 5, 6))
        rows = read(table.storage.journal.path).rows
        assert (sound_rows(rows), {row.game for row in rows}) == ((rows, None), {1, 2})


def test_undo_removes_the_last_act_of_the_game_and_not_its_resumption(tmp_path: Path) -> None:
    with hosted(tmp_path) as table:
        two_games(table)
        table.take(ResumeGame(1))
        table.take(Undo())
        assert (table.view.phase, table.view.to_move, scores(table)) == ("to_throw", "Ben", [("Ann", 20), ("Ben", 0)])
        table.take(Undo())
        assert (table.view.to_move, scores(table)) == ("Ann", [("Ann", 0), ("Ben", 0)])
        live = kept(table.host.state)
    with hosted(tmp_path) as table:
        assert kept(table.host.state) == live
        assert table.view.to_move == "Ann"


def test_a_game_in_its_throws_for_the_start_and_one_with_an_open_choice_go_on(tmp_path: Path) -> None:
    with hosted(tmp_path) as table:
        table.game("Ann", "Ben", start="throw").throws("65")
        table.take(NewGame("classic", ("Ann", "Ben"), {"piggyback": True}))
        table.throws("111346").taps("keep").taps("bank")
        asked = table.view.question
        table.take(ResumeGame(1))
        assert (table.view.to_move, table.view.dice_to_throw) == ("Ben", 2)
        table.take(ResumeGame(2))
        assert table.view.question == asked is not None


def test_a_finished_game_does_not_go_on(tmp_path: Path) -> None:
    with hosted(tmp_path) as table:
        table.game("Ann", settings={"target": 5}).throws("111346").taps("bank")
        table.game("Cy", "Di")
        with pytest.raises(RefusedError, match="this game is finished"):
            table.take(ResumeGame(1))
        assert table.view.to_move == "Cy"


def test_a_game_that_is_at_the_table_or_gone_is_refused(tmp_path: Path) -> None:
    with hosted(tmp_path) as table:
        two_games(table)
        with pytest.raises(RefusedError, match="at the table already"):
            table.take(ResumeGame(2))
        table.storage.journal.delete(1)
        with pytest.raises(RefusedError, match="no longer kept"):
            table.take(ResumeGame(1))
        assert table.view.to_move == "Cy"


def test_resuming_the_game_behind_the_form_closes_the_form(tmp_path: Path) -> None:
    with hosted(tmp_path) as table:
        two_games(table)
        seq = table.view.seq
        table.take(EditLobby(open=True))
        table.take(ResumeGame(2))
        assert (table.view.phase, table.view.seq) == ("choosing", seq)


def test_the_kept_games_know_which_one_is_at_the_table(tmp_path: Path) -> None:
    with hosted(tmp_path, running=True) as table:
        two_games(table)
        games = open_games(tmp_path, table.host)
        assert (games.at_table(), games.story(None).number) == (2, 2)
        table.take(ResumeGame(1))
        assert (games.at_table(), games.story(None).number) == (1, 1)
        with pytest.raises(RefusedError, match="is on the table"):
            games.delete(1)
        games.delete(2)
        assert [each.number for each in games.summaries()] == [1]


@pytest.mark.parametrize("damaged", [(FILE,), (FILE, FILE + COPY)], ids=["journal", "journal and copy"])
def test_a_running_table_does_not_lose_a_resumed_game(tmp_path: Path, damaged: tuple[str, ...]) -> None:
    with hosted(tmp_path) as table:
        two_games(table)
        table.take(ResumeGame(1))
        for name in damaged:
            (tmp_path / name).unlink()
        table.taps("bank")
    with hosted(tmp_path) as table:
        assert scores(table) == [("Ann", 20), ("Ben", 8)]


def test_a_game_that_cannot_be_played_on_is_cut_where_it_went_on(tmp_path: Path, monkeypatch) -> None:
    with hosted(tmp_path) as table:
        two_games(table)
        table.take(ResumeGame(1))
        resumed = view(table.host.state)
        table.taps("bank")
        last = table.view.seq
    folded = journal.acts_of

    def fails(rows):
        acts = folded(rows)
        if any(act.number == last for act in acts):
            raise ValueError("a fault of the program")
        return acts

    monkeypatch.setattr(journal, "acts_of", fails)
    storage = open_storage(tmp_path, lambda: 0.0)
    try:
        assert storage.loaded.game == 1
        assert "cannot be played on" in (storage.loaded.loss or "")
        assert storage.loaded.acts[-1].number == resumed.seq
    finally:
        storage.close()
