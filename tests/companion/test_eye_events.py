"""Eye events: messages of the eye reach the table as inputs, and the table's expected dice reach the eye."""

import queue
import threading
from pathlib import Path

import pytest
from hosted import PATIENCE_S, hosted
from tables import Table, observation

from companion.devices.eye_events import CAMERA_FAULT_TEXTS, EyeEvents, EyeInstructor
from companion.runtime.feed import Feed
from companion.table.state.inputs import Answer, Fault, Input, MotionReported, ReadingSettled, Tick, TrayFoundAgain
from companion.table.throws.selection import ExpectedThrow, expected_throw
from companion.words import because, english, message
from dicereader import reading
from dicereader.live import messages
from dicereader.reading import CameraFault, Motion

BLIND = Fault("eye", because(message("fault.blind"), "no frames"))


@pytest.fixture
def inbox() -> list[Input]:
    return []


@pytest.fixture
def eye_events(inbox: list[Input]) -> EyeEvents:
    return EyeEvents(inbox.append, "synthetic")


SETTLED = observation("233346")
BEAT, TROUBLE = messages.Heartbeat(1.0), messages.Trouble("no frames", fatal=False)
BLACK, COVERED, FROZEN = (
    Fault("camera", CAMERA_FAULT_TEXTS[fault], fault is CameraFault.COVERED)
    for fault in (CameraFault.BLACK, CameraFault.COVERED, CameraFault.FROZEN)
)
ENDS = Fault("camera", None)


@pytest.mark.parametrize(
    ("sent", "given"),
    [
        ([messages.Observed(SETTLED)], [ReadingSettled(SETTLED, "synthetic")]),
        (list(map(messages.MotionChanged, Motion)), list(map(MotionReported, Motion))),
        ([BEAT, messages.TrayPicture(), messages.TrayMoved()], [TrayFoundAgain()]),
        ([TROUBLE, BEAT, BEAT], [BLIND, Fault("eye", None)]),
        ([messages.FaultsChanged((CameraFault.COVERED,))], [COVERED]),  # it may be a false alarm
        (
            [messages.FaultsChanged((CameraFault.FROZEN, CameraFault.TORN)), BEAT, messages.FaultsChanged(())],
            [FROZEN, ENDS],
        ),
        ([messages.FaultsChanged((CameraFault.BLACK,)), messages.Hello(live=True)], [BLACK, ENDS]),
    ],
)
def test_messages_of_the_eye_are_inputs_of_the_table(
    eye_events: EyeEvents, inbox: list[Input], sent: list[messages.FromEye], given: list[Input]
) -> None:
    for each in sent:
        eye_events.on_message(each)
    assert (inbox, eye_events.fatal) == (given, "")


def test_a_trouble_is_shown_as_one_short_line(eye_events: EyeEvents, inbox: list[Input]) -> None:
    eye_events.on_message(messages.Trouble("no\nframes " + "x" * 1_000_000, fatal=False))
    (fault,) = inbox
    said = english().text(fault.text)
    assert said.startswith("I can't see the tray: no frames xxx")
    assert len(said) < 400


def test_an_alarm_that_people_wave_away_reaches_the_eye_once() -> None:
    table, eye = Table().start(), Eye()
    feed = Feed(table.view)
    EyeInstructor(feed, lambda: table.state, eye, bool)  # type: ignore[arg-type]
    table.take(Fault("camera", "Part of the tray is covered.", false_alarm=True))
    table.now = 8.0
    for given in (Tick(), Answer("read anyway"), Fault("camera", None)):
        table.take(given)
        feed.publish(table.view, tuple(table.cues))
    assert eye.overlooked == 1


def test_an_eye_that_cannot_start_says_why_until_frames_come(eye_events: EyeEvents) -> None:
    eye_events.on_message(messages.Trouble("no frames", fatal=True))
    assert eye_events.fatal == "no frames"
    eye_events.on_message(messages.Heartbeat(1.0))
    assert eye_events.fatal == ""


class Album:
    """Pictures that keep every observation from the table."""

    def __init__(self) -> None:
        self.heard: list[object] = []

    def observed(self, observation: reading.Observation) -> None:
        self.heard.append(observation)

    def hello(self, live: bool) -> None:
        self.heard.append(live)


