"""Reports while a Pi's voltage is too low: the processor is slow then, the lights flicker, and the Pi may restart."""

import time
from collections.abc import Callable

from companion.checkup.machine import Machine
from companion.checkup.system import under_voltage
from companion.table.state.inputs import Fault
from companion.words import message

EVERY_S = 2.0
"""Seconds between two looks: the kernel asks the firmware as often."""

FINE_S = 60.0
"""Seconds without under-voltage after which its fault ends: a weak supply dips with every throw, and is said once."""


class PowerWatch:
    """Watches the voltage of a Pi; on another machine it reports nothing. Not thread-safe."""

    def __init__(
        self,
        machine: Machine,
        report: Callable[[Fault], object],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Watch a machine.

        Args:
            machine: The machine whose kernel is asked.
            report: Gets the fault and its end.
            clock: The clock of the looks, in seconds.
        """
        self._machine = machine
        self._report = report
        self._clock = clock
        self._next_s = float("-inf")
        self._low_s: float | None = None

    def check(self) -> None:
        """Look at the voltage if it is time to, and report a change."""
        now = self._clock()
        if now < self._next_s:
            return
        self._next_s = now + EVERY_S
        if under_voltage(self._machine):
            if self._low_s is None:
                self._report(Fault("power", message("fault.power")))
            self._low_s = now
        elif self._low_s is not None and now - self._low_s >= FINE_S:
            self._low_s = None
            self._report(Fault("power", None))
