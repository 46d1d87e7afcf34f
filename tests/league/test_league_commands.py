"""A mistake at the command `farkleague` gets one line and status 2."""

import json
import sys
from datetime import date

import pytest
from simulated_boards import SimulatedBoard, send_all

from farkleague import organiser
from farkleague.cli import run as run_league


@pytest.fixture
def league(monkeypatch, capsys, tmp_path):
    """Return a function that runs the command, and returns its status, its output and its errors."""

    def command(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["farkleague", *words])
        with pytest.raises(SystemExit) as ended:
            run_league()
        return ended.value.code, *capsys.readouterr()

    (tmp_path / "empty").touch()
    (tmp_path / "latin").write_bytes(b"\xe9")
    monkeypatch.chdir(tmp_path)
    return command


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["play"], "No such command 'play'"),
        (["work", "--colour", "red"], "No such option"),
        (["serve", "--port", "70000"], "--port"),
        (["serve", "--organiser-file", "none"], "expected a file with a password, got 'none': No such file"),
        (["serve", "--organiser-file", "latin"], "expected a file with a password, got 'latin': it is not UTF-8"),
        (["work", "--password-file", "empty"], "expected a password in 'empty', got an empty file"),
        (["work", "--broker", ":1883"], "--broker: expected HOST or HOST:PORT, got ':1883'"),
        (["work", "--broker", "host:0"], "--broker: expected HOST or HOST:PORT, got 'host:0'"),
        (["work", "--broker", "host:mqtt"], "--broker: expected HOST or HOST:PORT, got 'host:mqtt'"),
        (["work", "--authority", "latin"], "--tls: expected it beside --authority"),
        (["enrol", "K7QF-2MXA-ATPB"], "Missing argument"),
    ],
)
def test_a_wrong_command_gets_one_line(league, words, why) -> None:
    status, out, wrong = league(*words)
    assert (status, out, wrong.count("\n")) == (2, "", 1)
    assert wrong.startswith("farkleague: error: ")
    assert why in wrong


def test_the_help_names_each_command(league) -> None:
    status, out, wrong = league()
    assert (status, wrong) == (0, "")
    assert all(command in out for command in ("serve", "work", "enrol", "standings"))


@pytest.mark.exhaustive
def test_a_database_that_cannot_be_used_gets_one_line(league) -> None:
    for database in ("host=127.0.0.1 port=1", "no database"):
        status, _, wrong = league("standings", "--database", database)
        assert (status, wrong.count("\n")) == (2, 1)
        assert "expected a PostgreSQL database that can be used, got: " in wrong


@pytest.mark.exhaustive
def test_the_commands_of_an_organiser(league, database, intake, server) -> None:
    board, to = SimulatedBoard(1), ("--database", server)
    assert league("standings", *to) == (0, "There is no season yet.\n", "")
    assert league("enrol", board.code, "Blue Dragon", *to) == (0, "Blue Dragon is enrolled\n", "")
    assert "which is taken" in league("enrol", board.code, "Inn", *to)[2]
    board.act()
    send_all(intake, board)
    year = {"begins": date(2027, 1, 1), "ends": date(2027, 12, 31)}
    organiser.begin_competition(database, "Cup", "knock_out", **year, persons=[1, 2])
    assert league("standings", *to)[1] == "Cup\n"
    assert json.loads(league("standings", "--json", *to)[1]) == [{"name": "Cup"}]
    assert league("standings", "Cup", *to)[1] == "1  Ann  0  0  0\n1  Ben  0  0  0\n"
    found = json.loads(league("standings", "Cup", "--json", *to)[1])
    assert [(each["name"], each["out"]) for each in found] == [("Ann", False), ("Ben", False)]
    assert league("standings", "Pot", *to)[2] == "farkleague: error: expected 'Cup', got 'Pot'\n"
