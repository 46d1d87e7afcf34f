"""gpiozero for the drivers on the Pi's header, on the GPIO chip of the header; imported only when one is opened.

Kernels number the chips anew: on a Pi 5 the header has been `gpiochip4`, `gpiochip0`, and one from 11 to 15. Only a
chip's label says what it is, and only the kernel's answer to an ioctl has the label of a node in /dev: the numbers in
/sys/class/gpio are others.
"""

import fcntl
import os
import re
import struct
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager, suppress
from pathlib import Path
from typing import Any

HEADERS = {"pinctrl-bcm2835": "Zero 2 W or 3", "pinctrl-bcm2711": "4", "pinctrl-rp1": "5"}
"""The labels of the chips with a Pi's header, and their models."""

DEFAULT_CHIP = 0

CHIP_INFO = struct.Struct("32s32sI")
"""The kernel's `struct gpiochip_info` (linux/gpio.h): name, label, and the number of lines."""

GET_CHIP_INFO = 0x8044B401
"""The request GPIO_GET_CHIPINFO_IOCTL: `_IOR(0xB4, 0x01, struct gpiochip_info)`."""

DEVICES = Path("/dev")


def chip_labels(devices: Path = DEVICES) -> Mapping[int, str]:
    """Return the label of each GPIO chip by the number of its node; empty if the node cannot be asked."""
    labels = {}
    for node in devices.glob("gpiochip*"):
        if found := re.fullmatch(r"gpiochip(\d+)", node.name):
            labels[int(found[1])] = _label(node)
    return dict(sorted(labels.items()))


def header_chip(labels: Mapping[int, str]) -> int | None:
    """Return the number of the chip with the Pi's header; None if no chip has its label."""
    return next((number for number, label in labels.items() if label in HEADERS), None)


def _label(node: Path) -> str:
    info = bytearray(CHIP_INFO.size)
    with suppress(OSError):
        file = os.open(node, os.O_RDWR | os.O_CLOEXEC)
        try:
            fcntl.ioctl(file, GET_CHIP_INFO, info)
        finally:
            os.close(file)
    label: bytes = CHIP_INFO.unpack(info)[1]
    return label.partition(b"\0")[0].decode("ascii", "replace")


@contextmanager
def imported_gpiozero() -> Iterator[Any]:
    """Yield the module gpiozero, which uses the header's chip, and ignore its warnings about back ends that fail."""
    os.environ.setdefault("LG_WD", tempfile.gettempdir())  # lgpio makes a pipe in the working directory
    with warnings.catch_warnings(), chdir("."):  # while it is imported, lgpio goes there
        warnings.simplefilter("ignore")
        import gpiozero

        _choose_chip(gpiozero)
        yield gpiozero


def _choose_chip(gpiozero: Any) -> None:
    """Let gpiozero's default be lgpio on the header's chip, unless a default was chosen before.

    Without a chip, or without lgpio, gpiozero tries its other back ends.
    """
    if gpiozero.Device.pin_factory is not None or os.environ.get("GPIOZERO_PIN_FACTORY"):
        return
    labels = chip_labels(DEVICES)
    with suppress(ImportError):
        if labels:
            from gpiozero.pins.lgpio import LGPIOFactory

            chip = header_chip(labels)
            gpiozero.Device.pin_factory = LGPIOFactory(chip=DEFAULT_CHIP if chip is None else chip)
