"""`farklecrib update`: a version is tried before it is used, and at every cut of the power a whole one is in use."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from journal_acts import filled, wall
from running import run as program

from companion.cli.update import alone
from companion.config import Config, TableConfig
from companion.doctor.versions import Versions, number
from companion.doctor.versions import version as version_check
from companion.errors import CompanionError
from companion.storage.codec import readable_events
from companion.storage.database import read
from companion.storage.files import FILE
from companion.update import going_back
from companion.update.machine import TRIAL, Done, Machine
from companion.update.package import read_package
from companion.update.updating import Update

DEBIAN = Path(__file__).resolve().parents[2] / "systemd" / "debian"
SCRIPT = (DEBIAN / "versions").read_text(encoding="utf-8")
OLD, NEW = "0.1.0+deb13", "0.2.0+deb13"
WELL = json.dumps([{"name": "disk", "level": "PASS"}, {"name": "camera", "level": "FAIL"}])


def place(home: Path, version: str, script: str = SCRIPT) -> None:
    """A version as dpkg unpacks it."""
    for name, text in {
        "bin/farklecrib": version,
        "share/versions": script,
        "share/journal.json": readable_events(),
    }.items():
        file = home / version / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "usr/lib/farklecrib"
    place(home, OLD)
    (home / "current").symlink_to(OLD)
    return home


def in_use(home: Path) -> str:
    """The version that would start now; it must be whole."""
    version = (home / "current/bin/farklecrib").read_text()
    assert (home / "current/share/versions").stat().st_size > 0
    return version


def versions(home: Path, *what: str, script: str = SCRIPT) -> int:
    return subprocess.run(["sh", "-c", script, "versions", str(home), *what], check=False).returncode


@dataclass
class World:
    """The machine's commands: dpkg on a tree, and versions whose answers are set."""

    root: Path
    home: Path
    refuses: str | None = None
    answers: Mapping[str, Done] = field(default_factory=dict)
    page: int = 200
    asked: list[str] = field(default_factory=list)
    cut: Callable[[str], None] = lambda _: None
    time: float = 0.0

    def run(self, command: Sequence[str], limit_s: float, extra: Mapping[str, str]) -> Done:
        words = [each for each in command if not each.startswith("HOME=")]
        line = " ".join(words)
        self.asked.append(line)
        self.cut(line)
        for key, done in self.answers.items():
            if key in line:
                return done
        if words[0] == "sh":
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            return Done(done.returncode, done.stdout, done.stderr)
        if "--install" in line and "--dry-run" not in line:
            assert extra == {"FARKLECRIB_TRIAL": "1"}
            place(self.home, NEW)
            self.cut("unpacked")
            shutil.rmtree(self.home / OLD, ignore_errors=True)
            return Done(0, "", "")
        if "doctor" in line:
            return Done(1, WELL, "")
        if " read " in line:
            return Done(0, '{"sure": true}', "")
        if "MainPID" in line:
            process = self.root / "proc/7/cmdline"
            process.parent.mkdir(parents=True, exist_ok=True)
            trial = self.root / TRIAL
            process.write_text(trial.read_text() if trial.exists() else str(self.home / "current"))
            return Done(0, "7\n", "")
        if "games list" in line:
            return Done(0, "[]", "")
        return Done(0, "", "")

    def sleep(self, seconds: float) -> None:
        self.time += seconds

    def machine(self) -> Machine:
        return Machine(self.root, self.run, lambda _: self.page, lambda: self.time, self.sleep)

    def update(self, told: list[str]) -> Update:
        config = Config(table=TableConfig(data=str(self.root / "data")))
        return Update(self.machine(), Versions(self.home), config, told.append, 100)


@pytest.fixture
def world(tmp_path: Path, home: Path) -> World:
    (tmp_path / "run/systemd/system").mkdir(parents=True)
    return World(tmp_path, home)


def updated(world: World, told: list[str]) -> bool:
    work = world.update(told)
    package = read_package_of(world)
    work.keep()
    return work.install(package)


def read_package_of(world: World, **fields: str) -> object:
    given = {"Package": "farklecrib", "Version": NEW, "Architecture": "amd64", "Installed-Size": "1", **fields}
    text = "".join(f"{key}: {value}\n" for key, value in given.items())
    file = world.root / "new.deb"
    file.touch()
    newer = 0 if given["Version"] > OLD else 1
    world.answers = {
        "dpkg-deb": Done(0, text, ""),
        "--print-arch": Done(0, "amd64\n", ""),
        "--compare": Done(newer, "", ""),
        **world.answers,
    }
    return read_package(world.machine(), Versions(world.home), file)


def test_an_update_tries_the_version_then_uses_it_and_keeps_the_former(world: World) -> None:
    told: list[str] = []
    assert updated(world, told)
    assert in_use(world.home) == NEW
    assert Versions(world.home).former == f"kept/{OLD}"
    assert not (world.root / TRIAL).exists()
    assert told[-1] == f"{NEW} runs; sudo farklecrib update --back returns to {OLD}"
    order = [
        next(i for i, each in enumerate(world.asked) if word in each) for word in ("--install", " read ", f"use {NEW}")
    ]
    assert order == sorted(order)


