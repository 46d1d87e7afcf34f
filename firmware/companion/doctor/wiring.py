"""Check what is wired to the header: SPI or PIO for the strip, its layout and current, the buttons."""

from collections.abc import Iterator

from companion.config import Config
from companion.doctor.findings import Finding, failed, passed, warned
from companion.doctor.machine import Machine
from companion.doctor.pi_model import (
    BUFSIZ,
    CMDLINE_FILE,
    CONFIG_FILE,
    Family,
    cmdline_words,
    config_lines,
    missing_lines,
    missing_words,
    settings,
)
from pegboard.errors import PegboardError
from pegboard.gpio import DEFAULT_CHIP, header_chip
from pegboard.installation import PI_5_STRIP, add
from pegboard.layouts import DEFAULT, load_layout
from pegboard.power import IDLE_MA

BYTES_AN_LED = 12
"""Bytes that rpi_ws281x sends through SPI for each LED."""

PI_5_LIBRARY = "adafruit_raspberry_pi5_neopixel_write"

INSTALL = "sudo farklecrib setup-pi, then sudo reboot"


def strip(machine: Machine, config: Config) -> Iterator[Finding]:
    """Check that this Pi is set up for a strip on GPIO10."""
    if config.leds.driver.partition(":")[0] != "neopixel":
        yield passed("strip", f"the LEDs are {config.leds.driver!r}: no pins are used")
    elif machine.family is Family.PI_5:
        yield from _pio(machine)
    elif machine.family is not None:  # else the check of the model reports it
        yield from _spi(machine, config, machine.family)


def _pio(machine: Machine) -> Iterator[Finding]:
    if machine.find("dev/pio0"):
        yield passed("pio0", "there")
    else:
        cure = "sudo apt full-upgrade && sudo rpi-eeprom-update -a && sudo reboot (kernel and bootloader)"
        yield failed("pio0", "/dev/pio0 is not there; it may come some seconds after the start", cure)
    if machine.run_python(f"import {PI_5_LIBRARY}").status:
        yield failed("library", f"the strip's library {PI_5_LIBRARY} does not load", add(*PI_5_STRIP))
    else:
        yield passed("library", f"{PI_5_LIBRARY} loads")
    spi = [each for each in settings(machine.text(CONFIG_FILE), Family.PI_5) if each.key == "dtparam=spi"]
    if spi and spi[-1].value == "on":
        cure = f"take line {spi[-1].line} (dtparam=spi=on) out of /{CONFIG_FILE}, then sudo reboot"
        yield failed("spi", "SPI is on and holds GPIO10, which the PIO needs", cure)
    else:
        yield passed("spi", "off, as the PIO on GPIO10 needs it")


def _spi(machine: Machine, config: Config, family: Family) -> Iterator[Finding]:
    if machine.find("dev/spidev0.0"):
        yield passed("spidev", "/dev/spidev0.0 is there")
    else:
        yield failed("spidev", "/dev/spidev0.0 is not there", "sudo raspi-config nonint do_spi 0 && sudo reboot")
    try:
        needed = load_layout(config.leds.layout or DEFAULT).leds * BYTES_AN_LED
    except PegboardError:  # the check of the layout reports it
        needed = BUFSIZ
    size = machine.text("sys/module/spidev/parameters/bufsiz")
    if size.isdecimal() and int(size) >= needed:
        yield passed("bufsiz", f"{size} bytes, the strip needs {needed}")
    elif missing_words(machine.text(CMDLINE_FILE), family):
        cure = f"{INSTALL}: it adds {cmdline_words(family)[0]} to /{CMDLINE_FILE}"
        yield failed("bufsiz", f"spidev takes {size or 'an unknown number of'} bytes, the strip needs {needed}", cure)
    else:
        yield failed("bufsiz", f"spidev takes {size or '?'} bytes, though /{CMDLINE_FILE} asks for more", "sudo reboot")
    missing = [line for line in missing_lines(machine.text(CONFIG_FILE), family) if line.startswith("core_freq")]
    if missing:
        wrong = f"/{CONFIG_FILE} lacks {', '.join(missing)}: SPI's clock would follow the core's"
        yield failed("core_freq", wrong, INSTALL)
    else:
        fixed = ", ".join(line for line in config_lines(family) if line.startswith("core_freq"))
        yield passed("core_freq", f"{fixed} in /{CONFIG_FILE}")


def layout(config: Config) -> Iterator[Finding]:
    """Check the layout: LED 0 is unused on a strip, and the current budget is above that of the dark LEDs."""
    name = config.leds.layout or DEFAULT
    try:
        found = load_layout(name)
    except PegboardError as error:
        yield failed("layout", str(error), f"farklecrib board check {name}")
        return
    dark_ma = found.leds * IDLE_MA
    if dark_ma > config.leds.budget_ma:
        wrong = f"{found.leds} dark LEDs draw {dark_ma:.0f} mA, the budget is {config.leds.budget_ma:.0f}"
        cure = f"set leds.budget_ma above {dark_ma:.0f}, at most the value of the strip's fuse: farklecrib config path"
        yield failed("layout", wrong, cure)
    elif config.leds.driver.startswith("neopixel") and 0 not in found.unused():
        wrong = f"LED 0 of {found.name!r} has a place, and may show garbage on SPI"
        yield warned("layout", wrong, f"leave the first LED dark: farklecrib board check {name}")
    else:
        yield passed("layout", f"{found.name}: {found.leds} LEDs, {len(found.lanes)} lanes")


def chip(machine: Machine, config: Config) -> Iterator[Finding]:
    """Check that one of the GPIO chips is that of a Pi's header, if the configuration uses pins of gpiozero."""
    if config.buttons.driver != "gpio" and "buzzer" not in config.sound.drivers:
        return
    labels = machine.chip_labels()
    found = header_chip(labels)
    named = ", ".join(f"gpiochip{number} {label or 'may not be opened'}" for number, label in labels.items())
    if found is not None:
        yield passed("gpiochip", f"the header is at gpiochip{found} ({labels[found]})")
    elif labels and not any(labels.values()):
        yield failed("gpiochip", f"no GPIO chip may be opened ({named})", "sudo adduser $USER gpio, then log in again")
    elif labels:
        wrong = f"no chip has the label of a Pi's header, so gpiochip{DEFAULT_CHIP} is used ({named})"
        cure = "if a button does not answer: sudo apt full-upgrade && sudo reboot; if that does not help, report it"
        yield warned("gpiochip", wrong, f"{cure}: farklecrib doctor --bundle farklecrib-report.tar.gz")


def buttons(machine: Machine, config: Config) -> Finding:
    """Check that no button is down while nobody presses one."""
    if config.buttons.driver != "gpio":
        return passed("buttons", f"the buttons are {config.buttons.driver!r}: no pins are used")
    try:
        down = machine.buttons_down(config.buttons)
    except PegboardError as error:
        if "in use" in str(error):
            return passed("buttons", "a running table has them, and watches for stuck ones itself")
        return failed("buttons", str(error), "farklecrib selftest buttons, once that is mended")
    if down:
        pins = config.buttons.buttons
        named = ", ".join(f"{button.value.upper()} (GPIO{pins[button]})" for button in down)
        cure = "look at the button's two wires and its contact: it must be open until it is pressed"
        return failed("buttons", f"down though nobody should press now: {named}", cure)
    return passed("buttons", "all three are up")
