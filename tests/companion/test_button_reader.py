"""The button reader: presses and keys reach the table as inputs, and simulated hands as acts."""

import os
import pty
import queue
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
from hosted import PATIENCE_S, fast_clock
from scripts import ScriptedButtons
from tables import Table

from companion.devices import buttons as buttons_module
from companion.devices.buttons import ButtonReader, Hands, lit_buttons
from companion.errors import BusyError, RefusedError
from companion.runtime.feed import Feed
from companion.runtime.host import Clock
from companion.table.state.inputs import Fault, Gesture, Origin, Pause, Press
from companion.table.view import View
from companion.words import because, english, message
from pegboard.buttons.button_drivers import NoButtons
from pegboard.buttons.keyboard import KeyboardButtons
from pegboard.buttons.port import Button, Buttons, Chord, LongHold, Stuck, Tap
from pegboard.buttons.port import Gesture as ButtonGesture
from pegboard.errors import DriverError


@dataclass
class RecordingHands:
    """Hands that record each act. If `refuse` is set, they answer with that text instead."""

    done: "queue.Queue[object]" = field(default_factory=queue.Queue)
    refuse: RefusedError | BusyError | None = None

    def throw(self, faces: tuple[int, ...] | None) -> None:
        self._do("throw", faces)

    def shelve(self, dice: tuple[int, ...]) -> None:
        self._do("shelve", dice)

    def _do(self, *act: object) -> None:
        if self.refuse:
            raise self.refuse
        self.done.put(act)


class Inbox:
    """An inbox that takes presses as a host does, and answers each at once."""

    def __init__(self) -> None:
        self.presses: queue.Queue[Press] = queue.Queue()
        self.answer: Callable[[Future[View]], object] = lambda future: future.set_result(None)  # type: ignore[arg-type]

    def submit(self, press: Press) -> "Future[View]":
        future: Future[View] = Future()
        self.answer(future)
        self.presses.put(press)
        return future

    def next(self) -> Press:
        return self.presses.get(timeout=PATIENCE_S)


@contextmanager
def padded(
    buttons: Buttons,
    inbox: Inbox,
    hands: Hands | None = None,
    answer: Callable[[str], object] = print,
    report: Callable[[Fault], object] = print,
    feed: Feed | None = None,
    better: Callable[[int], Button | None] = lambda _: None,
) -> Iterator[ButtonReader]:
    """Open a button reader, and check at the end that it released its buttons."""
    clock = fast_clock(20.0) if report is not print else Clock()
    made = ButtonReader(buttons, inbox.submit, clock, hands, answer, report, feed or Feed(Table().view), better)
    made.start()
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def keys() -> Iterator[tuple[Callable[[bytes], object], KeyboardButtons]]:
    """Return a terminal: a function that types on it, and the buttons of its keyboard."""
    leader, follower = pty.openpty()
    keyboard = KeyboardButtons(follower)
    yield lambda typed: os.write(leader, typed), keyboard
    keyboard.close()
    os.close(leader)
    os.close(follower)


def script(*gestures: ButtonGesture) -> ScriptedButtons:
    return ScriptedButtons([(float(at), gesture) for at, gesture in enumerate(gestures)])


def test_keys_are_taps_and_capitals_are_holds(keys) -> None:
    type_keys, keyboard = keys
    inbox = Inbox()
    with padded(keyboard, inbox):
        type_keys(b"krbKRB")
        came = [inbox.next() for _ in range(6)]
    assert came == [
        Press(button, gesture, Origin.TABLE) for gesture in (Gesture.TAP, Gesture.HOLD) for button in Button
    ]


def test_the_desks_keys_throw_and_slide(keys) -> None:
    type_keys, keyboard = keys
    hands = RecordingHands()
    with padded(keyboard, Inbox(), hands):
        type_keys(b"t16")
        done = [hands.done.get(timeout=PATIENCE_S) for _ in range(3)]
    assert done == [("throw", None), ("shelve", (0,)), ("shelve", (5,))]


def test_without_hands_the_keys_of_the_desk_do_nothing(keys) -> None:
    type_keys, keyboard = keys
    inbox = Inbox()
    with padded(keyboard, inbox) as reader:
        type_keys(b"t1k")
        assert inbox.next() == Press(Button.KEEP, origin=Origin.TABLE)
        assert reader.alive


def test_a_chord_asks_for_the_pause_menu_and_a_long_hold_is_one() -> None:
    inbox = Inbox()
    with padded(script(Chord(), LongHold(Button.ROLL)), inbox):
        assert inbox.next() == Pause()
        assert inbox.next() == Press(Button.ROLL, Gesture.LONG_HOLD, Origin.TABLE)


