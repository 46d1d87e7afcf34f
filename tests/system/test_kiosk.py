"""The script that shows the wall on a screen of the same machine, with a stand-in for the browser."""

import os
import select
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "systemd" / "kiosk.sh"
PATIENCE_S = 60.0

needs_curl = pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl: apt install curl")


class Answers(BaseHTTPRequestHandler):
    """A table that is busy at first, and then there."""

    def do_GET(self) -> None:
        self.server.asked += 1
        self.send_response(503 if self.server.asked <= 2 else 200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def table() -> Iterator[ThreadingHTTPServer]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        server.asked = 0
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def started(tmp_path: Path, table: ThreadingHTTPServer) -> Iterator[subprocess.Popen[str]]:
    """Yield the running script. Each of its browsers writes its arguments into `starts`, a pipe, and then waits."""
    starts = tmp_path / "starts"
    subprocess.run(["mkfifo", starts], check=True)
    browser = tmp_path / "chromium"
    browser.write_text(f'#!/bin/sh\necho "$$ $@" > {starts}\nexec sleep 1000\n', encoding="utf-8")
    browser.chmod(0o755)
    address = f"http://127.0.0.1:{table.server_port}/wall"
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin", "PAUSE_S": "0.05", "HOME": os.environ["HOME"]}
    script = subprocess.Popen(["sh", SCRIPT, address], env=environment, text=True)
    yield script
    if script.poll() is None:
        script.terminate()
    script.wait(PATIENCE_S)


def next_start(tmp_path: Path) -> tuple[int, list[str]]:
    """Wait for the next start of the browser, and return its process and its arguments."""
    pid, *arguments = (tmp_path / "starts").read_text(encoding="utf-8").split()
    return int(pid), arguments


@needs_curl
def test_the_browser_starts_when_the_table_answers_and_again_when_it_ends(
    started: subprocess.Popen[str], tmp_path: Path, table: ThreadingHTTPServer
) -> None:
    first, arguments = next_start(tmp_path)
    assert table.asked == 3
    assert arguments[-1] == f"http://127.0.0.1:{table.server_port}/wall"
    assert "--kiosk" in arguments
    subprocess.run(["kill", "-KILL", str(first)], check=True)
    second, again = next_start(tmp_path)
    assert (second != first, again) == (True, arguments)
    ending = os.pidfd_open(second)
    started.send_signal(signal.SIGTERM)
    assert started.wait(PATIENCE_S) == 0
    assert select.select([ending], [], [], PATIENCE_S)[0]
    os.close(ending)


def test_without_a_browser_one_line_says_what_is_missing(tmp_path: Path) -> None:
    done = subprocess.run(
        ["/bin/sh", SCRIPT],
        env={"PATH": str(tmp_path), "HOME": os.environ["HOME"]},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "kiosk.sh: error: expected a browser called chromium or chromium-browser, found none\n"
