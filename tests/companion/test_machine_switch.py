"""Power off in the menu ends the table; on a real D-Bus, a program in logind's place records what it is asked."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from bus import Answer, BusProgram, system_bus
from running import launched

from companion.app import Ending
from companion.runtime.system_bus import SystemBus
from companion.runtime.systemd import NOT_AGAIN, MachineSwitch, switch_from
from companion.table.state.inputs import Answer as Answered
from companion.table.state.inputs import NewGame, Origin, Pause


@pytest.fixture
def bus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with system_bus(tmp_path, monkeypatch):
        yield


def logind(can: Answer, off: Answer = ("", ())) -> BusProgram:
    return BusProgram("org.freedesktop.login1", lambda _path, method, _given: can if method == "CanPowerOff" else off)


@pytest.mark.usefixtures("bus")
def test_our_unit_switches_the_machine_off_where_polkit_allows_it() -> None:
    asked = logind(("s", ("yes",)))
    switch = switch_from({"FARKLECRIB_POWER_OFF": "logind"})
    assert switch.find()
    assert switch.switch_off() == NOT_AGAIN
    path = "/org/freedesktop/login1"
    assert asked.calls == [(path, "CanPowerOff", ()), (path, "PowerOff", (False,))]


@pytest.mark.usefixtures("bus")
@pytest.mark.parametrize(
    "can", [("s", ("no",)), ("s", ("challenge",)), ("s", ("na",)), "org.freedesktop.DBus.Error.AccessDenied"]
)
def test_where_polkit_does_not_allow_it_the_service_ends_for_good(can: Answer) -> None:
    asked = logind(can)
    switch = switch_from({"FARKLECRIB_POWER_OFF": "logind"})
    assert not switch.find()
    assert switch.switch_off() == NOT_AGAIN
    assert [method for _, method, _ in asked.calls] == ["CanPowerOff"]


@pytest.mark.usefixtures("bus")
def test_a_machine_that_stays_on_after_all_gets_its_table_back() -> None:
    logind(("s", ("yes",)), "org.freedesktop.login1.OperationInProgress")
    switch = MachineSwitch(in_unit=True, bus=SystemBus())
    assert switch.find()
    assert switch.switch_off() == 1


@pytest.mark.parametrize("there", [True, False])
def test_a_machine_without_logind_or_a_bus_ends_the_service(
    there: bool, bus: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not there:
        monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={tmp_path / 'none'}")
    switch = MachineSwitch(in_unit=True, bus=SystemBus())
    assert not switch.find()
    assert switch.switch_off() == NOT_AGAIN


@pytest.mark.usefixtures("bus")
def test_a_table_that_a_person_started_never_asks_logind() -> None:
    asked = logind(("s", ("yes",)))
    switch = switch_from({})
    assert not switch.find()
    assert switch.switch_off() == 0
    assert asked.calls == []


def test_power_off_ends_the_table_and_loses_nothing(tmp_path: Path) -> None:
    with launched(tmp_path, NewGame("farkle-cribbage", ("Ann", "Ben"))) as program:
        for given in (Pause(), Answered("skip this turn"), Pause(), Answered("power off")):
            program.host.submit(given).result(60)
        program.host.submit(Answered("power off", Origin.MACHINE)).result(60)
        assert program.wait() == Ending("switched off in the menu", switched_off=True)
    with launched(tmp_path) as again:
        assert again.feed.latest.view.to_move == "Ben"
