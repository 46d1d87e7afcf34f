"""Calls to other programs of this machine by D-Bus, over one connection to the system bus."""

import socket
import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import Any

from jeepney import DBusAddress, DBusErrorResponse, HeaderFields, Message, MessageFlag, Parser, new_method_call
from jeepney.auth import BEGIN, AuthenticationError, Authenticator
from jeepney.bus import get_bus
from jeepney.bus_messages import message_bus
from jeepney.wrappers import unwrap_msg

from companion.errors import BusError, NoBusError

TIMEOUT_S = 10.0
"""How long a call may take."""

MOST_BYTES = 1 << 20
"""The most bytes that may come during a call: avahi and logind answer in a few hundred."""


@dataclass(frozen=True)
class BusObject:
    """An object on the bus, and the interface of its methods; `program` is the name of its owner."""

    path: str
    program: str
    interface: str


class SystemBus:
    """A connection to the system bus, opened by the first call and again after it is lost. Not thread-safe.

    Each call has a deadline and a size. jeepney's own connection waits without a deadline for the answer to its Hello,
    and while bytes arrive.
    """

    def __init__(self, timeout_s: float = TIMEOUT_S) -> None:
        self._timeout_s = timeout_s
        self._connection: socket.socket | None = None
        self._parser = Parser()
        self._serials = count(1)
        self._deadline_s = 0.0
        self._most = 0

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
            BusError: if the program answers with an error, or not in time, or the bus sends other bytes or too many.
        """
        address = DBusAddress(where.path, where.program, where.interface)
        message = new_method_call(address, method, signature or None, arguments)
        if not start:
            message.header.flags |= MessageFlag.no_auto_start
        self._deadline_s, self._most = time.monotonic() + self._timeout_s, MOST_BYTES
        try:
            return self._asked(self._connection or self._open(), message)
        except DBusErrorResponse as error:
            if error.name in _NOBODY:
                raise NoBusError(f"expected {where.program} to run, got {error.name}") from error
            raise BusError(f"{method}: {error.name}: {' '.join(map(str, error.data))}") from error
        except TimeoutError as error:
            self.close()
            raise BusError(f"{method}: expected an answer within {self._timeout_s:g} s, got none") from error
        except BusError:
            self.close()
            raise
        except (OSError, KeyError, ValueError, RuntimeError) as error:  # a missing socket, or an address of no kind
            self.close()
            raise NoBusError(f"expected the system bus, got: {error}") from error

    def close(self) -> None:
        """Close the connection, and end what the other programs hold for it."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(OSError):
                connection.close()

    def _open(self) -> socket.socket:
        """Connect, and say Hello to the bus. The errors of `_asked` reach the caller, too.

        Raises:
            BusError: if the bus refuses this client, or the socket is no bus.
        """
        connection = self._connection = socket.socket(socket.AF_UNIX)
        self._parser = Parser()
        connection.settimeout(self._timeout_s)
        connection.connect(get_bus("SYSTEM"))
        connection.sendall(b"\0")
        asking = Authenticator(inc_null_byte=False)
        for request in asking:
            connection.sendall(request)
            try:
                asking.feed(self._received(connection))
            except AuthenticationError as error:  # its text holds all that came
                raise BusError(f"expected the system bus, got: {error.msg}: {bytes(error.data[:80])!r}") from error
        connection.sendall(BEGIN)
        self._asked(connection, message_bus.Hello())
        return connection

    def _asked(self, connection: socket.socket, message: Message) -> tuple[Any, ...]:
        """Return the results of a method.

        `DBusErrorResponse` reaches the caller if the program answers with an error, and `OSError` if the bus has gone.

        Raises:
            BusError: if what comes is no message.
        """
        serial = next(self._serials)
        connection.settimeout(max(0.001, self._deadline_s - time.monotonic()))
        connection.sendall(message.serialise(serial))
        while True:
            try:
                answer = self._parser.get_next_message()
            except Exception as error:  # jeepney trusts the bus: other bytes raise whatever they lead to
                raise BusError(f"expected a message of D-Bus, got other bytes ({type(error).__name__})") from error
            if answer is None:
                self._parser.add_data(self._received(connection))
            elif answer.header.fields.get(HeaderFields.reply_serial) == serial:
                return tuple(unwrap_msg(answer))

    def _received(self, connection: socket.socket) -> bytes:
        """Return the next bytes.

        Raises:
            TimeoutError: if the call takes too long.
            BusError: if the bus has sent too much.
            OSError: if the bus has gone.
        """
        left_s = self._deadline_s - time.monotonic()
        if left_s <= 0:
            raise TimeoutError
        connection.settimeout(left_s)
        data = connection.recv(4096)
        self._most -= len(data)
        if not data:
            raise OSError("it has closed the connection")
        if self._most < 0:
            raise BusError(f"expected an answer of at most {MOST_BYTES:,} bytes, got more")
        return data


_NOBODY = frozenset(
    f"org.freedesktop.DBus.Error.{name}" for name in ("NameHasNoOwner", "ServiceUnknown", "UnknownObject")
)
"""The errors of a bus on which nobody has the name or the object that a call is for."""
