"""Each cure that can run is run, without effect: apt simulates, and pip resolves from a folder of empty wheels."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

from pegboard.installation import ADDED, HOME, PI_5_STRIP, add, add_extra, install_again, packaged_version, upgrade
from pegboard.sound.espeak import PACKAGES

REPO = Path(__file__).resolve().parents[2]
PACKAGED = str(HOME / "0.1.0+deb13")
PATIENCE_S = 120.0
SOURCES = [
    path
    for folder in ("firmware", "board/pegboard", "vision/dicereader")
    for path in (REPO / folder).rglob("*")
    if path.suffix in {".py", ".toml"}
]
APT = re.compile(r"apt install ((?:--[a-z-]+ )*[a-z][a-z0-9.+-]*[a-z0-9](?: [a-z0-9.+-]*[a-z0-9])*)")


def apt_cures() -> Iterator[str]:
    """Yield what the program lets a person install by apt."""
    yield from PACKAGES.values()
    for path in SOURCES:
        yield from APT.findall(path.read_text(encoding="utf-8"))


@pytest.fixture
def simulated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let apt simulate, pip only resolve, and sudo call its command; return the folder of the wheels that pip finds."""
    config = tmp_path / "apt.conf"
    config.write_text('APT::Get::Simulate "true"; APT::Get::Assume-Yes "true";\n', encoding="ascii")
    (tmp_path / "bin").mkdir()
    sudo = tmp_path / "bin/sudo"
    sudo.write_text('#!/bin/sh\nexec "$@"\n', encoding="ascii")
    sudo.chmod(0o755)
    python = tmp_path / "bin/python3"  # the system's one may lack pip, which the cure installs first
    python.symlink_to(sys.executable)
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    environment = {
        "APT_CONFIG": str(config),
        "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PIP_DRY_RUN": "1",
        "PIP_NO_INDEX": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip's own rule: 0 says that there is no isolation
        "PIP_FIND_LINKS": str(wheels),
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return wheels


def run(cure: str, folder: Path = REPO) -> str:
    """Run a cure as a person types it; return its output."""
    done = subprocess.run(
        ["sh", "-c", cure], capture_output=True, text=True, timeout=PATIENCE_S, check=False, cwd=folder
    )
    assert done.returncode == 0, f"{cure}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def put_wheel(folder: Path, name: str, version: str) -> None:
    stem = f"{name.replace('-', '_')}-{version}"
    with zipfile.ZipFile(folder / f"{stem}-py3-none-any.whl", "w") as wheel:
        info = f"{stem}.dist-info"
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", "")


def apt_knows(package: str) -> bool:
    """Return whether apt could install a package; skip where apt is missing or knows no package."""
    if shutil.which("apt-cache") is None or shutil.which("apt") is None:
        pytest.skip("needs apt")
    policy = ["apt-cache", "policy", package, "espeak-ng"]
    said = subprocess.run(policy, capture_output=True, text=True, check=False).stdout
    if "espeak-ng:" not in said:
        pytest.skip("needs apt's lists: sudo apt-get update")
    return f"{package}:" in said and "Candidate: (none)" not in said


@pytest.mark.exhaustive
def test_apt_installs_what_the_cures_name(simulated: Path) -> None:
    cures = sorted(set(apt_cures()))
    assert {"espeak-ng", "alsa-utils", "python3-pip"} <= set(cures)
    known = [cure for cure in cures if apt_knows(cure.split()[-1])]
    assert set(cures) - set(known) <= {"--no-install-recommends python3-picamera2"}  # Raspberry Pi OS alone has it
    run(f"sudo apt install {' '.join(known)}")


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("cure", "wheel"),
    [
        (add("driver-module>=3"), ("driver-module", "3.5")),
        (add(*PI_5_STRIP), ("Adafruit-Blinka-Raspberry-Pi5-Neopixel", "1.0.0rc2")),
        (upgrade("rpi_ws281x"), ("rpi_ws281x", "99.0")),
        (install_again("nothing-of-that-name"), ("nothing-of-that-name", "1.0")),
        (install_again("onnxruntime"), ("onnxruntime", version("onnxruntime"))),
    ],
)
def test_pip_installs_what_a_cure_of_a_checkout_names(simulated: Path, cure: str, wheel: tuple[str, str]) -> None:
    put_wheel(simulated, *wheel)
    assert f"Would install {'-'.join(wheel).replace('_', '-')}" in run(cure).replace("_", "-")


@pytest.mark.exhaustive
def test_the_libraries_of_a_checkouts_extra_are_those_of_its_own_file(
    simulated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_DEPS", "1")
    cure = add_extra("pi")
    assert cure.endswith(f"{REPO}[pi]'")
    assert "Would install farklecrib" in run(cure, Path("/"))


@pytest.mark.exhaustive
def test_the_packages_python_gets_a_module_beside_every_version(simulated: Path) -> None:
    assert apt_knows("python3-pip")
    put_wheel(simulated, "pyserial", "3.5")
    cure = add("pyserial", prefix=PACKAGED)
    assert f"--target {ADDED}/python{sys.version_info.major}.{sys.version_info.minor} pyserial" in cure
    assert "Would install pyserial-3.5" in run(cure)


@pytest.mark.exhaustive
def test_the_package_is_installed_again_from_its_file(simulated: Path, tmp_path: Path) -> None:
    assert apt_knows("base-files")
    cures = {install_again(prefix=PACKAGED), add_extra("pi", prefix=PACKAGED), install_again("numpy", prefix=PACKAGED)}
    (cure,) = cures
    control = tmp_path / "made/DEBIAN/control"
    control.parent.mkdir(parents=True)
    _, version, arch = cure.rpartition("/")[2].removesuffix(".deb").split("_")
    control.write_text(
        f"Package: farklecrib\nVersion: {version}\nArchitecture: {arch}\nMaintainer: T <t@t.org>\nDescription: t\n",
        encoding="ascii",
    )
    subprocess.run(["dpkg-deb", "--build", "made", f"farklecrib_{version}_{arch}.deb"], check=True, cwd=tmp_path)
    assert f"Inst farklecrib ({version}" in run(cure, tmp_path)


def test_only_the_debian_package_counts_as_packaged() -> None:
    assert packaged_version(PACKAGED) == "0.1.0+deb13"
    assert [packaged_version(prefix) for prefix in ("/usr", str(HOME), str(REPO / ".venv"), "/opt/farklecrib")] == [
        ""
    ] * 4


def test_the_library_of_a_pi_5_is_the_one_that_is_locked() -> None:
    project = tomllib.loads((REPO / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (wanted,) = project["optional-dependencies"]["pi5"]
    assert wanted.startswith(f"{PI_5_STRIP[1]};")
