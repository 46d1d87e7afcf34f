"""Measure the time from the command to the page and to the first picture: `python bench/start_bench.py`."""

import argparse
import signal
import sys
import time

from figures import spread
from table_program import new_table, until_read


def start() -> tuple[float, float, float]:
    """Return the seconds from the command to the page, to the eye's first picture, and from Ctrl-C to the end."""
    began = time.monotonic()
    with new_table("--players", "Ann,Ben") as table:
        ready = time.monotonic() - began
        until_read(table)
        seen = time.monotonic() - began
        table.end(signal.SIGINT)
        return ready, seen, time.monotonic() - began - seen


def main() -> int:
    """Start and end the table some times and print."""
    parser = argparse.ArgumentParser(description="How long the table takes to be ready.")
    parser.add_argument("--times", type=int, default=5)
    runs = [start() for _ in range(parser.parse_args().times)]
    for name, values in zip(
        ("page ready, s", "first picture read, s", "ended, s"), zip(*runs, strict=True), strict=True
    ):
        sys.stdout.write(f"{name:24}{spread(values, 2)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
