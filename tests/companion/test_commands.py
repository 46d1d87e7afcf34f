"""The commands score, replay, read and version: answers on standard output, mistakes in one line, three statuses."""

import itertools
import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from shutil import copy

import cv2
import numpy as np
import pytest
from asked import Answered, Run

from companion.cli import main
from farkle.rules.catalogue import find_rule_set
from farkle.rules.selections import legal_selections

RULES = find_rule_set("farkle-cribbage")
SCRIPT = Path(sys.executable).with_name("farklecrib")
TRAYS = Path(__file__).parent.parent / "pictures" / "trays"
TRAY = TRAYS / "00104.jpg"
PATIENCE_S = 60.0


def script(*words: object, given: str | None = None, **environment: str) -> Answered:
    """The installed console script to its end, as a process of its own."""
    ended = subprocess.run(
        [SCRIPT, *map(str, words)],
        input=given or "",
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        env={**os.environ, **environment},
        check=False,
    )
    return Answered(ended.returncode, ended.stdout, ended.stderr)


def refused(answer: Answered, words: str) -> None:
    """One line, status 2, nothing on standard output."""
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith("farklecrib: error: ")
    assert answer.err.count("\n") == 1
    assert words in answer.err


# The installed script


def test_the_script_scores_a_roll_with_status_0() -> None:
    answer = script("score", "farkle-cribbage", "1112", "--json")
    assert (answer.status, answer.err, answer.json["selections"][0]["points"]) == (0, "", 22)


def test_the_script_reads_good_pictures_beside_a_broken_one_with_status_1(tmp_path: Path) -> None:
    copy(TRAY, tmp_path / "a.jpg")
    (tmp_path / "b.jpg").write_bytes(b"\xff\xd8\xff\xe0 no more")
    answer = script("read", tmp_path, "--json")
    assert (answer.status, answer.err) == (1, "")
    assert [("dice" in line, "error" in line) for line in answer.lines] == [(True, False), (False, True)]


def test_the_script_refuses_an_illegal_game_with_status_2() -> None:
    given = f"{HEAD}Ann: 233346 > 2, bank\nBen: 344662 > 5\n"
    refused(script("replay", "-", given=given), "line 4: expected dice of the roll 3 4 4 6 6 2, got '5'")


def test_the_script_says_its_version() -> None:
    assert script("version") == Answered(0, f"farklecrib {version('farklecrib')}\n", "")


