"""The examples of the docs run, and all code in the docs comes from them."""

import re
import subprocess
import sys
import tomllib
from itertools import product
from pathlib import Path
from types import ModuleType

import pytest

from farkle.notation import parse, write
from farkle.replay import replay
from farkle.rules.document import rule_set_from
from farkle.rules.selections import legal_selections

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "docs" / "examples"
CODE = re.compile(r"^```(?:python|text)\n(.*?)^```$", re.DOTALL | re.MULTILINE)

PRINTED = {
    "expected_counts.py": "farkles = [4, 16, 60, 204, 600, 1440]",
    "light_a_board.py": "313 LEDs",
    "play_a_game.py": "refused (number_of_dice): expected 3 dice, got 2: '11'",
    "read_a_picture.py": "the dice show 1 5 2 5 4 2",
    "read_many_pictures.py": "missing.jpg: expected a picture in",
    "replay_a_game.py": "won by Ann",
    "score_a_roll.py": "8 (3, 3, 3, 2)",
}
"""A part of what each program prints."""


def games() -> list[Path]:
    return sorted(EXAMPLES.glob("*.farkle"))


def test_every_program_is_run() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(PRINTED)


@pytest.mark.parametrize("name", PRINTED)
def test_an_example_runs_from_the_clone(name: str) -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name)], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert PRINTED[name] in done.stdout


@pytest.mark.parametrize("path", games(), ids=lambda path: path.stem)
def test_a_written_game_of_the_docs_is_legal(path: Path) -> None:
    assert replay(path.read_text(encoding="utf-8")).turns


@pytest.mark.parametrize("path", games(), ids=lambda path: path.stem)
def test_a_written_game_is_unchanged_when_written_again(path: Path) -> None:
    played = replay(path.read_text(encoding="utf-8"))
    again = write(played.events)
    assert replay(again) == played
    assert parse(again).names == played.state.players


def test_all_code_in_the_docs_is_a_file_that_is_tested(generate: ModuleType) -> None:
    tested = [*EXAMPLES.rglob("*.*"), *(ROOT / "tests" / "table").glob("*.scene")]
    files = {path.read_text(encoding="utf-8").rstrip() for path in tested if path.is_file() and path.suffix != ".pyc"}
    for path in generate.documents():
        text = generate.MARKED.sub(
            lambda part: part[0] if "signature" not in part["name"] else "", path.read_text("utf-8")
        )
        for block in CODE.findall(text):
            assert block.rstrip() in files, f"{path.name}: {block}"


def test_the_example_rule_set_is_valid_and_has_the_counts_of_its_file() -> None:
    file = EXAMPLES / "fives-count.toml"
    document = tomllib.loads(file.read_text(encoding="utf-8"))
    rules = rule_set_from(document, file.name)
    assert rules.key == file.stem
    for size in range(1, 6):  # rolls of six dice run through the same loop, but slowly
        rolls = [legal_selections(rules, roll) for roll in product(range(1, 7), repeat=size)]
        assert sum(not each for each in rolls) == document["expected"]["farkles"][size - 1]
        assert sum(len(each) for each in rolls) == document["expected"]["selections"][size - 1]
        assert sum(each[0].points for each in rolls if each) == document["expected"]["best_scores"][size - 1]
