"""The models of Raspberry Pi, and changes of their boot files for an LED strip on GPIO10; `setup-pi` makes them.

`raspberry_pi.toml` holds the models' data. A person agrees to each change first.
"""

import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from companion.errors import CompanionError
from companion.storage.whole_file import replacing

MODEL_FILE = "proc/device-tree/model"
CONFIG_FILE = "boot/firmware/config.txt"
CMDLINE_FILE = "boot/firmware/cmdline.txt"
BUFSIZ = 32768
"""Bytes of spidev's buffer for one transfer: 12 for each LED, so enough for 2,700 LEDs."""

BEGIN = "# farklecrib: begin (the strip on GPIO10 needs these lines)"
END = "# farklecrib: end"


class Family(StrEnum):
    """The families of Pis that this program supports."""

    ZERO_2_W = "Zero 2 W"
    PI_3 = "3"
    PI_4 = "4"
    PI_5 = "5"


_DATA = Path(__file__).with_name("raspberry_pi.toml")
_FAMILIES: dict[str, Any] = tomllib.loads(_DATA.read_text(encoding="utf-8"))["families"]


def family_of(model: str) -> Family | None:
    """Return the family of a model in /proc/device-tree/model; None if it is not a supported Pi."""
    name = model.strip("\0 \n")
    return next((family for family in Family if re.match(rf"{_FAMILIES[family]['model']}\b", name)), None)


def config_lines(family: Family) -> tuple[str, ...]:
    """Return the lines of config.txt for a strip on GPIO10: SPI, and a fixed core clock, which SPI's clock follows."""
    return tuple(_FAMILIES[family]["lines"])


def cmdline_words(family: Family) -> tuple[str, ...]:
    """Return the words of the kernel's command line: a longer buffer for SPI, which a Pi 5 does not use."""
    return () if family is Family.PI_5 else (f"spidev.bufsiz={BUFSIZ}",)


@dataclass(frozen=True)
class Setting:
    """A line of config.txt that applies to a model: its key, value, and number from 1."""

    key: str
    value: str
    line: int


def settings(text: str, family: Family) -> tuple[Setting, ...]:
    """Return the lines of config.txt that apply to a family, in order; a later line overrides an earlier one."""
    counts = True
    found = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.partition("#")[0].strip()
        if line.startswith("["):
            counts = line.strip("[]").lower() in _FAMILIES[family]["sections"]
        elif counts and "=" in line:
            key, _, value = line.partition("=")
            if key == "dtparam" and "=" in value:
                key, _, value = f"dtparam={value}".rpartition("=")
            found.append(Setting(key.strip(), value.strip(), number))
    return tuple(found)


def missing_lines(text: str, family: Family) -> tuple[str, ...]:
    """Return the needed lines that config.txt lacks, or that a later line overrides."""
    last = {each.key: each.value for each in settings(text, family)}
    wanted = [(line, *line.rpartition("=")[::2]) for line in config_lines(family)]
    return tuple(line for line, key, value in wanted if last.get(key) != value)


def missing_words(text: str, family: Family) -> tuple[str, ...]:
    """Return the needed words that the kernel's command line lacks, or that its last value of their key is below."""
    there = dict(word.partition("=")[::2] for word in text.split())
    wanted = [(word, *word.partition("=")[::2]) for word in cmdline_words(family)]
    return tuple(
        word for word, key, least in wanted if not (there.get(key, "").isdecimal() and int(there[key]) >= int(least))
    )


def with_lines(text: str, lines: Sequence[str]) -> str:
    """Return config.txt with these lines in our block at its end; an older block is replaced or taken out."""
    before = without_lines(text)
    if not lines:
        return before
    separated = before if not before or before.endswith("\n") else f"{before}\n"
    return f"{separated}{BEGIN}\n[all]\n" + "".join(f"{line}\n" for line in lines) + f"{END}\n"


def without_lines(text: str) -> str:
    """Return config.txt without our block."""
    return re.sub(rf"^{re.escape(BEGIN)}\n.*?^{re.escape(END)}\n?", "", text, flags=re.DOTALL | re.MULTILINE)


def with_words(text: str, words: Sequence[str]) -> str:
    """Return the line of cmdline.txt with these words; older words of the same keys are removed."""
    if not words:
        return text
    keys = {word.partition("=")[0] for word in words}
    kept = [each for each in text.split() if each.partition("=")[0] not in keys]
    return " ".join([*kept, *words]) + "\n"


def without_words(text: str) -> str:
    """Return the line of cmdline.txt without the words that an installation adds on any Pi."""
    ours = {word for family in Family for word in cmdline_words(family)}
    words = text.split()
    return text if ours.isdisjoint(words) else " ".join(word for word in words if word not in ours) + "\n"


class InstallError(CompanionError, RuntimeError):
    """This machine cannot be set up."""


@dataclass
class Installation:
    """The machine to change: its root, how to ask and tell a person, and the files that were changed."""

    root: Path
    ask: Callable[[str], bool]
    tell: Callable[[str], None]
    dry: bool = False
    changed: list[str] = field(default_factory=list)

    def text(self, name: str) -> str:
        """Return the text of a file, by its path without the leading slash; empty if the file is missing."""
        path = self.root / name
        return path.read_text(encoding="utf-8") if path.exists() else ""

    @property
    def family(self) -> Family:
        """The family of this Pi.

        Raises:
            InstallError: if the program cannot run on this machine.
        """
        model = self.text(MODEL_FILE).strip("\0 \n")
        if found := family_of(model):
            return found
        known, got = ", ".join(Family), model or "no Raspberry Pi"
        raise InstallError(f"expected a Raspberry Pi {known}; got {got!r}; elsewhere: make play")


def boot_files(machine: Installation, family: Family) -> bool:
    """Offer the lines that config.txt and cmdline.txt lack; return whether something was changed."""
    config, cmdline = machine.text(CONFIG_FILE), machine.text(CMDLINE_FILE)
    lines, words = missing_lines(without_lines(config), family), missing_words(cmdline, family)
    answers = [  # ask about both
        _change(machine, CONFIG_FILE, with_lines(config, lines), lines),
        _change(machine, CMDLINE_FILE, with_words(cmdline, words), words),
    ]
    return any(answers)


def restore_boot_files(machine: Installation) -> None:
    """Offer to take our lines out of config.txt and our word out of cmdline.txt."""
    for name, without in ((CONFIG_FILE, without_lines), (CMDLINE_FILE, without_words)):
        _change(machine, name, without(machine.text(name)), ())


def _change(machine: Installation, name: str, text: str, added: Sequence[str]) -> bool:
    """Write a boot file if a person agrees, unless it has this text already; return whether it was changed."""
    if machine.text(name) == text:
        machine.tell(f"/{name} is as it should be")
        return False
    machine.tell(f"/{name} is to be changed" + (", these are added:" if added else ": our lines are taken out"))
    for line in added:
        machine.tell(f"    {line}")
    if not machine.dry and not machine.ask(f"change /{name}?"):
        machine.tell(f"/{name} stays as it is; farklecrib doctor says what that means")
        return False
    machine.changed.append(name)
    machine.tell(f"{'would write' if machine.dry else 'writing'} /{name}")
    if not machine.dry:
        with replacing(machine.root / name, 0o755) as file:
            file.write(text.encode())
    return True
