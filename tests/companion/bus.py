"""A real D-Bus daemon as the system bus, and programs on it that answer calls as a test says."""

import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from jeepney import HeaderFields, Message, MessageType, new_error, new_method_return
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import DBusConnection, open_dbus_connection

CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path={socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy>
</busconfig>
"""

Answer = tuple[str, tuple[object, ...]] | str
"""The signature and the values of an answer, or the name of an error."""


@contextmanager
def system_bus(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run a bus that this process takes for the system's. Without dbus-daemon the test is skipped."""
    if shutil.which("dbus-daemon") is None:
        pytest.skip("needs dbus-daemon: apt install dbus")
    socket, config = folder / "bus", folder / "bus.conf"
    config.write_text(CONFIG.format(socket=socket), encoding="utf-8")
    with subprocess.Popen(
        ["dbus-daemon", f"--config-file={config}", "--nofork", "--print-address"], stdout=subprocess.PIPE
    ) as daemon:
        assert daemon.stdout.readline()  # it listens
        monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={socket}")
        try:
            yield
        finally:
            daemon.kill()


class BusProgram:
    """A program on the bus that owns a name; `answer` gets each call as path, method and arguments."""

    def __init__(self, name: str, answer: Callable[[str, str, tuple[Any, ...]], Answer]) -> None:
        self.calls: list[tuple[str, str, tuple[Any, ...]]] = []
        self.senders: list[str] = []
        self.left = False
        self._answer = answer
        self._connection: DBusConnection = open_dbus_connection(bus=os.environ["DBUS_SYSTEM_BUS_ADDRESS"])
        self._connection.send_and_get_reply(message_bus.RequestName(name))
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def quit(self) -> None:
        """Leave the bus, as a program that ends."""
        self.left = True
        self._connection.sock.shutdown(2)
        self._thread.join(60)

    def _serve(self) -> None:
        try:
            while True:
                self._reply(self._connection.receive())
        except OSError:
            self._connection.close()

    def _reply(self, call: Message) -> None:
        if call.header.message_type is not MessageType.method_call:
            return
        fields = call.header.fields
        given = (fields[HeaderFields.path], fields[HeaderFields.member], call.body)
        self.calls.append(given)
        self.senders.append(fields[HeaderFields.sender])
        answer = self._answer(*given)
        if isinstance(answer, str):
            reply = new_error(call, answer, "s", ("as the test says",))
        else:
            reply = new_method_return(call, answer[0] or None, answer[1])
        self._connection.send(reply)
