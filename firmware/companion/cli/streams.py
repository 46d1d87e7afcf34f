"""The streams of a process: what stands on them at the start, progress on standard error, and a crash in one line."""

import ctypes
import faulthandler
import io
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NoReturn

from companion.errors import OutputError
from companion.exits import CRASHES, why_ended
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


@contextmanager
def bar(words: str) -> Iterator[Callable[[float], None]]:
    """Yield a function that takes the share that is done, from 0 to 1. The bar appears with the first share.

    Without a terminal a line is written when the work begins and one at each tenth.
    """
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import Progress

        with Progress(console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task(words, total=1.0, visible=False)
            yield lambda share: progress.update(task, completed=share, visible=True)
        return
    tenth = -1

    def tell_share(share: float) -> None:
        nonlocal tenth
        if int(share * 10) > tenth:
            tenth = int(share * 10)
            print(f"{words}: {tenth * 10} %", file=sys.stderr, flush=True)

    yield tell_share


READING = (("read",), ("calibrate",), ("selftest", "camera"))
"""The commands that read pictures in their own process."""

FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PR_SET_PDEATHSIG = 1
"""The option of prctl(2) that names the signal a process gets when its parent ends."""

LONGEST_TRACE = 1 << 16


def reads_pictures(arguments: Sequence[str]) -> bool:
    """Return whether the command of these arguments reads pictures."""
    return any(tuple(arguments[: len(command)]) == command for command in READING)


def _end_with(parent: int) -> None:
    """Let the kernel kill this process when its parent has ended, however that was."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it has ended already
        os.kill(os.getpid(), signal.SIGKILL)


def _interrupt_once(_number: int, _frame: FrameType | None) -> NoReturn:
    """End the command at the first SIGINT alone: a terminal sends one to this process, too, beside the forwarded one.

    Raises:
        KeyboardInterrupt: always.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def report_crash(command: Callable[[], None]) -> str:
    """Run a command in a child process, and exit as it exits.

    The child gets this process's standard streams, and the signals that end it.

    Args:
        command: exits by `SystemExit`.

    Returns:
        The reason, if a library crashed the child. Nothing else returns.

    Raises:
        SystemExit: with the exit status of the child, in both processes.
    """
    trace = os.memfd_create("farklecrib-trace")
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGINT, _interrupt_once)
        _end_with(parent)
        faulthandler.enable(trace)
        command()
        raise SystemExit(0)

    def forward(number: int, _frame: FrameType | None) -> None:
        with suppress(ProcessLookupError):  # it has just ended
            os.kill(child, number)

    for each in FORWARDED:
        signal.signal(each, forward)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if -status in CRASHES:
        return why_ended(status, os.pread(trace, LONGEST_TRACE, 0).decode(errors="replace"))
    if status < 0:  # somebody ended the child: this process ends in the same way
        with suppress(OSError):  # SIGKILL has no handler
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    raise SystemExit(status)
