"""A process for work that may be long or fail as a whole: the table does not load its libraries, and can end it."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from traceback import format_exception
from typing import TypeVar

from companion.errors import BusyError, RefusedError
from companion.words import Message

T = TypeVar("T")

SPAWN = get_context("spawn")


class WorkProcess:
    """A process that is started for the first piece of work, and does one after another. Any thread may use it."""

    def __init__(self, ended: Message) -> None:
        """Start nothing yet.

        Args:
            ended: says that the process has ended in the middle of its work.
        """
        self._ended = ended
        self._turn, self._lock, self._held = threading.Lock(), threading.Lock(), threading.Lock()
        self._process: SpawnProcess | None = None
        self._channel: Connection | None = None
        self._closed = False

    @contextmanager
    def alone(self, busy: Message) -> Iterator[None]:
        """Keep the process for one caller at a time.

        Raises:
            BusyError: with these words while another caller keeps it.
        """
        if not self._held.acquire(blocking=False):
            raise BusyError(busy)
        try:
            yield
        finally:
            self._held.release()

    def run(self, function: Callable[[], T], most_s: float | None = None) -> T:
        """Return a function's result, or raise its exception.

        Args:
            function: what to do; it is pickled.
            most_s: seconds after which the process is killed.

        Raises:
            RefusedError: if the process ended, was killed or ran out of memory, or took too long.
        """
        with self._turn:
            answer = None
            with suppress(OSError, EOFError):
                channel = self._open()
                channel.send(function)
                if channel.poll(most_s):
                    answer = channel.recv()
            if answer is None:
                self.end()
                raise RefusedError(self._ended)
        done, result = answer
        if not done:
            raise result
        return result  # type: ignore[no-any-return]

    def end(self) -> None:
        """Kill the process, whatever it does; the next work gets another one."""
        with self._lock:
            process, self._process, self._channel = self._process, None, None
        if process is not None:
            process.kill()
            process.join()

    def close(self) -> None:
        """Kill the process, and start no other."""
        self._closed = True
        self.end()

    def _open(self) -> Connection:
        """Return the channel to the process.

        Raises:
            BrokenPipeError: if there is to be no process any more.
        """
        with self._lock:
            if self._closed:
                raise BrokenPipeError
            if self._channel is None:
                ours, theirs = SPAWN.Pipe()
                with theirs:
                    process = SPAWN.Process(target=_work, args=(theirs,), name="work", daemon=True)
                    process.start()
                self._process, self._channel = process, ours
            return self._channel


def _work(channel: Connection) -> None:
    """Do what comes, one after another, until the table ends the process, or has ended itself.

    Ctrl-C reaches this process, too, and is left to the table.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="end with the game", daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            function = channel.recv()
            try:
                answer = True, function()
            except Exception as error:  # noqa: BLE001 - the caller gets it
                error.add_note("".join(format_exception(error)))
                answer = False, error
            channel.send(answer)


def _end_with_parent() -> None:
    """End this process as soon as the one that started it has ended, even in the middle of its work."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(0)
