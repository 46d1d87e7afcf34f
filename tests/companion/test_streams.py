"""The standard streams of a command: full, closed, or closed early."""

import os
import subprocess
import sys

import pytest
from samples import sampled

PATIENCE_S = 120.0
COMMANDS = sampled(
    (
        *("score farkle-cribbage 115", "read tests/pictures/trays/00104.jpg"),
        *("rules list --json", "board draw serpentine-2", "--help", "version"),
    ),
    "score farkle-cribbage 115",
)


def shell(words: str, *, buffered: bool = True) -> "subprocess.CompletedProcess[str]":
    command = f"{sys.executable} -m companion {words}"
    environment = {"PATH": "/usr/bin:/bin", "HOME": os.environ["HOME"]} | (
        {} if buffered else {"PYTHONUNBUFFERED": "1"}
    )
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


@pytest.mark.exhaustive
def test_a_full_output_is_one_line_without_a_buffer_too() -> None:
    ended = shell("version >/dev/full", buffered=False)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1), ended.stderr


@pytest.mark.parametrize(
    "closed", ["<&- 2>&-", *(pytest.param(each, marks=pytest.mark.exhaustive) for each in ("<&-", "2>&-"))]
)
def test_other_closed_streams_change_no_result(closed: str) -> None:
    ended = shell(f"score farkle-cribbage 115 {closed}")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("1 1 5:")


def test_words_for_a_closed_standard_error_are_no_result(tmp_path: object) -> None:
    ended = shell(f"games delete 1 --data {tmp_path}/none 2>&-")
    assert (ended.returncode, ended.stdout) == (2, "")
