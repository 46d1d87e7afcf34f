"""Changes of the boot files, which a person agrees to first; `farklecrib setup-pi` uses this module."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from companion.checkup import raspberry_pi
from companion.errors import CompanionError


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

    def path(self, name: str) -> Path:
        """Return a file of the machine by its path without the leading slash."""
        return self.root / name

    def text(self, name: str) -> str:
        """Return the text of a file; empty if the file is missing."""
        path = self.path(name)
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def write(self, name: str, text: str) -> bool:
        """Write a file unless it has this text already; return whether it was written."""
        if self.text(name) == text:
            return False
        self.changed.append(name)
        self.tell(f"{'would write' if self.dry else 'writing'} /{name}")
        if not self.dry:
            path = self.path(name)
            fresh = path.with_name(f"{path.name}.new")  # a power cut leaves the old file or the whole new one
            try:
                with fresh.open("w", encoding="utf-8") as file:
                    file.write(text)
                    file.flush()
                    os.fsync(file.fileno())  # else a power cut on FAT could keep the name and lose the text
                fresh.chmod(0o755)
                fresh.replace(path)
            except BaseException:
                fresh.unlink(missing_ok=True)  # a full disk needs the room
                raise
        return True


def family_of(machine: Installation) -> raspberry_pi.Family:
    """Return the family of this Pi.

    Raises:
        InstallError: if the program cannot run on this machine.
    """
    model = machine.text(raspberry_pi.MODEL_FILE).strip("\0 \n")
    found = raspberry_pi.family_of(model)
    if found is None:
        known = ", ".join(raspberry_pi.Family)
        raise InstallError(f"expected a Raspberry Pi {known}; got {model or 'no Raspberry Pi'!r}; elsewhere: make play")
    return found


def boot_files(machine: Installation, family: raspberry_pi.Family) -> bool:
    """Offer the lines that config.txt and cmdline.txt lack; return whether something was changed."""
    config, cmdline = machine.text(raspberry_pi.CONFIG_FILE), machine.text(raspberry_pi.CMDLINE_FILE)
    lines = raspberry_pi.missing_lines(raspberry_pi.without_lines(config), family)
    words = raspberry_pi.missing_words(cmdline, family)
    fresh = raspberry_pi.with_lines(config, lines) if lines else raspberry_pi.without_lines(config)
    changes = (
        (raspberry_pi.CONFIG_FILE, config, fresh, lines),
        (raspberry_pi.CMDLINE_FILE, cmdline, raspberry_pi.with_words(cmdline, words) if words else cmdline, words),
    )
    answers = [_ask_for(machine, *change) for change in changes]  # ask about both
    return any(answers)


def restore_boot_files(machine: Installation) -> None:
    """Offer to take our lines out of config.txt and our word out of cmdline.txt."""
    config = machine.text(raspberry_pi.CONFIG_FILE)
    _ask_for(machine, raspberry_pi.CONFIG_FILE, config, raspberry_pi.without_lines(config), ())
    cmdline = machine.text(raspberry_pi.CMDLINE_FILE)
    _ask_for(machine, raspberry_pi.CMDLINE_FILE, cmdline, raspberry_pi.without_words(cmdline), ())


def _ask_for(machine: Installation, name: str, before: str, after: str, added: Sequence[str]) -> bool:
    if before == after:
        machine.tell(f"/{name} is as it should be")
        return False
    machine.tell(f"/{name} is to be changed" + (", these are added:" if added else ": our lines are taken out"))
    for line in added:
        machine.tell(f"    {line}")
    if not machine.dry and not machine.ask(f"change /{name}?"):
        machine.tell(f"/{name} stays as it is; farklecrib doctor says what that means")
        return False
    return machine.write(name, after)
