"""`farklecrib games`: its output for people and for scripts."""

import json
from pathlib import Path

import pytest
from asked import Run
from hosted import hosted


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a data folder with one finished game of two throws. No table runs on it."""
    with hosted(tmp_path / "data") as table:
        table.game(settings={"target": 20}).throws("111346").taps("bank").throws("344662").taps("bank")
    return tmp_path / "data"


def test_a_game_is_a_line(run: Run, folder: Path) -> None:
    told = run("games", "list", "--data", folder)
    assert told.out == "   1  2026-09-21 14:13  Farkle Cribbage: Ann 20, Ben 2; won by Ann, 2 turns\n"
    (game,) = json.loads(run("games", "list", "--json", "--data", folder).out)
    assert (game["number"], game["scores"], game["winners"]) == (1, {"Ann": 20, "Ben": 2}, ["Ann"])


def test_a_game_is_shown_with_its_points_explained(run: Run, folder: Path) -> None:
    told = run("games", "show", "--data", folder)
    assert "Ann, turn 1: banks 20, score 20\n" in told.out
    assert "1 1 1 3 4 6, keeps 1 1 1 for 20: three of a kind 1 1 1 = 20\n" in told.out


@pytest.mark.parametrize(
    ("form", "begins"), [("json", '{\n "number": 1,'), ("csv", "game,time,player,"), ("notation", "rules: farkle")]
)
def test_a_game_is_exported(run: Run, folder: Path, tmp_path: Path, form: str, begins: str) -> None:
    assert run("games", "export", "1", "--format", form, "--data", folder).out.startswith(begins)
    run("games", "export", "--format", form, "--out", tmp_path / "file", "--data", folder)
    assert (tmp_path / "file").read_text().startswith(begins)
    assert form != "notation" or "Won by Ann." in run("replay", tmp_path / "file").out


@pytest.mark.parametrize(("answer", "status", "left"), [("y\n", 0, 0), ("n\n", 1, 1), ("", 1, 1)])
def test_a_deletion_asks_first(run: Run, folder: Path, answer: str, status: int, left: int) -> None:
    told = run("games", "delete", "1", "--data", folder, given=answer)
    assert told.err.startswith("Delete game 1 (Farkle Cribbage, Ann and Ben) for good? [y/N] ")
    assert told.status == status
    assert len(json.loads(run("games", "list", "--json", "--data", folder).out)) == left
