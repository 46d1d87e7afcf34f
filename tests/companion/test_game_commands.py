"""`farklecrib games`, `replay` and `review`: kept and written games, for people and for scripts."""

import json
from pathlib import Path

import pytest
from asked import GAME, HEAD, TRAY, Run, refused
from hosted import hosted

from companion.table.state.inputs import CorrectRoll


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


# --- `farklecrib replay`: a written game played through the rules, for scripts and for people ---


def test_the_json_of_a_replay_has_the_documented_form(run: Run) -> None:
    told = run("replay", "-", "--json", given=GAME).json
    assert told["turns"][0] == {
        "player": "Ann",
        "throws": [
            {"roll": [2, 3, 3, 3, 4, 6], "kept": [3, 3, 3], "points": 6},
            {"roll": [1, 4, 6], "kept": [1], "points": 1},
        ],
        "points": 7,
        "ended": "bank",
        "score": 7,
        "hole": 7,
        "farkles": 0,
        "events": ["DiceRolled", "DiceKept", "DiceRolled", "DiceKept", "TurnBanked", "TurnPassed"],
    }
    assert (told["turns"][1]["ended"], told["turns"][1]["points"], told["turns"][1]["farkles"]) == ("farkle", 0, 1)
    assert told["turns"][1]["throws"][1] == {"roll": [3, 4, 4, 6, 6], "kept": [], "points": 0}
    del told["turns"]
    plain = {"on_board": False, "out": False, "disqualified": False}
    assert told == {
        "rules": "farkle-cribbage",
        "settings": {"target": 20},
        "players": [
            {"name": "Ann", "score": 7, "hole": 7, "farkles": 0, **plain, "on_board": True},
            {"name": "Ben", "score": 0, "hole": 0, "farkles": 1, **plain},
        ],
        "teams": [],
        "over": False,
        "final_round": False,
        "winners": [],
        "loser": None,
        "to_move": "Ann",
        "turn": {"points": 0, "dice_left": 6},
    }


def test_a_comment_in_a_file_tells_which_players_are_bots(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(f"# bots: Ben = bold, Nobody = best\n{GAME}", encoding="utf-8")
    told = run("replay", file, "--json").json
    assert [player.get("bot") for player in told["players"]] == [None, "bold"]
    assert "Ben (bot: bold)" in run("replay", file).out


def test_turns_under_way_the_final_round_and_the_end_are_told(run: Run) -> None:
    told = run("replay", "-", "--json", given=f"{GAME}Ann: 233346 > 333").json
    assert (told["turn"], told["turns"][2]["ended"]) == ({"points": 6, "dice_left": 3}, None)
    assert run("replay", "-", given=f"{GAME}Ann: 233346 > 333").out.endswith("To move: Ann, 3 dice\n")
    told = run("replay", "-", "--json", given=f"{GAME}Ann: 111246 > 111, bank\n").json
    assert (told["final_round"], told["over"], told["to_move"]) == (True, False, "Ben")
    told = run("replay", "-", "--json", given=f"{GAME}Ann: 111246 > 111, bank\nBen: 334466\n").json
    assert (told["over"], told["final_round"], told["winners"]) == (True, False, ["Ann"])
    assert (told["to_move"], told["turn"]) == (None, None)
    beyond = f"{HEAD}Ann: {'111111 > 111111, ' * 4}bank\n"
    told = run("replay", "-", "--json", given=beyond).json
    assert (told["players"][0]["score"], told["players"][0]["hole"]) == (160, 121)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (f"{GAME}Ann: 344662 > 5\n", "line 6: expected dice of the roll 3 4 4 6 6 2, got '5'"),
        (b"rules: \xff\n", "expected a written game in UTF-8, got '-'"),
    ],
)
def test_an_illegal_game_is_refused_with_line_and_reason(run: Run, given: str | bytes, said: str) -> None:
    refused(run("replay", "-", "--json", given=given), said)


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("none.txt", "none.txt': No such file or directory"),
        ("", "it is a folder, not a file"),
        (TRAY, "expected a written game in UTF-8, got"),
    ],
)
def test_what_is_no_written_game_is_named(run: Run, tmp_path: Path, file: str | Path, said: str) -> None:
    refused(run("replay", tmp_path / file), said)


# --- `farklecrib review`: a kept or a written game looked at afterwards ---

PAPER = "rules: farkle-cribbage\nplayers: Ben, Ann\nscores: Ben 119, Ann 120\nstart: Ben\n"
COSTLY = f"{PAPER}Ben: 112346 > 112, bank\nAnn: 333446 > 333, bank\n"


def test_the_written_game_with_its_review_has_the_same_review(run: Run) -> None:
    commented = run("review", "-", "--notation", given=COSTLY).out
    assert "\n# Ben banked 4; throwing was worth 10.6 per cent more.\n" in commented
    assert run("review", "-", "--json", given=commented).json == run("review", "-", "--json", given=COSTLY).json


def test_a_kept_game_is_reviewed_by_its_number_with_what_was_corrected(run: Run, tmp_path: Path) -> None:
    with hosted(tmp_path) as table:
        table.game("Ann", "Ben").throws("134466").taps("bank").throws("233466")
        table.take(CorrectRoll((2, 3, 4, 4, 6, 6)))
    told = run("review", "1", "--json", "--data", str(tmp_path)).json
    assert [each["dice"] for each in told["acts"] if each["did"] == "throw"] == [[1, 3, 4, 4, 6, 6], [2, 3, 4, 4, 6, 6]]
    written = run("games", "export", "1", "--format", "notation", "--data", str(tmp_path)).out
    assert run("review", "-", "--json", given=written).json == told


@pytest.mark.parametrize(
    ("args", "given", "words"),
    [
        (("9",), "", "expected the number of a game that is kept"),
        (("no-such-file",), "", "expected a kept game's number, or a written game, got 'no-such-file'"),
        (("-",), "rules: farkle-cribbage\nplayers: Ann\nAnn: 134466 > 1, bank\n", "two sides or more, got one"),
        (("-",), "rules: farkle-cribbage\nplayers: Ann, Ben\nAnn: 134466 > 5\n", "line 3"),
        (("-", "--json", "--notation"), COSTLY, "expected --notation or --json, got both"),
    ],
)
def test_what_has_no_review_is_one_line(
    run: Run, tmp_path: Path, args: tuple[str, ...], given: str, words: str
) -> None:
    refused(run("review", *args, "--data", str(tmp_path), given=given), words)
