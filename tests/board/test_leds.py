"""The port of LED strips, the same for every driver, and the terminal's drawing."""

import io
import itertools
import os
import pty
from collections.abc import Iterator
from pathlib import Path

import pytest
from boards import board
from strips import OpenStrip, look, opened

from pegboard.animation.effects import board_lights
from pegboard.buttons.button_drivers import open_buttons
from pegboard.errors import DriverError, FrameError, UnknownDriverError
from pegboard.layouts import load_layout
from pegboard.ledframe import LedFrame, dark, duty
from pegboard.leds.led_drivers import DRIVERS, LedRecorder, open_leds
from pegboard.leds.port import TextLines
from pegboard.leds.terminal import LEAVE, TerminalStrip, grid, open_terminal, picture
from pegboard.palette import COLOURS
from pegboard.render import render
from pegboard.sound.sound_drivers import open_sound

LAYOUT = load_layout("long-board-2")
FRAME = render(board_lights(board((5, 17), (5, 5)), 0.0), LAYOUT)


@pytest.fixture(params=DRIVERS)
def far(request, tmp_path, monkeypatch) -> Iterator[OpenStrip]:
    """Open each driver with its far end."""
    with opened(request.param, LAYOUT, tmp_path, monkeypatch) as made:
        yield made


@pytest.fixture
def strip(far):
    return far.strip


def test_a_frame_is_lit_at_the_strips_far_end(far):
    far.strip.show(FRAME)
    assert far.shown() == look(FRAME)
    assert len(look(FRAME)) == 3
    far.strip.show(dark(LAYOUT.leds))
    assert far.shown() == {}


def test_every_led_of_a_strip_is_at_its_place(far):
    for lamps in (LAYOUT.lanes[0].spots[1:], LAYOUT.lanes[1].spots[1:]):
        frame = bytearray(3 * LAYOUT.leds)
        for lamp, colour in zip(lamps, itertools.cycle(COLOURS), strict=False):
            frame[3 * lamp.led : 3 * lamp.led + 3] = bytes(duty(colour.rgb, 1.0))
        far.strip.show(LedFrame(bytes(frame)))
        assert far.shown() == {
            lamp.led: colour.name for lamp, colour in zip(lamps, itertools.cycle(COLOURS), strict=False)
        }


def test_a_strip_refuses_a_frame_of_another_length_and_all_once_it_is_closed(strip):
    with pytest.raises(FrameError, match=f"expected a frame of {LAYOUT.leds} LEDs"):
        strip.show(dark(3))
    strip.show(FRAME)
    strip.close()
    strip.close()
    with pytest.raises(DriverError, match="already closed"):
        strip.show(FRAME)


def test_an_unknown_driver_names_the_known_ones_and_the_nearest():
    for opening, known in (
        (lambda name: open_leds(name, "", LAYOUT), "LED drivers neopixel, recorder, simulated, terminal, wled"),
        (open_buttons, "button drivers gpio, keyboard, page"),
        (open_sound, "sound drivers buzzer, espeak, recorder, silent"),
    ):
        nearest = known.split()[-1]
        with pytest.raises(UnknownDriverError, match=rf"{known}; got '{nearest}x' \(did you mean '{nearest}'"):
            opening(f"{nearest}x")


def test_the_recorder_keeps_each_change_and_ends_dark():
    recorder = LedRecorder(LAYOUT)
    for frame in (FRAME, FRAME, dark(LAYOUT.leds), FRAME):
        recorder.show(frame)
    recorder.close()
    assert list(recorder.frames) == [FRAME, dark(LAYOUT.leds), FRAME, dark(LAYOUT.leds)]
    assert recorder.last == dark(LAYOUT.leds)


def test_the_terminal_without_colours_writes_each_sides_letter():
    lines = picture(LAYOUT, FRAME, colours=False)
    letters = [character for line in lines for character in line if character.isalpha()]
    assert letters == ["S", "O", "O"]  # sky blue shows one peg when it waits, orange its back and front peg
    assert len(lines) == 6


def test_the_terminals_board_fits_eighty_columns():
    for name in ("long-board-1", "long-board-4"):
        layout = load_layout(name)
        assert max(len(line) for line in picture(layout, dark(layout.leds), colours=False)) <= 80


def test_the_terminal_draws_a_ring_to_scale_with_every_led():
    layout = load_layout(str(Path(__file__).resolve().parents[2] / "docs" / "examples" / "ring.toml"))
    places = grid(layout)
    assert len(places) == len(layout.lamps())
    assert min(column for _, column in places) == 1
    lines = picture(layout, dark(layout.leds), colours=False)
    assert len(lines) <= 24
    assert 0.9 < max(map(len, lines)) / (2 * len(lines)) < 1.1, "round, where characters are twice as high as wide"
    assert sum(line.count("\N{MIDDLE DOT}") for line in lines) == 60


@pytest.fixture
def out():
    return io.StringIO()


def test_the_terminal_draws_only_lines_that_changed_and_closing_restores_it(out):
    strip = TerminalStrip(LAYOUT, out, columns=80)
    start = len(out.getvalue())
    strip.show(FRAME)
    first = out.getvalue()[start:]
    strip.show(LedFrame(FRAME.data))
    assert first.count("\x1b[2K") == 2  # the two outward rows
    assert out.getvalue()[start:] == first
    strip.close()
    assert out.getvalue().endswith(LEAVE)


def test_the_terminal_cuts_lines_to_its_width_and_strips_control_characters(out):
    strip = TerminalStrip(LAYOUT, out, columns=30)
    assert isinstance(strip, TextLines)
    strip.say("Ann\x1b[2J: throw six dice, please, now", "Ben 7")
    assert "Ann[2J: throw six dice, pleas\x1b" in out.getvalue()
    assert out.getvalue().endswith("Ben 7")


def test_old_lines_of_the_terminal_disappear(out):
    strip = TerminalStrip(LAYOUT, out, columns=30)
    strip.say("one", "two")
    said = out.getvalue()
    row = said[: said.rindex("two")].rsplit("\x1b[", 2)[1]  # where the second line stands, as in 13;1H
    strip.say("one")
    assert out.getvalue()[len(said) :] == f"\x1b[{row}\x1b[2K"


def test_no_color_is_respected(monkeypatch):
    leader, follower = pty.openpty()
    with os.fdopen(follower, "w") as terminal:
        monkeypatch.setattr("sys.stdout", terminal)
        monkeypatch.setenv("NO_COLOR", "1")
        open_terminal(LAYOUT).close()
        assert b"\x1b[48;2;" not in os.read(leader, 65536)
    os.close(leader)


def test_without_a_terminal_the_driver_says_what_to_use_instead(monkeypatch):
    monkeypatch.setattr("sys.stdout", io.StringIO())
    monkeypatch.setattr("sys.stderr", io.StringIO())
    with pytest.raises(DriverError, match="'simulated'"):
        open_leds("terminal", "", LAYOUT)
