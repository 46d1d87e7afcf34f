"""The real NeoPixel library of each Pi, down to its native module, and strips that hang, die or are missing.

None of this ran on a Pi: the native modules (rpi_ws281x, the Pi 5's PIO, libgpiod) are the stand-ins in `native`, which
write the wire's bytes to a file. All code above them is real.
"""

import itertools
import os
import select
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from samples import sampled
from started import Started
from strips import PATIENCE_S, PI_4, raspberry_pi, wire_frames

from pegboard.errors import DriverError
from pegboard.installation import PI_5_STRIP, add, add_extra, upgrade
from pegboard.layouts import load_layout
from pegboard.ledframe import LedFrame, dark
from pegboard.leds.neopixel_strip import HANG_S, LONGEST_RETRY_S, RETRY_S, NeoPixelStrip, open_neopixel

LAYOUT = load_layout("long-board-2")
MODULE = "pegboard.leds.neopixel_process"


def lit(*leds: int) -> LedFrame:
    """Return a frame with these LEDs in different colours."""
    data = bytearray(3 * LAYOUT.leds)
    for led in leds:
        data[3 * led : 3 * led + 3] = bytes((led % 251 + 1, led % 83 + 2, led % 7 + 3))
    return LedFrame(bytes(data))


@dataclass
class Bench:
    """A strip on a clock that the test sets."""

    wire: Path
    started: Started
    now: float = 1000.0
    strips: list[NeoPixelStrip] = field(default_factory=list)

    def open(self, order: str = "GRB", pin: str = "D10") -> NeoPixelStrip:
        command = [sys.executable, "-P", "-m", MODULE, str(LAYOUT.leds), pin, order]
        self.strips.append(NeoPixelStrip(LAYOUT, command, clock=lambda: self.now))
        return self.strips[-1]

    def frames(self) -> list[LedFrame]:
        return wire_frames(self.wire)


@pytest.fixture
def bench(tmp_path, monkeypatch):
    made = Bench(tmp_path / "wire", Started().note(monkeypatch))
    raspberry_pi(monkeypatch, made.wire)
    yield made
    for strip in made.strips:
        strip.close()


def failure(strip: NeoPixelStrip) -> str:
    """Return the error of a strip that cannot start."""
    with suppress(DriverError):  # of a process that ends quickly
        shown(strip, 1)
    with pytest.raises(DriverError) as told:
        strip.show(lit(1))
    return str(told.value)


def shown(strip: NeoPixelStrip, *leds: int) -> None:
    """Show a frame with these LEDs and wait for the process's answer."""
    strip.show(lit(*leds))
    strip.wait(PATIENCE_S)


MODELS = {
    "Zero 2 W": "902120",
    "3 B": "a02082",
    "3 B+": "a020d3",
    "3 A+": "9020e0",
    "4 B": "c03111",
    "400": "c03130",
    "CM4": "c03140",
    "5": "c04170",
    "CM5": "c04180",
    "500": "d04190",
}


@pytest.mark.parametrize("revision", sampled(MODELS.values(), "902120", "c04170"), ids=MODELS)
def test_a_pi_is_known_by_its_revision_and_gets_every_byte_and_a_closed_strip_is_dark(bench, monkeypatch, revision):
    monkeypatch.setenv("PEGBOARD_REVISION", revision)
    strip = bench.open()
    for leds in ((1, 2, 302), (2, 150), (2, 150), (), (5,)):
        shown(strip, *leds)
        assert bench.frames()[-1] == lit(*leds)
    strip.close()
    assert bench.frames()[-1] == dark(LAYOUT.leds)


@pytest.mark.parametrize("order", sampled(["RGB", "BRG"], "BRG"))
def test_a_strip_of_another_order_gets_its_bytes_in_it(bench, order):
    shown(bench.open(order), 9)
    wire = bytes.fromhex(bench.wire.read_text(encoding="ascii").split()[-1])
    assert wire[27:30] == bytes(lit(9)[9]["RGB".index(channel)] for channel in order)


@pytest.mark.parametrize("unread", sampled([False, True], True), ids=["all answers read", "answers unread"])
def test_a_strip_whose_game_was_killed_goes_dark(bench, unread):
    strip = bench.open()
    shown(strip, 5)
    (process,), (feed,) = bench.started.processes, bench.started.feeds
    if unread:
        strip.show(lit(6))
        assert select.select([feed], [], [], PATIENCE_S)[0]
    feed.close()  # as the system does for a process that ended
    assert process.wait(PATIENCE_S) == 0
    assert bench.frames()[-1] == dark(LAYOUT.leds)


def test_a_signal_that_ends_the_game_leaves_the_strip_time_to_go_dark(bench):
    strip = bench.open()
    shown(strip, 5)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):  # as systemd and a terminal send it to all processes
        os.kill(bench.started.processes[-1].pid, number)
    shown(strip, 6)
    strip.close()
    assert lit(6) in bench.frames()
    assert bench.frames()[-1] == dark(LAYOUT.leds)


def test_of_frames_that_wait_the_newest_wins(bench, monkeypatch):
    monkeypatch.setenv("PEGBOARD_LATE", "0.1")
    strip = bench.open()
    shown(strip, 1)
    for led in range(2, 42):
        strip.show(lit(led))
    assert strip.wait(PATIENCE_S)
    frames = bench.frames()
    assert frames[-1] == lit(41)
    assert len(frames) <= 4


