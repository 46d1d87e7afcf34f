"""A connection to an MQTT broker, which tracks the messages that are not acknowledged yet."""

import socket
import ssl
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from companion.config import BrokerConfig
from companion.errors import CompanionError
from pegboard.installation import add_extra

if TYPE_CHECKING:
    from paho.mqtt.client import MQTTMessage, MQTTMessageInfo

ANSWER_S = 10.0
"""Seconds to wait for the connection, and for each acknowledgement."""


class BrokerError(CompanionError, OSError):
    """The broker cannot be used; the text says what was expected and what came."""


class Connection:
    """One connection to a broker, served by a thread of the library."""

    def __init__(
        self,
        config: BrokerConfig,
        topics: tuple[str, ...],
        wake: Callable[[], None],
        name: str = "",
        will: str = "",
    ) -> None:
        """Connect and subscribe; each step may take `ANSWER_S`.

        Args:
            config: the broker.
            topics: the topics to subscribe to.
            wake: called by another thread when something has happened.
            name: the name at the broker, which ends an older connection of the same name; empty lets the broker choose.
            will: the topic on which the broker says `offline` if the connection breaks; empty for none.

        Raises:
            BrokerError: if the library is missing, or the broker does not let the table in.
        """
        try:
            from paho.mqtt.client import Client  # here, as only who uses MQTT needs the library
            from paho.mqtt.enums import CallbackAPIVersion
        except ImportError as error:
            raise BrokerError(f"expected the library paho-mqtt, got none; {add_extra('mqtt')}") from error
        self.came: SimpleQueue[MQTTMessage] = SimpleQueue()
        """The messages that the broker has sent."""
        self.lost = threading.Event()
        """Whether the connection has ended."""
        self.waiting: deque[tuple[str, tuple[MQTTMessageInfo, ...]]] = deque()
        """The messages that wait for acknowledgement, in order, with the ids of their acts."""
        self._answer = "no answer"
        self._answered = threading.Event()
        self._progress_s = time.monotonic()
        self._wake = wake
        self._client = client = Client(CallbackAPIVersion.VERSION2, name, reconnect_on_failure=False)
        client.connect_timeout = ANSWER_S
        if will:
            client.will_set(will, "offline", qos=1, retain=True)
        if config.user:
            client.username_pw_set(config.user, _password(config))
        if config.tls:
            client.tls_set_context(_tls(config))
        client.on_connect = self._on_connect
        client.on_message = lambda _client, _data, each: self._note(each)
        client.on_publish = lambda _client, _data, _mid, _reason, _properties: self._wake()
        client.on_disconnect = lambda *_: self._on_lost()
        where = f"expected a broker at {config.host}:{config.port}"
        try:
            client.connect(config.host, config.port, keepalive=30)
        except (OSError, ValueError) as error:
            raise BrokerError(f"{where}, got: {error}") from error
        client.loop_start()
        self._answered.wait(ANSWER_S)
        if self._answer:
            self.close()
            raise BrokerError(f"{where} that lets the table in, got: {self._answer}")
        client.subscribe([(topic, 1) for topic in topics])

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> "MQTTMessageInfo":
        """Send a message with QoS 1."""
        return self._client.publish(topic, payload, qos=1, retain=retain)

    def track(self, what: str, *sent: "MQTTMessageInfo") -> None:
        """Track messages until they are acknowledged; `what` is the id of their act."""
        if not self.waiting:
            self._progress_s = time.monotonic()
        self.waiting.append((what, sent))

    def acknowledged(self) -> list[str]:
        """Return the ids of the acts that the broker has acknowledged since the last call.

        Raises:
            BrokerError: if the connection has ended, or the broker does not answer any more.
        """
        found = []
        if self.lost.is_set():
            raise BrokerError("the broker has ended the connection")
        while self.waiting and all(each.is_published() for each in self.waiting[0][1]):
            found.append(self.waiting.popleft()[0])
            self._progress_s = time.monotonic()
        if self.waiting and time.monotonic() - self._progress_s > ANSWER_S:
            raise BrokerError(f"expected an acknowledgement of the broker within {ANSWER_S:g} s, got none")
        return found

    def leave(self, topic: str = "") -> None:
        """Publish `offline` on a topic if one is given, and close the connection, within two seconds."""
        with suppress(ValueError, RuntimeError):
            if topic:
                self.publish(topic, b"offline", retain=True).wait_for_publish(1.0)
        self._client.disconnect()
        self.lost.wait(1.0)
        self.close()

    def close(self) -> None:
        """End the connection at once; the library's thread ends by itself."""
        used = self._client.socket()
        if isinstance(used, socket.socket):
            with suppress(OSError):
                used.shutdown(socket.SHUT_RDWR)

    def _on_connect(self, _client: object, _data: object, _flags: object, reason: Any, _properties: object) -> None:
        self._answer = str(reason) if reason.is_failure else ""
        self._answered.set()

    def _on_lost(self) -> None:
        self.lost.set()
        self._answered.set()
        self._wake()

    def _note(self, each: "MQTTMessage") -> None:
        self.came.put(each)
        self._wake()


def _password(config: BrokerConfig) -> str | None:
    """Return the password in the file of the configuration, None without a file.

    Raises:
        BrokerError: if the file cannot be read.
    """
    if not config.password_file:
        return None
    try:
        return Path(config.password_file).read_text(encoding="utf-8").strip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        expected = f"{config.section}.password_file: expected a file with the password"
        raise BrokerError(f"{expected}, got {config.password_file!r}: {reason}") from error


def _tls(config: BrokerConfig) -> ssl.SSLContext:
    """Return the TLS context of the connection.

    Raises:
        BrokerError: if a file of the configuration cannot be used.
    """
    try:
        context = ssl.create_default_context(cafile=config.authority or None)
        if config.certificate:
            context.load_cert_chain(config.certificate, config.key)
    except (OSError, ValueError) as error:
        files = " and ".join(f"{config.section}.{key}" for key in ("authority", "certificate", "key"))
        raise BrokerError(f"expected PEM files in {files}, got: {error}") from error
    return context
