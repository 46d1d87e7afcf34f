"""The real program for tests: in this process in fast motion, or as a separate process."""

import json
import os
import random
import select
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hosted import fast_clock
from people import INPUTS, MOST_ASKED, THROW_AGAIN, asks, reply

from companion.app import Program
from companion.config import Config, TableConfig, WebConfig
from companion.errors import BusyError, RefusedError
from companion.launch import Launch
from companion.runtime.feed import Update
from companion.table.state.inputs import NewGame
from companion.web.schema import adapter_of
from companion.words import english

SPEED = 6.0
PATIENCE_S = 120.0
"""What a busy machine may take for anything that is waited for."""

UNHURRIED_S = 3600.0
"""Seconds until the table asks for missing dice: the eye's time waits for a busy processor, the table's does not."""


@contextmanager
def program(
    folder: Path, *players: str, seed: int = 1, camera: str = "simulated", language: str = "en", **given: object
) -> Iterator[Program]:
    """Run a whole table in this process: real eye, real journal, real page. Dice fly in fast motion."""
    config = Config()
    times = replace(config.times, blind_ask_s=UNHURRIED_S, unsettled_ask_s=UNHURRIED_S)
    config = replace(config, web=replace(config.web, port=0), times=times, table=TableConfig(language=language))
    game = NewGame("farkle-cribbage", players, **given) if players else None  # type: ignore[arg-type]
    made = Program(Launch(config, folder, fast_clock(SPEED), chance=random.Random(seed)), game)
    try:
        made.start()
        until(made, lambda update: update.view.reading is not None)
        yield made
    finally:
        made.close()


@contextmanager
def launched(
    folder: Path, game: NewGame | None = None, config: Config | None = None, **given: object
) -> Iterator[Program]:
    """Start a table in this process, without an eye and with its page at any free port."""
    config = replace(config or Config(), web=WebConfig(port=0))
    made = Program(Launch(config, folder, eye=False, **given), game)  # type: ignore[arg-type]
    try:
        made.start()
        yield made
    finally:
        made.close()


def until(made: Program, fits: Callable[[Update], bool]) -> None:
    """Wait until the table's view, in English, fits."""
    if not made.feed.wait(lambda update: fits(english().rendered(update)), PATIENCE_S):
        view = english().rendered(made.feed.latest.view)
        raise AssertionError(f"the table waits: {view.phase}, {view.message.text!r}, {view.degraded}")


def throw(made: Program, faces: str | None = None) -> None:
    """Let the hands throw, answer the table's questions about the throw, and wait until the game has it."""
    before = made.feed.latest.view.throw_seq
    thrown = tuple(int(face) for face in faces) if faces else None
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            made.opened.tray.hands.throw(thrown)
        except BusyError:  # the eye has not yet looked at the tray at rest
            assert time.monotonic() < deadline, made.feed.latest.view
            shown = made.feed.latest.version
            made.feed.wait(lambda update, shown=shown: update.version > shown, timeout_s=0.5)
        else:
            if counted(made, before):
                return


def counted(made: Program, before: int) -> bool:
    """Answer the table's questions until the game has one throw more than before; False if it is to be thrown again."""

    for _ in range(MOST_ASKED):
        until(made, lambda update: has_come(update, before))
        if made.feed.latest.view.throw_seq > before:
            return True
        hands = made.opened.tray.hands.hands
        path, body = reply(told(made.feed.latest), [hands.faces[die] for die in hands.rolled])
        with suppress(RefusedError):  # the throw has arrived meanwhile
            made.host.submit(INPUTS[path](body)).result(PATIENCE_S)
            if body == THROW_AGAIN:
                return False
    until(made, lambda update: update.view.throw_seq > before)
    return True


def has_come(update: Update, before: int) -> bool:
    """Return whether the game has one throw more than before, or the table asks about one."""
    return update.view.throw_seq > before or asks(told(update))


def told(update: Update) -> dict:
    """Return the API's form of an update."""
    view = english().rendered(update.view)
    return adapter_of(view).dump_python(view, mode="json")


