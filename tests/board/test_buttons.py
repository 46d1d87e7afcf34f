"""From presses and terminal keys to gestures."""

import os
import pty
import re
import termios

import pytest

from pegboard.buttons.contacts import Gestures, Timing
from pegboard.buttons.keyboard import KeyboardButtons
from pegboard.buttons.port import Button, Chord, Hold, Key, LongHold, Tap
from pegboard.errors import DriverError

KEEP, ROLL, BANK = Button
BUTTONS = dict(zip("krb", Button, strict=True))
KINDS = {"tap": Tap, "hold": Hold, "long": LongHold}

SCRIPTS = {
    "a tap acts on release": "k+0 @0.2 k-0.3=tap",
    "a press of a button that is down is ignored": "k+0 k+0.2 k-0.3=tap @9",
    "a hold acts while down and its release is no gesture": "r+0 @1.49 @1.5=hold @3.2 r-3.3",
    "a hold of five seconds is a long one too, once": "k+0 @1.5=hold @4.99 @5=long @9 k-9.1 k+10 @11.5=hold k-12 @20",
    "a hold that was not polled is still a hold on release": "b+0 b-2=hold",
    "two buttons for three seconds are a chord and nothing else": "k+0 b+0.3 @2 @3.3=chord @9 k-9.1 b-9.2",
    "a chord let go early cancels both taps": "k+0 b+0.1 k-0.5 @5 b-5.1 k+6 k-6.1=tap",
    "a press while another button is held is no chord": "k+0 @1.5=hold b+2.5 b-2.6=tap",
    "a second button later than 300 ms is no chord": "k+0 b+0.4 b-0.6=tap",
    "presses in the dead time are ignored": "k+0 k-0.1=tap k+0.3 k-0.45 k+0.6 k-0.7=tap",
    "the dead time ends after 400 ms": "k+0 k-0.1=tap k+0.5 k-0.6=tap",
}
"""Presses (`k+`), releases (`k-`) and looks at the clock (`@`), each with its seconds and the gesture that it gives."""

OTHER_TIMES = [
    (Timing(hold_s=0.8), "k+0 @0.79 @0.8=hold"),
    (Timing(long_hold_s=2.0), "k+0 @1.5=hold @1.99 @2=long"),
    (Timing(chord_within_s=0.6, chord_s=1.0), "k+0 b+0.6 @1.59 @1.6=chord"),
    (Timing(dead_s=0.1), "k+0 k-0.1=tap k+0.2 k-0.3=tap"),
]


@pytest.mark.parametrize(
    ("timing", "script"),
    [
        *(pytest.param(Timing(), script, id=name) for name, script in SCRIPTS.items()),
        *(pytest.param(timing, script, id="other times") for timing, script in OTHER_TIMES),
    ],
)
def test_presses_become_gestures(timing, script):
    gestures, button = Gestures(timing), None
    for act in script.split():
        who, kind, at_s, gesture = re.fullmatch(r"(\w?)([-+@])([\d.]+)(?:=(\w+))?", act).groups()
        button, now_s = BUTTONS.get(who, button), float(at_s)
        found = gestures.tick(now_s) if kind == "@" else gestures.release(button, now_s) if kind == "-" else ()
        if kind == "+":
            gestures.press(button, now_s)
        assert found == ((Chord() if gesture == "chord" else KINDS[gesture](button),) if gesture else ()), act


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"hold_s": 0.1}, "hold_s: expected 0.3 to 10.0, got 0.1"),
        ({"hold_s": 1.0, "chord_within_s": 1.5}, "hold_s: expected 1.5 to 10.0, got 1.0"),
        ({"stuck_s": 3.0}, "stuck_s: expected 4.0 to 3600.0, got 3.0"),
        ({"long_hold_s": 1.9}, "long_hold_s: expected 2.0 to 20.0, got 1.9"),
        ({"chord_within_s": 2.1}, "chord_within_s: expected 0.05 to 2.0, got 2.1"),
        ({"chord_s": 0.4}, "chord_s: expected 0.5 to 30.0, got 0.4"),
        ({"settle_s": 0.0}, "settle_s: expected 0.001 to 0.1, got 0.0"),
        ({"dead_s": float("nan")}, "dead_s: expected 0.0 to 5.0, got nan"),
    ],
)
def test_impossible_times_of_buttons_are_refused(given, says):
    with pytest.raises(DriverError, match=f"^{says}$"):
        Timing(**given)


@pytest.fixture
def terminal():
    leader, follower = pty.openpty()
    yield leader, follower
    os.close(leader)
    os.close(follower)


@pytest.mark.parametrize(
    ("sent", "gestures"),
    [
        (b"kR3tp", (Tap(KEEP), Hold(ROLL), Key("3"), Key("t"), Chord())),
        *((b"t\x1b" + keys + b"k", (Key("t"), Tap(KEEP))) for keys in (b"[B", b"OR", b"[1;2R", b"b")),
    ],
    ids=["keys", "down", "F3", "shift F3", "alt b"],
)
def test_keys_are_buttons_and_capitals_hold_but_sequences_of_other_keys_are_none(terminal, sent, gestures):
    leader, follower = terminal
    keyboard = KeyboardButtons(follower)
    os.write(leader, sent)
    assert keyboard.poll(0.0) == gestures
    keyboard.close()


def test_a_keyboard_whose_terminal_is_gone_gives_nothing():
    leader, follower = pty.openpty()
    keyboard = KeyboardButtons(follower)
    os.close(leader)
    assert keyboard.poll(0.0) == keyboard.poll(1.0) == ()
    os.close(follower)


def test_the_keyboard_restores_the_terminal(terminal):
    _, follower = terminal
    before = termios.tcgetattr(follower)
    keyboard = KeyboardButtons(follower)
    assert not termios.tcgetattr(follower)[3] & termios.ECHO
    keyboard.close()
    assert termios.tcgetattr(follower) == before
