"""A worker: it takes the boards' messages from the broker, stores them, and answers. Any number may run at once."""

import logging
import ssl
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

import psycopg
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from farkle.league import acts_topic, stored_topic
from farkleague.intake import Intake
from farkleague.ratings import rate
from farkleague.store import Database, connect, league_key

SHARED = f"$share/league/{acts_topic('+')}"
"""The subscription that all workers share: the broker gives each message to one of them."""

MOST_MESSAGES = 200
"""The most messages of a transaction."""

WAIT_S = 0.5
AGAIN_S = 2.0
"""Seconds until an unreachable database is tried again."""

RATE_S = 30.0
"""The least seconds between two looks for results that are not rated."""

_log = logging.getLogger("farkleague")


@dataclass(frozen=True)
class Broker:
    """Where the broker is, and how to log in; `authority` is a PEM file, or empty for the system's authorities."""

    host: str
    port: int = 1883
    user: str = ""
    password: str = ""
    tls: bool = False
    authority: str = ""


class Worker:
    """One worker. What it has not stored when it ends is sent again by the boards."""

    def __init__(self, database: str, broker: Broker) -> None:
        self._database, self._broker = database, broker
        self._came: SimpleQueue[MQTTMessage] = SimpleQueue()
        self._rated: object = None
        self._rate_at_s = float("-inf")
        self._client = client = Client(CallbackAPIVersion.VERSION2)
        if broker.user:
            client.username_pw_set(broker.user, broker.password)
        if broker.tls:
            client.tls_set_context(ssl.create_default_context(cafile=broker.authority or None))
        client.reconnect_delay_set(1, 5)
        client.on_connect = self._on_connect
        client.on_disconnect = lambda *_: _log.warning("the broker has ended the connection")
        client.on_connect_fail = lambda *_: _log.warning("the broker %s cannot be reached", broker.host)
        client.on_message = lambda _client, _data, message: self._came.put(message)

    def run(self, ended: Callable[[], bool]) -> None:
        """Work until `ended` returns true; broker and database may come and go."""
        self._client.connect_async(self._broker.host, self._broker.port, keepalive=30)
        self._client.loop_start()
        try:
            while not ended():
                try:
                    with connect(self._database) as opened:
                        self._work(opened, ended)
                except psycopg.Error as error:
                    _log.warning("the database cannot be used: %s", " ".join(str(error).split()))
                    time.sleep(AGAIN_S)
                    self._came = SimpleQueue()  # the boards send again what was not answered
        finally:
            self._client.disconnect()
            self._client.loop_stop()

    def _work(self, database: Database, ended: Callable[[], bool]) -> None:
        intake = Intake(database, league_key(database))
        while not ended():
            batch = self._batch()
            if batch:
                for code, answer in taken(intake, batch):
                    self._client.publish(stored_topic(code), answer, qos=1, retain=True)
            if (began_s := time.monotonic()) > self._rate_at_s:
                self._rated = rate(database, self._rated)
                took_s = time.monotonic() - began_s
                self._rate_at_s = began_s + max(RATE_S, 10 * took_s)  # a tenth of the worker's time at most

    def _batch(self) -> list[tuple[str, bytes]]:
        """Return the messages that have come, each with the code of its topic; wait a moment for the first."""
        found = list[MQTTMessage]()
        with suppress(Empty):
            found.append(self._came.get(timeout=WAIT_S))
            while len(found) < MOST_MESSAGES:
                found.append(self._came.get_nowait())
        return [(each.topic.split("/")[1], bytes(each.payload)) for each in found]

    def _on_connect(self, client: Client, _data: object, _flags: object, reason: Any, _properties: object) -> None:
        if reason.is_failure:
            _log.warning("the broker does not let the worker in: %s", reason)
        else:
            _log.info("connected with the broker at %s:%d", self._broker.host, self._broker.port)
            client.subscribe(SHARED, 1)


def taken(intake: Intake, batch: list[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """Store messages as `Intake.take` does. If one of them cannot be stored, the others are.

    If the database is away, `psycopg.Error` reaches the caller.
    """
    try:
        return intake.take(batch)
    except Exception:  # no message may keep those of other boards from being stored
        if intake.database.closed:
            raise
        if len(batch) == 1:
            _log.exception("a message of %s cannot be stored", batch[0][0])
            return []
        return [answer for each in batch for answer in taken(intake, [each])]
