"""The architecture's rules hold: pure packages stay pure, and imports stay light."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
CLOCKS = {"time", "datetime", "random", "secrets", "threading", "asyncio", "logging", "socket", "subprocess", "queue"}
FILES = {"os", "pathlib", "sqlite3", "io", "shutil", "tempfile"}


def imported(file: Path) -> set[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found


@pytest.mark.parametrize("package", ["farkle", "companion/table", "companion/features/*/table"])
def test_pure_packages_use_no_clock_no_random_numbers_no_threads_no_files(package: str) -> None:
    files = [*(ROOT / "firmware").glob(f"{package}/**/*.py"), *(ROOT / "firmware").glob(f"{package}.py")]
    assert len(files) > 4
    for file in files:
        assert not imported(file) & (CLOCKS | FILES), file
        allowed = {"numpy"} if file.is_relative_to(ROOT / "firmware" / "farkle" / "odds") else set()
        assert imported(file) & {"numpy", "cv2"} <= allowed, file


@pytest.mark.parametrize(
    ("modules", "unwanted"),
    [
        ("companion.app, companion.cli.play", {"paho"}),
        ("dicereader.reading, dicereader.sources.synthetic.world, dicereader.tray.geometry", {"numpy"}),
    ],
    ids=["the game's process", "a reading"],
)
def test_an_import_loads_no_library_that_it_does_not_need(modules: str, unwanted: set[str]) -> None:
    code = f"import {modules}, sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {name.partition(".")[0] for name in loaded} & ({"cv2"} | unwanted) == set()


def test_import_board_from_the_repositorys_folder_finds_blinka() -> None:
    pytest.importorskip("adafruit_blinka", reason="needs Blinka: pip install adafruit-circuitpython-neopixel")
    environment = {**os.environ, "BLINKA_OS_AGNOSTIC": "1", "BLINKA_SKIP_DEPENDENCY_CHECK": "1"}
    code = "import sys; sys.path.insert(0, ''); import board; print(board.__file__)"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, env=environment, check=True
    )
    assert str(ROOT / "board") not in answer.stdout
    assert "board.py" in answer.stdout
