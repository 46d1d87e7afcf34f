"""Run a command in a child process, so that a library that crashes it costs one line and not a shell's "core dumped".

Pictures are read by native libraries. One that does not fit the processor ends its process by a signal, which no
`except` sees. The command that reads pictures runs in a child of the program, which stays small and reports its end.
"""

import ctypes
import faulthandler
import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import FrameType
from typing import NoReturn

from companion.exits import CRASHES, why_ended

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
