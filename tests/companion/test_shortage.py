"""A machine that is short of memory, threads or open files: a table that cannot start ends with one line."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.errors import shortage

PATIENCE_S = 120.0

SHORT_OF_THREADS = """
import sys, threading
start, left = threading.Thread.start, [int(sys.argv.pop(1))]
def limited(self):
    if not left[0]:
        raise RuntimeError("can't start new thread")
    left[0] -= 1
    start(self)
threading.Thread.start = limited
from companion.cli.main import run
run()
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize("threads", [pytest.param(0, marks=pytest.mark.exhaustive), 6])
def test_a_table_without_memory_for_its_threads_ends_with_one_line_and_leaves_nothing(
    tmp_path: Path, threads: int
) -> None:
    command = [sys.executable, "-c", SHORT_OF_THREADS, str(threads), "play", "--port", "0", "--data", str(tmp_path)]
    table = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    said = table.communicate(timeout=PATIENCE_S)[1]
    assert table.returncode == 1
    assert "Traceback" not in said
    wanted = "farklecrib: error: expected enough memory, threads and open files, got: can't start new thread\n"
    assert said.endswith(wanted)
    with pytest.raises(ProcessLookupError):
        os.killpg(table.pid, 0)


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
