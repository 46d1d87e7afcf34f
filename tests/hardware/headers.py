"""The Pi's header for gpiozero on a desk: pins that a test drives, through each of gpiozero's pin factories."""

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

NATIVE = Path(__file__).resolve().parent / "native"
REVISION = "c03114"
"""A Pi 4 B."""


@dataclass(frozen=True)
class Header:
    """A pin factory whose pins the test drives. `take` lets another program hold a pin."""

    factory: Any
    drive: Callable[[int, bool], None]
    level: Callable[[int], bool]
    pwm: Callable[[int], float | None]
    take: Callable[[int], None]


@contextmanager
def mock(_monkeypatch: pytest.MonkeyPatch) -> Iterator[Header]:
    """Yield gpiozero's own MockFactory."""
    from gpiozero import DigitalInputDevice
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    factory = MockFactory(revision=REVISION, pin_class=MockPWMPin)

    def drive(pin: int, high: bool) -> None:
        (factory.pin(pin).drive_high if high else factory.pin(pin).drive_low)()

    held: list[DigitalInputDevice] = []
    yield Header(
        factory,
        drive,
        lambda pin: bool(factory.pin(pin).state),
        lambda pin: factory.pin(pin).frequency,
        lambda pin: held.append(DigitalInputDevice(pin, pull_up=True, pin_factory=factory)),
    )
    for device in held:
        device.close()
    factory.close()


@contextmanager
def rpigpio(monkeypatch: pytest.MonkeyPatch) -> Iterator[Header]:
    """Yield gpiozero's factory for RPi.GPIO, which rpi-lgpio provides, on our stand-in for lgpio's chip."""
    found = find_spec("RPi")
    if found is None or find_spec("RPi.GPIO") is None:
        pytest.skip("needs rpi-lgpio: pip install rpi-lgpio (for Python before 3.13)")
    names = ("lgpio", "RPi", "RPi.GPIO", "gpiozero.pins.rpigpio")
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(NATIVE)
    monkeypatch.setenv("RPI_LGPIO_REVISION", REVISION)
    chip = importlib.import_module("lgpio")
    chip.reset()
    module = importlib.import_module("gpiozero.pins.rpigpio")
    factory_class = type("Factory", (module.RPiGPIOFactory,), {"_get_revision": lambda _self: int(REVISION, 16)})
    factory = factory_class()
    yield Header(
        factory,
        lambda pin, high: chip.drive(pin, int(high)),
        lambda pin: bool(chip.gpio_read(0, pin)),
        lambda pin: chip.PWM.get(pin, (0, 0))[0] or None,
        chip.TAKEN.add,
    )
    factory.close()
    for name in names:
        sys.modules.pop(name, None)


HEADERS = {"mock": mock, "rpigpio": rpigpio}
