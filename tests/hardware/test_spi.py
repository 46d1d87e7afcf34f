"""The strip down to SPI: Adafruit's library and rpi_ws281x's own C code, and the bits that they send.

These tests need rpi_ws281x, which pip builds with a C compiler, and the compiler itself. Without them they are skipped.
"""

import platform
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from strips import NATIVE, PATIENCE_S, look

from pegboard.animation.effects import board_lights
from pegboard.errors import DriverError
from pegboard.layouts import load_layout
from pegboard.ledframe import LedFrame, dark
from pegboard.leds.neopixel_strip import NeoPixelStrip
from pegboard.palette import mark
from pegboard.pegs import BoardView, LaneView
from pegboard.render import render
from pegboard.track import Hole

LAYOUT = load_layout("long-board-4")
SYMBOLS = {"100": "0", "110": "1"}
"""Three SPI bits are one of the strip's: at 2.4 MHz a long or a short high of 1.25 microseconds."""


@pytest.fixture(scope="module")
def shim(tmp_path_factory) -> Path:
    if find_spec("_rpi_ws281x") is None:
        pytest.skip("needs rpi_ws281x, which needs a C compiler and Python's headers: pip install rpi_ws281x")
    if shutil.which("gcc") is None or platform.machine() == "aarch64":
        pytest.skip("needs gcc, and a machine that is no Pi: there the revision is read from elsewhere")
    built = tmp_path_factory.mktemp("shim") / "spidev.so"
    source = Path(__file__).parent / "spidev.c"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", str(built), str(source), "-ldl"], check=True)
    return built


@pytest.fixture
def strip(shim, tmp_path, monkeypatch):
    stand_ins = tmp_path / "native"
    stand_ins.mkdir()
    for name in ("gpiod.py", "sitecustomize.py"):  # and not that of rpi_ws281x
        (stand_ins / name).symlink_to(NATIVE / name)
    for key, value in {
        "PYTHONPATH": str(stand_ins),
        "LD_PRELOAD": str(shim),
        "BLINKA_FORCECHIP": "BCM2XXX",
        "PEGBOARD_REVISION": "902120",
        "PEGBOARD_SPI": str(tmp_path / "spi"),
    }.items():
        monkeypatch.setenv(key, value)
    command = [sys.executable, "-P", "-m", "pegboard.leds.neopixel_process", str(LAYOUT.leds), "D10", "GRB"]
    opened: list[NeoPixelStrip] = []

    def opening() -> NeoPixelStrip:
        opened.append(NeoPixelStrip(LAYOUT, command))
        return opened[-1]

    yield opening
    for each in opened:
        each.close()


def sent(tmp_path: Path) -> list[tuple[int, int, LedFrame]]:
    """Return each transfer: its bytes, its speed, and the frame that its bits encode."""
    found = []
    for line in (tmp_path / "spi").read_text(encoding="ascii").splitlines():
        length, speed, data = line.split()
        bits = "".join(f"{byte:08b}" for byte in bytes.fromhex(data))
        symbols = [bits[at : at + 3] for at in range(0, 72 * LAYOUT.leds, 3)]
        wire = int("".join(SYMBOLS[symbol] for symbol in symbols), 2).to_bytes(3 * LAYOUT.leds, "big")
        frame = bytearray(len(wire))
        frame[0::3], frame[1::3], frame[2::3] = wire[1::3], wire[0::3], wire[2::3]
        found.append((int(length), int(speed), LedFrame(bytes(frame))))
    return found


def test_the_bits_on_spi_are_the_frame(strip, tmp_path) -> None:
    lanes = tuple(LaneView(mark(side), Hole(20 * side), Hole(20 * side + 5)) for side in range(4))
    frame = render(board_lights(BoardView(lanes, turn=1), 0.0), LAYOUT)
    made = strip()
    for each in (frame, LedFrame(bytes(number % 256 for number in range(3 * LAYOUT.leds))), frame):
        made.show(each)
        assert made.wait(PATIENCE_S)
        length, speed, shown = sent(tmp_path)[-1]
        assert shown == each
    assert len(look(frame)) == 8
    assert speed == 2_400_000
    assert 12 * LAYOUT.leds <= length < 12 * LAYOUT.leds + 100
    made.close()
    assert sent(tmp_path)[-1][2] == dark(LAYOUT.leds)


def test_the_error_of_a_chain_longer_than_spidevs_buffer_names_the_cure(strip, monkeypatch) -> None:
    monkeypatch.setenv("PEGBOARD_BUFSIZ", "4096")
    made = strip()
    made.show(dark(LAYOUT.leds))
    made.wait(PATIENCE_S)
    with pytest.raises(DriverError, match=r"spidev\.bufsiz=32768"):
        made.show(dark(LAYOUT.leds))
