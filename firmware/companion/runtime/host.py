"""The host: the only writer. It takes inputs, steps the table, journals the act, adopts the state and publishes it.

One thread takes inputs in order of arrival. An act's events are on disk before its state is adopted and before any
listener gets it. If the journal refuses, the state stays as it was and the view says so. The host keeps the one timer.
"""

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as LateError
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from companion.errors import CompanionError, FeatureFailedError, JournalError, RaceLostError, TableEndedError
from companion.log import logger_of
from companion.nothing import nothing
from companion.runtime.feed import Feed
from companion.storage.journal import Journal
from companion.storage.rows import acts_of
from companion.table.asking.idle import wake_at
from companion.table.feature import fault_of, features_of
from companion.table.state.cues import Cue, CueKind
from companion.table.state.inputs import Fault, Input, PageInput, ResumeGame, Tick
from companion.table.state.state import TableState
from companion.table.step import step
from companion.table.view import View, view
from companion.words import Text, message
from farkle.notation import write

T = TypeVar("T")

_log = logger_of("host")

NOT_WRITTEN = message("fault.not_written")


ANSWER_S = 10.0
"""The most seconds to wait for the journal's answer to a query."""


def in_time(answer: "Future[T]") -> T:
    """Return the answer of a host.

    Raises:
        JournalError: if it does not come within `ANSWER_S`.
    """
    try:
        return answer.result(ANSWER_S)
    except LateError as error:
        raise JournalError(f"the journal did not answer within {ANSWER_S:g} s") from error


@dataclass(frozen=True)
class Clock:
    """The two clocks: monotonic seconds for all waits, and wall-clock seconds since 1970 for dates.

    `speed` is how many monotonic seconds pass in a second of waiting; it is 1 except in tests in fast motion.
    """

    monotonic: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    speed: float = 1.0


@dataclass(frozen=True)
class _Work:
    """Work in the inbox, and the future of its result. An error that is not among the `expected` ends the host."""

    run: Callable[[], Any]
    expected: type[Exception] = CompanionError
    answer: "Future[Any]" = field(default_factory=Future)

    def do(self) -> None:
        """Do the work, and put its result or exception into the future, unless its caller has gone."""
        if not self.answer.set_running_or_notify_cancel():
            return
        try:
            self.answer.set_result(self.run())
        except BaseException as error:
            self.answer.set_exception(error)
            if not isinstance(error, self.expected):
                raise  # a bug ends the host, and with it the program: the journal holds every act that counts

    def refuse_for_good(self) -> None:
        """Answer that the host has ended."""
        if self.answer.set_running_or_notify_cancel():
            ended = "the table has ended; the journal holds all that was acknowledged"
            self.answer.set_exception(TableEndedError(ended))


