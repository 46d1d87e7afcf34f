"""The installed script, and the behaviour of every command: mistakes in one line, help, three exit statuses."""

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from asked import Answered, Run, refused

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


def test_the_script_reads_and_writes_another_language_without_a_locale() -> None:
    given = "rules: farkle-cribbage\nplayers: Zoë, 小龙\nZoë: 233346 > 333, bank\n"
    answer = script("replay", "-", "--json", given=given, LC_ALL="C", PYTHONUTF8="1")
    assert (answer.status, answer.err) == (0, "")
    assert [player["name"] for player in answer.json["players"]] == ["Zoë", "小龙"]


def test_a_pipe_closed_early_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [SCRIPT, "score", "farkle-cribbage", "-", "--json"]
    for rolls in (1, 2000):  # all of it held back, and more than a pipe holds
        ended = subprocess.run(
            command,
            input="112246\n" * rolls,
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert (ended.returncode, ended.stderr) == (0, "")
    os.close(writing)


LOADED = """
import builtins, sys
import_, asked = builtins.__import__, set()
def noted(name, globals=None, *rest):
    if name.partition(".")[0] == "pydantic":
        asked.add((globals or {}).get("__name__", "").partition(".")[0])
    return import_(name, globals, *rest)
builtins.__import__ = noted
from companion.cli.main import main
sys.argv = ["farklecrib", "score", "farkle-cribbage", "115"]
try: main()
except SystemExit: pass
print(*asked & {"companion", "farkle"}, *{name.partition(".")[0] for name in sys.modules})
"""


def test_a_score_has_loaded_no_vision_no_web_and_no_hardware_and_itself_no_pydantic() -> None:
    command = [sys.executable, "-c", LOADED]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    loaded = ended.stdout.splitlines()[-1].split()
    slow = {"cv2", "numpy", "fastapi", "uvicorn", "gpiozero", "neopixel", "dicereader", "pegboard"}
    assert (set(loaded) & slow, loaded.count("farkle"), loaded.count("companion")) == (set(), 1, 1)


def test_every_command_has_help_and_the_program_prints_it_without_a_command(run: Run) -> None:
    for command in ("read", "score", "replay", "play", "version"):
        answer = run(command, "--help")
        assert (answer.status, answer.err) == (0, "")
        assert "Usage: " in answer.out
    assert run() == run("--help")
    assert run("version") == Answered(0, f"farklecrib {version('farklecrib')}\n", "")


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


def test_a_bug_is_not_reported_as_a_mistake_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.cli.rules.rules_named", lambda _: 1 / 0)
    monkeypatch.setattr("sys.argv", ["farklecrib", "score", "farkle-cribbage", "1"])
    with pytest.raises(ZeroDivisionError):
        main()


def test_too_little_memory_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def lacks_it(_: object) -> None:
        raise MemoryError("no room for a thread")

    monkeypatch.setattr("companion.cli.rules.rules_named", lacks_it)
    said = "farklecrib: error: expected enough memory, threads and open files, got: no room for a thread\n"
    assert run("score", "farkle-cribbage", "1") == Answered(1, "", said)
