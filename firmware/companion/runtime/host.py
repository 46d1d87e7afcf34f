"""The host: the only writer. Inbox, step, journal, adopt the state, feed; and the one timer.

One thread takes inputs in order of arrival. An act's events are on disk before its state is adopted and before anyone
is told; where the journal refuses, the state stays as it was and the table says so.
"""

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

from companion.errors import CompanionError, JournalError, RaceLostError
from companion.runtime.feed import Feed
from companion.storage.journal import Journal
from companion.table.cues import Cue, CueKind
from companion.table.inputs import Input, Tick
from companion.table.make_view import View, view
from companion.table.state import TableState
from companion.table.step import step

T = TypeVar("T")

NOT_WRITTEN = "Not saved: the journal cannot be written. Nothing of the last try counts."


@dataclass(frozen=True)
class Clock:
    """The two clocks: monotonic seconds for all that waits, wall-clock seconds since 1970 for people.

    `speed` is how many of the monotonic clock's seconds pass in a second of waiting: 1 but in a test in fast motion.
    """

    monotonic: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    speed: float = 1.0


def fast_clock(speed: float) -> Clock:
    """A clock whose monotonic seconds pass `speed` times as fast, from now on."""
    began = time.monotonic()
    return Clock(lambda: began + (time.monotonic() - began) * speed, speed=speed)


class Host:
    """Runs a table. `submit` may be called from any thread; `take` is one input, taken at once on this thread."""

    def __init__(self, state: TableState, journal: Journal, clock: Clock) -> None:
        self._state = state
        self._journal = journal
        self._clock = clock
        self._inbox: queue.SimpleQueue[
            tuple[Input, int | None, Future[View]] | tuple[Callable[[Journal], Any], Future[Any]] | str | None
        ] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="host", daemon=True)
        self._wake_at: float | None = None
        self.feed = Feed(view(state))

    @property
    def state(self) -> TableState:
        """The table as it is now."""
        return self._state

    def start(self) -> None:
        """Begin to take inputs."""
        self._thread.start()

    def stop(self, timeout_s: float = 2.0) -> None:
        """Take what is in the inbox, then end."""
        self._inbox.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    @property
    def alive(self) -> bool:
        """Whether the host takes inputs."""
        return self._thread.is_alive()

    def submit(self, given: Input, expected_seq: int | None = None) -> "Future[View]":
        """Put an input into the inbox. The answer is the view after it, or a `CompanionError` that says why not.

        With `expected_seq` the input is taken only while that is still the newest act.
        """
        answer: Future[View] = Future()
        self._inbox.put((given, expected_seq, answer))
        return answer

    def consult(self, asking: Callable[[Journal], T]) -> "Future[T]":
        """Ask the journal something between two inputs, on the host's thread; keep it short, for the buttons wait."""
        answer: Future[T] = Future()
        self._inbox.put((asking, answer))
        return answer

    def take(self, given: Input, expected_seq: int | None = None) -> View:
        """One input: step, journal, adopt, feed. Raises a `CompanionError`; the state is then as it was."""
        if expected_seq is not None and expected_seq != self._state.seq:
            raise RaceLostError(f"expected act {expected_seq} to be the last, and it is {self._state.seq}")
        made = step(self._state, given, self._clock.monotonic())
        after = made.state
        if made.events:
            try:
                self._journal.append(after.game_number, after.seq, self._clock.wall(), made.events)
            except JournalError:
                self._adopt(self._state.fault("journal", NOT_WRITTEN))
                raise
            after = after.fault("journal", None)
        self._wake_at = made.wake_at
        return self._adopt(after, made.cues)

    def tell(self, words: str) -> None:
        """Say why something was not done, to lights and voice, from any thread; the view stays as it is."""
        self._inbox.put(words)

    def _adopt(self, state: TableState, cues: tuple[Cue, ...] = ()) -> View:
        self._state = state
        seen = view(state)
        self.feed.publish(seen, cues)
        return seen

    def _refuse(self, words: str) -> None:
        self.feed.publish(self.feed.latest.view, (Cue(CueKind.REFUSED, words),))

    def _run(self) -> None:
        while True:
            try:
                item = self._inbox.get(timeout=self._wait_s())
            except queue.Empty:
                self.take(Tick())
                continue
            if item is None:
                return
            if isinstance(item, str):
                self._refuse(item)
                continue
            if len(item) == 2:
                _consulted(*item, self._journal)
                continue
            given, expected_seq, answer = item
            if not answer.set_running_or_notify_cancel():
                continue  # whoever asked has gone, and nothing has been done yet
            try:
                answer.set_result(self.take(given, expected_seq))
            except CompanionError as error:
                self._refuse(str(error))
                answer.set_exception(error)
            except BaseException as error:
                answer.set_exception(error)
                raise  # a bug ends the host, and with it the program: the journal holds all that counts

    def _wait_s(self) -> float | None:
        if self._wake_at is None:
            return None
        return max(0.0, self._wake_at - self._clock.monotonic()) / self._clock.speed


def _consulted(asking: Callable[[Journal], Any], answer: "Future[Any]", journal: Journal) -> None:
    """Give the journal to who asks; what goes wrong is the asker's."""
    if not answer.set_running_or_notify_cancel():
        return
    try:
        answer.set_result(asking(journal))
    except Exception as error:  # noqa: BLE001 - the host goes on; the asker is told
        answer.set_exception(error)
