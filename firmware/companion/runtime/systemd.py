"""Notify systemd that the table is ready, alive or ending, by the protocol of sd_notify(3).

Without `NOTIFY_SOCKET` in the environment nothing is sent.
"""

import os
import socket
import time
from collections.abc import Callable, MutableMapping
from contextlib import suppress

NOTIFICATIONS_AN_INTERVAL = 3
"""Notifications of the watchdog in each of its intervals."""


class Supervisor:
    """The connection to systemd. Call `beat` often: it notifies the watchdog in time."""

    def __init__(
        self, address: str = "", watchdog_s: float | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Prepare notifications.

        Args:
            address: The socket's path, or its abstract name after `@`; empty sends nothing.
            watchdog_s: The interval of the watchdog; None without one.
            clock: The clock of the watchdog, in seconds.
        """
        self._address = address
        self._every_s = watchdog_s / NOTIFICATIONS_AN_INTERVAL if watchdog_s else None
        self._clock = clock
        self._next_s = float("-inf")
        self._status = ""
        self._silent: tuple[str, ...] = ()

    @property
    def listens(self) -> bool:
        """Whether systemd started the program, and so nobody reads its standard error."""
        return bool(self._address)

    def ready(self) -> None:
        """Notify that the table takes inputs and serves its page."""
        self._send("READY=1")

    def beat(self, silent: tuple[str, ...], status: str) -> tuple[str, ...]:
        """Notify the watchdog unless a part is silent.

        Args:
            silent: The names of all silent parts.
            status: The text that systemctl shows.

        Returns:
            The names that were not silent at the last call.
        """
        if status != self._status:
            self._status = status
            self._send(f"STATUS={' '.join(status.split())}")
        if self._every_s is not None and not silent and self._clock() >= self._next_s:
            self._next_s = self._clock() + self._every_s
            self._send("WATCHDOG=1")
        before, self._silent = self._silent, silent
        return tuple(name for name in silent if name not in before)

    def stopping(self) -> None:
        """Notify that the table ends."""
        self._send("STOPPING=1")

    def _send(self, message: str) -> None:
        if not self._address:
            return
        path = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        # Ignore send errors: a missing systemd must not stop the game.
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as connection:
            connection.setblocking(False)
            connection.connect(path)
            connection.send(message.encode())


def supervisor_from(environment: MutableMapping[str, str]) -> Supervisor:
    """Return the connection that the environment describes, and remove its variables from the environment."""
    address = environment.pop("NOTIFY_SOCKET", "")
    microseconds = environment.pop("WATCHDOG_USEC", "")
    for_us = environment.pop("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return Supervisor(address, int(microseconds) / 1e6 if for_us and microseconds.isdecimal() else None)
