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
def stand_in(monkeypatch: pytest.MonkeyPatch, *others: str) -> Iterator[Any]:
    """Yield our stand-in for the module lgpio, which these other modules import anew."""
    from gpiozero.pins.local import LocalPiFactory

    names = ("lgpio", *others)
    LocalPiFactory.pins.clear()  # all factories of a process share their pins
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(NATIVE)
    chip = importlib.import_module("lgpio")
    chip.reset()
    yield chip
    LocalPiFactory.pins.clear()
    for name in names:
        sys.modules.pop(name, None)


@contextmanager
def lgpio(monkeypatch: pytest.MonkeyPatch) -> Iterator[Header]:
    """Yield gpiozero's factory for lgpio, the one that a table uses, on our stand-in for lgpio's chip."""
    with stand_in(monkeypatch, "gpiozero.pins.lgpio") as chip:
        yield from header_of(chip, "gpiozero.pins.lgpio", "LGPIOFactory", chip=0)


@contextmanager
def rpigpio(monkeypatch: pytest.MonkeyPatch) -> Iterator[Header]:
    """Yield gpiozero's factory for RPi.GPIO, which rpi-lgpio provides, on our stand-in for lgpio's chip."""
    found = find_spec("RPi")
    if found is None or find_spec("RPi.GPIO") is None:
        pytest.skip("needs rpi-lgpio, which is for Python before 3.13")
    monkeypatch.setenv("RPI_LGPIO_REVISION", REVISION)
    with stand_in(monkeypatch, "RPi", "RPi.GPIO", "gpiozero.pins.rpigpio") as chip:
        yield from header_of(chip, "gpiozero.pins.rpigpio", "RPiGPIOFactory")


def header_of(library: Any, module: str, name: str, **options: int) -> Iterator[Header]:
    """Yield a header of a Pi 4 with this factory of gpiozero, on our stand-in for lgpio's chip."""
    base = getattr(importlib.import_module(module), name)
    factory = type(name, (base,), {"_get_revision": lambda _self: int(REVISION, 16)})(**options)
    yield Header(
        factory,
        lambda pin, high: library.drive(pin, int(high)),
        lambda pin: bool(library.gpio_read(0, pin)),
        lambda pin: library.PWM.get(pin, (0, 0))[0] or None,
        library.TAKEN.add,
    )
    factory.close()


HEADERS = {"mock": mock, "lgpio": lgpio, "rpigpio": rpigpio}
