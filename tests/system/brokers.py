"""A real Mosquitto for tests, and a listener that keeps what it hears. Without the program the tests are skipped."""

import json
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hosted import PATIENCE_S
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

MOSQUITTO = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return found.getsockname()[1]


@dataclass
class Broker:
    """Mosquitto on this machine alone, on one port; it can be killed and started again."""

    folder: Path
    lines: tuple[str, ...] = ("allow_anonymous true", "persistence false")
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> "Broker":
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / "mosquitto.conf"
        listen = (f"listener {self.port} 127.0.0.1", "user root", f"persistence_location {self.folder}/")
        file.write_text("\n".join([*listen, *self.lines, ""]), encoding="utf-8")
        with (self.folder / "mosquitto.log").open("ab") as log:
            self.process = subprocess.Popen([MOSQUITTO, "-c", str(file)], stdout=log, stderr=log)
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                assert self.process.poll() is None, (self.folder / "mosquitto.log").read_text(encoding="utf-8")
                assert time.monotonic() < deadline
            else:
                return self

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@contextmanager
def mosquitto(folder: Path, *lines: str, port: int | None = None) -> Iterator[Broker]:
    """Run Mosquitto with these lines in its configuration, at any free port without one."""
    if MOSQUITTO is None:
        pytest.skip("needs Mosquitto: apt install mosquitto")
    broker = Broker(folder, *([lines] if lines else []), port=port or free_port()).start()
    try:
        yield broker
    finally:
        broker.kill()


@dataclass
class Listener:
    """Keeps all messages of some topics, in order."""

    heard: list[MQTTMessage] = field(default_factory=list)
    more: threading.Condition = field(default_factory=threading.Condition)
    client: Client | None = None

    def hear(self, message: MQTTMessage) -> None:
        with self.more:
            self.heard.append(message)
            self.more.notify_all()

    def until(self, fits: Callable[[list[MQTTMessage]], object]) -> None:
        """Wait until what was heard fits."""
        with self.more:
            assert self.more.wait_for(lambda: fits(self.heard), PATIENCE_S), [each.topic for each in self.heard]

    def events(self) -> list[dict]:
        return [json.loads(each.payload) for each in self.heard if "/events/" in each.topic]

    def last(self, topic: str) -> bytes | None:
        """Return the newest payload of a topic."""
        return next((each.payload for each in reversed(self.heard) if each.topic.endswith(topic)), None)

    def state(self, part: str) -> dict:
        self.until(lambda _: self.last(f"/state/{part}"))
        return json.loads(self.last(f"/state/{part}"))


@contextmanager
def listener(port: int, topic: str = "#", session: str = "") -> Iterator[Listener]:
    """Listen to a broker; with a session's name it keeps what comes while nobody listens."""
    found = Listener()
    subscribed = threading.Event()
    client = found.client = Client(CallbackAPIVersion.VERSION2, session, clean_session=not session)
    client.on_connect = lambda *_: client.subscribe(topic, 1)
    client.on_subscribe = lambda *_: subscribed.set()
    client.on_message = lambda _client, _data, message: found.hear(message)
    client.connect("127.0.0.1", port)
    client.loop_start()
    try:
        assert subscribed.wait(PATIENCE_S)
        yield found
    finally:
        client.disconnect()
        client.loop_stop()
