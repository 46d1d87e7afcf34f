"""The health of a running table: parts that are silent, devices whose drivers hang, and a Pi's low voltage.

The host must answer an input, which shows that neither the host nor its journal hangs. The other parts note the time of
each pass through their loop (`guard.Worker`). A part that reports a failure (an eye without a camera) continues its
loop, so it is degraded and not silent. A silent part hangs, and only a restart of the program helps. Devices that hang
are reported in place of that, because no thread of Python can be ended: a driver that hangs keeps its thread until it
returns by itself.
"""

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from companion.checkup.machine import Machine
from companion.checkup.system import under_voltage
from companion.runtime.guard import Worker
from companion.table.state.inputs import Fault
from companion.words import Text, because, message

PATIENCE_S = 20.0
"""Seconds of silence after which a part counts as hanging; a slow disk may take several."""

ASK_EVERY_S = 2.0


@dataclass(eq=False)
class Heartbeats:
    """The heartbeats of a table's parts. Not thread-safe.

    Args:
        ask: Puts an input into the host's inbox, and returns its answer.
        parts: The other parts by name.
        clock: The clock of the heartbeats, in seconds.
        patience_s: Seconds of silence after which a part is named.
    """

    ask: Callable[[], "Future[Any]"]
    parts: Mapping[str, Worker]
    clock: Callable[[], float] = time.monotonic
    patience_s: float = PATIENCE_S

    def __post_init__(self) -> None:
        self._answer: Future[Any] | None = None
        self._asked_s = self._answered_s = float("-inf")

    def silent(self) -> tuple[str, ...]:
        """Return the names of the parts that have been silent for too long, the host first."""
        now = self.clock()
        if self._answer is None or self._answer.done():
            self._answered_s = now
            if now - self._asked_s >= ASK_EVERY_S:
                self._answer, self._asked_s = self.ask(), now
        heartbeats = {"host": self._answered_s, **{name: part.last_heartbeat_s for name, part in self.parts.items()}}
        return tuple(name for name, at_s in heartbeats.items() if at_s is not None and now - at_s > self.patience_s)


HANGS_S = 10.0
"""Seconds after which a driver that does not return is reported. A call of the program's own drivers takes 2 at most,
only the lookup of a WLED's name may take 30."""


@dataclass(eq=False)
class HangingDevices:
    """The devices of a table whose drivers may hang. Not thread-safe.

    Args:
        devices: The part that uses each device, and in words for players that it does not work.
        report: Gets the faults and their ends.
        clock: The clock of the heartbeats, in seconds.
        hangs_s: Seconds without a heartbeat after which a device counts as hanging.
    """

    devices: Mapping[str, tuple[Worker, Text]]
    report: Callable[[Fault], object]
    clock: Callable[[], float] = time.monotonic
    hangs_s: float = HANGS_S

    def __post_init__(self) -> None:
        self._hanging: frozenset[str] = frozenset()

    def check(self) -> None:
        """Report each device that hangs since the last call, and each that works again."""
        now = self.clock()
        beats = {name: part.last_heartbeat_s for name, (part, _) in self.devices.items()}
        hanging = frozenset(name for name, at_s in beats.items() if at_s is not None and now - at_s > self.hangs_s)
        for name in sorted(hanging ^ self._hanging):
            reason = f"its driver has not returned for {self.hangs_s:g} s"
            self.report(Fault(f"{name} hang", because(self.devices[name][1], reason) if name in hanging else None))
        self._hanging = hanging


EVERY_S = 2.0
"""Seconds between two looks: the kernel asks the firmware as often."""

FINE_S = 60.0
"""Seconds without under-voltage after which its fault ends: a weak supply dips with every throw, and is said once."""


@dataclass(eq=False)
class PowerWatch:
    """Watches the voltage of a Pi; on another machine it reports nothing. Not thread-safe.

    While the voltage is too low the processor is slow, the lights flicker, and the Pi may restart.

    Args:
        machine: The machine whose kernel is asked.
        report: Gets the fault and its end.
        clock: The clock of the looks, in seconds.
    """

    machine: Machine
    report: Callable[[Fault], object]
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        self._next_s = float("-inf")
        self._low_s: float | None = None

    def check(self) -> None:
        """Look at the voltage if it is time to, and report a change."""
        now = self.clock()
        if now < self._next_s:
            return
        self._next_s = now + EVERY_S
        if under_voltage(self.machine):
            if self._low_s is None:
                self.report(Fault("power", message("fault.power")))
            self._low_s = now
        elif self._low_s is not None and now - self._low_s >= FINE_S:
            self._low_s = None
            self.report(Fault("power", None))
