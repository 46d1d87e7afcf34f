"""Each LED driver opened for a test, with a function that reads the shown frame at its far end."""

import os
import pty
import re
import select
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from pegboard.layouts import Layout
from pegboard.ledframe import LedFrame, screen_colour
from pegboard.leds.led_drivers import open_leds
from pegboard.leds.neopixel_strip import NeoPixelStrip
from pegboard.leds.port import LedStrip
from pegboard.leds.terminal import LEAST, grid
from pegboard.palette import COLOURS, WHITE, nearest_colour

NATIVE = Path(__file__).resolve().parent.parent / "hardware" / "native"
PATIENCE_S = 60.0
PI_4 = "c03114"

Look = dict[int, str]
"""The LEDs that are lit, each with the name of the colour it shows."""


def look(frame: LedFrame) -> Look:
    """Return the visible lights of a frame, without lights too dim for any driver."""
    lights = {led: screen_colour(frame[led]) for led in range(len(frame))}
    return {led: nearest_colour(rgb).name for led, rgb in lights.items() if max(rgb) >= LEAST}


@dataclass(frozen=True)
class OpenStrip:
    """A strip, and a function that reads the lit LEDs at its far end after the last frame."""

    strip: LedStrip
    shown: Callable[[], Look]


@contextmanager
def opened(name: str, layout: Layout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenStrip]:
    """Open the driver of this name, with a far end on this machine."""
    with FAR_ENDS[name](layout, tmp_path, monkeypatch) as made:
        yield made
        made.strip.close()


@contextmanager
def _recorder(layout: Layout, _tmp: Path, _monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenStrip]:
    strip = open_leds("recorder", "", layout)
    yield OpenStrip(strip, lambda: look(strip.last))  # type: ignore[attr-defined]


def raspberry_pi(monkeypatch: pytest.MonkeyPatch, wire: Path, revision: str = PI_4, **more: str) -> None:
    """Let the processes of a test see a Pi of this revision, whose strip writes to a file."""
    if find_spec("neopixel") is None:
        pytest.skip("needs Adafruit's library: pip install 'farklecrib[dev]'")
    monkeypatch.setenv("PYTHONPATH", str(NATIVE))
    monkeypatch.setenv("BLINKA_FORCECHIP", "BCM2XXX")
    monkeypatch.setenv("PEGBOARD_REVISION", revision)
    monkeypatch.setenv("PEGBOARD_WIRE", str(wire))
    for key, value in more.items():
        monkeypatch.setenv(f"PEGBOARD_{key.upper()}", value)


def wire_frames(wire: Path) -> list[LedFrame]:
    """Return the frames sent over the wire, which carries green before red."""
    lines = wire.read_text(encoding="ascii").split() if wire.exists() else []
    frames = []
    for line in lines:
        sent = bytes.fromhex(line)
        frame = bytearray(len(sent))
        frame[0::3], frame[1::3], frame[2::3] = sent[1::3], sent[0::3], sent[2::3]
        frames.append(LedFrame(bytes(frame)))
    return frames


@contextmanager
def _neopixel(layout: Layout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenStrip]:
    wire = tmp_path / "wire"
    raspberry_pi(monkeypatch, wire)
    strip = open_leds("neopixel", "", layout)
    assert isinstance(strip, NeoPixelStrip)

    def shown() -> Look:
        assert strip.wait(PATIENCE_S)
        return look(wire_frames(wire)[-1])

    yield OpenStrip(strip, shown)


class Wled:
    """A WLED that listens: it takes DDP packets and shows them at PUSH."""

    def __init__(self, leds: int) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self._next = bytearray(3 * leds)
        self.frames: list[LedFrame] = []
        self.sequence: list[int] = []
        self.longest = 0

    def take(self) -> None:
        """Take all packets that have arrived."""
        while select.select([self.socket], [], [], 0)[0]:
            packet = self.socket.recv(65536)
            self.longest = max(self.longest, len(packet))
            flags, sequence, kind, destination = packet[:4]
            offset, length = int.from_bytes(packet[4:8], "big"), int.from_bytes(packet[8:10], "big")
            assert flags & 0xC0 == 0x40, "expected DDP version 1"
            assert flags & 0x3E == 0, "expected neither time code, storage, reply nor query"
            assert (kind, destination, length) == (0x0B, 1, len(packet) - 10)
            self.sequence.append(sequence)
            self._next[offset : offset + length] = packet[10:]
            if flags & 0x01:
                self.frames.append(LedFrame(bytes(self._next)))


@contextmanager
def _wled(layout: Layout, _tmp: Path, _monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenStrip]:
    far = Wled(layout.leds)
    strip = open_leds("wled", f"127.0.0.1:{far.port}", layout)

    def shown() -> Look:
        far.take()
        return look(far.frames[-1])

    yield OpenStrip(strip, shown)
    far.socket.close()


class Screen:
    """The content of a terminal, from the few sequences that the driver sends."""

    def __init__(self, leader: int) -> None:
        self._leader = leader
        self.lines: dict[int, str] = {}

    def take(self) -> None:
        """Take all bytes written so far."""
        text = b""
        while select.select([self._leader], [], [], 0)[0]:
            text += os.read(self._leader, 65536)
        for row, line in re.findall(r"\x1b\[(\d+);1H\x1b\[2K([^\x1b\r\n]*)", text.decode()):
            self.lines[int(row) - 1] = line


@contextmanager
def _terminal(layout: Layout, _tmp: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenStrip]:
    leader, follower = pty.openpty()
    letters = {colour.name[0].upper(): colour.name for colour in (*COLOURS, WHITE)}
    with os.fdopen(follower, "w") as terminal:
        monkeypatch.setattr(sys, "stdout", terminal)
        monkeypatch.setenv("NO_COLOR", "1")
        strip = open_leds("terminal", "", layout)
        screen = Screen(leader)

        def shown() -> Look:
            screen.take()
            places = {place: lamp.led for place, lamp in grid(layout).items()}
            drawn = {led: screen.lines[row][column] for (row, column), led in places.items()}
            return {led: letters[sign.upper()] for led, sign in drawn.items() if sign.upper() in letters}

        yield OpenStrip(strip, shown)
        strip.close()
    os.close(leader)


FAR_ENDS = {
    "neopixel": _neopixel,
    "recorder": _recorder,
    "simulated": _recorder,
    "terminal": _terminal,
    "wled": _wled,
}
