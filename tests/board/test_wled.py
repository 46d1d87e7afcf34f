"""WLED: frames as DDP packets, and the error if no WLED listens."""

import socket
from contextlib import suppress

import pytest
from strips import Wled

from pegboard.errors import DriverError
from pegboard.layouts import load_layout
from pegboard.ledframe import LedFrame, dark
from pegboard.leds.wled import MOST_BYTES, REPEAT_S, WledStrip, after, open_wled, packets

LAYOUT = load_layout("long-board-4")
FRAME = LedFrame(bytes(number % 256 for number in range(3 * LAYOUT.leds)))
OTHER = LedFrame(bytes(reversed(FRAME.data)))


class Bench:
    def __init__(self):
        self.now = 1000.0
        self.far = Wled(LAYOUT.leds)
        self.strip = WledStrip(LAYOUT, "127.0.0.1", self.far.port, clock=lambda: self.now)

    def frames(self):
        self.far.take()
        return self.far.frames


@pytest.fixture
def bench():
    made = Bench()
    yield made
    made.strip.close()
    made.far.socket.close()


def test_a_long_frame_goes_in_several_packets_and_is_shown_once(bench):
    bench.strip.show(FRAME)
    assert bench.frames() == [FRAME]
    assert len(list(packets(FRAME, 1))) == 2
    assert bench.far.longest == MOST_BYTES + 10


@pytest.mark.parametrize("leds", [1, 480, 481, 961])
def test_only_the_last_packet_pushes(leds):
    flags = [packet[0] for packet in packets(dark(leds), 1)]
    assert flags == [0x40] * (len(flags) - 1) + [0x41]
    assert len(flags) == -(-leds // 480)


def test_packets_are_numbered_from_1_to_15_repeatedly(bench):
    for number in range(20):
        bench.strip.show((FRAME, OTHER)[number % 2])
    bench.frames()
    assert bench.far.sequence == [number % 15 + 1 for number in range(40)]
    assert after(15, 1) == 1


def test_an_unchanged_frame_is_repeated_before_wled_returns_to_its_effects(bench):
    for tenth in range(31):
        bench.now = 1000 + tenth / 10
        bench.strip.show(FRAME)
    assert len(bench.frames()) == 1 + int(3 / REPEAT_S)


def test_a_closed_strip_is_dark_and_sends_no_more(bench):
    bench.strip.show(FRAME)
    bench.strip.close()
    assert bench.frames()[-1] == dark(LAYOUT.leds)


@pytest.fixture
def nobody():
    """Return a port of this machine on which no program listens."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as held:
        held.bind(("127.0.0.1", 0))
        return held.getsockname()[1]


@pytest.mark.parametrize("name", ["long-board-1", "long-board-4"], ids=["one packet", "two packets"])
def test_without_a_listening_wled_each_frame_is_an_error(nobody, name):
    layout = load_layout(name)
    one, other = (LedFrame(bytes([level]) * 3 * layout.leds) for level in (1, 2))
    now = 0.0
    strip = WledStrip(layout, "127.0.0.1", nobody, clock=lambda: now)
    with suppress(DriverError):
        strip.show(one)  # the error may arrive only with the next frame
    for now in (2.0, 4.0, 6.0):  # noqa: B007 - the clock reads it
        with pytest.raises(DriverError, match=f"expected a WLED at 127.0.0.1:{nobody}, got: Connection refused"):
            strip.show(one)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening:
        listening.bind(("127.0.0.1", nobody))
        with pytest.raises(DriverError):
            strip.show(one)
        strip.show(one)
        strip.show(other)
        strip.close()


def test_an_unknown_host_name_is_one_clear_line():
    strip = open_wled("no-such-strip.invalid", LAYOUT)
    with pytest.raises(DriverError, match=r"expected a WLED at no-such-strip\.invalid:4048, got: "):
        strip.show(FRAME)
    strip.close()


@pytest.mark.parametrize("arg", ["", "strip:0", "strip:none", ":4048", "strip:70000"])
def test_an_invalid_address_is_refused(arg):
    with pytest.raises(DriverError, match="expected the LEDs as wled:HOST or wled:HOST:PORT"):
        open_wled(arg, LAYOUT)
