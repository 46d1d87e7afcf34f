"""`make install-pi` on a tree of each model: the commands that it would run. Other machines are refused in one line."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pi_trees import MODELS, RELEASES, fresh_tree
from samples import sampled

from companion.checkup.raspberry_pi import MODEL_FILE, Family

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "systemd" / "install_pi.sh"
sys.path.insert(0, str(ROOT / "systemd" / "debian"))
import build  # noqa: E402 - scripts that stand beside the maintainer scripts
import wheels  # noqa: E402

GPL = "adafruit-blinka-raspberry-pi5-neopixel"


def install_pi(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the script as on an arm64 machine, with the /proc and /etc of a tree."""
    text = re.sub(r"(?<=[< ])/(?=proc/|etc/os)", f"{root}/", SCRIPT.read_text(encoding="utf-8"))
    dpkg = root / "bin/dpkg"
    dpkg.parent.mkdir(exist_ok=True)
    dpkg.write_text("#!/bin/sh\necho arm64\n", encoding="utf-8")
    dpkg.chmod(0o755)
    path = f"{dpkg.parent}:{os.environ['PATH']}"
    command = ["sh", "-c", text, SCRIPT, *words]
    return subprocess.run(
        command, env={"PATH": path, "HOME": os.environ["HOME"]}, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("release", sampled(RELEASES, "trixie"))
@pytest.mark.parametrize("family", sampled(MODELS, Family.PI_4, Family.PI_5))
def test_it_builds_the_package_installs_it_and_offers_the_boot_lines(
    tmp_path: Path, family: Family, release: str
) -> None:
    done = install_pi(fresh_tree(tmp_path, family, release), "--dry-run", "--yes")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert all(line.startswith("would run: ") for line in lines)
    package = f"./dist/farklecrib_{build.debian_version(release)}_arm64.deb"
    order = ["apt-get update", "python3-venv", "requirements/build.txt", f"--release {release} --arch arm64", package]
    places = [next(number for number, line in enumerate(lines) if words in line) for words in order]
    assert places == sorted(places)
    assert lines[-1].endswith("farklecrib setup-pi --yes")
    assert any(GPL in line for line in lines) is (family is Family.PI_5)
    assert any("--target /usr/local/lib/farklecrib/python3." in line for line in lines) is (family is Family.PI_5)


def test_the_library_of_a_pi_5_is_taken_from_the_lock_with_its_hashes(tmp_path: Path) -> None:
    said = install_pi(fresh_tree(tmp_path, Family.PI_5, "trixie"), "--dry-run").stdout
    extract = next(line for line in said.splitlines() if "sed" in line).partition("sh -c ")[2].partition(" >")[0]
    done = subprocess.run(extract, shell=True, cwd=ROOT, capture_output=True, text=True, check=True)
    target = build.Target("trixie", "arm64", "1")
    lock = (ROOT / "requirements/pi5.txt").read_text(encoding="utf-8")
    assert wheels.locked(target, done.stdout) == {GPL: wheels.locked(target, lock)[GPL]}
    assert "--hash=sha256:" in done.stdout


def test_uninstalling_undoes_the_boot_lines_before_it_removes_the_package(tmp_path: Path) -> None:
    lines = install_pi(fresh_tree(tmp_path, Family.PI_4, "trixie"), "--uninstall", "--dry-run").stdout.splitlines()
    assert lines[0].endswith("farklecrib setup-pi --undo")
    assert lines[1].endswith("apt-get remove --yes farklecrib")


@pytest.mark.parametrize(
    ("file", "text", "words", "said"),
    [
        (MODEL_FILE, "Raspberry Pi Model B Rev 2\0", (), "got 'Raspberry Pi Model B Rev 2'; elsewhere: make play"),
        (MODEL_FILE, "", (), "got 'no Raspberry Pi'; elsewhere: make play"),
        ("etc/os-release", "VERSION_CODENAME=bullseye\n", (), "Debian bookworm or trixie, got 'bullseye'"),
        (MODEL_FILE, "", ("--root",), "expected --dry-run or --yes, got '--root'"),
    ],
)
def test_on_any_other_machine_it_prints_the_reason_in_one_line(
    tmp_path: Path, file: str, text: str, words: tuple[str, ...], said: str
) -> None:
    (fresh_tree(tmp_path, Family.PI_4, "trixie") / file).write_text(text, encoding="utf-8")
    done = install_pi(tmp_path, *words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("farklecrib: error: ")
    assert said in done.stderr
