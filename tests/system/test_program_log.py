"""The log of the real program: its content, and its behaviour when standard error accepts no bytes."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from running import PATIENCE_S, table

SCENE = str(Path(__file__).parents[1] / "table" / "who-begins-wrong-number.scene")


@pytest.mark.exhaustive
def test_under_systemd_each_line_has_a_priority_and_no_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INVOCATION_ID", "2f2c")
    with table(tmp_path, "--players", "Ann,Ben") as running:
        running.ready().end()
        assert all(re.match(r"<[2-7]>(\w+ [\w.]+: |Farkle Crib is ready at )", line) for line in running.said)


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["games", "list"], 0),
        pytest.param(["play", "--scene", SCENE, "--port", "0"], 0, marks=pytest.mark.exhaustive),
        (["config", "show", "--bogus"], 2),
    ],
    ids=["a note", "a whole table", "a mistake"],
)
def test_a_full_standard_error_changes_no_exit_status(tmp_path: Path, words: list[str], status: int) -> None:
    data = ["--data", str(tmp_path)] if status == 0 else []
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "companion", *words, *data]
        done = subprocess.run(command, stderr=full, stdout=subprocess.DEVNULL, timeout=PATIENCE_S, check=False)
    assert done.returncode == status