@pytest.mark.parametrize("rolls_given", [1, 2000], ids=["all of it held back", "more than a pipe holds"])
def test_a_reader_who_has_read_enough_gets_no_complaint(rolls_given: int) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run(
        [SCRIPT, "score", "farkle-cribbage", "-", "--json"],
        input="112246\n" * rolls_given,
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_photographs_that_no_game_can_be_played_from_end_it_with_one_line(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    cv2.imwrite(str(tmp_path / "photos" / "felt.png"), np.full((480, 640, 3), (40, 90, 30), np.uint8))
    camera = f"recorded:{tmp_path / 'photos'}"
    answer = script("play", "--data", tmp_path / "games", "--port", "0", "--autoplay", "--camera", camera)
    assert (answer.status, answer.out) == (2, "")
    last = answer.err.splitlines()[-1]
    assert last.startswith("farklecrib: error: expected a photograph of six dice that is read for sure, got none")


def test_text_in_another_language_is_read_and_written_without_a_locale() -> None:
    given = "rules: farkle-cribbage\nplayers: Zoë, 小龙\nZoë: 233346 > 333, bank\n"
    answer = script("replay", "-", "--json", given=given, LC_ALL="C", PYTHONUTF8="1")
    assert [player["name"] for player in answer.json["players"]] == ["Zoë", "小龙"]


def test_a_running_score_has_loaded_no_vision_no_web_and_no_hardware() -> None:
    code = (
        "import sys\nfrom companion.cli import main\nsys.argv = ['farklecrib', 'score', 'farkle-cribbage', '115']\n"
        "try: main()\nexcept SystemExit: pass\nprint(*{name.partition('.')[0] for name in sys.modules})"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    loaded = set(ended.stdout.splitlines()[-1].split())
    assert loaded & {"cv2", "numpy", "fastapi", "uvicorn", "gpiozero", "neopixel", "dicereader", "pegboard"} == set()
    assert {"farkle", "companion"} <= loaded


# What every command has in common


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["bogus"], "No such command 'bogus'."),
        (["score"], "Missing argument 'RULES'."),
        (["score", "farkle-cribbage"], "Missing argument 'DICE'."),
        (["score", "farkle-cribbage", "115", "6"], "unexpected extra argument"),
        (["score", "farkle-cribbage", "115", "--jsn"], "No such option: --jsn"),
        (["score", "farkle-cribbage", "115", "--locked", "two"], "Invalid value for '--locked'"),
        (["replay"], "Missing argument 'FILE'."),
        (["read"], "Missing argument 'PATH...'."),
        (["read", "x.jpg", "--expect", "many"], "Invalid value for '--expect'"),
        (["read", "x.jpg", "--expect", "-1"], "Invalid value for '--expect'"),
    ],
)
def test_a_command_line_that_cannot_be_read_gets_one_line(run: Run, words: list[str], said: str) -> None:
    refused(run(*words), said)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["read", "x.jpg", "--expect", "many"], "'--expect': expected a whole number, got 'many'"),
        (["read", "x.jpg", "--expect", "-1"], "'--expect': expected at least 0, got '-1'"),
        (["play", "--port", "65536"], "'--port': expected at most 65535, got '65536'"),
        (["calibrate", "--die", "thick"], "'--die': expected a number, got 'thick'"),
        (
            ["games", "export", "1", "--format", "xml"],
            "'--format': expected one of 'json', 'csv', 'notation', got 'xml'",
        ),
        (["fairness", "--of", "all"], "'--of': expected one of 'real', 'recorded', 'simulated', got 'all'"),
    ],
)
def test_a_value_that_cannot_be_read_is_told_with_what_was_expected(run: Run, words: list[str], said: str) -> None:
    answer = run(*words)
    refused(answer, said)
    assert answer.err.strip().endswith(said)


@pytest.mark.parametrize("command", [[], ["read"], ["score"], ["replay"], ["play"], ["version"]])
def test_every_command_has_help(run: Run, command: list[str]) -> None:
    answer = run(*command, "--help")
    assert (answer.status, answer.err) == (0, "")
    assert "Usage: " in answer.out


def test_no_command_at_all_is_answered_with_help(run: Run) -> None:
    answer = run()
    assert (answer.status, answer.err) == (0, "")
    assert all(command in answer.out for command in ("read", "score", "replay", "play", "version"))


def test_a_bug_is_not_dressed_up_as_a_mistake_of_yours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.commands.score.score_rolls", lambda *_, **__: 1 / 0)
    monkeypatch.setattr("sys.argv", ["farklecrib", "score", "farkle-cribbage", "1"])
    with pytest.raises(ZeroDivisionError):
        main()


# score


def test_a_score_is_told_as_the_contract_says(run: Run) -> None:
    told = run("score", "farkle-cribbage", "1112", "--json").json
    first = {
        "dice": [1, 1, 1, 2],
        "points": 22,
        "totals": [22, 5],
        "parts": [
            {"name": "three of a kind", "dice": [1, 1, 1], "points": 20},
            {"name": "single", "dice": [2], "points": 2},
        ],
    }
    assert told.pop("selections")[0] == first
    assert told == {"rules": "farkle-cribbage", "roll": [1, 1, 1, 2], "farkle": False, "hot_dice": True}


@pytest.mark.parametrize("dice", ["1 1 5", "115", "1-1-5", " 115 ", "1  1 5"])
def test_dice_may_be_written_in_three_ways(run: Run, dice: str) -> None:
    assert run("score", "farkle-cribbage", dice, "--json").json["roll"] == [1, 1, 5]


def test_the_roll_is_told_as_thrown(run: Run) -> None:
    assert run("score", "farkle-cribbage", "643332", "--json").json["roll"] == [6, 4, 3, 3, 3, 2]