@pytest.mark.parametrize(
    ("answers", "page", "why"),
    [
        (
            {"--dry-run": Done(1, "", "dpkg: it depends on python3")},
            200,
            "dpkg refuses it: dpkg: it depends on python3",
        ),
        ({f"{NEW}/bin/farklecrib doctor": Done(2, "", "no")}, 200, "its doctor did not run: no"),
        ({f"{NEW}/bin/farklecrib doctor": Done(1, WELL.replace("PASS", "FAIL"), "")}, 200, "new faults: disk"),
        ({" read ": Done(0, '{"sure": false}', "")}, 200, "it does not read six dice"),
        ({"systemctl restart": Done(1, "", "timeout")}, 200, "the service did not start: timeout"),
        ({}, 503, "its page did not answer within 100 s: it answered with 503"),
        ({"MainPID": Done(0, "0\n", "")}, 200, "it did not run on for 10 s"),
    ],
)
def test_a_version_that_fails_its_trial_is_not_used(
    world: World, answers: Mapping[str, Done], page: int, why: str
) -> None:
    told: list[str] = []
    world.answers, world.page = answers, page
    assert not updated(world, told)
    assert in_use(world.home) == OLD
    assert not (world.root / TRIAL).exists()
    assert any(line.startswith(f"{NEW} is not used: ") and why in line for line in told)


def test_a_fault_that_was_there_before_does_not_take_an_update_back(world: World) -> None:
    assert '"camera", "level": "FAIL"' in WELL
    assert updated(world, [])


def test_games_that_the_old_version_cannot_read_after_a_trial_come_from_the_backup(world: World) -> None:
    (world.root / "data").mkdir()
    (world.root / "data/games.before-update.zip").touch()
    world.answers, world.page = {"games list": Done(2, "", "an event of the kind 'Sung'")}, 503
    assert not updated(world, told := [])
    stopped = next(n for n, each in enumerate(world.asked) if "systemctl stop" in each)
    assert any("games list" in each for each in world.asked[stopped:])  # of the file, not of the new version's table
    assert any("games restore" in each for each in world.asked[stopped:])
    assert any("cannot read what" in each for each in told)


STEPS = 40


def test_at_every_cut_of_an_update_a_whole_version_is_in_use(tmp_path: Path) -> None:
    """The program ends at the n-th command or change of a file; Python reports both to the audit hook."""
    seen = set()
    for step in range(1, STEPS * 10):
        root = tmp_path / str(step)
        home = root / "usr/lib/farklecrib"
        place(home, OLD)
        (home / "current").symlink_to(OLD)
        (root / "run/systemd/system").mkdir(parents=True)
        child = os.fork()
        if child == 0:
            left = step

            def count(event: str, _: object) -> None:
                nonlocal left
                if event in {"subprocess.Popen", "os.rename", "os.remove", "os.symlink", "os.mkdir", "shutil.rmtree"}:
                    left -= 1
                    if left == 0:
                        os._exit(9)

            sys.addaudithook(count)
            os._exit(0 if updated(World(root, home), []) else 1)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert status in {0, 9}
        seen.add(in_use(home))
        if status == 0:
            break
        assert updated(World(root, home), []), "the next update mends what a cut has left"
        assert in_use(home) == NEW
        shutil.rmtree(root)
    else:
        pytest.fail("expected the update to end")
    assert step > 10
    assert seen == {OLD, NEW}


@pytest.mark.parametrize("what", [("keep",), ("use", NEW)])
def test_the_script_may_be_cut_after_each_of_its_commands(tmp_path: Path, what: tuple[str, ...]) -> None:
    lines = SCRIPT.splitlines()
    commands = ("sync", "ln ", "mv ", "mkdir ", "rm ", "cp ")
    places = [n for n, line in enumerate(lines) if line.strip().startswith(commands) and not line.endswith("{")]
    assert len(places) >= 8
    cuts = 0
    for place_of_cut in places:
        home = tmp_path / str(place_of_cut)
        place(home, OLD)
        place(home, "0.0.9+deb13")
        (home / "kept").mkdir()
        (home / "0.0.9+deb13").rename(home / "kept/0.0.9+deb13")
        (home / "current").symlink_to(OLD)
        if what[0] == "use":
            place(home, NEW)
            assert versions(home, "keep") == 0
        killed = "\n".join([*lines[: place_of_cut + 1], "kill -9 $$", *lines[place_of_cut + 1 :]])
        cuts += versions(home, *what, script=killed) != 0
        assert in_use(home) in {OLD, NEW}
        assert versions(home, *what) == 0
        assert in_use(home) == (OLD if what[0] == "keep" else NEW)
        if what[0] == "use":
            assert Versions(home).former == f"kept/{OLD}"
    assert cuts >= 4


def test_installing_the_same_version_again_keeps_the_former_one(home: Path) -> None:
    versions(home, "keep")
    place(home, NEW)
    versions(home, "use", NEW)
    versions(home, "keep")
    versions(home, "use", NEW)
    assert (in_use(home), Versions(home).former) == (NEW, f"kept/{OLD}")


