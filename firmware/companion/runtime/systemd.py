"""What systemd is told: ready, still alive, ending. The protocol of sd_notify(3), over its socket.

Without `NOTIFY_SOCKET` in the environment nobody listens, and nothing is said.
"""

import os
import socket
import time
from collections.abc import Callable, MutableMapping
from contextlib import suppress

FEEDS_AN_INTERVAL = 3


class Supervisor:
    """systemd, where it started this program. `beat` is to be called often; it feeds the watchdog in good time."""

    def __init__(
        self, address: str = "", watchdog_s: float | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._address = address
        self._every_s = watchdog_s / FEEDS_AN_INTERVAL if watchdog_s else None
        self._clock = clock
        self._next_s = float("-inf")
        self._status = ""
        self._hungry: tuple[str, ...] = ()

    def ready(self) -> None:
        """The table takes inputs, and its page answers."""
        self._send("READY=1")

    def beat(self, silent: tuple[str, ...], status: str) -> tuple[str, ...]:
        """Feed the watchdog unless a part is silent; `status` is shown by systemctl. The parts newly found silent."""
        if status != self._status:
            self._status = status
            self._send(f"STATUS={' '.join(status.split())}")
        new, self._hungry = tuple(name for name in silent if name not in self._hungry), silent
        if self._every_s is not None and not silent and self._clock() >= self._next_s:
            self._next_s = self._clock() + self._every_s
            self._send("WATCHDOG=1")
        return new

    def stopping(self) -> None:
        """The table ends."""
        self._send("STOPPING=1")

    def _send(self, message: str) -> None:
        if not self._address:
            return
        path = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        # Who does not listen any more must not cost the table anything.
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as wire:
            wire.setblocking(False)
            wire.connect(path)
            wire.send(message.encode())


def supervisor_of(environment: MutableMapping[str, str], clock: Callable[[], float] = time.monotonic) -> Supervisor:
    """Who started this program, by its environment; what is meant for us alone is taken out of it."""
    address = environment.pop("NOTIFY_SOCKET", "")
    microseconds = environment.pop("WATCHDOG_USEC", "")
    meant = environment.pop("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    watchdog_s = int(microseconds) / 1e6 if meant and microseconds.isdecimal() and int(microseconds) else None
    return Supervisor(address, watchdog_s, clock)
