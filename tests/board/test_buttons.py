"""From chattering contacts and terminal keys to gestures."""

import os
import pty
import termios

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripts import ScriptedButtons

from pegboard.buttons import Button, Hold, LongHold, Tap, Timing, open_buttons
from pegboard.buttons.button_drivers import DRIVERS
from pegboard.buttons.contacts import Contacts, Debouncer
from pegboard.buttons.gestures import Gestures
from pegboard.buttons.keyboard import KeyboardButtons
from pegboard.buttons.port import Chord, Key, Stuck
from pegboard.errors import DriverError, PegboardError

KEEP, ROLL, BANK = Button


def edges(samples):
    debouncer = Debouncer(Timing.settle_s)
    found = []
    for at_s, down in samples:
        found.append(debouncer.advance(at_s))
        debouncer.sample(at_s, down)
    return [edge.down for edge in found if edge is not None]


chatter = st.lists(st.floats(0.0001, 0.010), max_size=9).map(lambda gaps: gaps if len(gaps) % 2 == 0 else gaps[:-1])


@given(chatter, chatter, st.floats(0.03, 2.0))
def test_a_chattering_press_is_one_press(pressing, releasing, held_s):
    now, samples = 0.0, []
    for level, gaps in ((True, pressing), (False, releasing)):
        now += held_s
        samples.append((now, level))
        for number, gap in enumerate(gaps):
            now += gap
            samples.append((now, level if number % 2 else not level))
    samples.append((now + 1.0, False))
    assert edges(samples) == [True, False]


@given(st.lists(st.floats(0.0001, 0.010), min_size=1, max_size=6))
def test_glitches_shorter_than_the_settling_time_are_ignored(gaps):
    now, samples = 0.0, []
    for gap in gaps:
        now += 0.5
        samples += [(now, True), (now + gap, False)]
    assert edges([*samples, (now + 1, False)]) == []


def test_a_tap_acts_on_release():
    gestures = Gestures()
    gestures.press(KEEP, 0.0)
    assert gestures.tick(0.2) == ()
    assert gestures.release(KEEP, 0.3) == (Tap(KEEP),)


def test_a_hold_acts_while_down_and_its_release_is_no_gesture():
    gestures = Gestures()
    gestures.press(ROLL, 0.0)
    assert gestures.tick(1.49) == ()
    assert gestures.tick(1.5) == (Hold(ROLL),)
    assert gestures.tick(3.2) == ()
    assert gestures.release(ROLL, 3.3) == ()


def test_a_hold_that_goes_on_for_five_seconds_is_a_long_one_too_and_once():
    gestures = Gestures()
    gestures.press(KEEP, 0.0)
    assert gestures.tick(1.5) == (Hold(KEEP),)
    assert gestures.tick(4.99) == ()
    assert gestures.tick(5.0) == (LongHold(KEEP),)
    assert gestures.tick(9.0) == gestures.release(KEEP, 9.1) == ()
    gestures.press(KEEP, 10.0)
    assert gestures.tick(11.5) == (Hold(KEEP),)
    assert gestures.release(KEEP, 12.0) == gestures.tick(20.0) == ()


def test_a_hold_that_was_not_polled_is_still_a_hold_on_release():
    gestures = Gestures()
    gestures.press(BANK, 0.0)
    assert gestures.release(BANK, 2.0) == (Hold(BANK),)


def test_two_buttons_for_three_seconds_are_a_chord_and_nothing_else():
    gestures = Gestures()
    gestures.press(KEEP, 0.0)
    gestures.press(BANK, 0.3)
    assert gestures.tick(2.0) == ()
    assert gestures.tick(3.3) == (Chord(),)
    assert gestures.tick(9.0) == ()
    assert gestures.release(KEEP, 9.1) == gestures.release(BANK, 9.2) == ()


def test_a_chord_let_go_early_cancels_both_taps():
    gestures = Gestures()
    gestures.press(KEEP, 0.0)
    gestures.press(BANK, 0.1)
    assert gestures.release(KEEP, 0.5) == ()
    assert gestures.tick(5.0) == ()
    assert gestures.release(BANK, 5.1) == ()
    gestures.press(KEEP, 6.0)
    assert gestures.release(KEEP, 6.1) == (Tap(KEEP),)


def test_a_press_while_another_button_is_held_is_no_chord():
    gestures = Gestures()
    gestures.press(KEEP, 0.0)
    assert gestures.tick(1.5) == (Hold(KEEP),)
    gestures.press(BANK, 2.5)
    assert gestures.release(BANK, 2.6) == (Tap(BANK),)


def test_a_second_button_later_than_300_ms_is_no_chord():
    gestures = Gestures()
    gestures.press(KEEP, 0.0)
    gestures.press(BANK, 0.4)
    assert gestures.release(BANK, 0.6) == (Tap(BANK),)


def test_presses_in_the_dead_time_are_ignored():
    gestures = Gestures()
    gestures.press(KEEP, 0.0)
    assert gestures.release(KEEP, 0.1) == (Tap(KEEP),)
    gestures.press(KEEP, 0.3)
    assert gestures.release(KEEP, 0.45) == ()
    gestures.press(KEEP, 0.6)
    assert gestures.release(KEEP, 0.7) == (Tap(KEEP),)


