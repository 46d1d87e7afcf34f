"""`make play` as a new user runs it: in a bare copy of the repository, with nothing built before."""

import os
import shutil
import signal
import subprocess
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.exhaustive
@pytest.mark.timeout(400)
def test_make_play_sets_itself_up_and_starts_the_table(tmp_path: Path) -> None:
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("needs git and the repository's history to know which files are the project's")
    bare = tmp_path / "farklecrib"
    for name in subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True).rstrip("\0").split("\0"):
        if (ROOT / name).exists() and not name.startswith("tests/"):
            (bare / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, bare / name)
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("VIRTUAL_ENV", "PYTHON"))}
    started = subprocess.Popen(
        ["make", "play", f"ARGS=--port 0 --data {tmp_path / 'games'}"],
        cwd=bare,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        process_group=0,
    )
    try:
        said = []
        for line in started.stdout:
            said.append(line)
            if " is ready at " in line:
                break
        assert " is ready at http://127.0.0.1:" in said[-1], "".join(said)
        address = said[-1].split(" is ready at ")[1].split()[0]
        with urllib.request.urlopen(address, timeout=120) as page:
            assert b"Farkle Crib" in page.read()
        os.killpg(started.pid, signal.SIGINT)  # Ctrl-C reaches make and the table alike
        started.communicate(timeout=120)
    finally:
        if started.poll() is None:
            os.killpg(started.pid, signal.SIGKILL)
            started.wait()
    assert not (tmp_path / "games" / "journal.db-wal").exists()