class Table:
    """`farklecrib play` as a separate process, controlled by its API."""

    def __init__(self, data: Path, *options: str, python: str = sys.executable) -> None:
        command = [python, "-m", "companion", "play", "--data", str(data), "--port", "0", *options]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.said: list[str] = []
        self._said_more = threading.Condition()
        self._ready = threading.Event()
        self.address = ""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self.process.stderr:
            with self._said_more:
                self.said.append(line.strip())
                self._said_more.notify_all()
            if " is ready at " in line:
                self.address = line.split(" is ready at ")[1].split()[0].rstrip(".")
                self._ready.set()
        self._ready.set()

    def ready(self) -> "Table":
        assert self._ready.wait(PATIENCE_S), self.said
        assert self.address, self.said
        return self

    def says(self, words: str) -> None:
        """Wait until a line of standard error contains these words."""
        with self._said_more:
            assert self._said_more.wait_for(lambda: any(words in line for line in self.said), PATIENCE_S), self.said

    def get(self, path: str) -> dict:
        with urllib.request.urlopen(f"{self.address}api/v1/{path}", timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def post(self, path: str, body: object) -> tuple[int, dict]:
        data = json.dumps(body).encode()
        asked = urllib.request.Request(f"{self.address}api/v1/{path}", data, {"content-type": "application/json"})
        try:
            with urllib.request.urlopen(asked, timeout=PATIENCE_S) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def until(self, fits: Callable[[dict], bool], patience_s: float = PATIENCE_S) -> dict:
        """Return the first state that fits, now or in a later event. Fails if no such state comes in time."""
        with urllib.request.urlopen(f"{self.address}api/v1/events", timeout=PATIENCE_S) as events:
            deadline = time.monotonic() + patience_s
            state: dict = {}
            for line in events:
                if line.startswith(b'data: {"seq"'):  # a view, and no ping
                    state = json.loads(line[5:])
                    if fits(state):
                        return state
                assert time.monotonic() < deadline, state
        raise AssertionError("the events ended")

    def throw(self, faces: list[int]) -> dict:
        """Let the hands throw once the eye sees, answer all questions, and return the state with the throw."""
        before = self.until(lambda state: state["reading"] is not None and state["phase"] != "rolling")
        deadline = time.monotonic() + PATIENCE_S
        body = THROW_AGAIN
        for _ in range(MOST_ASKED):
            if body == THROW_AGAIN:
                while (posted := self.post("simulator/throw", {"dice": faces}))[0] == 409:  # the eye has not yet looked
                    assert time.monotonic() < deadline, posted
                    self.until(lambda state: state["phase"] != "rolling")
                assert posted[0] == 200, posted
            state = self.until(lambda state: state["seq"] > before["seq"] or asks(state))
            if state["seq"] > before["seq"]:
                break
            path, body = reply(state, faces)
            assert self.post(path, body)[0] in (200, 422), state  # 422: the throw has arrived meanwhile
        return self.until(lambda state: state["phase"] != "rolling" and state["seq"] > before["seq"])

    def join(self) -> None:
        """Wait until all output of the process has been read."""
        self._reader.join(PATIENCE_S)

    def children(self) -> list[int]:
        """Return the processes that this one has started and that have not ended."""
        found = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):  # it has ended meanwhile
                parent = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1]
                if int(parent) == self.process.pid:
                    found.append(int(stat.parent.name))
        return found

    def end(self, number: int = signal.SIGTERM) -> int:
        """Send the signal, wait, and return the exit status."""
        self.process.send_signal(number)
        status = self.process.wait(PATIENCE_S)
        self.join()
        return status


@contextmanager
def table(data: Path, *options: str, python: str = sys.executable) -> Iterator[Table]:
    """Run a table as a process and end it with the block, even after an error."""
    running = Table(data, *options, python=python)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.process.kill()
            running.process.wait()
        running.join()
        running.process.stdout.close()
        running.process.stderr.close()


@contextmanager
def systemd(folder: Path, monkeypatch: pytest.MonkeyPatch, **environment: str) -> Iterator[Callable[..., list[str]]]:
    """Stand in for systemd to the programs that start from now on.

    Yields a function that returns what they tell, up to what begins with a word, told so many times.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(folder / "notify"))
        manager.settimeout(PATIENCE_S)
        for name, value in {"NOTIFY_SOCKET": str(folder / "notify"), **environment}.items():
            monkeypatch.setenv(name, value)

        def until(word: str, times: int = 1) -> list[str]:
            told: list[str] = []
            while sum(each.startswith(word) for each in told) < times:
                told.append(manager.recv(4096).decode())
            return told

        yield until


def ended(pid: int, within_s: float = 0.0) -> bool:
    """Return whether a process, a child of ours or not, has ended or ends within a time."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([process], [], [], within_s)[0])
    finally:
        os.close(process)


def run(*options: str, given: str | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command of `farklecrib` and wait for its end."""
    return subprocess.run(
        [sys.executable, "-m", "companion", *options],
        input=given if given is not None else "",
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        env={**os.environ, **environment},
        check=False,
    )
