"""Notifications to systemd over a real socket. The watchdog gets no signal while a part of the table hangs."""

import itertools
import os
import re
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace

import pytest
from hosted import ToldClock

from companion.runtime.health import ASK_EVERY_S, PATIENCE_S, Heartbeats
from companion.runtime.systemd import Supervisor, supervisor_from

UNIT = Path(__file__).resolve().parents[2] / "systemd" / "farklecrib.service"


class Manager:
    """systemd's end of the socket."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.wire = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.wire.bind(f"\0{address[1:]}" if address.startswith("@") else address)
        self.wire.setblocking(False)

    def heard(self) -> list[str]:
        messages = []
        while True:
            try:
                messages.append(self.wire.recv(4096).decode())
            except BlockingIOError:
                return messages


@pytest.fixture(params=["a path", "an abstract name"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Manager]:
    path = request.param == "a path"
    made = Manager(str(tmp_path / "notify") if path else f"@farklecrib-{os.getpid()}-{id(request)}")
    yield made
    made.wire.close()


def environment(manager: Manager, **more: str) -> dict[str, str]:
    return {"NOTIFY_SOCKET": manager.address, "HOME": "/root", **more}


def test_ready_status_watchdog_and_end_are_sent(manager: Manager) -> None:
    surroundings = environment(manager, WATCHDOG_USEC="30000000", WATCHDOG_PID=str(os.getpid()))
    supervisor = supervisor_from(surroundings)
    assert surroundings == {"HOME": "/root"}  # children do not inherit the socket
    supervisor.ready()
    supervisor.beat((), "page\nhere")
    supervisor.stopping()
    assert manager.heard() == ["READY=1", "STATUS=page here", "WATCHDOG=1", "STOPPING=1"]
    manager.wire.close()
    supervisor.ready()
    assert supervisor_from({}).beat(("host",), "status") == ("host",)  # without a socket nothing is sent


def test_the_watchdog_is_fed_three_times_an_interval(manager: Manager) -> None:
    clock = ToldClock()
    supervisor = Supervisor(manager.address, 30.0, clock.monotonic)
    for _ in range(120):
        supervisor.beat((), "")
        clock.now += 0.25
    assert manager.heard() == ["WATCHDOG=1"] * 3


def test_the_watchdog_is_not_fed_while_a_part_is_silent(manager: Manager) -> None:
    clock = ToldClock()
    supervisor = Supervisor(manager.address, 30.0, clock.monotonic)
    supervisor.beat((), "")
    manager.heard()
    said = []
    for _ in range(100):
        clock.now += 1.0
        said.append(supervisor.beat(("host",), ""))
    assert manager.heard() == []
    assert said == [("host",), *[()] * 99]  # reported once
    supervisor.beat((), "")
    assert manager.heard() == ["WATCHDOG=1"]


@pytest.mark.parametrize("more", [{"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}, {}])
def test_without_a_watchdog_of_this_process_there_is_nothing_to_feed(manager: Manager, more: dict[str, str]) -> None:
    supervisor_from(environment(manager, **more)).beat((), "")
    assert manager.heard() == []


def test_a_manager_that_reads_nothing_is_not_waited_for(manager: Manager) -> None:
    supervisor = Supervisor(manager.address, 30.0)
    done = threading.Event()

    def many() -> None:
        for number in range(5000):
            supervisor.beat((), str(number))
        done.set()

    threading.Thread(target=many, daemon=True).start()
    assert done.wait(60.0)


class Table:
    """A host that answers only when the test lets it, and one other part."""

    def __init__(self) -> None:
        self.clock = ToldClock()
        self.asked: list[Future[object]] = []
        self.lights = SimpleNamespace(last_heartbeat_s=100.0)
        self.heartbeats = Heartbeats(self._ask, {"lights": self.lights}, self.clock.monotonic)

    def _ask(self) -> "Future[object]":
        self.asked.append(Future())
        return self.asked[-1]

    def after(self, seconds: float) -> tuple[str, ...]:
        self.clock.now += seconds
        return self.heartbeats.silent()


def test_a_table_whose_parts_all_work_is_healthy_and_is_asked_now_and_then() -> None:
    table = Table()
    for _ in range(100):
        for question in table.asked:
            if not question.done():
                question.set_result(None)
        table.lights.last_heartbeat_s = table.clock.now
        assert table.after(0.25) == ()
    assert len(table.asked) == 25 / ASK_EVERY_S // 1 + 1


def test_a_host_that_does_not_answer_is_silent_after_a_while() -> None:
    table = Table()
    table.heartbeats.silent()
    table.lights.last_heartbeat_s = 1e9
    assert table.after(PATIENCE_S) == ()
    assert table.after(0.5) == ("host",)
    table.asked[0].set_exception(ValueError("refused"))  # it is an answer
    assert table.after(0.5) == ()


@pytest.mark.parametrize(("last_s", "silent"), [(100.0, ("lights",)), (None, ())])
def test_a_part_that_has_begun_and_has_no_new_heartbeat_is_silent(
    last_s: float | None, silent: tuple[str, ...]
) -> None:
    table = Table()
    table.lights.last_heartbeat_s = last_s
    table.heartbeats.silent()
    table.asked[0].set_result(None)
    assert table.after(PATIENCE_S + 0.5) == silent


@pytest.mark.parametrize(("blocked_s", "survives"), [(30.0, True), (90.0, False)])
def test_a_part_that_waits_for_a_name_costs_no_restart_and_one_that_hangs_does(
    manager: Manager, blocked_s: float, survives: bool
) -> None:
    watchdog_s = float(re.search(r"^WatchdogSec=(\d+)$", UNIT.read_text(encoding="utf-8"), re.MULTILINE)[1])  # type: ignore[index]
    table = Table()
    supervisor = Supervisor(manager.address, watchdog_s, table.clock.monotonic)
    fed = [table.clock.now]
    ends = table.clock.now + 60.0 + blocked_s
    while table.clock.now < 260.0:
        if not 160.0 <= table.clock.now < ends:
            table.lights.last_heartbeat_s = table.clock.now
        for question in table.asked:
            if not question.done():
                question.set_result(None)
        supervisor.beat(table.after(0.25), "")
        if "WATCHDOG=1" in manager.heard():
            fed.append(table.clock.now)
    longest = max(b - a for a, b in itertools.pairwise([*fed, table.clock.now]))
    assert (longest < watchdog_s) is survives
