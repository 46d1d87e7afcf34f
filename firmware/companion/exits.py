"""Say in words why a Python process has ended: the signal or the exception, and the library that it came from."""

import errno
import re
import signal
import traceback
from collections.abc import Iterator
from pathlib import Path

CRASHES = {
    signal.SIGILL: "illegal instruction: the library does not fit this processor",
    signal.SIGSEGV: "segmentation fault",
    signal.SIGBUS: "bus error",
    signal.SIGFPE: "arithmetic error",
    signal.SIGABRT: "abort",
}
"""The signals by which a library ends a process, and what they mean."""

SHORT = frozenset({errno.ENOMEM, errno.EAGAIN, errno.EMFILE, errno.ENFILE})
"""The errors of an operating system that has no memory, process or open file left."""

NO_THREAD = "can't start new thread"
"""The text of Python's `RuntimeError` where there is no memory or thread left (CPython, `_threadmodule.c`)."""

OURS = frozenset({"companion", "dicereader", "farkle", "pegboard", "farklecrib", "runpy", "__main__"})

FAULTHANDLER = ("-X", "faulthandler")
"""Options of Python, so that a process that a signal ends says where it was."""

_FRAME = re.compile(r'^ +File "([^"<]+)", line \d+,? in (.+)$', re.MULTILINE)
_FATAL = "Fatal Python error: "


def why_ended(status: int, output: str) -> str:
    """Return why a process ended, with the name of the library to blame; empty for status 0.

    Args:
        status: its exit status; a signal's number is negative.
        output: the end of its standard error: a traceback of an exception, or one of faulthandler.
    """
    if status == 0:
        return ""
    library = _library(output)
    if status < 0:
        from pegboard.errors import ending  # the commands without a board load none of it

        name = ending(status)
        what = f"{name} ({CRASHES[signal.Signals(-status)]})" if -status in CRASHES else name
        return f"{library or 'it'} ended with {what}"
    last = next((line.strip() for line in reversed(output.splitlines()) if line.strip()), f"status {status}")
    return f"{library} does not load: {last}" if library else last


def load_failure(error: Exception) -> str:
    """Return which library does not load, and why; empty if the error comes from something else."""
    text = "".join(traceback.format_exception(error, chain=False))
    return why_ended(1, text) if isinstance(error, ImportError) or _library(text) else ""


def shortage(error: Exception) -> str:
    """Return what went wrong if the machine had too little memory, threads or open files; else nothing."""
    short = isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in SHORT)
    if short or (isinstance(error, RuntimeError) and str(error) == NO_THREAD):
        return str(error) or type(error).__name__
    return ""


def _library(output: str) -> str:
    """Return the library that was being imported, else for a crash the one that was at work; else nothing."""
    crashed = _FATAL in output
    frames = list(_frames(output.rpartition(_FATAL)[2]))
    if crashed:  # faulthandler begins with the innermost frame
        frames.reverse()
    foreign = [(library, where) for library, where in frames if library not in OURS]
    imported = (library for library, where in foreign if where == "<module>")
    return next(imported, foreign[-1][0] if foreign and crashed else "")


def _frames(output: str) -> Iterator[tuple[str, str]]:
    """Yield the library of each frame of a traceback, and its function."""
    for path, where in _FRAME.findall(output):
        name = Path(path)
        while (name.parent / "__init__.py").is_file():
            name = name.parent
        yield name.stem, where
