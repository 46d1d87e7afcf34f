"""The standard streams of a command: a closed one, and an output that refuses what is written."""

import io
import os
import sys
from typing import Any

from companion.errors import OutputError
from companion.log import LossyFile

HIGHEST = 2
"""The highest number of a standard stream: standard error."""


class _CheckedFile(LossyFile):
    """A file descriptor whose refusal is an `OutputError`. After the first one it drops what is written."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor)
        self._refused = False

    def write(self, data: Any) -> int:
        if self._refused:  # Python writes what is still buffered when it exits
            return len(data)
        try:
            return os.write(self._descriptor, data)
        except BrokenPipeError:  # the reader has read enough
            raise
        except OSError as error:
            self._refused = True
            raise OutputError(f"expected standard output to take the result, got: {error.strerror}") from error


def check_streams() -> None:
    """Let a failed write to standard output raise `OutputError`, and open /dev/null in place of closed streams.

    Else a file that is opened later gets the number of a closed stream, and what is printed goes into that file.

    Raises:
        OutputError: if standard output is closed.
    """
    unheard = sys.stdout is None
    while (opened := os.open(os.devnull, os.O_RDWR)) <= HIGHEST:
        os.set_inheritable(opened, True)
    os.close(opened)
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115 - as long as the program runs
    if sys.stderr is None:  # print(file=None) writes to standard output
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if unheard:
        raise OutputError("expected standard output to be open, got a closed one; >/dev/null drops the result")
    stream = sys.__stdout__
    if stream is not None and stream is sys.stdout:  # else it was replaced already
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(_CheckedFile(stream.fileno())),
            stream.encoding,
            stream.errors,
            line_buffering=stream.line_buffering,
            write_through=stream.write_through,
        )