def test_an_album_gets_each_message_of_the_eye_before_the_table(eye_events: EyeEvents, inbox: list[Input]) -> None:
    album = Album()
    eye_events.filter_by(album)
    reading = observation("233346")
    eye_events.on_message(messages.Hello(live=False))
    eye_events.on_message(messages.Observed(reading))
    assert (album.heard, inbox) == ([False, reading], [])


class Eye:
    """The eye's end of the connection. It counts the orders to look afresh, and keeps the expectations it got."""

    def __init__(self) -> None:
        self.forgot = self.overlooked = 0
        self.expected: queue.SimpleQueue[ExpectedThrow] = queue.SimpleQueue()
        self._told: ExpectedThrow | None = None

    def expect(self, counts: tuple[int, ...], high_stakes: tuple[tuple[int, ...], ...]) -> None:
        """Take an expectation. As in an eye's process, the same one may come again."""
        told = ExpectedThrow(counts, high_stakes)
        if told != self._told:
            self._told = told
            self.expected.put(told)

    def forget(self) -> None:
        self.forgot += 1

    def ignore_faults(self) -> None:
        self.overlooked += 1


def after(*acts: str) -> tuple[int, int]:
    """Return how often the eye is ordered to look afresh after these acts, while it is followed and afterwards."""
    table, eye = Table().start().throws("233346"), Eye()
    feed = Feed(table.view)
    instructor = EyeInstructor(feed, lambda: table.state, eye, bool)  # type: ignore[arg-type]
    for act in acts:
        {"undo": table.undoes, "bank": lambda: table.taps("bank"), "fix": lambda: table.corrects("133346")}[act]()
        feed.publish(table.view, tuple(table.cues))
    before = eye.forgot
    instructor.close()
    table.start()
    feed.publish(table.view, tuple(table.cues))
    return before, eye.forgot


@pytest.mark.parametrize(
    ("acts", "times"), [((), 0), (("bank",), 0), (("undo",), 1), (("fix",), 1), (("bank", "undo"), 1)]
)
def test_the_eye_looks_afresh_after_each_step_back(acts: tuple[str, ...], times: int) -> None:
    assert after(*acts) == (times, times)


def test_the_eye_gets_the_counts_that_may_be_thrown_next():
    table, eye = Table().start(), Eye()
    feed = Feed(table.view)
    instructor = EyeInstructor(feed, lambda: table.state, eye, bool)  # type: ignore[arg-type]
    instructor.start()
    told = [eye.expected.get(timeout=PATIENCE_S)]
    for act in (lambda: table.throws("233346"), lambda: table.throws("146", left="333"), lambda: table.taps("bank")):
        act()
        feed.publish(table.view)
        told.append(eye.expected.get(timeout=PATIENCE_S))
    instructor.close()
    assert [each.counts for each in told] == [(6,), (2, 3, 5, 6), (2, 6), (6,)]
    assert told[-1] == expected_throw(table.state)
    assert told[-1].high_stakes


def test_the_rolls_of_high_stakes_are_not_worked_out_on_the_hosts_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: set[str] = set()

    def rolls(*_: object) -> tuple[object, ...]:
        threads.add(threading.current_thread().name)
        return ()

    monkeypatch.setattr("companion.table.throws.selection._rolls", rolls)
    with hosted(tmp_path, running=True) as table:
        eye = Eye()
        instructor = EyeInstructor(table.host.feed, lambda: table.host.state, eye, bool)  # type: ignore[arg-type]
        table.game()
        instructor.start()
        assert eye.expected.get(timeout=PATIENCE_S).counts == (6,)
        table.throws("233346")
        assert eye.expected.get(timeout=PATIENCE_S).counts == (2, 3, 5, 6)
        instructor.close()
    assert threads == {"expectation"}


@pytest.mark.parametrize("fault", list(CameraFault))
def test_every_fault_has_words_and_makes_the_table_blind(fault: CameraFault) -> None:
    table = Table().start()
    table.take(Fault("camera", CAMERA_FAULT_TEXTS[fault]))
    shown = english().text(CAMERA_FAULT_TEXTS[fault])
    assert (table.view.degraded, table.view.blind, len(table.cues)) == ((shown,), True, 1)
    table.take(Fault("camera", CAMERA_FAULT_TEXTS[fault]))
    assert not table.cues  # reported once
    table.take(Fault("camera", None))
    assert (table.view.degraded, table.view.blind) == ((), False)