def test_a_farkle_has_no_selections(run: Run) -> None:
    told = run("score", "farkle-cribbage", "34466", "--json").json
    assert (told["farkle"], told["hot_dice"], told["selections"]) == (True, False, [])


@pytest.mark.parametrize(("dice", "hot"), [("111222", True), ("12", True), ("233346", False), ("34466", False)])
def test_hot_dice_are_those_that_all_score(run: Run, dice: str, hot: bool) -> None:
    assert run("score", "farkle-cribbage", dice, "--json").json["hot_dice"] is hot


@pytest.mark.parametrize("name", ["farkle-cribbage", "FARKLE-Cribbage", "Farkle Cribbage", "farkle crib"])
def test_a_rule_set_goes_by_key_title_and_alias(run: Run, name: str) -> None:
    assert run("score", name, "1", "--json").json["rules"] == "farkle-cribbage"


def test_a_person_reads_a_line_a_selection(run: Run) -> None:
    answer = run("score", "farkle-cribbage", "233346")
    assert answer.out == (
        "2 3 3 3 4 6:\n"
        "    8  3 3 3 2  (three of a kind 3 3 3, single 2)\n"
        "    6  3 3 3  (three of a kind 3 3 3)\n"
        "    2  2  (single 2)\n"
    )


def test_a_person_reads_a_farkle(run: Run) -> None:
    assert run("score", "farkle-cribbage", "34466").out == "3 4 4 6 6: farkle\n"


def rolls(step: int) -> list[tuple[int, ...]]:
    """Every so-manieth roll of one to six dice."""
    every = itertools.chain.from_iterable(itertools.product(range(1, 7), repeat=n) for n in range(1, 7))
    return list(itertools.islice(every, 0, None, step))


def check_rolls(run: Run, thrown: list[tuple[int, ...]]) -> None:
    given = "".join("".join(map(str, roll)) + "\n" for roll in thrown)
    told = run("score", "farkle-cribbage", "-", "--json", given=given).lines
    assert [tuple(each["roll"]) for each in told] == thrown
    for each in told:
        selections = legal_selections(RULES, tuple(each["roll"]))
        assert [(tuple(one["dice"]), one["points"], tuple(one["totals"])) for one in each["selections"]] == [
            (one.dice, one.points, one.totals) for one in selections
        ]
        assert each["farkle"] is (not selections)


def test_rolls_from_standard_input_are_answered_one_by_one_in_order(run: Run) -> None:
    check_rolls(run, rolls(97))


@pytest.mark.soak
def test_every_roll_from_standard_input_is_answered(run: Run) -> None:
    check_rolls(run, rolls(1))


def test_the_best_selection_comes_first_and_none_comes_twice(run: Run) -> None:
    for told in run("score", "farkle-cribbage", "-", "--json", given="111222\n112246\n111111\n").lines:
        points = [each["points"] for each in told["selections"]]
        assert points == sorted(points, reverse=True)
        kinds = [tuple(sorted(each["dice"])) for each in told["selections"]]
        assert len(set(kinds)) == len(kinds) > 3


def test_the_parts_make_the_points_with_exactly_the_dice(run: Run) -> None:
    for told in run("score", "farkle-cribbage", "-", "--json", given="111222\n112246\n333446\n").lines:
        for each in told["selections"]:
            assert sum(part["points"] for part in each["parts"]) == each["points"] == each["totals"][0]
            assert [die for part in each["parts"] for die in part["dice"]] == each["dice"]


def test_a_person_reads_a_line_a_roll_from_standard_input(run: Run) -> None:
    answer = run("score", "farkle-cribbage", "-", given="1\n\n34466\n")
    assert answer.out == "1: |     1  1  (single 1)\n3 4 4 6 6: farkle\n"


def test_no_rolls_are_no_mistake(run: Run) -> None:
    assert run("score", "farkle-cribbage", "-", "--json") == Answered(0, "", "")


@pytest.mark.parametrize("line", ["7", "1234561", "x", "1 15", "\x00", "٣"])
def test_a_wrong_roll_of_standard_input_names_its_line(run: Run, line: str) -> None:
    answer = run("score", "farkle-cribbage", "-", "--json", given=f"1\n2\n{line}\n")
    assert (answer.status, len(answer.lines)) == (2, 2)
    assert answer.err.startswith("farklecrib: error: line 3: expected ")
    assert answer.err.count("\n") == 1


