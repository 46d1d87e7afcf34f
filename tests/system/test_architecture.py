"""The architecture's rules hold: pure packages stay pure, imports stay light, and no name hides a library."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
CLOCKS = {"time", "datetime", "random", "secrets", "threading", "asyncio", "logging", "socket", "subprocess", "queue"}
FILES = {"os", "pathlib", "sqlite3", "io", "shutil", "tempfile"}
OF_EACH_NETWORK = {"WEIGHTS_FILE", "OUTPUTS"}
RESERVED = {"board", "neopixel", "digitalio", "microcontroller", "picamera2"}


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


def test_a_reading_needs_neither_opencv_nor_numpy() -> None:
    assert (
        loaded("import dicereader.reading, dicereader.sources.synthetic.world, dicereader.tray.geometry")
        & {"cv2", "numpy"}
        == set()
    )


def loaded(code: str) -> set[str]:
    """Return the top-level modules that are loaded after this code ran in a new Python process."""
    script = f"{code}\nimport sys\nprint(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    return set(
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    )


def test_the_game_loads_no_numpy() -> None:
    assert loaded("import farkle.game.machine, farkle.replay") & {"numpy", "cv2"} == set()


def test_a_score_loads_no_vision_no_web_no_hardware() -> None:
    code = "import companion.cli.main, companion.cli.rules, companion.cli.replay"
    assert loaded(code) & {"cv2", "numpy", "fastapi", "uvicorn", "gpiozero", "neopixel", "dicereader"} == set()


def test_the_game_process_never_loads_opencv() -> None:
    assert "cv2" not in loaded("import companion.app, companion.cli.play")


def test_no_package_and_no_module_takes_a_name_of_the_hardware_libraries() -> None:
    for root in ("firmware", "vision", "board", "."):
        names = {
            path.stem for path in (ROOT / root).iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
        }
        assert not names & RESERVED, root
    assert not (ROOT / "board" / "__init__.py").exists()


def test_import_board_from_the_repositorys_folder_finds_blinka() -> None:
    pytest.importorskip("adafruit_blinka", reason="needs Blinka: pip install adafruit-circuitpython-neopixel")
    environment = {**os.environ, "BLINKA_OS_AGNOSTIC": "1", "BLINKA_SKIP_DEPENDENCY_CHECK": "1"}
    code = "import sys; sys.path.insert(0, ''); import board; print(board.__file__)"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, env=environment, check=True
    )
    assert str(ROOT / "board") not in answer.stdout
    assert "board.py" in answer.stdout


def test_no_message_from_the_eye_can_carry_the_truth() -> None:
    code = "from dicereader.live.messages import FromEye; print(FromEye)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "World" not in said


def test_a_constant_of_the_stages_means_one_thing() -> None:
    taken: dict[str, list[str]] = {}
    for file in sorted((ROOT / "vision" / "dicereader" / "stages").rglob("*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            targets = node.targets if isinstance(node, ast.Assign) else []
            for name in (each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)):
                taken.setdefault(name, []).append(file.name)
    assert len(taken) > 200
    assert {name: files for name, files in taken.items() if len(files) > 1 and name not in OF_EACH_NETWORK} == {}


def test_a_class_name_has_one_meaning() -> None:
    places: dict[str, list[str]] = {}
    for folder in ("firmware", "vision", "board", "bench", "docs", "systemd"):
        for file in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    places.setdefault(node.name, []).append(file.relative_to(ROOT).as_posix())
    assert len(places) > 400
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def test_drivers_are_found_by_their_files_names() -> None:
    for package in ("firmware/companion", "board/pegboard", "vision/dicereader"):
        assert len(list((ROOT / package).rglob("drivers.py"))) <= 1, package


def test_the_top_folder_holds_no_stray_file() -> None:
    names = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True).split("\0")
    suffixes = {Path(name).suffix for name in names if "/" not in name}
    assert suffixes == {"", ".md", ".toml"}
