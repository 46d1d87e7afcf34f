"""A part of the real program raises an error: only that part is degraded, it is tried again, and the table goes on."""

import os
import resource
import signal
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hosted import fast_clock
from running import PATIENCE_S, ended, program, table, until

from companion.app import Program
from companion.config import Config
from companion.errors import RefusedError, TableEndedError
from companion.launch import Launch
from companion.runtime.feed import Update
from companion.runtime.host import Clock
from companion.simulation.simulated_table import SimulatedTable
from companion.storage.data_folder import open_storage
from companion.table import step
from companion.table.state.inputs import Button, Input, NewGame, Press
from companion.web.server import WebServer
from dicereader.errors import MessageError

DRIVERS = """
from pathlib import Path

def fails(error):
    if Path({flag!r}).exists():
        raise error

class Strip:
    def show(self, frame): fails(ValueError("strip"))
    def close(self): pass

class Buttons:
    def poll(self, now_s): fails(RuntimeError("buttons")); return ()
    def close(self): fails(KeyError("close"))

class Sound:
    def say(self, text): fails(IndexError("sound"))
    def play(self, tone, times=1): fails(IndexError("sound"))
    def close(self): fails(KeyError("close"))

open_leds = lambda arg, layout: Strip()
open_buttons = lambda pins, timing: Buttons()
open_sound = lambda loudness, language: Sound()
"""


@pytest.fixture
def flag(tmp_path: Path) -> Path:
    """Return the file whose existence makes the drivers in `drivers.py` fail."""
    flag = tmp_path / "fails"
    (tmp_path / "drivers.py").write_text(DRIVERS.format(flag=str(flag)), encoding="utf-8")
    flag.touch()
    return flag


@pytest.mark.exhaustive
def test_drivers_that_raise_anything_are_degraded_until_they_work(tmp_path: Path, flag: Path) -> None:
    drivers = str(tmp_path / "drivers.py")
    options = [option for part in ("leds", "buttons", "sound") for option in (f"--{part}", drivers)]
    with table(tmp_path / "games", "--players", "Ann,Ben", *options) as running:
        running.ready()
        assert running.post("game", {"rules": "farkle-cribbage", "players": ["Cy", "Di"]})[0] == 200
        degraded = running.until(lambda state: len(state["degraded"]) == 3)["degraded"]
        flag.unlink()
        running.throw([1, 1, 1, 2, 3, 4])  # the table says what it reads
        running.until(lambda state: not state["degraded"])
        said = tuple(running.said)
        flag.touch()
        assert running.end() == 0  # a part that cannot be closed keeps no other part open
    assert sorted(degraded) == [
        "No sound: an error of the program (IndexError), see its log",
        "The buttons do not answer: an error of the program (RuntimeError), see its log",
        "The lights do not answer: an error of the program (ValueError), see its log",
    ]
    for error in ("ValueError: strip", "RuntimeError: buttons", "IndexError: sound"):
        assert sum(line.endswith(error) for line in said) == 1
    assert sum("could not be closed" in line for line in running.said) == 2
    assert not (tmp_path / "games" / "journal.db-wal").exists()


@pytest.mark.exhaustive
def test_an_eye_that_cannot_be_started_is_reported_and_comes_back(tmp_path: Path) -> None:
    with table(tmp_path, "--players", "Ann,Ben") as running:
        running.ready().until(lambda state: state["reading"] is not None)
        process, (eye,) = running.process.pid, running.children()
        limits = resource.prlimit(process, resource.RLIMIT_NOFILE)

        def is_blind(state: dict) -> bool:
            if not ended(eye):  # only now, because this stream of events needs a descriptor as well
                resource.prlimit(process, resource.RLIMIT_NOFILE, (3, limits[1]))
                os.kill(eye, signal.SIGKILL)
                assert ended(eye, PATIENCE_S)
            said = "I can't see the tray: [Errno 24] Too many open files"  # the file may be named after it
            return any(each.startswith(said) for each in state["degraded"])

        running.until(is_blind)
        resource.prlimit(process, resource.RLIMIT_NOFILE, limits)
        running.until(lambda state: not state["degraded"])
        assert sorted(running.throw([1, 1, 1, 2, 3, 4])["roll"]) == [1, 1, 1, 2, 3, 4]
        assert running.end() == 0


@pytest.mark.exhaustive
def test_a_page_whose_server_ends_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started, start = [], WebServer.start
    monkeypatch.setattr(WebServer, "start", lambda web: (started.append(web), start(web)))
    with program(tmp_path, "Ann", "Ben") as made:
        (web,) = started
        web.server.should_exit = True
        until(made, lambda update: "The page did not answer for a while: its server ended" in update.view.degraded)
        until(made, lambda update: not update.view.degraded)
        with urllib.request.urlopen(f"{made.address}api/v1/state", timeout=PATIENCE_S) as answer:
            assert answer.status == 200


@contextmanager
def nothing_left(folder: Path) -> Iterator[None]:
    """Check that no thread is left and that another table can open the data folder."""
    before = set(threading.enumerate())
    yield
    for thread in set(threading.enumerate()) - before:
        thread.join(PATIENCE_S)
        assert not thread.is_alive(), thread.name
    storage = open_storage(folder, lambda: 0.0)
    assert storage.saved
    storage.close()


def without_port(folder: Path, clock: Clock, game: NewGame | None = None) -> Program:
    config = Config()
    return Program(Launch(replace(config, web=replace(config.web, port=0)), folder, clock), game)


def test_a_table_that_cannot_be_built_leaves_nothing_open(tmp_path: Path) -> None:
    with nothing_left(tmp_path):
        with pytest.raises(MessageError, match="expected a speed") as raised:
            without_port(tmp_path, fast_clock(1e6))
        assert raised.traceback  # which keeps all that was built


def test_a_table_that_cannot_be_started_leaves_nothing_open(tmp_path: Path) -> None:
    with nothing_left(tmp_path):
        made = without_port(tmp_path, Clock(), NewGame("farkle-cribbage", ("Ann", "ann")))
        with pytest.raises(RefusedError):
            made.start()


def test_a_part_that_cannot_be_started_leaves_no_other_running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def start(_: SimulatedTable) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(SimulatedTable, "start", start)  # after host, lights and eye
    with nothing_left(tmp_path):
        made = without_port(tmp_path, Clock())
        with pytest.raises(RuntimeError):
            made.start()


@pytest.mark.exhaustive
def test_only_the_hosts_failure_ends_the_program_and_every_press_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    with program(tmp_path, "Ann", "Ben") as made:
        held, go_on = threading.Event(), threading.Event()

        def hold(update: Update) -> None:
            held.set()
            go_on.wait(PATIENCE_S)

        leave = made.feed.subscribe(hold)
        made.host.tell("wait")
        assert held.wait(PATIENCE_S)
        monkeypatch.setitem(step.HANDLERS, Input, lambda *_: {}["a bug"])
        bug = made.host.submit(Input())
        presses = [made.host.submit(Press(button)) for button in Button]
        leave()
        go_on.set()
        with pytest.raises(KeyError):
            bug.result(PATIENCE_S)
        for press in (*presses, made.host.submit(Input())):
            with pytest.raises(TableEndedError):
                press.result(PATIENCE_S)
        ending = made.wait()
        assert (ending.failed, ending.why.partition(" ended")[0]) == (True, "the host")
