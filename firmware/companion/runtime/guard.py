"""Guards: a part that fails is reported once, is tried again after growing waits, and is reported when it works again.

Every piece of a part that runs on its own has a guard: each pass of a `Worker`'s loop, and each listener of the
feed. An exception of a part or its driver degrades this part alone.
"""

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType

from companion.errors import CompanionError, ToldError
from companion.log import logger_of
from companion.table.state.inputs import Fault
from companion.words import Text, because
from dicereader.errors import DiceReaderError
from farkle.errors import FarkleError
from pegboard.errors import PegboardError

FIRST_WAIT_S = 2.0
MOST_WAIT_S = 16.0
"""Seconds before a part that failed is tried again: the first wait, doubled with each failure up to the longest."""

REPORT_AGAIN_S = 60.0
"""The least time in seconds between two reports of a part that alternately fails and works."""

KNOWN = (CompanionError, DiceReaderError, FarkleError, PegboardError, OSError)
"""Errors whose text says what is wrong. Any other error is a bug of the part, and its traceback is logged."""

_log = logger_of("guard")


@dataclass(eq=False)
class Guard:
    """A context manager that keeps the exceptions of one part from all others. Not thread-safe.

    `wait_s` is the time in seconds to wait before the part is tried again, 0 if its last try worked. `SystemExit` and
    `KeyboardInterrupt` pass through.

    Args:
        part: The name of the part in its faults.
        words: What does not work, in words for players; the reason follows them.
        report: Gets the part's faults and their ends.
        clock: The clock of the reports, in seconds.
    """

    part: str
    words: Text
    report: Callable[[Fault], object]
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        self.wait_s = 0.0
        self._reported = False
        self._reported_s = float("-inf")

    def __enter__(self) -> None:
        """Begin a try."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        """Note an exception of the try as a failure, and suppress it."""
        if isinstance(error, Exception):
            self.fail(error)
            return True
        return False

    def fail(self, error: Exception) -> None:
        """Note that the part has failed, and report it.

        A single failure less than a minute after the last report is not reported; a second one in a row always is.
        """
        is_second = self.wait_s > 0
        self.wait_s = min(max(FIRST_WAIT_S, 2 * self.wait_s), MOST_WAIT_S)
        now_s = self.clock()
        if self._reported or (now_s - self._reported_s < REPORT_AGAIN_S and not is_second):
            return
        self._reported, self._reported_s = True, now_s
        reason: Text
        if isinstance(error, ToldError):
            reason = error.reason
        elif isinstance(error, KNOWN):
            reason = " ".join(str(error).split()) or type(error).__name__
        else:
            _log.error(f"a bug of the {self.part}", exc_info=error)
            reason = f"an error of the program ({type(error).__name__}), see its log"
        self.report(Fault(self.part, because(self.words, reason)))

    def works(self) -> None:
        """Note that the part works; report it if its failure was reported."""
        self.wait_s = 0.0
        if self._reported:
            self._reported = False
            self.report(Fault(self.part, None))


class Worker(ABC):
    """A guarded thread with a heartbeat. It calls `_work` again and again until `_ending` is set.

    An exception of `_work` is reported, and `_work` is called again after a wait. `_wake` ends the wait of a part that
    works.
    """

    closing_s: float | None = 1.0
    """How many seconds closing waits for the thread, because a driver may hang. None waits until it has ended."""

    def __init__(self, name: str, guard: Guard, speed: float = 1.0) -> None:
        """Prepare the thread.

        Args:
            name: The name of the thread.
            guard: Reports the failures of `_work`, which calls the guard's `works`.
            speed: How many seconds of the guard's waits pass in a second.
        """
        self.last_heartbeat_s: float | None = None
        """When the thread last went through its loop, in seconds of `time.monotonic`; None while it waits."""
        self._guard = guard
        self._speed = speed
        self._ending = threading.Event()
        self._woken = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @property
    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """End the thread, and wait for its end."""
        self._end()

    def _beat(self) -> None:
        self.last_heartbeat_s = time.monotonic()

    def _idle(self) -> None:
        """Note that the thread waits: until its next heartbeat nothing is expected of it."""
        self.last_heartbeat_s = None

    def _wake(self) -> None:
        """Call `_work` at once, or once more if it is at work, from any thread."""
        self._woken.set()

    def _end(self) -> bool:
        """End the loop, and wait for the thread for `closing_s` at most.

        Returns:
            False if the thread goes on: its driver hangs, and closing the driver might hang, too.
        """
        self._ending.set()
        self._wake()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(self.closing_s)
            return not self._thread.is_alive()
        return True

    def _run(self) -> None:
        while True:
            self._woken.clear()
            if self._ending.is_set():
                return
            self._beat()
            try:
                wait_s = self._work()
            except Exception as error:  # noqa: BLE001 - any error degrades this part alone
                if not self._ending.is_set():  # else the error comes from closing the part
                    self._guard.fail(error)
                self._idle()
                self._ending.wait(self._guard.wait_s / self._speed)
            else:
                self._idle()
                self._woken.wait(wait_s)

    @abstractmethod
    def _work(self) -> float:
        """Do one pass, which must take less than the patience of heartbeats; return seconds until the next one."""
