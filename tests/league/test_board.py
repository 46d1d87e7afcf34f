"""A table sends each act to its league once and in order, and says what is wrong if the league does not get it."""

import json
import re
import shutil
import urllib.error
import urllib.request
from dataclasses import replace
from pathlib import Path

import pytest
from brokers import Broker, mosquitto
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hosted import PATIENCE_S, eventually
from league_tables import BANKED, FARKLED, GAME, code_in, fault_of, ids_of, league, page_of, table, take
from running import launched

from companion.config import Config, LeagueConfig
from companion.features.league import sender
from companion.features.league.membership import FILE, Membership
from companion.storage import data_folder
from companion.table.state.inputs import ChooseSelection, CorrectRoll, NewGame, ResumeGame, Undo

ELSEWHERE = {"x-forwarded-for": "192.168.7.20"}
"""A header by which a client on this machine counts as one of the network."""


def started(folder: Path) -> int:
    """Return the newest act at the time when the table of a folder made its key."""
    code_in(folder)
    return Membership.read(folder / "data" / FILE).since


def leave(address: str, **headers: str) -> int:
    asked = urllib.request.Request(
        f"{address}api/v1/league/leave", b"{}", {"content-type": "application/json", **headers}
    )
    try:
        with urllib.request.urlopen(asked, timeout=PATIENCE_S) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def test_a_table_sends_its_acts_once_a_league_knows_it(tmp_path, broker: Broker, monkeypatch) -> None:
    monkeypatch.setattr(sender, "HELLO_S", 0.05)
    with league(broker.port, name="") as heard, table(tmp_path, broker.port) as made:
        take(made, *BANKED)
        heard.until(lambda it: len(it.messages) > 1)
        assert heard.code == code_in(tmp_path)
        assert {(each.after, each.acts) for each in heard.messages} == {("", ())}
        assert len(set(heard.payloads)) == 1, "the same message again"
        assert "Tell its organiser this code:" in page_of(made)
        assert heard.code in page_of(made)
        assert "league/leave" in page_of(made)
        assert not {heard.code, "league/leave"} & set(re.split('[<>" ]', page_of(made, **ELSEWHERE)))
        heard.name = "Blue Dragon"
        heard.until_all(tmp_path, started(tmp_path))
        assert "Zaphod" in heard.payloads[-1].decode()
        take(made, *FARKLED, Undo(), *FARKLED, CorrectRoll((3, 4, 4, 6, 6, 2)))
        heard.until_all(tmp_path, started(tmp_path))
        eventually(lambda: "plays in the league as Blue Dragon. The league has every act." in page_of(made))
        assert "league" not in dict(made.host.state.faults)


def test_only_what_happens_after_the_key_was_made_is_sent_and_games_go_on_from_the_place(
    tmp_path, broker: Broker
) -> None:
    with launched(tmp_path / "data", GAME) as made:
        take(made, *BANKED, NewGame("farkle-cribbage", ("Ford", "Marvin")), *BANKED)
    before = len(ids_of(tmp_path))
    with league(broker.port) as heard:
        with table(tmp_path, broker.port) as made:
            assert started(tmp_path) == before
            take(made, *FARKLED)
            heard.until_all(tmp_path, before)
            assert [act["keeps"] for act in heard.acts] == [0]
            assert [number for number, _ in heard.acts[0]["made"]][-1] == heard.acts[0]["act"]
            assert heard.acts[0]["made"][0][1][0][1]["players"] == ["Ford", "Marvin"]
            assert "Zaphod" not in json.dumps(heard.acts)
            take(made, ResumeGame(1), *FARKLED)
            heard.until_all(tmp_path, before)
            resumed = next(act for act in heard.acts if act["game"] == 1)
            assert (resumed["keeps"], resumed["made"][0][0]) == (0, 1)
        with table(tmp_path, broker.port) as made:
            take(made, *BANKED)
            heard.until_all(tmp_path, before)
            assert "league" not in dict(made.host.state.faults)


@pytest.mark.exhaustive
def test_what_is_played_while_the_broker_or_the_league_is_away_comes_later(tmp_path) -> None:
    with mosquitto(tmp_path / "broker", "allow_anonymous true", "persistence true") as broker:
        with league(broker.port) as heard, table(tmp_path, broker.port) as made:
            take(made, *BANKED)
            heard.until_all(tmp_path, started(tmp_path))
            broker.kill()
            take(made, *FARKLED, *BANKED)
            assert "The league does not get the games: " in fault_of(made)
            assert "The league does not get the games: " in page_of(made)
        broker.start()
        known = {"key": heard.key, "acts": heard.acts, "hash": heard.hash}
        with league(broker.port, **known) as again, table(tmp_path, broker.port):
            again.until_all(tmp_path, started(tmp_path))