def test_a_strip_that_hangs_is_ended_and_started_again(bench, monkeypatch):
    monkeypatch.setenv("PEGBOARD_HANG", "2")
    strip = bench.open()
    shown(strip, 1)
    strip.show(lit(2))
    (first,) = bench.started.processes
    bench.now += HANG_S
    strip.show(lit(3))
    bench.now += 0.1
    with pytest.raises(DriverError, match="has shown nothing for 2 s"):
        strip.show(lit(4))
    assert first.poll() == -signal.SIGKILL
    monkeypatch.delenv("PEGBOARD_HANG")
    with pytest.raises(DriverError):
        strip.show(lit(5))
    bench.now += RETRY_S
    with pytest.raises(DriverError):  # the process has started, and has shown no frame yet
        strip.show(lit(6))
    assert strip.wait(PATIENCE_S)
    shown(strip, 7)
    assert bench.frames()[-1] == lit(7)


def test_a_process_that_dies_is_started_again(bench):
    strip = bench.open()
    shown(strip, 1)
    (first,) = bench.started.processes
    first.kill()
    first.wait(PATIENCE_S)
    with pytest.raises(DriverError, match="ended by itself, with SIGKILL"):
        strip.show(lit(2))
    bench.now += RETRY_S
    with pytest.raises(DriverError):
        strip.show(lit(3))
    assert strip.wait(PATIENCE_S)
    strip.show(lit(3))


@pytest.mark.exhaustive
def test_a_strip_that_never_starts_is_tried_less_and_less_often(bench, monkeypatch):
    monkeypatch.setenv("PEGBOARD_INIT", "-13")
    strip = bench.open()
    failure(strip)
    pauses = []
    for _ in range(7):
        since, before = bench.now, len(bench.started.processes)
        while len(bench.started.processes) == before:
            bench.now += 1.0
            with pytest.raises(DriverError):
                strip.show(lit(1))
        pauses.append(bench.now - since)
        strip.wait(PATIENCE_S)
    assert all(later >= earlier for earlier, later in itertools.pairwise(pauses))
    assert (pauses[0], pauses[-1]) == (RETRY_S, LONGEST_RETRY_S)


LATER = pytest.mark.exhaustive
ZERO_W, PI_2, UNKNOWN, A_PI_5 = ({"revision": each} for each in ("9000c1", "a01041", "c047f0", "c04170"))


@pytest.mark.parametrize(
    ("pin", "forced", "says"),
    [
        pytest.param("D10", ZERO_W, "a Raspberry Pi Zero 2 W, 3, 4 or 5, got 'RASPBERRY_PI_ZERO_W'", marks=LATER),
        ("D10", PI_2, "got 'RASPBERRY_PI_2B', which this program does not drive"),
        pytest.param("D10", UNKNOWN, "unknown revision 'c047f0'; a newer detection may know it", marks=LATER),
        pytest.param("D10", {"init": "-3"}, f"is newer than rpi_ws281x: {upgrade('rpi_ws281x')}", marks=LATER),
        pytest.param("D10", {"init": "-13"}, "turn SPI on", marks=LATER),
        ("D10", {"render": "-14"}, "spidev.bufsiz=32768"),
        pytest.param("D10", {"busy": "1"}, "another program holds the pin", marks=LATER),
        pytest.param("D10", A_PI_5 | {"init": "1"}, "let the group gpio open /dev/pio0", marks=LATER),
        pytest.param("D12", {}, "only GPIO10 works without root", marks=LATER),
        pytest.param("D99", {}, "expected a pin such as D10, got 'D99'", marks=LATER),
    ],
)
def test_a_pi_that_cannot_drive_the_strip_gives_reason_and_cure(bench, monkeypatch, pin, forced, says):
    raspberry_pi(monkeypatch, bench.wire, **forced)
    told = failure(bench.open(pin=pin))
    assert says in told
    assert "\n" not in told


def test_on_another_computer_the_error_names_the_other_drivers(bench, monkeypatch):
    for name in ("BLINKA_FORCECHIP", "PEGBOARD_REVISION"):
        monkeypatch.delenv(name)
    assert "'wled:HOST', 'terminal' or 'simulated'" in failure(bench.open())


@pytest.mark.parametrize(
    ("module", "cure"),
    [
        ("neopixel", add_extra("pi")),
        *(pytest.param(module, add_extra("pi"), marks=LATER) for module in ("_rpi_ws281x", "gpiod")),
        pytest.param("adafruit_raspberry_pi5_neopixel_write", add(*PI_5_STRIP), marks=LATER),
    ],
)
def test_a_missing_library_says_what_to_install(bench, monkeypatch, tmp_path, module, cure):
    (tmp_path / f"{module}.py").write_text(f"raise ModuleNotFoundError('No module {module}', name={module!r})")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{os.environ['PYTHONPATH']}")
    monkeypatch.setenv("PEGBOARD_REVISION", "c04170" if "pi5" in module else PI_4)
    assert cure in failure(bench.open())


@pytest.mark.parametrize("arg", ["10", "D", "GPIO10", "D10,ROYGBIV"])
def test_an_argument_other_than_pin_and_order_is_refused(arg):
    with pytest.raises(DriverError, match="expected the"):
        open_neopixel(arg, LAYOUT)
