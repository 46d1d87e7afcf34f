"""Under-voltage during play: a fault while the kernel reports it, said once, on fake trees of a Pi's files."""

import threading
from pathlib import Path

import pytest
from hosted import PATIENCE_S
from running import launched, until

from companion.checkup.machine import Machine
from companion.checkup.system import under_voltage
from companion.runtime.health import EVERY_S, FINE_S, PowerWatch
from companion.table.state.inputs import Fault
from companion.words import english, message

LOW, FINE = Fault("power", message("fault.power")), Fault("power", None)


class Pi:
    """A Pi whose kernel reports its voltage in one of two ways, and a watch on it."""

    def __init__(self, root: Path, way: str) -> None:
        self.now, self.faults = 100.0, list[Fault]()
        for number, name in enumerate(("cpu_thermal", "rpi_volt") if way == "hwmon" else ("cpu_thermal",)):
            monitor = root / f"sys/class/hwmon/hwmon{number}"
            monitor.mkdir(parents=True)
            (monitor / "name").write_text(f"{name}\n", encoding="ascii")
        if way == "hwmon":
            self.file, self.values = root / "sys/class/hwmon/hwmon1/in0_lcrit_alarm", ("0\n", "1\n")
        else:
            firmware = root / "sys/devices/platform/soc/soc:firmware"
            firmware.mkdir(parents=True)
            self.file, self.values = firmware / "get_throttled", ("50000\n", "50005\n")
        self.machine = Machine(root=root)
        self.set(low=False)
        self.watch = PowerWatch(self.machine, self.faults.append, lambda: self.now)

    def set(self, *, low: bool) -> None:
        self.file.write_text(self.values[low], encoding="ascii")

    def after(self, seconds: float) -> list[Fault]:
        self.faults.clear()
        self.now += seconds
        self.watch.check()
        return list(self.faults)


@pytest.fixture(params=["hwmon", "get_throttled"])
def pi(request: pytest.FixtureRequest, tmp_path: Path) -> Pi:
    return Pi(tmp_path, request.param)


def test_under_voltage_is_a_fault_that_ends_when_the_power_has_been_fine_for_a_while(pi: Pi) -> None:
    assert pi.after(EVERY_S) == []
    pi.set(low=True)
    assert pi.after(EVERY_S) == [LOW]
    assert pi.after(EVERY_S) == []
    pi.set(low=False)
    assert pi.after(FINE_S - EVERY_S) == []
    assert pi.after(EVERY_S) == [FINE]
    assert pi.after(EVERY_S) == []


def test_a_supply_that_dips_with_every_throw_is_said_once(pi: Pi) -> None:
    said = []
    for _ in range(20):
        for low in (True, False):
            pi.set(low=low)
            said += pi.after(15.0)
    assert said == [LOW]


def test_the_kernel_is_asked_every_two_seconds(pi: Pi) -> None:
    pi.after(EVERY_S)
    pi.set(low=True)
    assert pi.after(EVERY_S - 0.25) == []
    assert pi.after(0.25) == [LOW]


def test_a_machine_that_does_not_say_reports_nothing(tmp_path: Path) -> None:
    faults: list[Fault] = []
    PowerWatch(Machine(root=tmp_path), faults.append).check()
    assert (under_voltage(Machine(root=tmp_path)), faults) == (None, [])


def test_a_playing_table_shows_under_voltage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pi = Pi(tmp_path, "hwmon")
    pi.set(low=True)
    monkeypatch.setattr("companion.app.Machine", lambda: pi.machine)
    with launched(tmp_path / "games") as made:
        waiting = threading.Thread(target=made.wait)
        waiting.start()
        until(made, lambda update: update.view.degraded == (english().text(message("fault.power")),))
        made.end("the test ends")
        waiting.join(PATIENCE_S)


@pytest.mark.parametrize("text", ["", "?\n", "\0"])
def test_a_file_that_says_nothing_useful_is_no_fault(pi: Pi, text: str) -> None:
    pi.file.write_text(text, encoding="ascii")
    assert pi.after(EVERY_S) == []
    pi.file.unlink()
    assert pi.after(EVERY_S) == []
