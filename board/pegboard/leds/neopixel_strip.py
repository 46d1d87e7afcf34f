"""A NeoPixel strip on the Pi's own pins, driven by a process of its own that receives frames over a socket.

The newest frame wins. A process that hangs or dies is ended, and another one is started with a later frame: at first
after two seconds, then after up to a minute. Until it has shown a frame, `show` keeps raising the last error.
"""

import logging
import re
import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO

from pegboard.errors import DriverError, ending
from pegboard.layouts import Layout
from pegboard.ledframe import LedFrame, dark
from pegboard.leds.port import check_frame

NAME = "neopixel"
PIN = "D10"
PINS = re.compile(r"D([0-9]|1[0-9]|2[0-7])")
"""The names of the header's GPIOs."""

ORDER = "GRB"
ORDERS = ("RGB", "RBG", "GRB", "GBR", "BRG", "BGR")

HANG_S = 2.0  # the longest chain takes 0.05 s
START_S = 25.0  # importing Blinka on a Zero 2 W takes seconds
RETRY_S = 2.0
LONGEST_RETRY_S = 60.0
CLOSE_S = 0.8

_log = logging.getLogger("farklecrib.strip")


@dataclass(eq=False)
class NeoPixelStrip:
    """Sends frames to the process that `command` starts, with the descriptor of its socket as the last argument."""

    layout: Layout
    command: Sequence[str]
    clock: Callable[[], float] = time.monotonic
    hang_s: float = HANG_S
    start_s: float = START_S

    def __post_init__(self) -> None:
        self._closed = False
        self._process: subprocess.Popen[bytes] | None = None
        self._feed: socket.socket | None = None
        self._sent = 0
        self._shown_any = False
        self._waits_since: float | None = None
        self._why = ""
        self._retry_at = float("-inf")
        self._retry_s = RETRY_S
        self._start()

    def show(self, frame: LedFrame) -> None:
        """Send the frame to the process without waiting.

        Raises:
            DriverError: if the process does not answer, or has failed and shown no frame since.
        """
        check_frame(frame, self.layout.leds, self._closed, NAME)
        now = self.clock()
        if self._feed is None and now >= self._retry_at:
            self._start()
        if self._feed is not None:
            self._receive(now)
        if self._feed is not None:
            self._send(frame, now)
        if self._why:
            raise DriverError(self._why)

    def wait(self, timeout_s: float) -> bool:
        """Wait until the newest frame has been shown, at most `timeout_s`; return whether it has."""
        until_s = time.monotonic() + timeout_s
        while self._feed is not None and self._waits_since is not None:
            left_s = until_s - time.monotonic()
            if left_s <= 0 or not select.select([self._feed], [], [], left_s)[0]:
                return False
            self._receive(self.clock())
        return self._feed is not None

    def close(self) -> None:
        """Make the chain dark and end the process; kill it if it hangs."""
        if self._closed:
            return
        self._closed = True
        if self._feed is not None:
            with suppress(OSError):
                self._feed.send(bytes(4) + dark(self.layout.leds).data, socket.MSG_DONTWAIT)
        self._end(CLOSE_S)

    def _start(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            number = theirs.fileno()
            try:
                self._process = subprocess.Popen(
                    [*self.command, str(number)],
                    pass_fds=(number,),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    start_new_session=True,  # Ctrl-C must reach only the game, which makes the strip dark
                )
            except OSError as error:
                ours.close()
                self._failed(f"expected to start the strip's process, got: {error}")
                return
        threading.Thread(target=_log_errors, args=(self._process.stderr,), daemon=True).start()
        ours.setblocking(False)
        self._feed = ours
        self._shown_any = False
        self._waits_since = None

    def _send(self, frame: LedFrame, now: float) -> None:
        assert self._feed is not None
        self._sent = (self._sent + 1) % (1 << 32)
        try:
            self._feed.send(self._sent.to_bytes(4, "big") + frame.data)
        except BlockingIOError:
            return  # the socket is full; `_receive` detects a hanging process
        except OSError as error:
            self._failed(f"the strip's process has gone away: {error}")
            return
        if self._waits_since is None:
            self._waits_since = now

    def _receive(self, now: float) -> None:
        """Read the answers of the process: frames shown, or the reason why it failed; detect one that hangs."""
        assert self._feed is not None
        while True:
            try:
                message = self._feed.recv(4096)
            except BlockingIOError:
                break
            except ConnectionResetError:
                continue  # it ended with frames unread; its last answer can still be read
            except OSError:
                message = b""
            if not message:
                self._failed(self._ended())
                return
            if message[:1] == b"!":
                self._failed(message[1:].decode("utf-8", "replace"))
                return
            self._shown_any = True
            self._why = ""
            self._retry_s = RETRY_S
            self._waits_since = None if int.from_bytes(message[1:], "big") == self._sent else now
        patience_s = self.hang_s if self._shown_any else self.start_s
        if self._waits_since is not None and now - self._waits_since > patience_s:
            self._failed(f"the strip has shown nothing for {patience_s:g} s; its process was ended")

    def _ended(self) -> str:
        assert self._process is not None
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(0.2)
        return f"the strip's process ended by itself, with {ending(self._process.poll())}"

    def _failed(self, why: str) -> None:
        self._why = why
        self._retry_at = self.clock() + self._retry_s
        _log.warning("ended, and is started again in %g s: %s", self._retry_s, why)
        self._retry_s = min(2 * self._retry_s, LONGEST_RETRY_S)
        self._end(0.0)

    def _end(self, patience_s: float) -> None:
        """Close the feed, so that the process ends by itself; kill it if it does not within `patience_s`."""
        if self._feed is not None:
            self._feed.close()
            self._feed = None
        process, self._process = self._process, None
        if process is None:
            return
        for wait_s in (patience_s, CLOSE_S):
            try:
                process.wait(wait_s)
            except subprocess.TimeoutExpired:
                process.kill()  # a process in a system call may never end; do not wait for it


def _log_errors(stream: IO[bytes]) -> None:
    """Log each line that the process writes to its standard error, until it ends."""
    with stream:
        for line in stream:
            _log.warning(line.decode(errors="replace").rstrip())


def pin_and_order(arg: str) -> tuple[str, str]:
    """Return the pin and the order of colours: `arg` is empty, a pin, or a pin and an order: `D10,RGB`.

    Raises:
        DriverError: if `arg` is anything else.
    """
    pin, _, order = (arg or PIN).partition(",")
    pin, order = pin.strip().upper(), (order or ORDER).strip().upper()
    if not PINS.fullmatch(pin):
        raise DriverError(
            f"expected the LEDs neopixel, neopixel:D10 or neopixel:D10,GRB, pins from D0 to D27; got {arg!r}"
        )
    if order not in ORDERS:
        raise DriverError(f"expected the order of colours as one of {', '.join(ORDERS)}; got {order!r}")
    return pin, order


def open_neopixel(arg: str, layout: Layout) -> NeoPixelStrip:
    """Return the strip of `pin_and_order`, whose `DriverError` reaches the caller."""
    pin, order = pin_and_order(arg)
    module = "pegboard.leds.neopixel_process"
    return NeoPixelStrip(layout, [sys.executable, "-P", "-m", module, str(layout.leds), pin, order])
