"""Simulated boards on a real broker, many on one connection, and the programs of a league."""

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion
from simulated_boards import SimulatedBoard

from farkle.league import acts_topic, stored_topic

AGAIN_S = 5.0
"""Seconds after which a board sends again what was not answered, as a table does."""

BIN = Path(sys.executable).parent


class Fleet:
    """Boards that share a connection.

    Args:
        boards: the boards.
        port: the broker's port on this machine.
        every_s: the seconds between two acts of a board; 0 for no pause between an answer and the next act.
    """

    def __init__(self, boards: Sequence[SimulatedBoard], port: int, every_s: float, seed: int = 0) -> None:
        self.boards = {board.code: board for board in boards}
        self.every_s, self.random = every_s, random.Random(seed)
        self.lock = threading.Lock()
        self.due_s = {code: time.monotonic() + self.random.random() * every_s for code in self.boards}
        self.again_s = dict.fromkeys(self.boards, 0.0)
        self.client = Client(CallbackAPIVersion.VERSION2)
        self.client.reconnect_delay_set(1, 1)
        self.client.on_connect = lambda *_: self.client.subscribe([(stored_topic(code), 1) for code in self.boards])
        self.client.on_message = lambda _client, _data, message: self.hear(message)
        self.client.connect_async("127.0.0.1", port)
        self.client.loop_start()

    def hear(self, message: MQTTMessage) -> None:
        code = message.topic.split("/")[1]
        with self.lock:
            self.boards[code].hear(message.payload)
            self.again_s[code] = 0.0

    def step(self, *, plays: bool = True) -> None:
        """Let each board do what it is time for."""
        for code, board in self.boards.items():
            with self.lock:
                now_s = time.monotonic()
                waits = board.place < len(board.acts)
                if plays and now_s >= self.due_s[code] and (self.every_s or not waits):
                    board.act(time.time())
                    self.due_s[code] = now_s + self.every_s * (0.5 + self.random.random())
                    waits = True
                if waits and now_s >= self.again_s[code]:
                    self.again_s[code] = now_s + AGAIN_S
                    self.client.publish(acts_topic(code), board.message(), qos=1)

    def kill(self, board: SimulatedBoard) -> None:
        """Let a board lose what only its memory held: the acts stay in its journal, and it asks where it stands."""
        with self.lock:
            back = self.random.randint(0, board.place)
            self.again_s[board.code] = 0.0
            before = board.chain(back)
            board.place, board.hash = back, before

    @property
    def waiting(self) -> int:
        """The number of acts that are not stored."""
        with self.lock:
            return sum(len(board.acts) - board.place for board in self.boards.values())

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()


def program(*command: str, log: Path, **environment: str) -> subprocess.Popen[bytes]:
    """Start a program of the league, which writes its log to a file."""
    with log.open("ab") as written:
        return subprocess.Popen(
            [sys.executable, "-c", "from farkleague.cli import run; run()", *command],
            stdout=written,
            stderr=written,
            env={**os.environ, **environment},
        )


@contextmanager
def workers(number: int, database: str, port: int, folder: Path) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Run workers; a test may kill them and put others in their places."""
    running = [worker(database, port, folder) for _ in range(number)]
    try:
        yield running
    finally:
        for each in running:
            each.kill()
            each.wait()


def worker(database: str, port: int, folder: Path) -> subprocess.Popen[bytes]:
    return program("work", "--database", database, "--broker", f"127.0.0.1:{port}", log=folder / "work.log")
