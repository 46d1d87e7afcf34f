"""Dependencies: each imported library is declared, and each declared one is locked with its hashes."""

import re
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from test_architecture import imported

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT, BUILD = PYPROJECT["project"], PYPROJECT["build-system"]["requires"]
EXTRAS = PROJECT["optional-dependencies"]

SCRIPTS = ("board/enclosure", "systemd", "systemd/debian")
OWN = {"companion", "dicereader", "farkle", "farkleague", "farklestyles", "pegboard"}
OWN |= {file.stem for folder in SCRIPTS for file in (ROOT / folder).glob("*.py")}
DISTRIBUTIONS = {
    "fpdf": "fpdf2",
    "cv2": "opencv-python-headless",
    "microcontroller": "adafruit-blinka",
    "neopixel": "adafruit-circuitpython-neopixel",
    "paho": "paho-mqtt",
}
"""The distribution of a module whose name is another."""

LOCKS = {
    "requirements/play.txt": (),
    "requirements/league.txt": ("league",),
    "requirements/dev.txt": ("dev",),
    "requirements/train.txt": ("dev", "train"),
    "requirements/pi.txt": ("pi", "mqtt"),
    "requirements/pi5.txt": ("pi", "pi5", "mqtt"),
    "requirements/release.txt": ("release",),
    "requirements/templates.txt": ("templates",),
}
"""Each lock made from pyproject.toml, and the extras it is for."""

TARGETS = [
    {"python_version": python, "python_full_version": f"{python}.2", "platform_machine": machine}
    | {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"}
    for python in ("3.11", "3.13")
    for machine in ("x86_64", "aarch64")
]
"""Bookworm's and Trixie's Python, on a desk and on a Pi."""


def declared(*extras: str) -> list[Requirement]:
    """Return the project's requirements with these extras, and with the extras that they include."""
    found, ahead = [Requirement(line) for line in PROJECT["dependencies"]], [*extras]
    while ahead:
        named = [Requirement(line) for line in EXTRAS[ahead.pop()]]
        found += [each for each in named if each.name != PROJECT["name"]]
        ahead += [extra for each in named if each.name == PROJECT["name"] for extra in each.extras]
    return found


def entries(lock: str) -> list[tuple[Requirement, int]]:
    """Return the requirements of a lock, each with the number of its hashes."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    whole = re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ").splitlines()
    return [(Requirement(line.partition("--hash")[0].strip()), line.count("--hash=sha256:")) for line in whole]


def pinned(lock: str, target: dict[str, str]) -> dict[str, str]:
    """Return the version of each package that a lock installs on a machine, by canonical name."""
    found = [each for each, _ in entries(lock) if each.marker is None or each.marker.evaluate(target)]
    assert len({canonicalize_name(each.name) for each in found}) == len(found), "one version for one machine"
    return {canonicalize_name(each.name): str(each.specifier).removeprefix("==") for each in found}


@pytest.mark.parametrize("folder", ["firmware", "vision", "board/pegboard", "board/enclosure", "systemd"])
def test_each_library_that_is_imported_is_declared(folder: str) -> None:
    files = list((ROOT / folder).rglob("*.py"))
    modules = set().union(*(imported(file) for file in files))
    modules |= {
        name for file in files for name in re.findall(r'import_module\("(\w+)', file.read_text(encoding="utf-8"))
    }
    foreign = modules - sys.stdlib_module_names - OWN
    extras = {"board/enclosure": ("templates",), "systemd": ("dev",)}.get(folder, ("pi", "pi5", "camera", "league"))
    names = {canonicalize_name(each.name) for each in declared(*extras)}
    assert {DISTRIBUTIONS.get(module, canonicalize_name(module)) for module in foreign} - names == set()


@pytest.mark.parametrize(
    "target", TARGETS, ids=lambda target: f"{target['python_version']}-{target['platform_machine']}"
)
@pytest.mark.parametrize(("lock", "extras"), LOCKS.items())
def test_a_lock_holds_every_declared_requirement(lock: str, extras: tuple[str, ...], target: dict[str, str]) -> None:
    versions = pinned(lock, target)
    if "train" in extras:
        versions |= pinned("requirements/torch.txt", target)
    for each in declared(*extras):
        if each.marker is None or each.marker.evaluate(target):
            assert each.specifier.contains(versions[canonicalize_name(each.name)], prereleases=True), each


@pytest.mark.parametrize("lock", ["requirements/build", "requirements/scenes", "tests/virtual_camera/requirements"])
def test_the_locks_of_tools_hold_every_requirement_of_their_lists(lock: str) -> None:
    versions = pinned(f"{lock}.txt", TARGETS[-1])
    for each, _ in entries(f"{lock}.in"):
        assert each.specifier.contains(versions[canonicalize_name(each.name)]), each


@pytest.mark.parametrize(
    "lock", [*LOCKS, "requirements/build.txt", "requirements/scenes.txt", "tests/virtual_camera/requirements.txt"]
)
def test_every_package_of_a_lock_is_exact_and_has_a_hash_and_no_place_of_a_machine(lock: str) -> None:
    found = entries(lock)
    assert found
    for each, hashes in found:
        assert str(each.specifier).startswith("=="), each
        assert hashes, each
    assert re.findall(r"://|--index|--find-links| @ |\s/\w", (ROOT / lock).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "target", TARGETS, ids=lambda target: f"{target['python_version']}-{target['platform_machine']}"
)
def test_the_locks_of_a_desk_agree(target: dict[str, str]) -> None:
    dev = pinned("requirements/dev.txt", target)
    for lock in ("requirements/play.txt", "requirements/train.txt", "requirements/build.txt"):
        theirs = pinned(lock, target)
        assert {name: version for name, version in theirs.items() if dev.get(name, version) != version} == {}
