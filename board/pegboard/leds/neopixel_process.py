"""The process that drives a NeoPixel strip: the real Adafruit library, fed over a socket by `neopixel_strip`.

    python -P -m pegboard.leds.neopixel_process LEDS PIN ORDER FD

Each message it receives is a frame's number (4 bytes, big endian) and its red, green and blue bytes; of several waiting
messages it shows the newest. It answers `+` and the number of the frame that it has shown, or `!` and the reason why it
cannot go on, and then ends. When the socket closes, the strip goes dark and the process ends.

The library uses SPI on GPIO10 on a Zero 2 W, 3 and 4 (through rpi_ws281x, without root) and the PIO on a 5. On SPI a
frame of 460 LEDs takes 32 ms: 40 microseconds an LED, and Blinka then sleeps 1 ms for each 100 bytes; the PIO takes 30
microseconds an LED. A write may hold the interpreter lock, so it must not run in the game's process.
"""

import os
import signal
import socket
import sys
import tomllib
from collections.abc import Iterable
from contextlib import suppress
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from typing import Any, Protocol

from pegboard.errors import DriverError, one_line
from pegboard.installation import PI_5_STRIP, add, add_extra, upgrade
from pegboard.ledframe import LedFrame, dark

LONGEST = 1 << 17
SHOWN = b"+"
FAILED = b"!"

PI_5_LIBRARY = "pi5"
"""A part of the name of the library that a Pi 5 needs beside the others."""

SPI_MODELS = frozenset(
    "RASPBERRY_PI_" + name
    for name in ("ZERO_2_W", "3A_PLUS", "3B", "3B_PLUS", "CM3", "CM3_PLUS", "4B", "400", "CM4", "CM4S")
)
PIO_MODELS = frozenset("RASPBERRY_PI_" + name for name in ("5", "500", "CM5", "CM5_LITE"))
MODELS = "a Raspberry Pi Zero 2 W, 3, 4 or 5"

HINTS = tomllib.loads(files("pegboard.leds").joinpath("hints.toml").read_text(encoding="utf-8"))
"""The remedy for an error of the libraries, by a part of the error's text."""


class Pixels(Protocol):
    """The part of `neopixel.NeoPixel` that is used."""

    def __setitem__(self, led: int, rgb: tuple[int, int, int]) -> None: ...
    def show(self) -> None:
        """Write to the wire."""

    def deinit(self) -> None:
        """Go dark and release the pin."""


def check_model(board: Any) -> None:
    """Check that Adafruit's detection found a Pi that this project drives.

    Raises:
        DriverError: if it found another computer or an unknown Pi.
    """
    revision = board._pi_rev_code()  # noqa: SLF001 - the library names models, and not the revision behind them
    try:
        found = board.id
    except LookupError:  # raised for a Pi newer than the detection
        found = None
    if found in SPI_MODELS | PIO_MODELS:
        return
    if revision is not None and found is None:
        raise DriverError(
            f"expected {MODELS}, got a Raspberry Pi of the unknown revision {revision!r}; a newer detection may know "
            f"it: {upgrade('Adafruit-PlatformDetect', 'Adafruit-Blinka', 'rpi_ws281x')}"
        )
    if revision is not None:
        raise DriverError(f"expected {MODELS}, got {found!r}, which this program does not drive")
    raise DriverError(
        f"expected {MODELS} for the LEDs 'neopixel', got {found or 'another computer'!r}; elsewhere use 'wled:HOST', "
        "'terminal' or 'simulated'"
    )


def open_pixels(leds: int, pin: str, order: str) -> Pixels:
    """Return the real library's strip. Raises the library's errors too.

    Raises:
        DriverError: if this machine has no such pin, or is not a supported Pi.
    """
    os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")  # Blinka would ask at the terminal, and run pip
    check_model(import_module("adafruit_platformdetect").Detector().board)
    library = import_module("neopixel")
    pins = import_module("microcontroller.pin")
    if not hasattr(pins, pin):
        raise DriverError(f"expected a pin such as D10, got {pin!r}")
    strip: Pixels = library.NeoPixel(getattr(pins, pin), leds, auto_write=False, pixel_order=order)
    return strip


def explain(error: BaseException) -> str:
    """Return one line for a person: the library's error, and how to remedy it."""
    text = one_line(error)
    if isinstance(error, DriverError):
        return text
    if isinstance(error, ModuleNotFoundError) or "was not found" in text:
        cure = add(*PI_5_STRIP) if PI_5_LIBRARY in text else add_extra("pi")
        return f"expected the library of the LEDs, got: {text.split('. ')[0]}; install it with: {cure}"
    hint = next((cure for part, cure in HINTS.items() if part.lower() in text.lower()), None)
    return f"{text}{_versions()}" if hint is None else f"{text}; {hint.format(upgrade=upgrade('rpi_ws281x'))}"


def _versions() -> str:
    found = []
    for name in ("adafruit-circuitpython-neopixel", "Adafruit-Blinka"):
        with suppress(PackageNotFoundError):
            found.append(f"{name} {version(name)}")
    return f" ({', '.join(found)})" if found else ""


def serve(feed: socket.socket, pixels: Pixels, leds: int) -> None:
    """Show frames until the feed ends, and give the library only the LEDs that changed."""
    shown = dark(leds)
    for number, frame in newest(feed):
        for led in changed(shown, frame):
            pixels[led] = frame[led]
        pixels.show()
        shown = frame
        feed.send(SHOWN + number)


def changed(before: LedFrame, after: LedFrame) -> Iterable[int]:
    """Return the LEDs that differ."""
    return () if before == after else (led for led in range(len(after)) if before[led] != after[led])


def newest(feed: socket.socket) -> Iterable[tuple[bytes, LedFrame]]:
    """Yield the number and frame of each message; of several waiting messages only the newest."""
    message = feed.recv(LONGEST)
    while message:  # empty when the feed has ended
        try:
            later = feed.recv(LONGEST, socket.MSG_DONTWAIT)
        except BlockingIOError:
            later = None
        if not later:
            yield message[:4], LedFrame(message[4:])
        message = feed.recv(LONGEST) if later is None else later


def main(arguments: list[str]) -> int:
    """Drive the strip until the feed ends; return 1 if that failed."""
    leds, pin, order, fd = arguments
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)  # the game handles it; when the game ends, so does the feed
    with socket.socket(fileno=int(fd)) as feed:
        try:
            pixels = open_pixels(int(leds), pin, order)
            with suppress(ConnectionError):  # the game has ended, perhaps with answers unread
                serve(feed, pixels, int(leds))
            pixels.deinit()
        except Exception as error:  # noqa: BLE001 - hardware libraries raise anything
            with suppress(ConnectionError):
                feed.send(FAILED + explain(error).encode()[:1000])
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
