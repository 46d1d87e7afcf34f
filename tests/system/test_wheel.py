"""The program as a wheel and a source archive, and the reader as a distribution of its own."""

import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
from running import Table
from test_architecture import imported

ROOT = Path(__file__).resolve().parents[2]
TRAY = ROOT / "tests" / "pictures" / "trays" / "00104.jpg"

USED = """
import importlib.metadata, importlib.util, sys
import dicereader
assert dicereader.__version__ == importlib.metadata.version("dicereader")
assert dicereader.__file__.startswith(sys.prefix), dicereader.__file__
assert importlib.util.find_spec("companion") is None
print(*dicereader.Reader().read(sys.argv[1], expect=6).faces)
"""


def made(target: str, into: Path) -> None:
    """Make a target. Packages are not installed again, even if pyproject.toml is newer than they are."""
    command = ["make", "--old-file=.venv/installed", target, f"DIST={into}", f"BIN={Path(sys.executable).parent}"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)


def installed(distribution: Path, folder: Path) -> Path:
    """Return the Python of a new environment that holds this distribution, and its dependencies from this one."""
    venv.create(folder, symlinks=True)
    (site,) = folder.glob("lib/python*/site-packages")
    # A path in a .pth file adds no editable packages.
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    python = folder / "bin" / "python"
    options = ["install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--ignore-installed"]
    subprocess.run([sys.executable, "-m", "pip", "--python", python, *options, distribution], check=True)
    return python


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the reader's wheel."""
    into = tmp_path_factory.mktemp("reader")
    made("wheel-dicereader", into)
    (built,) = into.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the program's wheel and source archive. Return their folder."""
    into = tmp_path_factory.mktemp("dist")
    made("dist", into)
    return into


def test_the_wheel_of_the_program_holds_every_file_of_its_packages(dist: Path) -> None:
    (built,) = dist.glob("*.whl")
    names = zipfile.ZipFile(built).namelist()
    for folder, package in (
        ("firmware", "companion"),
        ("firmware", "farkle"),
        ("firmware", "farkleague"),
        ("firmware", "farklestyles"),
        ("vision", "dicereader"),
        ("board", "pegboard"),
    ):
        files = (path for path in (ROOT / folder / package).rglob("*.*") if "__pycache__" not in path.parts)
        assert {path.relative_to(ROOT / folder).as_posix() for path in files} <= set(names)


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", ["*.whl", "*.tar.gz"])
def test_the_program_starts_from_an_empty_environment(dist: Path, tmp_path: Path, kind: str) -> None:
    (built,) = dist.glob(kind)
    python = installed(built, tmp_path / "venv")
    where = subprocess.check_output([python, "-I", "-c", "import companion; print(companion.__file__)"], text=True)
    assert where.startswith(str(tmp_path))
    table = Table(tmp_path / "games", python=str(python))
    try:
        assert table.ready().get("state")["phase"] == "lobby"
    finally:
        table.end()


@pytest.mark.exhaustive
def test_the_wheel_holds_weights_types_and_licence_and_nothing_of_the_program(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    library = ROOT / "vision" / "dicereader"
    files = {path.relative_to(library).as_posix() for path in library.rglob("*.*") if "__pycache__" not in path.parts}
    assert {"py.typed", "models/detector.onnx", "models/confidence.toml", "data/camera_modules.toml"} <= files
    assert files | {"LICENSE"} <= {name.removeprefix("dicereader/") for name in names}
    assert {name.split("/")[0].split("-")[0] for name in names} == {"dicereader"}


@pytest.mark.exhaustive
def test_the_wheel_reads_dice_from_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    python = installed(wheel, tmp_path / "venv")
    done = subprocess.run([python, "-I", "-c", USED, TRAY], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.split()) == ["1", "2", "2", "4", "5", "5"]


def test_its_dependencies_are_those_of_the_program() -> None:
    program, library = (
        set(tomllib.loads((ROOT / folder / "pyproject.toml").read_text())["project"]["dependencies"])
        for folder in ("", "vision")
    )
    assert library <= program
    modules = set().union(*(imported(file) for file in (ROOT / "vision" / "dicereader").rglob("*.py")))
    others = modules - sys.stdlib_module_names - {"dicereader", "libcamera", "picamera2"}
    assert {each.replace("cv2", "opencv-python-headless") for each in others} == {
        re.split(r"[><=]", line)[0] for line in library
    }
