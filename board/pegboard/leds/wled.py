"""A strip on an ESP32 with WLED, over the network: DDP packets to UDP port 4048.

The packets are those of the Distributed Display Protocol (3waylabs.com/ddp): flags, sequence, data type, destination,
offset and length in a header of ten bytes, then at most 1440 bytes of colours; the last packet of a frame has the flag
PUSH. WLED converts the colours to the strip's own order. It returns to its own effects when it has received
no packet for 2.5 seconds (its default), so an unchanged frame is sent again every half second.
"""

import os
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from pegboard.errors import DriverError
from pegboard.layouts import Layout
from pegboard.ledframe import LedFrame, dark
from pegboard.leds.port import check_frame

NAME = "wled"
PORT = 4048
MOST_BYTES = 1440
VERSION_1 = 0x40
PUSH = 0x01
RGB_8_BIT = 0x0B
DISPLAY = 1
REPEAT_S = 0.5


def packets(frame: LedFrame, sequence: int) -> Iterator[bytes]:
    """Yield the DDP packets of a frame; `sequence` is the number of the first packet, from 1 to 15."""
    for number, offset in enumerate(range(0, max(len(frame.data), 1), MOST_BYTES)):
        part = frame.data[offset : offset + MOST_BYTES]
        flags = VERSION_1 | (PUSH if offset + MOST_BYTES >= len(frame.data) else 0)
        header = bytes((flags, after(sequence, number), RGB_8_BIT, DISPLAY))
        yield header + offset.to_bytes(4, "big") + len(part).to_bytes(2, "big") + part


def after(sequence: int, number: int) -> int:
    """Return the sequence number `number` packets later: 1 to 15, then 1 again (0 means no sequence)."""
    return (sequence - 1 + number) % 15 + 1


@dataclass(eq=False)
class WledStrip:
    """Sends frames to one WLED, which never answers; a network error is raised by a later `show`."""

    layout: Layout
    host: str
    port: int = PORT
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        self._socket: socket.socket | None = None
        self._sequence = 1
        self._last: LedFrame | None = None
        self._sent_s = float("-inf")
        self._why = ""
        self._closed = False

    def show(self, frame: LedFrame) -> None:
        """Send the frame, unless it equals the last one and that was sent recently.

        The network reports a missing WLED only after a frame was sent, so the next frame raises the error. It is kept
        until a frame was sent without an error.

        Raises:
            DriverError: if the network reports an error, such as an unknown host or a closed port.
        """
        check_frame(frame, self.layout.leds, self._closed, NAME)
        now = self.clock()
        if frame == self._last and now - self._sent_s < REPEAT_S:
            return
        try:
            tried_before = self._socket is not None
            if self._socket is None:
                self._socket = self._connected()
            refused = self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
            self._send(frame)
        except OSError as error:
            self._forget()
            self._why = error.strerror or str(error)
        else:
            if refused:
                self._why = os.strerror(refused)
            elif tried_before:
                self._why = ""
            self._last, self._sent_s = frame, now
        if self._why:
            self._last = None
            raise DriverError(f"expected a WLED at {self.host}:{self.port}, got: {self._why}")

    def close(self) -> None:
        """Send a dark frame; WLED returns to its own effects by itself."""
        if self._closed:
            return
        self._closed = True
        if self._socket is not None:
            with suppress(OSError):  # there may be no WLED
                self._send(dark(self.layout.leds))
            self._forget()

    def _send(self, frame: LedFrame) -> None:
        assert self._socket is not None
        for packet in packets(frame, self._sequence):
            self._socket.send(packet)
            self._sequence = after(self._sequence, 1)

    def _connected(self) -> socket.socket:
        """Return a connected socket; an unconnected one would not report that the other end is closed.

        Raises:
            OSError: if the host is unknown or cannot be reached.
        """
        family, kind, protocol, _, address = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_DGRAM)[0]
        made = socket.socket(family, kind, protocol)
        try:
            made.setblocking(False)
            made.connect(address)
        except OSError:
            made.close()
            raise
        return made

    def _forget(self) -> None:
        if self._socket is not None:
            self._socket.close()
        self._socket = None
        self._last = None


def open_wled(arg: str, layout: Layout) -> WledStrip:
    """Return the WLED at `HOST` or `HOST:PORT`.

    Raises:
        DriverError: if `arg` is anything else.
    """
    host, _, port = arg.strip().rpartition(":") if arg.count(":") == 1 else (arg.strip(), "", "")
    if not host or "\0" in host or (port and not (re.fullmatch("[0-9]{1,5}", port) and 0 < int(port) < 65536)):
        raise DriverError(f"expected the LEDs as wled:HOST or wled:HOST:PORT, got {'wled:' + arg!r}")
    return WledStrip(layout, host.strip("[]"), int(port) if port else PORT)
