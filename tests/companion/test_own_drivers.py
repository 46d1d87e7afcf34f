"""A driver of one's own that does what no driver should: the table goes on without it, and says why."""

import importlib.util
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.checkup.buttons import try_buttons
from companion.checkup.leds import try_leds
from companion.checkup.sound import try_sound
from companion.checkup.trials import Person
from companion.config import Config
from companion.config_files import config_from
from companion.devices.drivers import open_devices
from companion.words import english
from pegboard import drivers
from pegboard.buttons.button_drivers import open_buttons
from pegboard.errors import DriverError, NoDeviceError
from pegboard.installation import add
from pegboard.layouts import load_layout
from pegboard.leds.led_drivers import open_leds
from pegboard.sound.sound_drivers import open_sound

LAYOUT = load_layout("long-board-1")
OPENING: dict[str, Callable[[str], object]] = {
    "leds": lambda file: open_leds(file, "", LAYOUT),
    "buttons": open_buttons,
    "sound": open_sound,
}
METHODS = {"leds": "show, close", "buttons": "poll, close", "sound": "say, play, close"}


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str], str]:
    """Return a function that writes a driver's file, whose three functions share their body, and returns its path."""

    def write(body: str, head: str = "") -> str:
        path = tmp_path / "mine.py"
        functions = (f"def open_{part}(*given):\n    {body}\n" for part in OPENING)
        path.write_text("\n".join([head, *functions]), encoding="utf-8")
        return str(path)

    return write


@pytest.mark.parametrize("part", OPENING)
@pytest.mark.parametrize(("body", "kind"), [("return None", "NoneType"), ("return 7", "int")])
def test_what_is_no_driver_is_a_missing_device(file: Callable[[str], str], part: str, body: str, kind: str) -> None:
    said = f"expected open_{part} of '.*mine.py' to return a driver with {METHODS[part]}, got {kind}"
    with pytest.raises(NoDeviceError, match=said):
        OPENING[part](file(body))


def test_only_the_methods_that_are_missing_are_named(file: Callable[[str], str]) -> None:
    half = "return type('Strip', (), {'show': print, 'close': 7})()"
    with pytest.raises(NoDeviceError, match="return a driver with close, got Strip"):
        OPENING["leds"](file(half))


@pytest.mark.parametrize("part", OPENING)
@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("raise SystemExit(3)", "got SystemExit: 3"),
        ("raise KeyboardInterrupt", "got KeyboardInterrupt"),
        ("raise ZeroDivisionError('why')", "got ZeroDivisionError: why"),
        ("raise __import__('pegboard').DriverError('no cable')", "got no cable"),
        ("raise __import__('pegboard').NoDeviceError('no cable')", "no cable"),
    ],
)
def test_an_opening_that_fails_in_any_way_is_a_missing_device(
    file: Callable[[str], str], part: str, body: str, said: str
) -> None:
    with pytest.raises(NoDeviceError, match=said):
        OPENING[part](file(body))


def test_an_opening_that_hangs_is_a_missing_device(file: Callable[[str], str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drivers, "OPEN_S", 0.1)
    hangs = threading.Event()
    monkeypatch.setattr(threading, "hanging", hangs, raising=False)
    with pytest.raises(NoDeviceError, match=r"expected '.*mine.py' to open its driver, got nothing for 0.1 s"):
        OPENING["leds"](file("import threading; threading.hanging.wait()"))
    hangs.set()


def test_a_module_that_is_missing_says_how_to_add_it(file: Callable[..., str]) -> None:
    assert importlib.util.find_spec("nothing_of_that_name") is None
    with pytest.raises(NoDeviceError) as told:
        OPENING["sound"](file("pass", "import nothing_of_that_name"))
    assert str(told.value).endswith(f"; {add('nothing_of_that_name')}")


def test_only_a_file_that_is_not_there_is_an_error_of_the_configuration() -> None:
    with pytest.raises(
        DriverError, match=r"expected a file of your own, got '/nowhere/mine.py', which is not there"
    ) as told:
        open_sound("/nowhere/mine.py")
    assert not isinstance(told.value, NoDeviceError)


def configured(file: str) -> Config:
    return config_from({part: {"driver": file} for part in OPENING})


def test_a_table_plays_without_the_drivers_that_are_none(file: Callable[[str], str]) -> None:
    path = file("return None")
    devices = open_devices(configured(path), LAYOUT, "en")
    devices.close()
    assert [fault.part for fault in devices.faults] == ["lights", "buttons", f"sound {path}"]
    for fault, method in zip(devices.faults, METHODS.values(), strict=True):
        assert f"to return a driver with {method}, got NoneType" in english().text(fault.text or "")


def test_each_sound_that_is_missing_has_its_own_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr("gpiozero.Device.pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "")
    devices = open_devices(config_from({"sound": {"driver": "espeak + buzzer"}}), LAYOUT, "en")
    devices.close()
    assert [fault.part for fault in devices.faults] == ["sound espeak", "sound buzzer"]  # the voice itself is "sound"


BROKEN = """
class Broken:
    def close(self): raise KeyError("no end")

class Strip(Broken):
    def show(self, frame): raise ValueError("no light")

class Buttons(Broken):
    def poll(self, now_s): raise ValueError("no press")

class Sound(Broken):
    def say(self, text): raise ValueError("no word")
    def play(self, tone, times=1): raise ValueError("no tone")
"""
TRYING: dict[str, tuple[str, Callable[[Any, Person], int], str]] = {
    "leds": ("Strip", lambda config, person: try_leds(config, person, lambda _: None), "no light"),
    "buttons": ("Buttons", lambda config, person: try_buttons(config, person, pause=lambda _: None), "no press"),
    "sound": ("Sound", lambda config, person: try_sound(config, person, lambda _: None), "no word"),
}


@pytest.mark.parametrize("part", TRYING)
def test_a_driver_that_raises_is_a_line_of_its_self_test(file: Callable[..., str], part: str) -> None:
    lines: list[str] = []
    broken, run, said = TRYING[part]
    config = configured(file(f"return {broken}()", BROKEN))
    config = replace(config, leds=replace(config.leds, layout="long-board-1"))
    assert run(config, Person(lambda _: "yes", lines.append)) == 1
    assert f"  wrong: the driver raised ValueError: {said}" in lines
    assert "  wrong: the driver raised KeyError: 'no end'" in lines
    assert lines[-1] == f"{part}: 2 wrong"
