"""The installed script, and the behaviour of every command: mistakes in one line, help, three exit statuses."""

import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from shutil import copy

import cv2
import numpy as np
import pytest
from asked import HEAD, TRAY, Answered, Run, refused

from companion.cli.main import main

SCRIPT = Path(sys.executable).with_name("farklecrib")
PATIENCE_S = 60.0


def script(*words: object, given: str | None = None, **environment: str) -> Answered:
    """Run the installed console script as its own process, and wait for its end."""
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


# The installed script


def test_the_script_scores_a_roll_with_status_0() -> None:
    answer = script("score", "farkle-cribbage", "1112", "--json")
    assert (answer.status, answer.err, answer.json["selections"][0]["points"]) == (0, "", 22)


@pytest.mark.exhaustive
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
def test_a_pipe_closed_early_is_no_error(rolls_given: int) -> None:
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


@pytest.mark.exhaustive
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
        "import sys\nfrom companion.cli.main import main\n"
        "sys.argv = ['farklecrib', 'score', 'farkle-cribbage', '115']\n"
        "try: main()\nexcept SystemExit: pass\nprint(*{name.partition('.')[0] for name in sys.modules})"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    loaded = set(ended.stdout.splitlines()[-1].split())
    assert loaded & {"cv2", "numpy", "fastapi", "uvicorn", "gpiozero", "neopixel", "dicereader", "pegboard"} == set()
    assert {"farkle", "companion"} <= loaded


WHO_IMPORTS_PYDANTIC = """
import builtins, sys
import_ = builtins.__import__
asked = set()
def noted(name, globals=None, *rest):
    if name.partition(".")[0] == "pydantic":
        asked.add((globals or {}).get("__name__", "").partition(".")[0])
    return import_(name, globals, *rest)
builtins.__import__ = noted
from companion.cli.main import main
sys.argv = ["farklecrib", *sys.argv[1:]]
try: main()
except SystemExit: pass
print(*asked & {"companion", "farkle"})
"""


@pytest.mark.parametrize(
    ("words", "who"),
    [
        pytest.param(["version"], "", marks=pytest.mark.exhaustive),
        (["score", "farkle-cribbage", "115"], ""),
        pytest.param(["rules", "show", "farkle-cribbage"], "", marks=pytest.mark.exhaustive),
        (["config", "path"], "companion"),
    ],
)
def test_only_commands_that_read_typed_files_import_pydantic_themselves(words: list[str], who: str) -> None:
    command = [sys.executable, "-c", WHO_IMPORTS_PYDANTIC, *words]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    assert ended.stdout.splitlines()[-1] == who


# The behaviour of every command


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("bogus", "No such command 'bogus'."),
        ("score farkle-cribbage", "Missing argument 'DICE'."),
        ("score farkle-cribbage 115 6", "unexpected extra argument"),
        ("score farkle-cribbage 115 --jsn", "No such option: --jsn ("),
        ("read", "Missing argument 'PATH...'."),
        ("read x.jpg --expect many", "'--expect': expected a whole number, got 'many'"),
        ("read x.jpg --expect -1", "'--expect': expected at least 0, got '-1'"),
        ("play --port 65536", "'--port': expected at most 65535, got '65536'"),
        ("calibrate --die thick", "'--die': expected a number, got 'thick'"),
        ("games export 1 --format xml", "'--format': expected one of 'json', 'csv', 'notation', got 'xml'"),
    ],
)
def test_a_command_line_that_cannot_be_read_gets_one_line(run: Run, words: str, said: str) -> None:
    refused(run(*words.split()), said)


def test_every_command_has_help_and_the_program_prints_it_without_a_command(run: Run) -> None:
    for command in ("read", "score", "replay", "play", "version"):
        answer = run(command, "--help")
        assert (answer.status, answer.err) == (0, "")
        assert "Usage: " in answer.out
    assert run() == run("--help")


def test_lights_on_a_terminal_need_a_terminal(run: Run, tmp_path: Path) -> None:
    refused(run("play", "--port", "0", "--data", tmp_path, "--leds", "terminal"), "expected a terminal")


def test_play_is_the_first_command_of_the_help(run: Run) -> None:
    listed = re.findall(r"^\W*([a-z][a-z-]*)  ", run("--help").out.partition("Commands")[2], re.MULTILINE)
    assert listed[0] == "play"


def test_a_bug_is_not_reported_as_a_mistake_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.cli.rules.rules_named", lambda _: 1 / 0)
    monkeypatch.setattr("sys.argv", ["farklecrib", "score", "farkle-cribbage", "1"])
    with pytest.raises(ZeroDivisionError):
        main()
