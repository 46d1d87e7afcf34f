"""The log of the real program: its content, and its behaviour when standard error accepts no bytes."""

import os
import resource
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from running import PATIENCE_S, ended, systemd, table

SCENE = str(Path(__file__).parents[1] / "table" / "who-begins-wrong-number.scene")


@pytest.mark.exhaustive
def test_an_eye_that_dies_is_in_the_log_as_its_part_with_its_last_words(tmp_path: Path) -> None:
    with table(tmp_path, "--players", "Ann,Ben", "--verbose") as running:
        running.ready().until(lambda state: state["reading"] is not None)
        (eye,) = running.children()
        os.kill(eye, signal.SIGABRT)
        assert ended(eye, PATIENCE_S)
        running.says(" warning eye: ended, and is started again: ")
        running.until(lambda state: state["reading"] is not None)
        running.end()
    assert sum(" debug eye: started as process " in line for line in running.said) == 2


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


@pytest.mark.exhaustive
def test_out_of_descriptors_the_log_stays_short_and_the_page_comes_back(tmp_path: Path) -> None:
    with table(tmp_path, "--players", "Ann,Ben") as running:
        running.ready().until(lambda state: state["reading"] is not None)
        limits = resource.prlimit(running.process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(running.process.pid, resource.RLIMIT_NOFILE, (3, limits[1]))
        with socket.create_connection(("127.0.0.1", int(running.address.rsplit(":")[-1].strip("/")))):
            running.says("out of system resource")
        resource.prlimit(running.process.pid, resource.RLIMIT_NOFILE, limits)
        assert running.get("state")["players"]
        running.end()
        assert len(running.said) < 50


@pytest.mark.exhaustive
@pytest.mark.parametrize("stream", ["full", "closed pipe", "never read", "closed"])
def test_a_standard_error_that_takes_nothing_does_not_end_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stream: str
) -> None:
    reading, writing = os.pipe()
    if stream == "closed pipe":
        os.close(reading)
    where = {"full": "2>/dev/full", "closed": "2>&-"}.get(stream, "")
    if stream == "never read":
        os.set_blocking(writing, False)
        while True:
            try:
                os.write(writing, bytes(1 << 16))
            except BlockingIOError:
                break
        os.set_blocking(writing, True)
    command = f"exec {sys.executable} -m companion play --data {tmp_path} --port 0 --players Ann,Ben -v {where}"
    with systemd(tmp_path, monkeypatch) as until:
        process = subprocess.Popen(["sh", "-c", command], stdin=subprocess.DEVNULL, stderr=writing)
        os.close(writing)
        try:
            page = until("STATUS=page ")[-1].removeprefix("STATUS=page ")
            with urllib.request.urlopen(f"{page}api/v1/state", timeout=PATIENCE_S) as answer:
                assert b"Ann" in answer.read()
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE_S) == 0
        finally:
            process.kill()
            process.wait()
            if stream != "closed pipe":
                os.close(reading)