def test_input_that_is_no_text_is_refused(run: Run) -> None:
    refused(run("score", "farkle-cribbage", "-", given=b"\xff\xfe1\n"), "expected rolls in UTF-8 on standard input")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chess", "1"], "expected a rule set, got 'chess' (known: farkle-cribbage, "),
        (["farkle-cribage", "1"], "did you mean 'farkle-cribbage'? known: farkle-cribbage"),
        (["farkle-cribbage", "7"], "expected faces from 1 to 6, got '7'"),
        (["farkle-cribbage", ""], "expected dice as '1 1 5', '115' or '1-1-5', got ''"),
        (["farkle-cribbage", "1111111"], "expected 1 to 6 dice, got 7: '1111111'"),
        (["farkle-cribbage", "1,1"], "expected dice as '1 1 5', '115' or '1-1-5', got '1,1'"),
        (["farkle-cribbage", "1", "--set", "target"], "expected --set SWITCH=VALUE, got 'target'"),
        (["farkle-cribbage", "1", "--set", "traget=9"], "got 'traget' (did you mean 'target'?)"),
        (["farkle-cribbage", "1", "--set", "target=0"], "target: expected points from 1 to 1000000, got '0'"),
        (["farkle-cribbage", "11", "--locked", "5"], "expected 0 to 4 locked dice beside 2 rolled, got 5"),
        (["farkle-cribbage", "11", "--locked", "-1"], "expected 0 to 4 locked dice beside 2 rolled, got -1"),
    ],
)
def test_a_score_that_cannot_be_says_why(run: Run, words: list[str], said: str) -> None:
    refused(run("score", *words), said)


def test_a_switch_of_the_rules_may_be_set(run: Run) -> None:
    assert run("score", "farkle-cribbage", "11", "--set", "target=241", "--locked", "4").status == 0


@pytest.mark.shared
def test_the_worked_examples_are_told_with_their_points(run: Run, shared: Path) -> None:
    examples = json.loads((shared / "rules_examples.json").read_text(encoding="utf-8"))
    ours = [each for each in examples if each["ruleset"] == RULES.key and not each["options"]]
    given = "".join("".join(map(str, each["roll"])) + "\n" for each in ours)
    told = run("score", "farkle-cribbage", "-", "--json", given=given).lines
    assert len(told) == len(ours) > 10
    for each, answer in zip(ours, told, strict=True):
        points = {tuple(sorted(one["dice"])): one["points"] for one in answer["selections"]}
        assert points.get(tuple(sorted(each["selection"])), "illegal") == each["expect_points"], each
        assert answer["farkle"] is each["farkle"], each


# replay

HEAD = "rules: farkle-cribbage\nplayers: Ann, Ben\n"
GAME = f"{HEAD}set: target=20\nAnn: 233346 > 333, 146 > 1, bank\nBen: 344662 > 2, 34466 farkle\n"


def test_a_replay_is_told_as_the_contract_says(run: Run) -> None:
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


def test_a_turn_under_way_is_told_with_what_is_at_risk(run: Run) -> None:
    told = run("replay", "-", "--json", given=f"{GAME}Ann: 233346 > 333").json
    assert (told["turn"], told["turns"][2]["ended"]) == ({"points": 6, "dice_left": 3}, None)


def test_a_final_round_is_told_until_it_has_been_played(run: Run) -> None:
    told = run("replay", "-", "--json", given=f"{GAME}Ann: 111246 > 111, bank\n").json
    assert (told["final_round"], told["over"], told["to_move"]) == (True, False, "Ben")


def test_a_game_that_is_over_has_winners_and_nobody_to_move(run: Run) -> None:
    told = run("replay", "-", "--json", given=f"{GAME}Ann: 111246 > 111, bank\nBen: 334466\n").json
    assert (told["over"], told["final_round"], told["winners"]) == (True, False, ["Ann"])
    assert (told["to_move"], told["turn"]) == (None, None)


