"""The log: the standard library's logging, set up in one place and written to standard error.

A part of the program logs as `farklecrib.PART`. Lines for people (`say`) have neither time nor level. Under systemd
each line begins with the journal's priority (sd-daemon(3)) in place of a time. A thread of its own writes the lines: a
stream that is slow, full or closed loses lines, and never delays or ends the program.
"""

import io
import json
import logging
import os
import queue
import stat
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import IO, Any

from companion.nothing import never, nothing

NAME = "farklecrib"
WAITING = 1000
"""Records that wait for a slow stream; further ones are lost."""

CLOSE_S = 1.0
"""Seconds that closing waits for the queue to be written."""

AGAIN_S = 60.0
"""Seconds until `OnceAMinute` passes the same message again."""

PRIORITIES = {logging.DEBUG: 7, logging.INFO: 6, logging.WARNING: 4, logging.ERROR: 3, logging.CRITICAL: 2}
"""The journal's priority of each level."""


def escaped(text: str) -> str:
    """Return a text with its control and unprintable characters escaped as in JSON's strings."""
    return "".join(mark if mark.isprintable() or mark in "\n\t" else json.dumps(mark)[1:-1] for mark in text)


def logger_of(part: str) -> logging.Logger:
    """Return the logger of a part of the program."""
    return logging.getLogger(f"{NAME}.{part}")


def say(words: str, level: int = logging.INFO) -> None:
    """Print a line for people: without time, level and part."""
    logging.getLogger(NAME).log(level, "%s", words)


class LineFormatter(logging.Formatter):
    """Formats a record as lines; with `journal` they begin with a priority, else with the local time."""

    def __init__(self, *, journal: bool) -> None:
        super().__init__("%(message)s")
        self._journal = journal

    def format(self, record: logging.LogRecord) -> str:
        """Return the record's lines, those of its traceback included, each with its level and part."""
        name, _, part = record.name.partition(".")
        own = name == NAME
        before = "" if own and not part else f"{record.levelname.lower()} {part if own else name}: "
        if self._journal:
            before = f"<{PRIORITIES.get(record.levelno, 6)}>{before}"
        elif before:
            before = f"{time.strftime('%H:%M:%S', time.localtime(record.created))} {before}"
        return "".join(f"{before}{escaped(line)}\n" for line in super().format(record).splitlines())


class DescriptorHandler(logging.Handler):
    """Writes records to a file descriptor on a thread of its own. `emit` never waits and never raises."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines: queue.Queue[bytes | None] = queue.Queue(WAITING)
        self._thread = threading.Thread(target=self._run, name="log", daemon=True)
        self._thread.start()
        super().__init__()  # once the thread runs: `logging` closes every handler that it knows, at the end

    def emit(self, record: logging.LogRecord) -> None:
        """Put the record's lines into the queue."""
        try:
            self._lines.put_nowait(self.format(record).encode(errors="backslashreplace"))
        except queue.Full:
            pass
        except Exception:  # noqa: BLE001 - a record that cannot be formatted must not end its part
            self.handleError(record)

    def close(self) -> None:
        """Write what is in the queue, for a second at most."""
        super().close()
        with suppress(queue.Full):
            self._lines.put(None, timeout=CLOSE_S)
            self._thread.join(CLOSE_S)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """Ignore a record that cannot be written."""

    def _run(self) -> None:
        while (lines := self._lines.get()) is not None:
            with suppress(OSError):  # a full disk, a closed pipe
                while lines:
                    lines = lines[os.write(self._descriptor, lines) :]


class OnceAMinute(logging.Filter):
    """Passes each message at most once a minute, whatever its arguments, and then says how many were left out.

    It is for messages that strangers on the network, or a faulty device, can cause without limit.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._known: dict[str, tuple[float, int]] = {}
        """For each message of the last minute: when it may pass again, in seconds, and how often it was left out."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record may pass."""
        now_s, message = self._clock(), str(record.msg)
        until_s, left_out = self._known.pop(message, (now_s, 0))
        if now_s < until_s:
            self._known[message] = (until_s, left_out + 1)
            return False
        self._known = {each: known for each, known in self._known.items() if known[0] > now_s}
        self._known[message] = (now_s + AGAIN_S, 0)
        if left_out:
            record.msg = f"{message} ({left_out} more like this were left out)"
        return True


class LossyFile(io.FileIO):
    """A file descriptor that accepts every write; bytes that it cannot write are lost."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor, "w", closefd=False)

    def write(self, data: Any) -> int:
        """Write the data, and return how many bytes count as written."""
        with suppress(OSError):  # a full disk, a reader that has gone
            return os.write(self.fileno(), data)
        return len(data)


def make_stderr_lossy() -> None:
    """Let no write to standard error raise from now on: a full disk or a closed pipe ends no command."""
    stream = sys.__stderr__
    if stream is not None and stream is sys.stderr:  # else it is closed, or was replaced already
        file = io.BufferedWriter(LossyFile(stream.fileno()))
        sys.stderr = io.TextIOWrapper(file, stream.encoding, errors="backslashreplace", line_buffering=True)


def start_log(*, verbose: bool = False, muted: Callable[[], bool] = never, descriptor: int = 2) -> Callable[[], None]:
    """Send all logging of this process to standard error.

    Args:
        verbose: Write debug lines too.
        muted: Returns whether to drop records, because the terminal shows the board now.
        descriptor: The file descriptor of standard error.

    Returns:
        A function that writes the waiting records and ends the log.
    """
    closed = sys.__stderr__ is None  # then the descriptor may belong to another file by now
    handler: logging.Handler = logging.NullHandler() if closed else DescriptorHandler(descriptor)
    handler.setFormatter(LineFormatter(journal=is_journal(descriptor, os.environ)))
    handler.addFilter(lambda _: not muted())
    others = OnceAMinute()
    handler.addFilter(lambda record: record.name.partition(".")[0] == NAME or others.filter(record))
    root, ours = logging.getLogger(), logging.getLogger(NAME)
    root.addHandler(handler)
    ours.setLevel(logging.DEBUG if verbose else logging.INFO)
    logging.captureWarnings(capture=True)
    hook, threading.excepthook = threading.excepthook, _log_thread_death

    def end() -> None:
        threading.excepthook = hook
        logging.captureWarnings(capture=False)
        ours.setLevel(logging.NOTSET)
        root.removeHandler(handler)
        handler.close()

    return end


def is_journal(descriptor: int, environment: Mapping[str, str]) -> bool:
    """Return whether the descriptor leads to systemd's journal, which reads priorities."""
    try:
        status = os.fstat(descriptor)
    except OSError:
        return False
    if "JOURNAL_STREAM" in environment:
        return environment["JOURNAL_STREAM"] == f"{status.st_dev}:{status.st_ino}"
    return "INVOCATION_ID" in environment and not stat.S_ISCHR(status.st_mode)


def log_stream(stream: IO[bytes], logger: logging.Logger, keep: Callable[[str], object] = nothing) -> None:
    """Log each line that a child process writes to its standard error, until it ends; `keep` gets the lines too."""
    with stream:
        for line in stream:
            if words := line.decode(errors="replace").rstrip():
                logger.warning(words)
                keep(words)


def _log_thread_death(died: threading.ExceptHookArgs) -> None:
    name = died.thread.name if died.thread is not None else "thread"
    if died.exc_value is not None:
        exc_info = (died.exc_type, died.exc_value, died.exc_traceback)
        logger_of(name).critical("ended by an error", exc_info=exc_info)
