"""This machine's name in the local network, and the page's service there, as avahi publishes both."""

from dataclasses import dataclass

from companion.errors import BusError, NoBusError
from companion.runtime.system_bus import BusObject, SystemBus

BUS_NAME = "org.freedesktop.Avahi"
SERVER = BusObject("/", BUS_NAME, f"{BUS_NAME}.Server")
SERVICE = "_http._tcp"
EVERY = -1
"""Every network interface, or every protocol (avahi-common/address.h)."""

RUNNING = 2
"""The state of a server whose name is its own (avahi-common/defs.h, AvahiServerState)."""

COLLISION, FAILURE = 3, 4
"""States of a group of entries that is not published (avahi-common/defs.h, AvahiEntryGroupState)."""


@dataclass
class _Published:
    """A group of avahi's entries, and the host and service name that it holds."""

    group: BusObject
    host: str
    name: str


class Avahi:
    """A client of avahi: it asks for the host's name and holds the page's service, which ends with its connection.

    avahi gives a machine that meets its own name in the network another one, such as `farklecrib-2.local`.
    """

    def __init__(self, port: int, bus: SystemBus) -> None:
        """Prepare the client.

        Args:
            port: The page's port.
            bus: The connection to the system bus, which the client closes.
        """
        self._port = port
        self._bus = bus
        self._published: _Published | None = None

    def host_name(self) -> str | None:
        """Return the host's name that avahi publishes, such as `farklecrib.local`. Raises `BusError` without an answer.

        Returns:
            None while avahi does not run, or is still looking for a name that no other machine has.
        """
        try:
            (state,) = self._bus.call(SERVER, "GetState")
            if state != RUNNING:
                return None
            (host,) = self._bus.call(SERVER, "GetHostNameFqdn")
        except NoBusError:
            return None
        return str(host)

    def close(self) -> None:
        """Take the service off the network."""
        self._published = None
        self._bus.close()

    def publish(self, host: str) -> None:
        """Publish the service unless it is published for this name of the host. Raises `BusError` if avahi refuses."""
        before, name = self._published, f"Farkle Crib on {host.partition('.')[0]}"
        if before is not None:
            state = self._state(before.group)
            if before.host == host and state not in (COLLISION, FAILURE):
                return
            if state != FAILURE:
                self._bus.call(before.group, "Free")
            if before.host == host and state == COLLISION:
                (name,) = self._bus.call(SERVER, "GetAlternativeServiceName", "s", before.name)
        self._published = None
        self._published = self._added(host, str(name))

    def _state(self, group: BusObject) -> int:
        """Return the state of a group of entries: a failure if avahi was restarted and does not know the group."""
        try:
            (state,) = self._bus.call(group, "GetState")
        except BusError:
            return FAILURE
        return int(state)

    def _added(self, host: str, name: str) -> _Published:
        (path,) = self._bus.call(SERVER, "EntryGroupNew")
        group = BusObject(str(path), BUS_NAME, f"{BUS_NAME}.EntryGroup")
        entry = (EVERY, EVERY, 0, name, SERVICE, "", "", self._port)
        self._bus.call(group, "AddService", "iiussssqaay", *entry, [])
        self._bus.call(group, "Commit")
        return _Published(group, host, name)
