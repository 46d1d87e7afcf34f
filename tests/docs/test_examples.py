"""The examples of the docs run, and all code in the docs comes from them."""

import re
import runpy
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from farkle.notation import write
from farkle.replay import replay

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "docs" / "examples"
CODE = re.compile(r"^```(?:python|text)\n(.*?)^```$", re.DOTALL | re.MULTILINE)

COUNTS = tomllib.loads((EXAMPLES / "fives-count.toml").read_text(encoding="utf-8"))["expected"]
PRINTED = {
    "expected_counts.py": "".join(f"{name} = {numbers}\n" for name, numbers in COUNTS.items()),
    "light_a_board.py": "313 LEDs",
    "play_a_game.py": "refused (number_of_dice): expected 3 dice, got 2: '11'",
    "read_a_picture.py": "the dice show 1 5 2 5 4 2",
    "read_many_pictures.py": "missing.jpg: expected a picture in",
    "replay_a_game.py": "won by Ann",
    "score_a_roll.py": "8 (3, 3, 3, 2)",
}
"""A part of what each program prints."""


def test_every_program_is_run() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(PRINTED)


@pytest.mark.parametrize("name", PRINTED)
def test_an_example_runs_from_the_clone(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    assert PRINTED[name] in capsys.readouterr().out


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.farkle")), ids=lambda path: path.stem)
def test_a_written_game_is_unchanged_when_written_again(path: Path) -> None:
    played = replay(path.read_text(encoding="utf-8"))
    assert played.turns
    again = write(played.events)
    assert replay(again) == played


def test_all_code_in_the_docs_is_a_file_that_is_tested(generate: ModuleType) -> None:
    tested = [*EXAMPLES.rglob("*.*"), *(ROOT / "tests" / "table").glob("*.scene")]
    files = {path.read_text(encoding="utf-8").rstrip() for path in tested if path.is_file() and path.suffix != ".pyc"}
    for path in generate.documents():
        text = generate.MARKED.sub(
            lambda part: part[0] if "signature" not in part["name"] else "", path.read_text("utf-8")
        )
        for block in CODE.findall(text):
            assert block.rstrip() in files, f"{path.name}: {block}"
