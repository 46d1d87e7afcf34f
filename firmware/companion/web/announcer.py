"""Publishes the page in the local network, and follows the names and addresses that this machine has there."""

from collections.abc import Callable
from contextlib import suppress

from companion.config import is_open
from companion.errors import BusError
from companion.log import logger_of
from companion.runtime.guard import Guard, Worker
from companion.runtime.system_bus import SystemBus
from companion.table.state.inputs import Fault, Located
from companion.web.address import network_address, page_address
from companion.web.avahi import Avahi
from companion.words import message

LOOK_S = 5.0
"""Seconds between two looks at the names and addresses."""

_log = logger_of("page")


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
