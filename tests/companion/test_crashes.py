"""Commands in trouble: a library that crashes, streams that are full or closed, too little memory, each in one line."""

import errno
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
from companion.cli.main import reads_pictures
from companion.config import Config
from companion.exits import CRASHES, FAULTHANDLER, shortage, why_ended

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
MORE = [
    ("terminal", INT, 130),
    ("command", KILL, -KILL),
    ("command", HUP, -HUP),
    ("command", INT, 130),
    ("command", signal.SIGQUIT, -signal.SIGQUIT),
]


@pytest.mark.parametrize(
    ("receiver", "number", "status"),
    [
        ("command", TERM, -TERM),
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


COMMANDS = sampled(
    (
        *("score farkle-cribbage 115", "read tests/pictures/trays/00104.jpg"),
        *("rules list --json", "board draw serpentine-2", "--help", "version"),
    ),
    "score farkle-cribbage 115",
)


def shell(words: str) -> "subprocess.CompletedProcess[str]":
    command = f"{sys.executable} -m companion {words}"
    environment = {"PATH": "/usr/bin:/bin", "HOME": os.environ["HOME"]}
    return subprocess.run(
        ["bash", "-c", command], env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("where", [">/dev/full", ">&-"])
def test_an_output_that_takes_nothing_is_one_line_and_status_2(command: str, where: str) -> None:
    ended = shell(f"{command} {where}")
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1), ended.stderr
    got = "No space left on device" if where == ">/dev/full" else "got a closed one"
    assert ended.stderr.startswith("farklecrib: error: expected standard output to ")
    assert got in ended.stderr


@pytest.mark.parametrize(
    "closed", ["<&- 2>&-", *(pytest.param(each, marks=pytest.mark.exhaustive) for each in ("<&-", "2>&-"))]
)
def test_other_closed_streams_change_no_result(closed: str) -> None:
    ended = shell(f"score farkle-cribbage 115 {closed}")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("1 1 5:")


@pytest.mark.exhaustive
def test_words_for_a_closed_standard_error_are_no_result(tmp_path: object) -> None:
    ended = shell(f"games delete 1 --data {tmp_path}/none 2>&-")
    assert (ended.returncode, ended.stdout) == (2, "")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "MemoryError"),
        (MemoryError("Unable to allocate 9 GiB"), "Unable to allocate 9 GiB"),
        (OSError(errno.EMFILE, "Too many open files"), "[Errno 24] Too many open files"),
        (OSError(errno.EACCES, "Permission denied"), ""),
        (RuntimeError("a bug"), ""),
    ],
)
def test_a_shortage_is_told_from_other_errors(error: Exception, said: str) -> None:
    assert shortage(error) == said
