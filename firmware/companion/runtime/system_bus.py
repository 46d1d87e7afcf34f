"""Calls to other programs of this machine by D-Bus, over one connection to the system bus."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from jeepney import DBusAddress, DBusErrorResponse, MessageFlag, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection
from jeepney.wrappers import unwrap_msg

from companion.errors import BusError, NoBusError

TIMEOUT_S = 10.0
"""How long a call may take."""


@dataclass(frozen=True)
class BusObject:
    """An object on the bus, and the interface of its methods; `program` is the name of its owner."""

    path: str
    program: str
    interface: str


class SystemBus:
    """A connection to the system bus, opened by the first call and again after it is lost. Not thread-safe."""

    def __init__(self, timeout_s: float = TIMEOUT_S) -> None:
        self._timeout_s = timeout_s
        self._connection: DBusConnection | None = None

    def call(
        self, where: BusObject, method: str, signature: str = "", *arguments: object, start: bool = False
    ) -> tuple[Any, ...]:
        """Return the results of a method.

        Args:
            where: The object and its interface.
            method: The name of the method.
            signature: The D-Bus types of the arguments.
            arguments: The arguments.
            start: Start the program if it does not run.

        Raises:
            NoBusError: if there is no bus, or the program does not run.
            BusError: if the program answers with an error, or not in time.
        """
        address = DBusAddress(where.path, where.program, where.interface)
        message = new_method_call(address, method, signature or None, arguments)
        if not start:
            message.header.flags |= MessageFlag.no_auto_start
        try:
            if self._connection is None:
                self._connection = open_dbus_connection(bus="SYSTEM", auth_timeout=self._timeout_s)
            reply = self._connection.send_and_get_reply(message, timeout=self._timeout_s)
            return tuple(unwrap_msg(reply))
        except DBusErrorResponse as error:
            if error.name in _NOBODY:
                raise NoBusError(f"expected {where.program} to run, got {error.name}") from error
            raise BusError(f"{method}: {error.name}: {' '.join(map(str, error.data))}") from error
        except TimeoutError as error:
            self.close()
            raise BusError(f"{method}: expected an answer within {self._timeout_s:g} s, got none") from error
        except (OSError, KeyError, ValueError, EOFError) as error:  # a missing socket, or one that is no bus
            self.close()
            raise NoBusError(f"expected the system bus, got: {error}") from error

    def close(self) -> None:
        """Close the connection, and end what the other programs hold for it."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(OSError):
                connection.close()


_NOBODY = frozenset(
    f"org.freedesktop.DBus.Error.{name}" for name in ("NameHasNoOwner", "ServiceUnknown", "UnknownObject")
)
"""The errors of a bus on which nobody has the name or the object that a call is for."""
