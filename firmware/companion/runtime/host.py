"""The host: the only writer. It takes inputs, steps the table, journals the act, adopts the state and publishes it.

One thread takes inputs in order of arrival. An act's events are on disk before its state is adopted and before any
listener gets it. If the journal refuses, the state stays as it was and the view says so. The host keeps the one timer.
"""

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

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


@dataclass(frozen=True)
class Clock:
    """The two clocks: monotonic seconds for all waits, and wall-clock seconds since 1970 for dates.

    `speed` is how many monotonic seconds pass in a second of waiting; it is 1 except in tests in fast motion.
    """

    monotonic: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    speed: float = 1.0


@dataclass(frozen=True)
class _Take:
    """An input in the inbox; it is taken if `expected_seq` is None or still the newest act."""

    given: Input
    expected_seq: int | None
    answer: "Future[View]"


@dataclass(frozen=True)
class _Query(Generic[T]):
    """A query in the inbox, which runs on the journal."""

    run: Callable[[Journal], T]
    answer: "Future[T]"

    def __call__(self, journal: Journal) -> None:
        """Put the query's result or exception into the caller's future."""
        if self.answer.set_running_or_notify_cancel():
            try:
                self.answer.set_result(self.run(journal))
            except Exception as error:  # noqa: BLE001 - the host goes on; the caller gets the exception
                self.answer.set_exception(error)


@dataclass(frozen=True)
class _Say:
    """Words in the inbox that say why something was not done."""

    words: Text


@dataclass(frozen=True)
class _Stop:
    """The end of the host, in the inbox."""


_Item = _Take | _Query[Any] | _Say | _Stop


def _refuse_for_good(item: _Item) -> None:
    """Answer an item of a host that has ended."""
    if isinstance(item, _Take | _Query) and item.answer.set_running_or_notify_cancel():
        item.answer.set_exception(TableEndedError("the table has ended; the journal holds all that was acknowledged"))


class Host:
    """Runs a table. `submit` may be called from any thread; `take` takes one input at once on this thread."""

    def __init__(self, state: TableState, journal: Journal, clock: Clock) -> None:
        self._state = state
        self._journal = journal
        self._clock = clock
        self._inbox: queue.SimpleQueue[_Item] = queue.SimpleQueue()
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

    def report_loss(self, loss: str) -> None:
        """Show what the journal has lost, in words."""
        self.submit(Fault("loss", message("fault.loss", loss=loss)))

    def start(self) -> None:
        """Begin to take inputs."""
        self._thread.start()

    def stop(self, timeout_s: float = 2.0) -> None:
        """Take the inputs that are in the inbox, then end. Later inputs get a `TableEndedError`."""
        self._put(_Stop())
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
        answer: Future[View] = Future()
        self._put(_Take(given, expected_seq, answer))
        return answer

    def consult(self, query: Callable[[Journal], T]) -> "Future[T]":
        """Run a query on the journal between two inputs, on the host's thread; it must be short: the buttons wait."""
        answer: Future[T] = Future()
        self._put(_Query(query, answer))
        return answer

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
        self._put(_Say(words))

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

    def _put(self, item: _Item) -> None:
        with self._closing:
            if not self._closed:
                self._inbox.put(item)
                return
        _refuse_for_good(item)

    def _close_inbox(self) -> None:
        """Answer all waiting and all later inputs with an error, so that no caller waits for ever."""
        with self._closing:
            self._closed = True
        while not self._inbox.empty():
            _refuse_for_good(self._inbox.get())

    def _run(self) -> None:
        try:
            self._take_items()
        finally:
            self._close_inbox()

    def _take_items(self) -> None:
        while True:
            try:
                item = self._inbox.get(timeout=self._wait_s())
            except queue.Empty:
                self.take(Tick())
                continue
            match item:
                case _Stop():
                    return
                case _Say(words=words):
                    self._refuse(words)
                case _Query():
                    item(self._journal)
                case _Take() if item.answer.set_running_or_notify_cancel():  # else the caller has gone
                    self._answer(item)

    def _answer(self, item: _Take) -> None:
        try:
            item.answer.set_result(self.take(item.given, item.expected_seq))
        except CompanionError as error:
            if error.spoken and (isinstance(error, JournalError) or not isinstance(item.given, PageInput)):
                self._refuse(error.spoken)
            item.answer.set_exception(error)
        except BaseException as error:
            item.answer.set_exception(error)
            raise  # a bug ends the host, and with it the program: the journal holds every act that counts

    def _wait_s(self) -> float | None:
        if self._wake_at is None:
            return None
        return max(0.0, self._wake_at - self._clock.monotonic()) / self._clock.speed
