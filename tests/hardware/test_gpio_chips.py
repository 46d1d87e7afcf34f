"""The GPIO chip of the header, found by its label: on the chips of five models, as kernels number them."""

import fcntl
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import gpiozero
import pytest
from headers import stand_in

from pegboard import gpio
from pegboard.buttons.gpio_buttons import GpioButtons
from pegboard.buttons.port import Pins
from pegboard.errors import DriverError
from pegboard.gpio import CHIP_INFO, DEFAULT_CHIP, chip_labels, header_chip
from pegboard.sound.buzzer import PIN, Buzzer
from pegboard.sound.port import Loudness

BRCMSTB = tuple(f"gpio-brcmstb@107d5{address}" for address in ("08500", "08520", "17c00", "17c20"))
MODELS: Mapping[str, tuple[Mapping[int, str], int]] = {
    "Zero 2 W": ({0: "pinctrl-bcm2835", 1: "brcmvirt-gpio"}, 0),
    "3": ({0: "pinctrl-bcm2835", 1: "brcmvirt-gpio", 2: "raspberrypi-exp-gpio"}, 0),
    "4": ({0: "pinctrl-bcm2711", 1: "raspberrypi-exp-gpio"}, 0),
    "5, first kernels": ({**dict(enumerate(BRCMSTB)), 4: "pinctrl-rp1"}, 4),
    "5 with the header first": ({0: "pinctrl-rp1", **dict(enumerate(BRCMSTB, 10))}, 0),
    "5 with the header among the others": ({**dict(enumerate(BRCMSTB[:3], 10)), 13: "pinctrl-rp1", 14: BRCMSTB[3]}, 13),
}
"""The labels of each model's chips, and the number of the chip with the header."""


@pytest.fixture
def devices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder in the place of /dev whose files hold the label that the kernel would answer."""

    def answer(file: int, request: int, info: bytearray) -> int:
        assert (request, len(info)) == (0x8044B401, 68)  # as the C compiler computes them from linux/gpio.h
        info[:] = CHIP_INFO.pack(b"gpiochip999", os.read(file, 31), 54)
        return 0

    monkeypatch.setattr(fcntl, "ioctl", answer)
    monkeypatch.setattr(gpio, "DEVICES", tmp_path)
    (tmp_path / "gpiomem").touch()
    return tmp_path


@pytest.fixture
def lgpio(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Give gpiozero our stand-in for lgpio, and no factory yet."""
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setenv("RPI_LGPIO_REVISION", "c03114")
    with stand_in(monkeypatch, "gpiozero.pins.lgpio") as chip:
        monkeypatch.setattr("gpiozero.pins.local.LocalPiFactory._get_revision", lambda _self: 0xC03114)
        yield chip


def put(devices: Path, labels: Mapping[int, str]) -> None:
    for number, label in labels.items():
        (devices / f"gpiochip{number}").write_text(label, encoding="ascii")


@pytest.mark.parametrize("model", MODELS)
def test_buttons_lamps_and_buzzer_use_the_headers_chip_which_is_found_by_the_kernels_answer(
    devices: Path, lgpio: Any, model: str
) -> None:
    labels, header = MODELS[model]
    put(devices, labels)
    assert (chip_labels(devices), header_chip(labels)) == (labels, header)
    pins = Pins()
    buttons, buzzer = GpioButtons(pins), Buzzer(Loudness())
    assert [header] == lgpio.OPENED  # one factory for all of them
    assert lgpio.MODES.keys() >= {*pins.buttons.values(), *pins.lamps.values(), PIN}
    buttons.close()
    buzzer.close()


def test_a_link_for_old_programs_changes_nothing(devices: Path, lgpio: Any) -> None:
    put(devices, {0: "pinctrl-rp1"})
    (devices / "gpiochip4").symlink_to("gpiochip0")
    GpioButtons(Pins()).close()
    assert lgpio.OPENED == [0]


def test_a_machine_whose_chips_are_no_pis_uses_the_first(devices: Path, lgpio: Any) -> None:
    put(devices, {0: "gpio-sim.0-node0", 1: "INT34C5:00"})
    assert header_chip(chip_labels(devices)) is None
    GpioButtons(Pins()).close()
    assert lgpio.OPENED == [DEFAULT_CHIP]


def test_a_chip_that_cannot_be_asked_has_no_label(devices: Path) -> None:
    (devices / "gpiochip0").mkdir()
    put(devices, {7: "pinctrl-rp1"})
    assert chip_labels(devices) == {0: "", 7: "pinctrl-rp1"}


def test_a_machine_without_chips_opens_none(devices: Path, lgpio: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "")
    with pytest.raises(DriverError, match="expected a Raspberry Pi's pins, got none that gpiozero can open"):
        GpioButtons(Pins())
    assert lgpio.OPENED == []


def test_the_factory_that_a_person_chose_stays(devices: Path, lgpio: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    put(devices, {0: "pinctrl-rp1"})
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    GpioButtons(Pins()).close()
    assert lgpio.OPENED == []


def test_the_real_kernel_knows_the_request(tmp_path: Path) -> None:
    (tmp_path / "gpiochip0").touch()  # a file, whose driver does not know it: the real ioctl refuses
    assert chip_labels(tmp_path) == {0: ""}


def test_a_library_that_changes_the_working_directory_leaves_it_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(gpiozero.Device, "pin_factory", object())
    with gpio.imported_gpiozero():
        os.chdir("/")  # as lgpio does while it is imported
    assert Path.cwd() == tmp_path
