"""A real table and a real league: what the league shows of the game is what the table has, also after kills."""

import shutil
from pathlib import Path

import league_tables
import pytest
from brokers import mosquitto
from fleet import workers
from hosted import eventually
from league_tables import BANKED, FARKLED, code_in, fault_of, ids_of, take
from postgres import postgres
from running import Table, table

from companion.features.league import sender
from companion.features.league.membership import FILE, Membership
from farkleague import organiser, store

pytestmark = pytest.mark.exhaustive


def stored(database, folder: Path) -> bool:
    """Return whether the league has each act of a table after its key was made, once."""
    rows = database.execute("SELECT act, hash FROM acts ORDER BY act")
    since = Membership.read(folder / "data" / FILE).since
    return [f"{row.act}-{row.hash.hex()}" for row in rows] == ids_of(folder, since)


def check_live(database, playing: Table) -> None:
    """Compare the game that the league shows with the state of the table."""
    shown = store.the_row(database, "SELECT live FROM games ORDER BY number DESC LIMIT 1").live
    state = playing.get("state")
    assert [side["score"] for side in shown["sides"]] == [player["score"] for player in state["players"]]
    assert (shown["turn_points"], shown["roll"]) == (state["turn_points"], state["roll"])


def choose(playing: Table, times: int) -> None:
    for index in range(times):
        assert playing.post("keep", {"dice": [[1], [2]][index % 2]})[0] == 200


def played(playing: Table) -> None:
    """Play a turn with a choice, an undo and a correction."""
    playing.throw([1, 2, 3, 3, 4, 6])
    choose(playing, 5)
    assert playing.post("undo", {})[0] == 200
    assert playing.post("correct", {"roll": [1, 2, 3, 3, 4, 5]})[0] == 200
    assert playing.post("buttons/bank", {"press": "tap"})[0] == 200


def test_the_league_shows_the_game_of_the_table_after_kills_of_both(tmp_path) -> None:
    config = tmp_path / "config.toml"
    with postgres() as server, mosquitto(tmp_path / "broker") as broker:
        store.upgrade(server.database)
        config.write_text(f'[league]\nhost = "127.0.0.1"\nport = {broker.port}\n', encoding="utf-8")
        options = ("--config", str(config), "--players", "Ann,Ben")
        with workers(1, server.database, broker.port, tmp_path), store.connect(server.database) as opened:
            with table(tmp_path / "data", *options) as playing:
                playing.ready()
                organiser.enrol(opened, code_in(tmp_path), "Blue Dragon")
                played(playing)
                eventually(lambda: stored(opened, tmp_path))
                check_live(opened, playing)
                playing.throw([1, 2, 3, 3, 4, 6])
                broker.kill()
                choose(playing, 20)
                playing.process.kill()
            broker.start()
            with table(tmp_path / "data", *options) as playing:
                choose(playing.ready(), 3)
                eventually(lambda: stored(opened, tmp_path))
                check_live(opened, playing)
                assert not opened.execute("SELECT 1 FROM refusals WHERE board IS NOT NULL").fetchall()
                row = store.the_row(opened, "SELECT name, problem FROM boards")
                assert (row.name, row.problem) == ("Blue Dragon", "")


def test_a_copied_data_folder_is_noticed_by_the_league_and_said_at_both_tables(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(sender, "LOOK_S", 0.1)
    first, second = tmp_path / "first", tmp_path / "second"
    with postgres() as server, mosquitto(tmp_path / "broker") as broker:
        store.upgrade(server.database)
        with workers(1, server.database, broker.port, tmp_path), store.connect(server.database) as opened:
            with league_tables.table(first, broker.port) as one:
                organiser.enrol(opened, code_in(first), "Blue Dragon")
                take(one, *BANKED)
                eventually(lambda: stored(opened, first))
            shutil.copytree(first, second)
            with league_tables.table(first, broker.port) as one, league_tables.table(second, broker.port) as two:
                take(one, *FARKLED)
                eventually(lambda: stored(opened, first))
                take(two, *FARKLED)
                for each in (one, two):
                    eventually(lambda each=each: "Another table uses the key of this one." in fault_of(each))
            assert stored(opened, first)
