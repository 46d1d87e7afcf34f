"""Measure the time from the command to the page and to the first picture: `python bench/start_bench.py`."""

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

from figures import address_in, spread


def start(data: str) -> tuple[float, float, float]:
    """Return the seconds from the command to the page, to the eye's first picture, and from Ctrl-C to the end."""
    began = time.monotonic()
    command = [sys.executable, "-m", "companion", "play", "--data", data, "--port", "0", "--players", "Ann,Ben"]
    table = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        assert table.stderr is not None
        address = address_in(table.stderr)
        ready = time.monotonic() - began
        with urllib.request.urlopen(f"{address}api/v1/events", timeout=30) as events:
            told = (json.loads(line[5:]) for line in events if line.startswith(b'data: {"seq"'))
            next(state for state in told if state["reading"] is not None)
        seen = time.monotonic() - began
        table.send_signal(signal.SIGINT)
        table.wait(10)
        return ready, seen, time.monotonic() - began - seen
    finally:
        if table.poll() is None:
            table.kill()
        table.communicate()


def main() -> int:
    """Start and end the table some times and print."""
    parser = argparse.ArgumentParser(description="How long the table takes to be ready.")
    parser.add_argument("--times", type=int, default=5)
    arguments = parser.parse_args()
    runs = []
    for _ in range(arguments.times):
        with tempfile.TemporaryDirectory() as data:
            runs.append(start(data))
    for name, values in zip(
        ("page ready, s", "first picture read, s", "ended, s"), zip(*runs, strict=True), strict=True
    ):
        sys.stdout.write(f"{name:24}{spread(values, 2)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