def test_the_doctor_says_which_version_runs(home: Path) -> None:
    assert version_check(Versions(home))[0].said == OLD
    versions(home, "keep")
    shutil.rmtree(home / OLD)
    place(home, NEW)
    found = version_check(Versions(home))[0]
    assert (found.level, found.said.split(" ")[:2]) == ("WARN", [OLD, "runs;"])
    assert number(Versions(home).current) == OLD


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"Package": "bash"}, "expected a package of farklecrib, got one of 'bash'"),
        ({"Architecture": "arm64"}, "expected a package for amd64, got one for 'arm64'"),
        ({"Version": "0.2.0+deb12"}, "expected a package for this system, with a version of +deb13, got '0.2.0+deb12'"),
        ({"Version": "0.0.1+deb13"}, f"expected a version newer than {OLD}, which is in use, got 0.0.1+deb13"),
        ({"Installed-Size": str(1 << 40)}, "MiB free in"),
    ],
)
def test_a_package_that_does_not_fit_is_refused_in_one_line(world: World, fields: dict[str, str], said: str) -> None:
    with pytest.raises(CompanionError) as raised:
        read_package_of(world, **fields)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)
    assert in_use(world.home) == OLD


@pytest.mark.parametrize("words", [("new.deb",), ("--back",), ("--back", "new.deb"), (), ("new.deb", "--wait", "0")])
def test_in_a_checkout_the_command_says_in_one_line_what_it_expects(words: tuple[str, ...]) -> None:
    done = program("update", *words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("farklecrib: error: expected ")


def back(world: World, told: list[str]) -> going_back.Return:
    versions(world.home, "keep")
    place(world.home, NEW)
    versions(world.home, "use", NEW)
    return going_back.Return(world.update(told))


def test_going_back_without_a_loss_switches_and_starts(world: World) -> None:
    filled(world.root / "data")
    returning = back(world, [])
    assert returning.loss() is None
    assert returning.go(None) is None
    assert in_use(world.home) == OLD
    with pytest.raises(CompanionError, match="expected a former version to return to, got none"):
        returning.former  # noqa: B018 - it raises


def test_going_back_keeps_each_game_up_to_the_first_act_that_the_old_version_cannot_read(world: World) -> None:
    data = world.root / "data"
    acts = filled(data)
    returning = back(world, told := [])
    kinds = [kind for kind in json.loads(readable_events())["kinds"] if kind != "SelectionChosen"]
    contract = world.home / f"kept/{OLD}/share/journal.json"
    contract.write_text(json.dumps({"schema": 2, "kinds": kinds}))
    loss = returning.loss()
    assert loss == f"{len(acts) - 2} acts of 1 game (game 1: {len(acts) - 2} acts)"
    with pytest.raises(CompanionError, match="got new acts"):
        returning.go(None)
    assert in_use(world.home) == NEW

    def restored(command: Sequence[str], limit_s: float, extra: Mapping[str, str]) -> Done:
        if "restore" in command:  # what the former version's program does
            from companion.games.backup import restore_backup

            made, aside = restore_backup(Path(command[-1]), data, wall)
            return Done(0, "", f"{made}; {aside}")
        return world.run(command, limit_s, extra)

    work = world.update(told)
    machine = Machine(world.root, restored, lambda _: 200, lambda: 0.0, world.sleep)
    assert going_back.Return(Update(machine, work.versions, work.config, told.append, 100)).go(loss) is None
    assert in_use(world.home) == OLD
    assert {row.act for row in read(data / FILE).rows} == {1, 2}
    aside = min(data.glob(f"{FILE}.replaced-*"))  # beside it lies its copy
    assert {row.act for row in read(aside).rows} == set(range(1, len(acts) + 1))


def test_a_journal_of_which_the_old_version_reads_nothing_is_put_aside_whole(world: World) -> None:
    data = world.root / "data"
    filled(data)
    returning = back(world, [])
    (world.home / f"kept/{OLD}/share/journal.json").write_text('{"schema": 1, "kinds": []}')
    assert returning.go(returning.loss()) is None
    assert read(data / FILE).rows == []
    assert len(read(min(data.glob(f"{FILE}.replaced-*"))).rows) > 12


def test_the_program_of_the_package_says_what_it_reads() -> None:
    told = json.loads(readable_events())
    assert told["schema"] >= 2
    assert {"GameStarted", "Undone"} <= set(told["kinds"])


def test_a_system_whose_writes_go_to_memory_is_not_updated(home: Path, tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text("proc /proc proc rw 0 0\noverlayroot / overlay rw,lowerdir=/media/root-ro 0 0\n")
    with pytest.raises(CompanionError, match="got one in memory"), alone(home, mounts):
        pytest.fail("expected a refusal")


def test_a_second_update_is_kept_out(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signal, "signal", lambda *_: None)  # the tests' own process keeps its signals
    with alone(home), pytest.raises(CompanionError, match="got another one that runs"), alone(home):
        pytest.fail("expected a refusal")
    with alone(home):
        pass