def test_a_score_beyond_the_end_stands_in_the_last_hole(run: Run) -> None:
    turns = "Ann: " + "111111 > 111111, " * 4 + "bank\n"
    told = run("replay", "-", "--json", given=f"{HEAD}{turns}").json
    assert (told["players"][0]["score"], told["players"][0]["hole"]) == (160, 121)


def test_a_person_reads_every_turn_and_the_end(run: Run) -> None:
    answer = run("replay", "-", given=f"{GAME}Ann: 111246 > 111, bank\nBen: 334466\n")
    assert answer.out == (
        "Farkle Cribbage: Ann, Ben\n"
        "Ann: 2 3 3 3 4 6, keeps 3 3 3 for 6; 1 4 6, keeps 1 for 1; banks 7, score 7\n"
        "Ben: 3 4 4 6 6 2, keeps 2 for 2; 3 4 4 6 6; farkle, score 0\n"
        "Ann: 1 1 1 2 4 6, keeps 1 1 1 for 20; banks 20, score 27. Ann is off the board: final round.\n"
        "Ben: 3 3 4 4 6 6; farkle, score 0\n"
        "Scores: Ann 27, Ben 0\n"
        "Won by Ann.\n"
    )


def test_a_person_reads_who_is_to_move(run: Run) -> None:
    assert run("replay", "-", given=f"{GAME}Ann: 233346 > 333").out.endswith("To move: Ann, 3 dice\n")


def test_a_file_is_replayed_as_standard_input_is(run: Run, tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text(GAME, encoding="utf-8")
    assert run("replay", tmp_path / "game.txt", "--json") == run("replay", "-", "--json", given=GAME)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("", "line 1: expected 'rules: NAME' before the game, got none"),
        ("rules: chess\nplayers: Ann\n", "line 1: expected a rule set, got 'chess' (known: farkle-cribbage, "),
        (f"{GAME}Ann: 344662 > 5\n", "line 6: expected dice of the roll 3 4 4 6 6 2, got '5'"),
        (b"rules: \xff\n", "expected a written game in UTF-8, got '-'"),
    ],
)
def test_a_game_that_cannot_be_says_line_and_reason(run: Run, given: str | bytes, said: str) -> None:
    refused(run("replay", "-", "--json", given=given), said)


def test_a_file_that_is_not_there_is_named(run: Run, tmp_path: Path) -> None:
    refused(run("replay", tmp_path / "none.txt"), "none.txt': No such file or directory")


def test_a_folder_is_no_written_game(run: Run, tmp_path: Path) -> None:
    refused(run("replay", tmp_path), "Is a directory")


def test_a_picture_is_no_written_game(run: Run) -> None:
    refused(run("replay", TRAY), "expected a written game in UTF-8, got")


# read


def truth(picture: Path) -> list[int]:
    """The faces that lie on one of our trays."""
    for line in (TRAYS / "truth.jsonl").read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        if told["image"] == picture.name:
            return sorted(die["pips"] for die in told["dice"])
    raise AssertionError(picture)


def test_a_picture_is_told_as_the_contract_says(run: Run) -> None:
    told = run("read", TRAY, "--json").json
    assert list(told) == ["source", "dice", "sure", "doubts", "ms"]
    assert (told["source"], told["doubts"], told["sure"]) == (str(TRAY), [], True)
    assert sorted(die["face"] for die in told["dice"]) == truth(TRAY)
    for die in told["dice"]:
        assert list(die) == ["face", "box", "confidence", "zone", "doubts"]
        x, y, w, h = die["box"]
        assert min(x, y, w, h) >= 0
        assert (die["zone"], 0 <= die["confidence"] <= 1) == (None, True)
    assert told["ms"] > 0


def test_a_person_reads_a_line_a_picture(run: Run) -> None:
    answer = run("read", TRAY)
    source, faces = answer.out.strip().rsplit(": ", 1)
    assert (source, sorted(map(int, faces.split()))) == (str(TRAY), truth(TRAY))


