"""Publish events and the state of the table to an MQTT broker, and carry out its few commands.

The journal is the outbox: a file in the data folder holds the place of the last act that the broker has acknowledged.
What came after it is sent again after each connection.
"""

import json
import re
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

from companion.config import MqttConfig, words_of
from companion.features.home_assistant.discovery import device_message, entities
from companion.features.home_assistant.names import StandIns, names_at, names_of
from companion.log import logger_of
from companion.named_events.record import Entry, EventReader, PlaceLostError
from companion.runtime.broker import BrokerError, Connection
from companion.runtime.feed import Update
from companion.runtime.guard import Guard, Worker
from companion.storage.rows import acts_of
from companion.storage.whole_file import write_whole
from companion.table.state.inputs import Attended, SetSound
from companion.table.view import View
from companion.web.feature import TableParts
from companion.web.schema import adapter_of
from companion.words import message

if TYPE_CHECKING:
    from paho.mqtt.client import MQTTMessage

PLACE = "mqtt-place"
"""The file with the id of the last act that the broker has acknowledged."""

SAVE_S = 30.0
"""The least seconds between two writes of that file. After a power cut these acts are sent twice."""

MOST_WAITING = 100
"""The most entries that may wait for an acknowledgement; later ones stay in the journal."""

VIEW_S = 0.1
"""The least seconds between two publications of the view, which changes often while dice move."""

LOOK_S = 10.0
"""The interval in seconds at which deleted games are looked for."""

LOG_AGAIN_S = 60.0
"""The least seconds between two log lines about ignored messages."""

_log = logger_of("mqtt")


def board_of(config: MqttConfig) -> str:
    """Return the board's name in the topics: the configured name, or the host name."""
    return config.board or re.sub("[^A-Za-z0-9_-]", "-", socket.gethostname().partition(".")[0]) or "table"


