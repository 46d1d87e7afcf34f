"""Publishes the page in the local network, and follows the names and addresses that this machine has there."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from companion.config import is_open
from companion.errors import BusError, NoBusError
from companion.log import logger_of
from companion.runtime.guard import Guard, Worker
from companion.runtime.system_bus import BusObject, SystemBus
from companion.table.state.inputs import Fault, Located
from companion.web.address import network_address, page_address
from companion.words import message

LOOK_S = 5.0
"""Seconds between two looks at the names and addresses."""

BUS_NAME = "org.freedesktop.Avahi"
SERVER = BusObject("/", BUS_NAME, f"{BUS_NAME}.Server")
SERVICE = "_http._tcp"
EVERY = -1
"""Every network interface, or every protocol (avahi-common/address.h)."""

RUNNING = 2
"""The state of a server whose name is its own (avahi-common/defs.h, AvahiServerState)."""

COLLISION, FAILURE = 3, 4
"""States of a group of entries that is not published (avahi-common/defs.h, AvahiEntryGroupState)."""

_log = logger_of("page")


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


class Announcer(Worker):
    """Follows the page's place on a thread of its own. `located` is the newest place, for any thread."""

    def __init__(
        self,
        host: str,
        port: int,
        report: Callable[[Fault], object],
        tell: Callable[[Located], object],
        bus: SystemBus | None = None,
        *,
        lights: bool = True,
    ) -> None:
        """Look once, so that `located` is known.

        Args:
            host: The address that the page listens on.
            port: Its port.
            report: Gets the faults of the announcement.
            tell: Gets each new place of the page.
            bus: The connection to avahi's bus.
            lights: Whether the table has lights, which can count out the last number of its address.
        """
        super().__init__("announcer", Guard("announcement", message("fault.announcement"), report))
        self._host, self._port, self._tell, self._lights = host, port, tell, lights
        self._avahi = Avahi(port, bus or SystemBus()) if is_open(host) else None
        self._name: str | None = None
        with suppress(BusError):  # the thread reports it
            self._name = self._host_name()
        self.located = self._place()

    @property
    def address(self) -> str:
        """The page's address as a phone writes it."""
        return self.located.address

    @property
    def names(self) -> frozenset[str]:
        """The name that avahi publishes for this machine, if any."""
        return frozenset({self._name.casefold()}) if self._name else frozenset()

    def secure_address(self, port: int, name: str | None) -> str:
        """Return the address of a port that speaks TLS.

        Args:
            port: The port.
            name: The name that its certificate asks for; None takes the one of `address`.
        """
        return page_address(name or self._host, port, named=self._name, scheme="https")

    def close(self) -> None:
        """End the thread, and take the service off the network."""
        self._end()
        if self._avahi is not None:
            self._avahi.close()

    def _host_name(self) -> str | None:
        return None if self._avahi is None else self._avahi.host_name()

    def _place(self) -> Located:
        address = page_address(self._host, self._port, named=self._name)
        return Located(address, network_address(self._host) if self._lights else "")

    def _work(self) -> float:
        self.look()
        self._guard.works()
        return LOOK_S

    def look(self) -> None:
        """Follow the name and the address, and publish the service. Raises `BusError` if avahi refuses."""
        self._name = self._host_name()
        before, self.located = self.located, self._place()
        if self.located != before:
            _log.info("the page is at %s", self.located.address)
            self._tell(self.located)
        if self._avahi is not None and self._name is not None:
            self._avahi.publish(self._name)
