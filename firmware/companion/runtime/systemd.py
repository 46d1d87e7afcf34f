"""The table as a service of systemd: notifications by sd_notify(3), and power off by logind.

Without `NOTIFY_SOCKET` in the environment nothing is sent. logind asks polkit whether the table's user may switch the
machine off.
"""

import os
import socket
import time
from collections.abc import Callable, MutableMapping
from contextlib import suppress

from companion.errors import BusError
from companion.log import logger_of
from companion.runtime.system_bus import BusObject, SystemBus

NOTIFICATIONS_AN_INTERVAL = 3
"""Notifications of the watchdog in each of its intervals."""

LOGIND = BusObject("/org/freedesktop/login1", "org.freedesktop.login1", "org.freedesktop.login1.Manager")
POWER = "FARKLECRIB_POWER_OFF"
"""The environment variable by which our unit tells the program that it may switch the machine off: `logind`."""

NOT_AGAIN = 3
"""The exit status after which systemd does not start the service again: somebody has ended the table in its menu."""

ANSWER_S = 60.0
"""How long logind may take: polkit starts at its first question, in a Pi's busiest seconds."""

_log = logger_of("table")


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


class MachineSwitch:
    """What happens after power off in the menu, once the table is closed.

    In our unit the machine is switched off if polkit allows it, else the service ends. Elsewhere the program ends.
    """

    def __init__(self, *, in_unit: bool, bus: SystemBus) -> None:
        self._in_unit = in_unit
        self._bus = bus
        self._found = False

    def find(self) -> bool:
        """Return whether the machine can be switched off."""
        if self._in_unit:
            try:
                (answer,) = self._bus.call(LOGIND, "CanPowerOff", start=True)
            except BusError as error:
                answer = str(error)
            self._found = answer == "yes"
            if not self._found:
                _log.info("the menu ends the table and leaves the machine on; logind answers: %s", answer)
        return self._found

    def switch_off(self) -> int:
        """Switch the machine off if `find` has found that it can be; return the program's exit status.

        After status 1 systemd starts the table again: a machine that stays on has its table back.
        """
        if not self._in_unit:
            return 0
        if self._found:
            try:
                self._bus.call(LOGIND, "PowerOff", "b", False, start=True)
            except BusError as error:
                _log.error("expected the machine to switch off, got: %s", error)
                return 1
        return NOT_AGAIN


def switch_from(environment: MutableMapping[str, str]) -> MachineSwitch:
    """Return the switch that the environment describes, and remove its variable from the environment."""
    return MachineSwitch(in_unit=environment.pop(POWER, "") == "logind", bus=SystemBus(ANSWER_S))
