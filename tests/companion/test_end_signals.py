"""Signals that end a command: their event, set by a handler at any step of the thread that waits."""

import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType

import pytest

from companion.runtime.end_signals import END_SIGNALS, EndEvent, on_end_signals

PATIENCE_S = 60.0

SET_AT_EACH_STEP = """
import sys, threading
from companion.runtime.end_signals import EndEvent

def steps(event, step):
    "Wait for the event, and set it at one traced step, as a handler would. Return whether there was such a step."
    done = [0]
    def trace(frame, what, _):
        if what == "line" and frame.f_code.co_name == "wait":
            done[0] += 1
            if done[0] == step:
                sys.settrace(None)
                event.set()
        return trace
    sys.settrace(trace)
    event.wait(0.01)
    sys.settrace(None)
    return done[0] >= step

step = 1
while steps(event := EndEvent(), step):
    assert event.wait(0.01)
    step += 1
print(step - 1)
"""


def test_a_handler_may_set_the_event_at_each_step_of_a_wait() -> None:
    command = [sys.executable, "-c", SET_AT_EACH_STEP]  # an event of threading would hang
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    assert int(done.stdout) >= 3


def test_an_event_that_another_thread_sets_wakes_the_wait() -> None:
    event = EndEvent()
    assert not event.wait(0.0)
    threading.Timer(0.01, event.set).start()
    assert event.wait(PATIENCE_S)
    assert event.is_set()
    assert event.wait(0.0)


@pytest.fixture
def handlers() -> Iterator[None]:
    """Put the handlers of the signals back afterwards."""
    before: dict[int, Callable[[int, FrameType | None], object] | int | None] = {}
    before |= {number: signal.getsignal(number) for number in END_SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)  # type: ignore[arg-type]


def test_each_signal_is_told_by_its_name(handlers: None) -> None:
    told: list[str] = []
    on_end_signals(told.append)
    for number in END_SIGNALS:
        signal.raise_signal(number)
    assert told == ["SIGINT", "SIGTERM", "SIGHUP"]
