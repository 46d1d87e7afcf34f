"""Make traced scenes: `make scenes`, or `.venv-scenes/bin/python bench/training/make_scenes.py [--count N]`.

Writes for each seed a picture (00042.jpg) and its labels (00042.json) into a folder outside the repository. What is
there already, from this version of the generator, stays: a run that was stopped goes on, and pictures that are missing
are made again from their seeds. Files appear whole or not at all. Each core makes scenes of its own.
"""

import argparse
import json
import os
import signal
import sys
import time
from functools import partial
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path

from traced.plan import VERSION
from traced_scenes import FOLDER, files_of, is_made

NICE = 19
EVERY_S = 30.0
"""Seconds between two lines of progress."""


def write_whole(file: Path, content: bytes) -> None:
    """Write a file so that it appears with its whole content."""
    beside = file.with_name(f"{file.name}.part")
    beside.write_bytes(content)
    beside.replace(file)


def make(seed: int, folder: Path) -> None:
    """Make a scene's picture and labels."""
    from traced.render import traced

    jpeg, labels = traced(seed)
    picture, told = files_of(folder, seed)
    told.unlink(missing_ok=True)  # labels of an earlier version
    write_whole(picture, jpeg)
    write_whole(told, json.dumps(labels, separators=(",", ":")).encode())


def main() -> int:
    """Make the scenes that are missing."""
    cores = len(os.sched_getaffinity(0))
    parser = argparse.ArgumentParser(description="Make traced scenes of dice, with labels, for training.")
    parser.add_argument("--first", type=int, default=0, help="the first seed (default: 0)")
    parser.add_argument("--count", type=int, default=4000, help="the number of scenes (default: 4000)")
    parser.add_argument("--to", type=Path, default=FOLDER, help=f"the folder (default: {FOLDER})")
    parser.add_argument("--jobs", type=int, default=cores, help=f"scenes at a time (default: one a core, {cores})")
    arguments = parser.parse_args()
    if arguments.first < 0 or arguments.count < 1:
        parser.error(f"expected a first seed from 0 and a count from 1, got {arguments.first} and {arguments.count}")
    if arguments.jobs < 1:
        parser.error(f"expected at least one scene at a time, got {arguments.jobs}")
    if find_spec("bpy") is None:
        parser.error("expected Blender's module bpy, got none; install it with: make scenes")
    os.nice(NICE - os.nice(0))
    try:
        arguments.to.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(f"expected a folder that can be written to, got '{arguments.to}': {error.strerror}")
    seeds = range(arguments.first, arguments.first + arguments.count)
    missing = [seed for seed in seeds if not is_made(arguments.to, seed)]
    say(f"{len(seeds) - len(missing)} of {len(seeds)} scenes of version {VERSION} are in {arguments.to}")
    began = said = time.monotonic()
    # Blender cannot be forked, and a process makes the same scene whatever it made before.
    with get_context("spawn").Pool(arguments.jobs, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        for done, _ in enumerate(pool.imap_unordered(partial(make, folder=arguments.to), missing), 1):
            now = time.monotonic()
            if now - said > EVERY_S or done == len(missing):
                said, hourly = now, 3600 * done / (now - began)
                left = (len(missing) - done) / hourly
                say(f"{done} of {len(missing)} made, {hourly:.0f} scenes an hour, {left:.1f} h left")
    return 0


def say(text: str) -> None:
    """Print a line with the time."""
    sys.stdout.write(f"{time.strftime('%H:%M:%S')}  {text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        say("stopped; the next run goes on here")
        sys.exit(130)
