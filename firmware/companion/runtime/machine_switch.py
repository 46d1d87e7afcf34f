"""Switch the machine off through systemd's logind, which asks polkit whether the table's user may."""

from collections.abc import MutableMapping

from companion.errors import BusError
from companion.log import logger_of
from companion.runtime.system_bus import BusObject, SystemBus

LOGIND = BusObject("/org/freedesktop/login1", "org.freedesktop.login1", "org.freedesktop.login1.Manager")
POWER = "FARKLECRIB_POWER_OFF"
"""The environment variable by which our unit tells the program that it may switch the machine off: `logind`."""

NOT_AGAIN = 3
"""The exit status after which systemd does not start the service again: somebody has ended the table in its menu."""

ANSWER_S = 60.0
"""How long logind may take: polkit starts at its first question, in a Pi's busiest seconds."""

_log = logger_of("table")


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
