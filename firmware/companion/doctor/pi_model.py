"""Which Raspberry Pi a machine is, and which lines of its boot files a strip on GPIO10 needs. Pure, no libraries.

Read before anything is installed, by systemd/install.py, and by `doctor`. The lines are those that rpi_ws281x's README
asks for; none was tried on a Pi by us.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

MODEL_FILE = "proc/device-tree/model"
CONFIG_FILE = "boot/firmware/config.txt"
CMDLINE_FILE = "boot/firmware/cmdline.txt"
BUFSIZ = 32768
"""Bytes that spidev shall take in one transfer: 12 for each LED, so enough for 2,700 LEDs."""

BEGIN = "# farklecrib: begin (the strip on GPIO10 needs these lines)"
END = "# farklecrib: end"


class Family(StrEnum):
    """The Pis that this project knows how to wire."""

    ZERO_2_W = "Zero 2 W"
    PI_3 = "3"
    PI_4 = "4"
    PI_5 = "5"


_NAMES = {
    Family.ZERO_2_W: r"Raspberry Pi Zero 2",
    Family.PI_3: r"Raspberry Pi (3|Compute Module 3)",
    Family.PI_4: r"Raspberry Pi (4|400|Compute Module 4)",
    Family.PI_5: r"Raspberry Pi (5|500|Compute Module 5)",
}


def family_of(model: str) -> Family | None:
    """The family of what /proc/device-tree/model says; None for a Pi we do not know, or none at all."""
    name = model.strip("\0 \n")
    return next((family for family, pattern in _NAMES.items() if re.match(rf"{pattern}\b", name)), None)


def config_lines(family: Family) -> tuple[str, ...]:
    """What config.txt must say for a strip on GPIO10: SPI, and a core clock that stays (SPI's clock follows it)."""
    return {
        Family.ZERO_2_W: ("dtparam=spi=on", "core_freq=250"),
        Family.PI_3: ("dtparam=spi=on", "core_freq=250"),
        Family.PI_4: ("dtparam=spi=on", "core_freq=500", "core_freq_min=500"),
        Family.PI_5: (),
    }[family]


def cmdline_words(family: Family) -> tuple[str, ...]:
    """What the kernel's command line must say: a longer buffer for SPI. A Pi 5 drives the strip without SPI."""
    return () if family is Family.PI_5 else (f"spidev.bufsiz={BUFSIZ}",)


@dataclass(frozen=True)
class Setting:
    """A line of config.txt that counts for this model: its key, value, and number from 1."""

    key: str
    value: str
    line: int


def settings(text: str, family: Family) -> tuple[Setting, ...]:
    """The lines of config.txt that count on this model, in order; a later one overrules an earlier one."""
    here = {
        Family.ZERO_2_W: {"pi02", "pi0w2"},
        Family.PI_3: {"pi3", "pi3+", "cm3"},
        Family.PI_4: {"pi4", "pi400", "cm4"},
        Family.PI_5: {"pi5", "pi500", "cm5"},
    }[family] | {"all"}
    counts = True
    found = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.partition("#")[0].strip()
        if line.startswith("["):
            counts = line.strip("[]").lower() in here
        elif counts and "=" in line:
            key, _, value = line.partition("=")
            if key == "dtparam" and "=" in value:
                key, _, value = f"dtparam={value}".rpartition("=")
            found.append(Setting(key.strip(), value.strip(), number))
    return tuple(found)


def missing_lines(text: str, family: Family) -> tuple[str, ...]:
    """The lines that config.txt has not, or that another line of it overrules."""
    last = {each.key: each.value for each in settings(text, family)}
    wanted = [(line, *line.rpartition("=")[::2]) for line in config_lines(family)]
    return tuple(line for line, key, value in wanted if last.get(key) != value)


def missing_words(text: str, family: Family) -> tuple[str, ...]:
    """The words that the kernel's command line has not."""
    there = text.split()
    return tuple(word for word in cmdline_words(family) if not _is_there(word, there))


def _is_there(word: str, there: Sequence[str]) -> bool:
    """Whether the last word of this key is as large at least."""
    key, _, least = word.partition("=")
    values = [each.partition("=")[2] for each in there if each.partition("=")[0] == key]
    return bool(values) and values[-1].isdecimal() and int(values[-1]) >= int(least)


def with_lines(text: str, lines: Sequence[str]) -> str:
    """config.txt with these lines in our own block at its end, in place of the block that may be there."""
    if not lines:
        return text
    before = without_lines(text)
    separated = before if not before or before.endswith("\n") else f"{before}\n"
    return f"{separated}{BEGIN}\n[all]\n" + "".join(f"{line}\n" for line in lines) + f"{END}\n"


def without_lines(text: str) -> str:
    """config.txt without our block."""
    return re.sub(rf"^{re.escape(BEGIN)}\n.*?^{re.escape(END)}\n?", "", text, flags=re.DOTALL | re.MULTILINE)


def with_words(text: str, words: Sequence[str]) -> str:
    """The one line of cmdline.txt with these words; an older word of the same key is taken out."""
    keys = {word.partition("=")[0] for word in words}
    kept = [each for each in text.split() if each.partition("=")[0] not in keys]
    return " ".join([*kept, *words]) + "\n"