class Host:
    """Runs a table. `submit` may be called from any thread; `take` takes one input at once on this thread."""

    def __init__(self, state: TableState, journal: Journal, clock: Clock) -> None:
        self._state = state
        self._journal = journal
        self._clock = clock
        self._inbox: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()  # None ends the host
        self._closing = threading.Lock()  # between putting an item into the inbox and closing the inbox
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="host", daemon=True)
        self._wake_at: float | None = None
        self.feed = Feed(self._made(lambda: view(self._state)), self.submit)
        self.prepare: Callable[[tuple[Cue, ...]], object] = nothing
        """Called with the cues of an input before anyone gets them; its `CompanionError` is the answer to the input."""
        journal.subscribe(self.report_loss)

    @property
    def state(self) -> TableState:
        """The table as it is now."""
        return self._state

    def notation(self) -> str:
        """Return the newest game in the notation, empty if no game has been started."""
        play = self._state.play
        if play is None:
            return ""
        bots = {play.game.players[bot.player]: bot.kind for bot in play.bots}
        return write((event for each in play.history for event in each.act.game_events), bots)

    def wall(self) -> float:
        """Return the time in seconds since 1970."""
        return self._clock.wall()

    def report_loss(self, loss: str) -> None:
        """Show what the journal has lost, in words."""
        self.submit(Fault("loss", message("fault.loss", loss=loss)))

    def start(self) -> None:
        """Begin to take inputs."""
        self._thread.start()

    def stop(self, timeout_s: float = 2.0) -> None:
        """Take the inputs that are in the inbox, then end. Later inputs get a `TableEndedError`."""
        self._inbox.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout_s)
        elif not self._closed:  # the host never ran
            self._close_inbox()

    @property
    def alive(self) -> bool:
        """Whether the host takes inputs."""
        return self._thread.is_alive()

    def submit(self, given: Input, expected_seq: int | None = None) -> "Future[View]":
        """Put an input into the inbox.

        Args:
            given: The input.
            expected_seq: The newest act that the sender knows; the input is refused if another act has come since. None
                accepts the input at any time.

        Returns:
            The view after the input, or a `CompanionError` that says why it was refused.
        """
        return self._put(_Work(lambda: self._answer(given, expected_seq)))

    def consult(self, query: Callable[[Journal], T]) -> "Future[T]":
        """Run a query on the journal between two inputs, on the host's thread; it must be short: the buttons wait."""
        return self._put(_Work(lambda: query(self._journal), Exception))

    def take(self, given: Input, expected_seq: int | None = None) -> View:
        """Take one input: step, journal, adopt, publish.

        Raises:
            RaceLostError: if `expected_seq` is not the newest act.
            JournalError: if the act could not be written; the state is as it was.
        """
        if expected_seq is not None and expected_seq != self._state.seq:
            raise RaceLostError(f"expected act {expected_seq} to be the last, but the last is {self._state.seq}")
        if isinstance(given, ResumeGame):
            given = replace(given, acts=acts_of(self._journal.rows(given.game)))
        made = self._made(lambda: step(self._state, given, self._clock.monotonic()))
        after = made.state
        if made.events:
            try:
                self._journal.append(after.game_number, after.seq, self._clock.wall(), made.events)
            except JournalError:
                self._adopt(self._state.with_fault("journal", NOT_WRITTEN))
                raise
            after = after.with_fault("journal", None)
        self._wake_at = wake_at(after)
        try:
            self.prepare(made.cues)
        finally:
            shown = self._adopt(after, made.cues)
        return shown

    def tell(self, words: Text) -> None:
        """Announce by lights and voice why something was not done, from any thread; the view stays as it is."""
        self._put(_Work(lambda: self._refuse(words)))

    def _adopt(self, state: TableState, cues: tuple[Cue, ...] = ()) -> View:
        self._state = state
        shown = self._made(lambda: view(self._state))
        self.feed.publish(shown, cues)
        return shown

    def _made(self, make: Callable[[], T]) -> T:
        """Make something of the state; a feature that fails is reported, and the table goes on without it."""
        while True:
            try:
                return make()
            except FeatureFailedError as error:
                _log.exception("feature %s", error.feature, exc_info=error.__cause__)
                features = tuple(each for each in features_of(self._state) if each.name != error.feature)
                fault = fault_of(error.feature)
                self._state = replace(self._state, features=features).with_fault(fault.part, fault.text)

    def _refuse(self, words: Text) -> None:
        self.feed.publish(self.feed.latest.view, (Cue(CueKind.REFUSED, words),))

    def _put(self, work: _Work) -> "Future[Any]":
        """Put work into the inbox, and return the future of its result."""
        with self._closing:
            if not self._closed:
                self._inbox.put(work)
                return work.answer
        work.refuse_for_good()
        return work.answer

    def _close_inbox(self) -> None:
        """Answer all waiting and all later inputs with an error, so that no caller waits for ever."""
        with self._closing:
            self._closed = True
        while not self._inbox.empty():
            if (work := self._inbox.get()) is not None:
                work.refuse_for_good()

    def _run(self) -> None:
        try:
            while True:
                try:
                    work = self._inbox.get(timeout=self._wait_s())
                except queue.Empty:
                    self.take(Tick())
                    continue
                if work is None:
                    return
                work.do()
        finally:
            self._close_inbox()

    def _answer(self, given: Input, expected_seq: int | None) -> View:
        try:
            return self.take(given, expected_seq)
        except CompanionError as error:
            if error.spoken and (isinstance(error, JournalError) or not isinstance(given, PageInput)):
                self._refuse(error.spoken)
            raise

    def _wait_s(self) -> float | None:
        if self._wake_at is None:
            return None
        return max(0.0, self._wake_at - self._clock.monotonic()) / self._clock.speed
