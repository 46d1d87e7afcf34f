"""A library that crashes or does not load: the command that reads pictures ends with one line and status 2."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from asked import TRAY
from broken_library import BROKEN, SAID, break_library
from samples import sampled

from companion.checkup.findings import Level
from companion.checkup.machine import Machine
from companion.checkup.system import libraries
from companion.cli.streams import reads_pictures
from companion.config import Config
from companion.exits import CRASHES, FAULTHANDLER, why_ended

PATIENCE_S = 300.0


def program(*words: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "companion", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)


@pytest.mark.parametrize("how", sampled(BROKEN, "a missing file"))
def test_a_broken_library_is_one_line_of_the_command_that_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    break_library(tmp_path, monkeypatch, BROKEN[how])
    ended = program("read", TRAY)
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1)
    assert ended.stderr.startswith("farklecrib: error: ")
    assert SAID[how] in ended.stderr
    assert ended.stderr.endswith("; see farklecrib doctor\n")


@pytest.mark.parametrize("how", sampled(BROKEN, "SIGILL"))
def test_the_doctor_names_a_broken_library_and_installs_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    break_library(tmp_path, monkeypatch, BROKEN[how])
    networks = next(each for each in libraries(Machine(), Config()) if each.name == "networks")
    assert networks.level is Level.FAIL
    assert SAID[how] in networks.said
    assert "--force-reinstall --no-deps onnxruntime==" in networks.mend
    assert ("use a newer computer" in networks.mend) == (how == "SIGILL")


@pytest.mark.exhaustive
def test_a_command_that_reads_exits_as_its_child() -> None:
    assert program("read", "/nowhere").returncode == 2
    assert program("read", TRAY).stdout.startswith(str(TRAY))
    for words, reads in (("read a.jpg", True), ("selftest camera", True), ("selftest leds", False), ("", False)):
        assert reads_pictures(words.split()) == reads


@contextmanager
def reading(folder: Path, monkeypatch: pytest.MonkeyPatch) -> "Iterator[tuple[subprocess.Popen[bytes], int]]":
    """Yield a command that reads pictures, and the id of its child, which loads a library until the block ends."""
    os.mkfifo(folder / "loads")
    break_library(folder, monkeypatch, f"open({str(folder / 'loads')!r}).read()")
    command = [sys.executable, "-m", "companion", "read", str(TRAY)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True)
    with (folder / "loads").open("wb"):  # once the child has opened the other end
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="ascii")
        yield process, int(children)


TERM, HUP, INT, KILL = signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL
MORE = [("command", HUP, -HUP), ("command", INT, 130), ("command", signal.SIGQUIT, -signal.SIGQUIT)]


@pytest.mark.parametrize(
    ("receiver", "number", "status"),
    [
        ("command", TERM, -TERM),
        ("terminal", INT, 130),  # both get it
        ("command", KILL, -KILL),
        ("child", KILL, -KILL),
        *(pytest.param(*case, marks=pytest.mark.exhaustive) for case in MORE),
    ],
)
def test_a_command_that_reads_and_its_child_end_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, receiver: str, number: signal.Signals, status: int
) -> None:
    before = None if number == KILL else signal.signal(number, signal.SIG_DFL)  # under nohup it would be ignored
    with reading(tmp_path, monkeypatch) as (process, child):
        if before is not None:
            signal.signal(number, before)
        watched = os.pidfd_open(child)
        (os.killpg if receiver == "terminal" else os.kill)(child if receiver == "child" else process.pid, number)
        said = process.communicate(timeout=PATIENCE_S)[1]
        assert (process.returncode, said) == (status, b"")
        waited = number in (TERM, HUP, INT)
        assert not (waited and Path(f"/proc/{child}").exists())
        assert select.select([watched], [], [], PATIENCE_S)[0], "the child goes on"
        os.close(watched)


@pytest.mark.parametrize("number", sampled(CRASHES, signal.SIGSEGV))
def test_a_crash_at_work_names_the_library_that_was_at_work(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "cruncher.py").write_text(
        f"import os\ndef crunch():\n    os.kill(os.getpid(), {int(number)})\n", encoding="utf-8"
    )
    code = "import cruncher\ndef work():\n    cruncher.crunch()\nwork()"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ended = subprocess.run(
        [sys.executable, *FAULTHANDLER, "-c", code], capture_output=True, text=True, check=False, env=environment
    )
    assert why_ended(ended.returncode, ended.stderr) == f"cruncher ended with {number.name} ({CRASHES[number]})"


def test_an_error_of_our_own_is_its_last_line_and_names_no_library() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", "import farkle.rules.dice as dice\ndice.check_faces([7])"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert why_ended(ended.returncode, ended.stderr) == ended.stderr.splitlines()[-1]
    assert "does not load" not in why_ended(ended.returncode, ended.stderr)
    assert (why_ended(0, "noise"), why_ended(3, "")) == ("", "status 3")


def test_a_real_time_signal_is_named_by_its_number() -> None:
    assert why_ended(-(signal.SIGRTMIN + 2), "") == f"it ended with signal {signal.SIGRTMIN + 2}"