class Mqtt(Worker):
    """A thread that publishes to a broker."""

    def __init__(self, table: TableParts) -> None:
        super().__init__("mqtt", Guard("mqtt", message("fault.mqtt"), table.host.submit), table.speed)
        self._table, self._config, self._words = table, table.config.mqtt, words_of(table.config)
        self._board = board_of(self._config)
        self._base = f"farklecrib/{self._board}"
        self._file = table.data / PLACE
        self._place: str | None = None  # None until the place has been read
        self._saved: tuple[str | None, float] = (None, float("-inf"))  # and when it was
        self._reader: EventReader | None = None
        self._connection: Connection | None = None
        self._again: set[str] = set()  # the acts that were sent before the connection broke
        self._latest: Update | None = None  # whose view was sent last
        self._looked_s = float("-inf")
        self._shown: dict[str, object] = {}  # what was sent last, by topic
        self._names: tuple[tuple[object, ...], StandIns] | None = None  # with what they are made of
        self._brightness = 100
        self._logged_s = float("-inf")
        self._leave: Callable[[], object] = lambda: None

    def start(self) -> None:
        """Begin to connect."""
        self._leave = self._table.host.feed.subscribe(lambda _: self._wake(), "mqtt")
        super().start()

    def close(self) -> None:
        """End the thread, publish `offline`, and save the place."""
        self._leave()
        if self._end():
            if self._connection is not None:
                self._connection.leave(f"{self._base}/available")
                with suppress(BrokerError):
                    self._note_acknowledged(self._connection)
            self._save(at_once=True)

    def _work(self) -> float:
        try:
            if self._place is None:
                self._begin()
            return self._told(self._connection or self._connect())
        except BaseException:
            if self._connection is not None:
                self._again = {act for act, _ in self._connection.waiting}
                self._connection.close()
                self._connection = None
            self._save()
            raise

    def _begin(self) -> None:
        """Load the saved place in the journal; without one, begin with new events."""
        kept = None
        with suppress(OSError, UnicodeDecodeError):
            kept = self._file.read_text(encoding="ascii").strip()
        self._saved = kept, float("-inf")
        self._read_from(kept)
        self._save()

    def _read_from(self, place: str | None) -> None:
        """Read the events after an act, or only new events if `place` is None."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None
        while self._reader is None:
            try:
                self._reader = self._table.events.reader(self._wake, place)
            except PlaceLostError as error:
                _log.warning("the broker gets what came after the last act that is kept: %s", error)
                place = error.nearest
        self._place = self._reader.id if place is None else place

    def _connect(self) -> Connection:
        config = self._config
        topics = (f"{self._base}/set/+", *([f"{config.discovery}/status"] if config.discovery else []))
        name, will = f"farklecrib-{self._board}", f"{self._base}/available"
        connection = self._connection = Connection(config, topics, self._wake, name, will)
        _log.info("connected with the broker at %s:%d as %s", config.host, config.port, self._base)
        self._shown.clear()
        self._latest, self._looked_s = None, float("-inf")
        self._read_from(self._place)
        connection.track("", connection.publish(f"{self._base}/available", b"online", retain=True))
        return connection

    def _told(self, connection: Connection) -> float:
        """Exchange messages with the broker, and return the seconds until the next pass."""
        self._note_acknowledged(connection)
        while not connection.came.empty():
            self._receive(connection.came.get())
            self._looked_s = float("-inf")  # what was asked for is shown at once
        if time.monotonic() - self._looked_s >= VIEW_S:
            self._looked_s = time.monotonic()
            self._show_state(connection)
        while len(connection.waiting) < MOST_WAITING and (entries := self._read()):
            for entry in entries:
                self._send(connection, entry)
        if not connection.waiting:
            self._guard.works()
        self._save()
        if self._table.host.feed.latest is not self._latest:
            return VIEW_S
        return 1.0 if connection.waiting else LOOK_S

    def _note_acknowledged(self, connection: Connection) -> None:
        for each in connection.acknowledged():
            self._place = each or self._place

    def _read(self) -> list[Entry]:
        assert self._reader is not None
        try:
            return self._reader.read()
        except PlaceLostError:  # the journal was mended, and may still hold the place
            self._read_from(self._place)
            return []

    def _send(self, connection: Connection, entry: Entry) -> None:
        events = entry.sent_at(time.monotonic())
        if not entry.acted and events[0].late:
            return  # a fault or question is told when it happens, or never
        if entry.id in self._again:
            events = tuple(replace(event, late=True) for event in events)
        sent = []
        for event in events:
            shown = event if self._config.names else self._stand_ins(event.game).put(event)
            sent.append(connection.publish(f"{self._base}/events/{event.event_type}", self._json(shown)))
        connection.track(entry.id, *sent)

    def _stand_ins(self, game: int) -> StandIns:
        """Return the stand-ins for the names of a game."""
        state = self._table.host.state
        at_table = game == state.game_number
        key = (game, state.seq, state.lobby.draft.names) if at_table else (game,)
        if self._names is None or self._names[0] != key:
            kept = () if at_table else acts_of(self._table.events.asked(lambda journal: journal.rows(game)))
            names = names_at(state) if at_table else names_of(kept)
            self._names = key, StandIns.of(self._words, *names)
        return self._names[1]

    def _json(self, value: object) -> bytes:
        return adapter_of(value).dump_json(self._words.rendered(value))

    def _show_state(self, connection: Connection) -> None:
        """Send the retained messages that have changed."""
        latest = self._table.host.feed.latest
        if latest is not self._latest:
            self._latest = latest
            self._show_view(connection, latest.view)
        self._retain(connection, f"{self._base}/state/lights", {"brightness": self._brightness}, _dumped)
        kept = self._table.games.store.games()
        deleted = [game for game in range(1, max(kept, default=0)) if game not in kept]
        self._retain(connection, f"{self._base}/games/deleted", deleted, _dumped)
        if self._config.discovery:
            view, topic = latest.view, f"{self._config.discovery}/device/farklecrib_{self._board}/config"
            sides = {player.side for player in view.players}, view.sound is None
            self._retain(
                connection, topic, sides, lambda _: _dumped(device_message(self._base, self._board, view, self._words))
            )

    def _show_view(self, connection: Connection, view: View) -> None:
        """Send the parts of a view that have changed, and the faults."""
        state = self._table.host.state  # it may be ahead, in another game
        players, teams = names_at(state)
        names = StandIns.of(self._words, (*[each.name for each in view.players], *players), (*view.teams, *teams))

        def shown(value: Any) -> bytes:
            return self._json(value if self._config.names else names.put(value))

        for name, part in parts_of(view):
            if self._config.names or (name in OWN_PARTS and name != "lobby"):
                self._retain(connection, f"{self._base}/state/{name}", part, shown)
            else:
                self._retain(connection, f"{self._base}/state/{name}", None, lambda _: b"")  # also of an earlier start
        self._retain(connection, f"{self._base}/state/faults", dict(state.faults), shown)

    def _retain(self, connection: Connection, topic: str, value: object, made: Callable[[Any], bytes]) -> None:
        """Publish a retained message if its value has changed."""
        if topic not in self._shown or self._shown[topic] != value:
            self._shown[topic] = value
            connection.track("", connection.publish(topic, made(value), retain=True))

    def _receive(self, given: "MQTTMessage") -> None:
        """Carry out the command of a message; no command changes a game."""
        submit, payload = self._table.host.submit, given.payload[:20]
        match given.topic.removeprefix(f"{self._base}/"), payload:
            case _ if given.retain and given.topic.startswith(self._base):
                self._log_ignored(given)  # it was sent for an earlier time
            case "set/mute", b"ON" | b"OFF":
                submit(SetSound(muted=payload == b"ON"))
            case "set/dim", _ if payload.isdigit() and entities()["brightness"]["min"] <= int(payload) <= 100:
                self._brightness = int(payload)
                self._table.dim(self._brightness / 100)
            case "set/wake", b"PRESS":
                submit(Attended())
            case topic, b"online" if topic == f"{self._config.discovery}/status":
                self._shown = {each: value for each, value in self._shown.items() if not each.endswith("/config")}
            case topic, b"offline" if topic == f"{self._config.discovery}/status":
                pass
            case _:
                self._log_ignored(given)

    def _log_ignored(self, given: "MQTTMessage") -> None:
        now_s = time.monotonic()
        if now_s - self._logged_s >= LOG_AGAIN_S:
            self._logged_s = now_s
            _log.warning("ignored a message of the broker: %.80r on %.80r", given.payload[:80], given.topic)

    def _save(self, *, at_once: bool = False) -> None:
        """Write the place if it has moved and the last write was `SAVE_S` ago."""
        (written, written_s), place, now_s = self._saved, self._place, time.monotonic()
        if place in (None, written) or not self._table.saved or not (at_once or now_s - written_s >= SAVE_S):
            return
        self._saved = written, now_s
        with suppress(OSError):  # on a full disk the acts are sent twice
            write_whole(self._file, [str(place).encode()])
            self._saved = place, now_s


OWN_PARTS = {base.__name__.removesuffix("Shown").lower() for base in View.__mro__ if base.__name__.endswith("Shown")}
"""The names of the parts of the view that belong to no feature."""


def parts_of(view: View) -> list[tuple[str, Any]]:
    """Return all parts of a view by name, those of features included."""
    found = []
    for base in type(view).__mro__:
        if is_dataclass(base) and base.__name__ != "View":
            part = base(**{each.name: getattr(view, each.name) for each in fields(base)})
            name = base.__name__.removesuffix("Shown").lower()
            found.append((name, replace(part, version=0) if name == "game" else part))
    return found


def _dumped(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()