@pytest.mark.exhaustive
def test_a_lost_answer_lets_the_table_send_the_same_message_again(tmp_path, broker: Broker, monkeypatch) -> None:
    monkeypatch.setattr(sender, "ANSWER_S", 0.05)
    with league(broker.port) as heard, table(tmp_path, broker.port) as made:
        take(made, *BANKED)
        heard.until_all(tmp_path, started(tmp_path))
        heard.name, sent = "", len(heard.payloads)
        take(made, *FARKLED)
        heard.until(lambda it: len(it.payloads) > sent + 3 and len(set(it.payloads[-3:])) == 1)
        heard.name = "Blue Dragon"
        heard.until_all(tmp_path, started(tmp_path))
        assert "league" not in dict(made.host.state.faults)


@pytest.mark.exhaustive
def test_a_table_whose_place_was_not_saved_goes_on_from_the_answer_that_the_broker_keeps(
    tmp_path, broker: Broker
) -> None:
    with league(broker.port) as heard:
        with table(tmp_path, broker.port) as made:
            take(made, *BANKED)
            heard.until_all(tmp_path, started(tmp_path))
            file = tmp_path / "data" / FILE
            eventually(lambda: Membership.read(file).league != "")
            kept = file.read_bytes()
            take(made, *FARKLED)
            heard.until_all(tmp_path, started(tmp_path))
        file.write_bytes(kept)  # as after a power cut
        with table(tmp_path, broker.port) as made:
            take(made, *BANKED)
            heard.until_all(tmp_path, started(tmp_path))
            assert "league" not in dict(made.host.state.faults)


@pytest.mark.exhaustive
def test_a_league_that_was_restored_gets_again_what_it_lacks(tmp_path, broker: Broker) -> None:
    with league(broker.port) as heard, table(tmp_path, broker.port) as made:
        take(made, *BANKED, *FARKLED)
        heard.until_all(tmp_path, started(tmp_path))
        heard.acts, heard.hash = [], ""
        heard.answer()
        heard.until_all(tmp_path, started(tmp_path))


@pytest.mark.exhaustive
def test_an_act_of_another_table_in_the_answer_is_a_fault_that_a_new_code_ends(
    tmp_path, broker: Broker, monkeypatch
) -> None:
    monkeypatch.setattr(sender, "LOOK_S", 0.05)
    with league(broker.port) as heard, table(tmp_path, broker.port) as made:
        take(made, *BANKED)
        heard.until_all(tmp_path, started(tmp_path))
        for foreign in (made.host.state.seq, made.host.state.seq + 1):
            heard.answer(act=f"{foreign}-{'f' * 64}", hash="e" * 64)
            assert "another table uses its key, or an older backup was brought back" in fault_of(made)
            heard.answer()
            eventually(lambda: "league" not in dict(made.host.state.faults))
        heard.problem = "cloned"
        heard.answer()
        assert "Another table uses the key of this one." in fault_of(made)
        assert "Another table uses the key of this one." in page_of(made)
        code, heard.problem, heard.acts, heard.hash = heard.code, "", [], ""
        assert leave(made.address, **ELSEWHERE) == 403
        assert leave(made.address) == 204
        assert code_in(tmp_path) != code
        take(made, *FARKLED)
        heard.until(lambda it: it.code != code and it.acts)
        eventually(lambda: "league" not in dict(made.host.state.faults))
        heard.until_all(tmp_path, started(tmp_path))
        assert heard.acts[0]["keeps"] == 0, "the new league gets the game whole"


@pytest.mark.exhaustive
def test_an_older_backup_is_a_fault_and_no_act_is_sent_after_it(tmp_path, broker: Broker) -> None:
    with league(broker.port) as heard:
        with table(tmp_path, broker.port) as made:
            take(made, *BANKED)
            heard.until_all(tmp_path, started(tmp_path))
        shutil.copytree(tmp_path / "data", tmp_path / "older")
        with table(tmp_path, broker.port) as made:
            take(made, *FARKLED)
            heard.until_all(tmp_path, started(tmp_path))
        key = (tmp_path / "data" / FILE).read_bytes()
        shutil.rmtree(tmp_path / "data")
        shutil.copytree(tmp_path / "older", tmp_path / "data")
        (tmp_path / "data" / FILE).write_bytes(key)
        sent = len(heard.payloads)
        with table(tmp_path, broker.port) as made:
            assert "an older backup was brought back" in fault_of(made)
            take(made, *BANKED, *FARKLED)
            assert "an older backup was brought back" in fault_of(made)
        assert all(b'"acts":[]' in each for each in heard.payloads[sent:])  # one of before may come late


