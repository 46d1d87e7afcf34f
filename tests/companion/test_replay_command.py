"""`farklecrib replay`: a written game played through the rules, for scripts and for people."""

from pathlib import Path

import pytest
from asked import GAME, HEAD, TRAY, Run, refused


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
