"""A device whose driver does not return is degraded, and ends to be when it returns; the game and the others go on."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from hosted import PATIENCE_S
from running import until

from companion.app import Program
from companion.config import Config
from companion.launch import Launch
from companion.runtime.guard import Worker
from companion.runtime.health import HANGS_S, HangingDevices
from companion.table.state.cues import Cue, CueKind
from companion.table.state.inputs import Fault, NewGame
from companion.words import because, english, message

WORDS = message("fault.lights")


class Watch:
    def __init__(self) -> None:
        self.now, self.part, self.faults = 100.0, SimpleNamespace(last_heartbeat_s=100.0), list[Fault]()
        self.devices = HangingDevices({"lights": (self.part, WORDS)}, self.faults.append, lambda: self.now)

    def after(self, seconds: float) -> list[Fault]:
        self.faults.clear()
        self.now += seconds
        self.devices.check()
        return list(self.faults)


def test_a_device_is_reported_once_while_it_hangs_and_once_when_it_works_again() -> None:
    watch = Watch()
    assert watch.after(HANGS_S) == []
    assert watch.after(0.25) == [Fault("lights hang", because(WORDS, "its driver has not returned for 10 s"))]
    assert watch.after(1000.0) == []
    watch.part.last_heartbeat_s = watch.now
    assert watch.after(0.25) == [Fault("lights hang", None)]
    assert watch.after(0.25) == []


def test_a_device_that_waits_for_its_next_task_does_not_hang() -> None:
    watch = Watch()
    watch.part.last_heartbeat_s = None
    assert watch.after(1000.0) == []


DRIVERS = """
import threading

class Device:
    def wait(self, *given, times=1): threading.let_go.wait(); return ()
    show = poll = say = play = wait
    def close(self): threading.closed.append(self)

open_leds = lambda arg, layout: Device()
open_buttons = lambda pins, timing: Device()
open_sound = lambda loudness, language: Device()
"""


class Hanging:
    """A program whose drivers hang until they are let go; it counts a tenth of a second as hanging."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.let_go, self.closed = threading.Event(), list[object]()
        monkeypatch.setattr(threading, "let_go", self.let_go, raising=False)
        monkeypatch.setattr(threading, "closed", self.closed, raising=False)
        file = folder / "hangs.py"
        file.write_text(DRIVERS, encoding="utf-8")
        plain = Config()
        devices = {part: replace(getattr(plain, part), driver=str(file)) for part in ("leds", "buttons", "sound")}
        config = replace(plain, web=replace(plain.web, port=0), **devices)
        monkeypatch.setattr(Worker, "closing_s", 0.2)
        monkeypatch.setattr("companion.launch.HangingDevices", partial(HangingDevices, hangs_s=0.1))
        game = NewGame("farkle-cribbage", ("Ann", "Ben"))
        self.program = Program(Launch(config, folder / "games", eye=False), game)
        self.silent: set[str] = set()

    def run(self) -> None:
        self.program.start()
        self.thread = threading.Thread(target=self.program.wait, args=(self.silent.update,))
        self.thread.start()

    def end(self) -> None:
        self.program.end("the test ends")
        self.thread.join(PATIENCE_S)
        self.program.close()


@pytest.fixture
def hanging(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hanging]:
    made = Hanging(tmp_path, monkeypatch)
    made.run()
    made.program.feed.publish(made.program.feed.latest.view, (Cue(CueKind.REFUSED, message("fault.sound")),))
    yield made
    made.let_go.set()
    made.end()


def test_drivers_that_hang_are_degraded_until_they_return_and_the_watchdog_is_fed(hanging: Hanging) -> None:
    until(hanging.program, lambda update: len(update.view.degraded) == 3)
    assert sorted(english().rendered(hanging.program.feed.latest.view).degraded) == [
        "No sound: its driver has not returned for 0.1 s",
        "The buttons do not answer: its driver has not returned for 0.1 s",
        "The lights do not answer: its driver has not returned for 0.1 s",
    ]
    names = hanging.program.host.submit(NewGame("farkle-cribbage", ("Cy", "Di"))).result(PATIENCE_S).players
    assert [player.name for player in names] == ["Cy", "Di"]  # the game goes on
    hanging.let_go.set()
    until(hanging.program, lambda update: not update.view.degraded)
    assert hanging.silent == set()


def test_a_program_with_drivers_that_hang_ends_and_does_not_wait_for_them(hanging: Hanging) -> None:
    until(hanging.program, lambda update: len(update.view.degraded) == 3)
    hanging.end()
    assert hanging.closed == []
