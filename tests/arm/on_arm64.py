"""The program on an emulated Pi's processor: readings, scores and games are the same as on this machine.

`make test-arm` (tests/arm/roots.sh) makes the roots and runs this file; pytest's normal run does not collect it.
"""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest

REPO = Path(__file__).resolve().parents[2]
ROOTS = Path(os.environ["ROOTS"])
RELEASES = os.environ["RELEASES"].split()
PYTHONS = {"trixie": "3.13", "bookworm": "3.11"}
PICTURES = 30
CONFIDENCE = 0.03
"""The most that a die's confidence may differ between processors.

The networks and OpenCV add 32-bit floats in the order of each processor's vector width (NEON's 4, AVX2's 8), with fused
multiply-adds or without, so sums differ in the last of their 24 bits. Where a position then rounds to the next pixel,
the die is measured one pixel beside, and the confidence moves by what that pixel changes.
"""
REASONS = 2
"""Dice in doubt whose visible reason may differ: blurred or not, by a width that is near its limit."""

PIXELS = 1
"""The most that each number of a box may differ: one rounding."""


@dataclass(frozen=True)
class Side:
    """A release's Python for one processor, with the locked packages and this repository's program."""

    release: str
    arch: str

    @property
    def python(self) -> str:
        """Return the command that runs it, emulated or not."""
        return str(ROOTS / f"venv-{self.arch}-{self.release}" / "bin" / "python")

    def run(self, *arguments: str | Path, given: str = "", home: Path, status: tuple[int, ...] = (0,)) -> str:
        """Run Python with arguments in the repository, and return its standard output."""
        environment = {
            "HOME": str(home),
            "PATH": os.environ["PATH"],
            "LC_ALL": "C.UTF-8",
            "LG_WD": str(home),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        done = subprocess.run(
            [self.python, "-P", *arguments],
            cwd=REPO,
            env=environment,
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode in status, (done.returncode, done.stdout[-2000:], done.stderr[-2000:])
        return done.stdout

    def farklecrib(self, *arguments: str | Path, **how: Any) -> str:
        """Run the program's command line."""
        return self.run("-m", "companion", *arguments, **how)


@pytest.fixture(params=RELEASES)
def sides(request: pytest.FixtureRequest) -> tuple[Side, Side]:
    """Return the Pi's processor and this machine's, of one release."""
    return Side(request.param, "arm64"), Side(request.param, "amd64")


def spaced(files: list[Path], count: int) -> list[Path]:
    """Return `count` of the files, evenly spaced from the first."""
    return [files[index * len(files) // count] for index in range(count)]


def thirty_pictures() -> list[Path]:
    """Return fifteen of our and fifteen shared pictures, evenly spaced, or thirty of ours without a shared folder."""
    ours, shared = (
        sorted(file for file in folder.rglob("*.jpg"))
        for folder in (REPO / "tests/pictures", REPO.parent / "shared/data")
    )
    half = PICTURES // 2
    return [*spaced(ours, half), *spaced(shared, half)] if shared else spaced(ours, PICTURES)


def test_the_locked_packages_are_installed_for_the_processor(sides: tuple[Side, Side], tmp_path: Path) -> None:
    arm, _ = sides
    said = json.loads(
        arm.run(
            "-c",
            "import importlib.metadata as m, json, platform, re, sys\n"
            "print(json.dumps([platform.machine(), list(sys.version_info[:2]), "
            "{re.sub('[-_.]+', '-', each.name).lower(): each.version for each in m.distributions()}]))",
            home=tmp_path,
        )
    )
    machine, version, installed = said
    assert machine == "aarch64"
    assert ".".join(map(str, version)) == PYTHONS[arm.release]
    locked = set(
        re.findall(r"^([a-z0-9-]+)==(\S+)", (REPO / "requirements/pi.txt").read_text(encoding="utf-8"), re.MULTILINE)
    )
    missing = {name for name, _ in locked} - set(installed)
    other = {(name, found) for name, found in installed.items() if name in dict(locked) and (name, found) not in locked}
    assert not other
    assert missing <= {"colorama", "adafruit-lgpio", "lgpio", "rpi-lgpio"}  # for another system or another Python
    assert {"rpi-ws281x", "onnxruntime", "opencv-python-headless"} <= set(installed)
    print(
        f"\n{arm.release}: {len(installed)} packages, numpy {installed['numpy']}, OpenCV",
        installed["opencv-python-headless"],
    )


def test_thirty_pictures_are_read_as_on_this_machine(sides: tuple[Side, Side], tmp_path: Path) -> None:
    pictures = thirty_pictures()
    ours, theirs = (
        [json.loads(line) for line in side.farklecrib("read", *pictures, "--json", home=tmp_path).splitlines()]
        for side in sides
    )
    assert len(ours) == len(theirs) == PICTURES
    dice = same = reasons = 0
    confidence = edge = 0.0
    for one, other in zip(ours, theirs, strict=True):
        del one["ms"], other["ms"]
        same += one == other
        for name in ("source", "sure", "doubts"):
            assert one[name] == other[name], (one, other)
        assert [each["face"] for each in one["dice"]] == [each["face"] for each in other["dice"]], (one, other)
        for die, twin in zip(one["dice"], other["dice"], strict=True):
            dice += 1
            confidence = max(confidence, abs(die.pop("confidence") - twin.pop("confidence")))
            edge = max(edge, *(abs(a - b) for a, b in zip(die.pop("box"), twin.pop("box"), strict=True)))
            why, again = die.pop("doubts"), twin.pop("doubts")
            assert bool(why) == bool(again), (one["source"], why, again)
            reasons += why != again
            assert die == twin, (one["source"], die, twin)
    print(f"\n{sides[0].release}: {same} of {PICTURES} pictures equal in all fields, {dice} dice; "
          f"confidence differs by {confidence:.4f} at most, box by {edge:.0f} pixels at most, "
          f"the reason of a doubt at {reasons} dice")  # fmt: skip
    assert reasons <= REASONS
    assert confidence <= CONFIDENCE
    assert edge <= PIXELS


def test_every_roll_of_every_rule_set_scores_the_same(sides: tuple[Side, Side], tmp_path: Path) -> None:
    sets = [each["key"] for each in json.loads(sides[1].farklecrib("rules", "list", "--json", home=tmp_path))]
    rolls = "".join(f"{''.join(map(str, roll))}\n" for roll in combinations_with_replacement(range(1, 7), 6))
    assert rolls.count("\n") == 462
    for name in sets:
        rule, twin = (side.farklecrib("rules", "show", name, "--json", home=tmp_path) for side in sides)
        assert rule == twin
        scored, again = (side.farklecrib("score", name, "-", "--json", given=rolls, home=tmp_path) for side in sides)
        assert scored == again
        assert scored.count("\n") == 462
    print(f"\n{sides[0].release}: {len(sets)} rule sets, 462 rolls of six dice each, equal")


def test_a_game_played_from_photographs_is_the_same_written_game(sides: tuple[Side, Side], tmp_path: Path) -> None:
    played = [
        side.run(
            "tests/arm/patient_table.py",
            *("play", "--data", tmp_path / side.arch, "--port", "0", "--autoplay", "--set", "target=31"),
            *("--camera", f"recorded:{REPO / 'tests/pictures/trays'}"),
            home=tmp_path,
        )
        for side in sides
    ]
    assert played[0] == played[1]
    arm, ours = (json.loads(side.farklecrib("replay", "-", "--json", given=played[0], home=tmp_path)) for side in sides)
    assert arm == ours
    assert arm["over"]
    print(f"\n{sides[0].release}: {sum(len(turn['throws']) for turn in arm['turns'])} throws read, the same game")


def loaded(side: Side, code: str, home: Path) -> str:
    """Run code that may raise, and return its error or what it printed.

    The process ends without Python's clean-up, because that of rpi_ws281x has a bug after a failed begin().
    """
    code = f"import os\ntry:\n {code}\nexcept Exception as error: print(repr(error), flush=True)\nos._exit(0)"
    return side.run("-u", "-c", code, home=home).strip()


def test_the_drivers_native_modules_load_and_miss_only_the_chip(sides: tuple[Side, Side], tmp_path: Path) -> None:
    arm, _ = sides
    chip = loaded(arm, "import lgpio; print(lgpio.gpiochip_open(0))", tmp_path)
    strip = loaded(arm, "import rpi_ws281x as ws; ws.PixelStrip(10, 10).begin()", tmp_path)
    request = loaded(arm, "import gpiod; gpiod.Chip('/dev/gpiochip0')", tmp_path)
    print(f"\n{arm.release}: lgpio {chip}; rpi_ws281x {strip}; gpiod {request}")
    assert "can not open gpiochip" in chip
    assert "Hardware revision is not supported" in strip
    assert "No such file" in request


def findings(said: str) -> Iterator[tuple[str, str, str]]:
    """Yield name, level and text of the doctor's findings."""
    for each in json.loads(said):
        yield each["name"], each["level"], each["said"]


def test_the_doctor_passes_a_table_without_hardware(sides: tuple[Side, Side], tmp_path: Path) -> None:
    arm, _ = sides
    found = {name: (level, said) for name, level, said in findings(arm.farklecrib("doctor", "--json", home=tmp_path))}
    assert {level for level, _ in found.values()} == {"PASS"}, found
    assert found["model"][1] == "no Raspberry Pi (aarch64); the configuration needs no Raspberry Pi"
    assert found["python"][1] == PYTHONS[arm.release]


def test_the_doctor_names_each_device_that_a_pi_configuration_misses(sides: tuple[Side, Side], tmp_path: Path) -> None:
    arm, _ = sides
    said = arm.farklecrib("doctor", "--json", "--config", REPO / "systemd/pi.toml", home=tmp_path, status=(1,))
    wrong = {name: said for name, level, said in findings(said) if level == "FAIL"}
    print(f"\n{arm.release}: {wrong}")
    assert "aarch64" in wrong["model"]
    assert {"picamera2", "buttons", "camera"} <= set(wrong)
