"""Reports devices whose driver does not return: the game goes on without them (docs/decisions/0027).

No thread of Python can be ended, so a driver that hangs keeps its thread until it returns by itself.
"""

import time
from collections.abc import Callable, Mapping

from companion.runtime.heartbeat import WatchedPart
from companion.table.state.inputs import Fault
from companion.words import Text, because

HANGS_S = 10.0
"""Seconds after which a driver that does not return is reported. A call of the program's own drivers takes 2 at most,
only the lookup of a WLED's name may take 30."""


class HangingDevices:
    """The devices of a table whose drivers may hang. Not thread-safe."""

    def __init__(
        self,
        devices: Mapping[str, tuple[WatchedPart, Text]],
        report: Callable[[Fault], object],
        clock: Callable[[], float] = time.monotonic,
        hangs_s: float = HANGS_S,
    ) -> None:
        """Watch devices.

        Args:
            devices: The part that uses each device, and in words for players that it does not work.
            report: Gets the faults and their ends.
            clock: The clock of the heartbeats, in seconds.
            hangs_s: Seconds without a heartbeat after which a device counts as hanging.
        """
        self._devices = devices
        self._report = report
        self._clock = clock
        self._hangs_s = hangs_s
        self._hanging: frozenset[str] = frozenset()

    def check(self) -> None:
        """Report each device that hangs since the last call, and each that works again."""
        now = self._clock()
        beats = {name: part.last_heartbeat_s for name, (part, _) in self._devices.items()}
        hanging = frozenset(name for name, at_s in beats.items() if at_s is not None and now - at_s > self._hangs_s)
        for name in sorted(hanging ^ self._hanging):
            reason = f"its driver has not returned for {self._hangs_s:g} s"
            self._report(Fault(f"{name} hang", because(self._devices[name][1], reason) if name in hanging else None))
        self._hanging = hanging
