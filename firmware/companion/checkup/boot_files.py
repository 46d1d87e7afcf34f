"""Changes of the boot files, which a person agrees to first; `farklecrib setup-pi` uses this module."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from companion.checkup.raspberry_pi import (
    CMDLINE_FILE,
    CONFIG_FILE,
    MODEL_FILE,
    Family,
    family_of,
    missing_lines,
    missing_words,
    with_lines,
    with_words,
    without_lines,
    without_words,
)
from companion.errors import CompanionError
from companion.storage.whole_file import replacing


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