def test_another_league_is_a_fault_until_the_known_one_answers(tmp_path, broker: Broker) -> None:
    with league(broker.port) as heard, table(tmp_path, broker.port) as made:
        take(made, *BANKED)
        heard.until_all(tmp_path, started(tmp_path))
        known, heard.key = heard.key, Ed25519PrivateKey.generate()
        heard.answer(act="", hash="")
        assert "Another league answers" in fault_of(made)
        heard.heard.client.publish(f"farkleague/{heard.code}/stored", b"no answer" * 20, 1)
        heard.key = known
        heard.answer()
        eventually(lambda: "league" not in dict(made.host.state.faults))


@pytest.mark.exhaustive
def test_deleted_games_are_told_and_an_answer_about_one_of_their_acts_is_right(
    tmp_path, broker: Broker, monkeypatch, run
) -> None:
    monkeypatch.setattr(sender, "LOOK_S", 0.05)
    with league(broker.port) as heard, table(tmp_path, broker.port) as made:
        take(made, *BANKED, GAME, *BANKED)
        heard.until_all(tmp_path, started(tmp_path))
        assert run("games", "delete", "1", "--yes", "--data", str(tmp_path / "data")).status == 0
        heard.until(lambda it: it.messages[-1].deleted == (1,))
        before = heard.hash
        heard.answer(act=f"{started(tmp_path) + 1}-{'f' * 64}")  # of the deleted game
        heard.until(lambda it: it.messages[-1].acts and it.messages[-1].after == before)
        assert "league" not in dict(made.host.state.faults)


@pytest.mark.exhaustive
def test_the_newest_game_that_is_deleted_while_the_table_is_off_is_told_later(tmp_path, broker: Broker, run) -> None:
    with league(broker.port) as heard:
        with table(tmp_path, broker.port) as made:
            take(made, *BANKED, GAME, *BANKED)
            heard.until_all(tmp_path, started(tmp_path))
            assert heard.messages[-1].newest == 2
        assert run("games", "delete", "2", "--yes", "--data", str(tmp_path / "data")).status == 0
        with table(tmp_path, broker.port, None):
            heard.until(lambda it: it.messages[-1].newest == 1)


@pytest.mark.exhaustive
def test_a_long_journal_goes_in_messages_of_a_hundred_acts(tmp_path, broker: Broker) -> None:
    with table(tmp_path, 1) as made:  # nobody listens at that port
        code_in(tmp_path)
        take(made, *BANKED[:1], *[ChooseSelection((1,) if index % 2 else ()) for index in range(250)])
    with league(broker.port) as heard, table(tmp_path, broker.port):
        heard.until_all(tmp_path, started(tmp_path))
        assert max(len(each.acts) for each in heard.messages) <= sender.MOST_ACTS
        assert len(heard.messages) > 2


def test_the_feature_is_off_by_default(tmp_path) -> None:
    with launched(tmp_path / "data", GAME) as made:
        with pytest.raises(urllib.error.HTTPError, match="404"):
            page_of(made)
        assert not (tmp_path / "data" / FILE).exists()


def test_the_key_is_its_owners_alone_and_in_no_backup(tmp_path, run) -> None:
    with table(tmp_path, 1):
        code_in(tmp_path)
        file = tmp_path / "data" / FILE
        assert file.stat().st_mode & 0o777 == 0o600
        assert run("games", "backup", str(tmp_path / "all.zip"), "--data", str(tmp_path / "data")).status == 0
    assert json.loads(file.read_bytes())["key"].encode() not in (tmp_path / "all.zip").read_bytes()
    assert run("games", "restore", str(tmp_path / "all.zip"), "--data", str(tmp_path / "new")).status == 0
    assert not (tmp_path / "new" / FILE).exists()


def test_a_damaged_key_is_a_fault_and_stays(tmp_path) -> None:
    (tmp_path / "data").mkdir()
    file = tmp_path / "data" / FILE
    file.write_text('{"key": "damaged"', encoding="utf-8")
    with table(tmp_path, 1) as made:
        assert f"The key of this table in {file} cannot be read" in fault_of(made)
        assert file.read_text(encoding="utf-8") == '{"key": "damaged"'


def test_without_a_folder_that_can_be_written_there_is_no_league_and_the_table_says_so(tmp_path, monkeypatch) -> None:
    with launched(tmp_path / "data", GAME) as made:
        take(made, *BANKED)
    monkeypatch.setattr(
        data_folder, "locked", lambda folder: (_ for _ in ()).throw(data_folder.DataFolderError("read-only"))
    )
    with launched(tmp_path / "data", None, replace(Config(), league=LeagueConfig(host="127.0.0.1"))) as made:
        assert "the data folder cannot be written" in fault_of(made)
