"""The time that a frame takes to the strip: the figures of hardware.md agree with the libraries' own code."""

import importlib
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[2]
NATIVE = Path(__file__).resolve().parent / "native"


@pytest.fixture
def power_tables(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "hardware"))
    return importlib.import_module("power_tables")


@pytest.mark.parametrize("leds", [166, 313, 460, 607])
def test_blinka_sleeps_after_each_frame_as_long_as_the_table_says(
    power_tables: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, leds: int
) -> None:
    pytest.importorskip("adafruit_blinka")
    monkeypatch.setenv("PEGBOARD_WIRE", str(tmp_path / "wire"))
    digitalio = ModuleType("digitalio")  # the real one needs a board
    digitalio.DigitalInOut = object  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "digitalio", digitalio)
    monkeypatch.syspath_prepend(str(NATIVE))
    name = "adafruit_blinka.microcontroller.bcm283x.neopixel"
    for each in (name, "_rpi_ws281x"):  # other tests must not get these modules
        monkeypatch.setitem(sys.modules, each, None)
        monkeypatch.delitem(sys.modules, each)
    blinka = importlib.import_module(name)
    slept: list[float] = []
    monkeypatch.setattr(blinka, "time", SimpleNamespace(sleep=slept.append))
    blinka.neopixel_write(SimpleNamespace(_pin=SimpleNamespace(id=10)), bytearray(3 * leds))
    assert slept == [pytest.approx(power_tables.blinka_ms(leds) / 1000)]
    blinka.neopixel_cleanup()
