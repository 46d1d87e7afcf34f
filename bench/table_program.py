"""The table as a program of its own, for measurements: the tests' `running.table`, ended as by Ctrl-C.

After this module the other helpers of the tests can be imported.
"""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.extend(
    str(Path(__file__).parents[1] / "tests" / each) for each in ("companion", "system", "table", "vision", "web")
)

from namespaces import as_root, lacking
from people import asks as asks
from phone_films import CHROMIUMS
from running import PATIENCE_S, Table, table

State = dict[str, Any]

CHROMIUM = next(filter(Path.exists, CHROMIUMS), None)
NO_CHROMIUM = "expected Chromium (Debian: chromium-headless-shell)"

AGAIN_S = 0.2


@contextmanager
def new_table(*options: str) -> Iterator[Table]:
    """Run a table with a data folder of its own, and end it as Ctrl-C does."""
    with TemporaryDirectory() as data, table(Path(data), *options) as running:
        yield running.ready()
        running.end(signal.SIGINT)


def may_make_namespaces(lacks: str = "") -> bool:
    """Return whether nothing is missing for a measurement in network namespaces, or say what is.

    A program that is not root is started again as root of a user namespace.
    """
    if reason := lacking() or lacks:
        sys.stdout.write(f"left out: {reason}\n")
    elif os.geteuid():
        command = as_root(*sys.argv)
        os.execvp(command[0], command)  # noqa: S606
    return not reason


def until_read(running: Table) -> None:
    """Wait until the eye has read its first picture."""
    running.until(lambda state: state["reading"] is not None)


def accepted(running: Table, path: str, body: State) -> State:
    """Write over the API, again while dice still move, and return the new state."""
    deadline_s = time.monotonic() + PATIENCE_S
    while (answer := running.post(path, body))[0] != HTTPStatus.OK:
        if answer[0] != HTTPStatus.CONFLICT or time.monotonic() > deadline_s:
            raise SystemExit(f"expected the table to take {path} {body}, got {answer}")
        time.sleep(AGAIN_S)
    return answer[1]


def begin_game(running: Table) -> None:
    """Begin a game of two."""
    accepted(running, "game", {"rules": "farkle-cribbage", "players": ["Ann", "Ben"], "start": "Ann"})