def test_a_folder_is_read_in_the_order_of_its_names(run: Run, tmp_path: Path) -> None:
    for name in ("b.jpg", "c.JPG", "a.jpg"):
        copy(TRAY, tmp_path / name)
    (tmp_path / "notes.txt").write_text("no picture")
    answer = run("read", tmp_path, "--json")
    assert [line["source"] for line in answer.lines] == [str(tmp_path / name) for name in ("a.jpg", "b.jpg", "c.JPG")]
    assert answer.status == 0


BROKEN = {
    "cut.jpg": TRAY.read_bytes()[:5000],
    "text.jpg": b"this is no picture",
    "empty.png": b"",
    "huge.png": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x75\x30\x00\x00\x75\x30\x08\x02\x00\x00\x00",
    "clip.mp4": b"no clip",
    "game.txt": GAME.encode(),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_cannot_be_read_is_said_and_the_others_are_read(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(BROKEN[name])
    answer = run("read", TRAY, tmp_path / name, TRAY, "--json")
    good, bad, after = answer.lines
    assert (answer.status, list(bad), bad["source"]) == (1, ["source", "error"], str(tmp_path / name))
    assert good["dice"] == after["dice"] != []
    assert bad["error"].startswith("expected ")


def test_a_person_reads_why_a_picture_cannot_be_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"no picture")
    answer = run("read", tmp_path)
    assert answer.status == 1
    assert answer.out.startswith(f"{tmp_path / 'a.jpg'}: error: expected ")


def test_a_picture_without_dice_is_an_empty_list(run: Run, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "felt.png"), np.full((480, 640, 3), (40, 90, 30), np.uint8))
    told = run("read", tmp_path / "felt.png", "--json").json
    assert told["dice"] == []


def test_a_count_that_was_expected_and_did_not_come_is_a_doubt(run: Run) -> None:
    told = run("read", TRAY, "--json", "--expect", "5").json
    assert ("count" in told["doubts"], told["sure"], len(told["dice"])) == (True, False, 6)


def test_a_doubt_is_told_to_a_person(run: Run) -> None:
    assert "(not sure: count)" in run("read", TRAY, "--expect", "5").out


def test_an_overlay_is_written_beside_no_picture_that_was_read(run: Run, tmp_path: Path) -> None:
    before = TRAY.read_bytes()
    assert run("read", TRAY, TRAY, "--overlay", tmp_path / "seen", "--json").status == 0
    assert sorted(file.name for file in (tmp_path / "seen").iterdir()) == ["00104-2.read.jpg", "00104.read.jpg"]
    drawn = cv2.imread(str(tmp_path / "seen" / "00104.read.jpg"))
    assert drawn.shape == cv2.imread(str(TRAY)).shape
    assert TRAY.read_bytes() == before


def test_each_settled_throw_of_a_clip_is_a_line_with_its_time(run: Run, tmp_path: Path) -> None:
    still = cv2.resize(cv2.imread(str(TRAY)), (640, 480))
    writer = cv2.VideoWriter(str(tmp_path / "a.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 30.0, (640, 480))
    for _ in range(30):
        writer.write(still)
    writer.release()
    told = run("read", tmp_path / "a.avi", "--json").lines
    assert len(told) == 1
    assert {"at_s", "frame"} <= set(told[0])
    assert told[0]["at_s"] == pytest.approx(told[0]["frame"] / 30, abs=0.002)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["{folder}"], "expected pictures (JPEG, PNG, BMP) or clips (MP4, AVI) in '{folder}', got none"),
        (["{folder}/none.jpg"], "got '{folder}/none.jpg', which is not there"),
        (["{tray}", "{folder}/none.jpg"], "got '{folder}/none.jpg', which is not there"),
        (["{tray}", "--calibration", "{folder}/none.json"], "none.json"),
        (["{tray}", "--calibration", "{tray}"], "expected"),
        (["{tray}", "--overlay", "{tray}"], "expected a folder for the overlays, got '{tray}'"),
    ],
)
def test_a_reading_that_cannot_be_says_why_before_anything_is_read(
    run: Run, tmp_path: Path, words: list[str], said: str
) -> None:
    given = [word.format(folder=tmp_path, tray=TRAY) for word in words]
    refused(run("read", *given, "--json"), said.format(folder=tmp_path, tray=TRAY))