@pytest.mark.parametrize("refuse", [RefusedError("keep a die first"), BusyError("the dice are moving")])
def test_an_act_that_the_hands_refuse_is_answered_and_the_keys_go_on(keys, refuse: RefusedError | BusyError) -> None:
    type_keys, keyboard = keys
    answers: queue.Queue[str] = queue.Queue()
    inbox = Inbox()
    with padded(keyboard, inbox, RecordingHands(refuse=refuse), answers.put):
        type_keys(b"tb")
        assert answers.get(timeout=PATIENCE_S) == refuse.reason
        assert inbox.next() == Press(Button.BANK, origin=Origin.TABLE)


def test_buttons_still_work_after_a_table_did_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buttons_module, "ANSWER_S", 0.0)
    inbox = Inbox()
    inbox.answer = bool
    with padded(script(Tap(Button.KEEP), Tap(Button.BANK)), inbox) as reader:
        assert [inbox.next().button for _ in range(2)] == [Button.KEEP, Button.BANK]
        assert reader.alive


def test_a_closed_reader_releases_its_buttons(keys) -> None:
    type_keys, keyboard = keys
    inbox = Inbox()
    with padded(keyboard, inbox) as reader:
        pass
    type_keys(b"k")
    assert (reader.alive, keyboard.poll(0.0), inbox.presses.empty()) == (False, (), True)


def test_a_stuck_button_is_reported_until_it_is_free_again() -> None:
    told: queue.Queue[Fault] = queue.Queue()
    hands = script(Stuck(Button.KEEP, stuck=True), Stuck(Button.KEEP, stuck=False))
    with padded(hands, Inbox(), report=told.put):
        faults = [told.get(timeout=PATIENCE_S) for _ in range(2)]
    said = "KEEP is stuck and is ignored; use this button on the page."
    assert [english().rendered(fault) for fault in faults] == [Fault("button keep", said), Fault("button keep", None)]


class LitButtons(NoButtons):
    """Buttons with lamps that fail while `broken` is set."""

    def __init__(self) -> None:
        self.lit: queue.Queue[frozenset[Button]] = queue.Queue()
        self.broken = False

    def light(self, lit) -> None:
        self.lit.put(frozenset(lit))

    def poll(self, now_s: float):
        if self.broken:
            raise DriverError("the chip is gone")
        return super().poll(now_s)


class BreathingButtons(LitButtons):
    """Buttons whose lamps can be dimmed."""

    def __init__(self) -> None:
        super().__init__()
        self.breaths: queue.Queue[Button] = queue.Queue()

    def breathe(self, button: Button) -> None:
        self.breaths.put(button)


def test_roll_and_bank_are_lit_alike_and_only_the_better_one_breathes() -> None:
    table, buttons = Table().start(), BreathingButtons()
    feed = Feed(table.view)
    better = {1: Button.BANK, 2: Button.ROLL, 3: Button.ROLL}  # by act; the lamp may be dark
    with padded(buttons, Inbox(), feed=feed, better=better.get):
        assert buttons.lit.get(timeout=PATIENCE_S) == {Button.ROLL}
        feed.publish(table.throws("233346").view)
        assert buttons.lit.get(timeout=PATIENCE_S) == {Button.KEEP, Button.BANK}
        assert buttons.breaths.empty()
        feed.publish(table.chooses("333").view)
        assert buttons.lit.get(timeout=PATIENCE_S) == {Button.ROLL, Button.BANK}
        assert buttons.breaths.get(timeout=PATIENCE_S) == Button.ROLL
        better[3] = Button.BANK
        assert buttons.breaths.get(timeout=PATIENCE_S) == Button.BANK


def test_at_a_question_and_in_the_lobby_the_lamps_of_all_presses_are_lit() -> None:
    table = Table().start().throws("233346", sure=False)
    assert lit_buttons(table.view) == {Button.KEEP, Button.ROLL}
    assert lit_buttons(Table().view) == set(Button)


def test_failing_buttons_are_reported_once_and_lit_anew_when_they_work() -> None:
    told: queue.Queue[Fault] = queue.Queue()
    buttons = LitButtons()
    with padded(buttons, Inbox(), report=told.put):
        first = buttons.lit.get(timeout=PATIENCE_S)
        buttons.broken = True
        assert told.get(timeout=PATIENCE_S) == Fault("buttons", because(message("fault.buttons"), "the chip is gone"))
        buttons.broken = False
        assert told.get(timeout=PATIENCE_S) == Fault("buttons", None)
        assert buttons.lit.get(timeout=PATIENCE_S) == first