@pytest.fixture
def terminal():
    leader, follower = pty.openpty()
    yield leader, follower
    os.close(leader)
    os.close(follower)


@pytest.fixture(params=DRIVERS)
def buttons(request, terminal, monkeypatch):
    """Return each driver's buttons. The keyboard reads a pseudo-terminal, the header's pins are gpiozero's mock."""
    gpiozero = pytest.importorskip("gpiozero")
    from gpiozero.pins.mock import MockFactory

    monkeypatch.setattr(gpiozero.Device, "pin_factory", MockFactory())
    monkeypatch.setattr("sys.stdin", os.fdopen(terminal[1], closefd=False))
    opened = open_buttons(request.param)
    yield opened
    opened.close()


def test_untouched_buttons_give_no_gesture_and_never_wait(buttons):
    assert buttons.poll(0.0) == ()


def test_closed_buttons_give_no_gesture(buttons):
    buttons.close()
    buttons.close()
    assert buttons.poll(1.0) == ()


def test_an_unknown_driver_names_the_known_ones():
    with pytest.raises(PegboardError, match="gpio, keyboard, page; got 'pedals'"):
        open_buttons("pedals")


def test_keys_are_buttons_and_capitals_hold(terminal):
    leader, follower = terminal
    keyboard = KeyboardButtons(follower)
    os.write(leader, b"kR3tp")
    assert keyboard.poll(0.0) == (Tap(KEEP), Hold(ROLL), Key("3"), Key("t"), Chord())
    keyboard.close()


@pytest.mark.parametrize(
    "sent", [b"\x1b[B", b"\x1bOR", b"\x1b[1;2R", b"\x1bb"], ids=["down", "F3", "shift F3", "alt b"]
)
def test_keys_that_send_sequences_are_no_buttons(terminal, sent):
    leader, follower = terminal
    keyboard = KeyboardButtons(follower)
    os.write(leader, b"t" + sent + b"k")
    assert keyboard.poll(0.0) == (Key("t"), Tap(KEEP))
    keyboard.close()


def test_the_keyboard_restores_the_terminal(terminal):
    _, follower = terminal
    before = termios.tcgetattr(follower)
    keyboard = KeyboardButtons(follower)
    assert not termios.tcgetattr(follower)[3] & termios.ECHO
    keyboard.close()
    assert termios.tcgetattr(follower) == before


def test_without_a_terminal_the_keyboard_says_what_to_use_instead():
    reading, writing = os.pipe()
    with pytest.raises(DriverError, match="'page'"):
        KeyboardButtons(reading)
    os.close(reading)
    os.close(writing)


def test_scripted_buttons_press_themselves_in_time():
    buttons = ScriptedButtons([(2.0, Tap(BANK)), (1.0, Tap(KEEP))])
    assert buttons.poll(0.5) == ()
    assert buttons.poll(1.0) == (Tap(KEEP),)
    assert buttons.poll(5.0) == (Tap(BANK),)
    assert buttons.poll(6.0) == ()


def test_the_length_of_a_hold_can_be_set():
    gestures = Gestures(Timing(hold_s=0.8))
    gestures.press(KEEP, 0.0)
    assert gestures.tick(0.79) == ()
    assert gestures.tick(0.8) == (Hold(KEEP),)


def test_the_delay_and_length_of_a_chord_can_be_set():
    gestures = Gestures(Timing(chord_within_s=0.6, chord_s=1.0))
    gestures.press(KEEP, 0.0)
    gestures.press(BANK, 0.6)
    assert gestures.tick(1.59) == ()
    assert gestures.tick(1.6) == (Chord(),)


def test_the_dead_time_after_a_press_can_be_set():
    gestures = Gestures(Timing(dead_s=0.1))
    gestures.press(KEEP, 0.0)
    gestures.release(KEEP, 0.1)
    gestures.press(KEEP, 0.2)
    assert gestures.release(KEEP, 0.3) == (Tap(KEEP),)


def test_the_times_of_chatter_and_of_a_stuck_button_can_be_set():
    contacts = Contacts(Timing(settle_s=0.05, stuck_s=6.0))
    contacts.level(0.0, KEEP, True)
    contacts.level(0.04, KEEP, False)  # chatter of a slow contact
    assert contacts.tick(1.0) == ()
    contacts.level(2.0, BANK, True)
    assert contacts.tick(7.9) == (Hold(BANK),)
    assert contacts.tick(8.0) == (LongHold(BANK), Stuck(BANK, stuck=True))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"hold_s": 0.1}, "hold_s: expected 0.3 to 10.0, got 0.1"),
        ({"hold_s": 1.0, "chord_within_s": 1.5}, "hold_s: expected 1.5 to 10.0, got 1.0"),
        ({"stuck_s": 3.0}, "stuck_s: expected 4.0 to 3600.0, got 3.0"),
        ({"settle_s": 0.0}, "settle_s: expected 0.001 to 0.1, got 0.0"),
        ({"dead_s": float("nan")}, "dead_s: expected 0.0 to 5.0, got nan"),
    ],
)
def test_impossible_times_of_buttons_are_refused(given, says):
    with pytest.raises(DriverError, match=f"^{says}$"):
        Timing(**given)
