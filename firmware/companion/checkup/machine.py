"""The machine that is checked: the files below a root folder, and functions for facts that no file holds.

Tests replace the root by a tree of files recorded from another machine, and the functions by recorded answers.
"""

import getpass
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from companion.checkup import raspberry_pi
from companion.exits import FAULTHANDLER, why_ended
from pegboard.buttons.gpio_buttons import buttons_down
from pegboard.buttons.port import Button, Pins
from pegboard.gpio import chip_labels

SERVICE_USER = "farklecrib"

JOURNAL = ("journalctl", "--unit=farklecrib", "--lines=500", "--no-pager", "--no-hostname", "--output=short-iso")
JOURNAL_S = 20.0


@dataclass(frozen=True)
class ProbeResult:
    """The exit status of a probe, and the last line of its output; after an error, why it ended."""

    status: int
    last_line: str


def run_probe(*words: str) -> ProbeResult:
    """Run a probe of `companion.checkup.probe` in a process of this program's Python, for a minute at most."""
    command = [sys.executable, *FAULTHANDLER, "-m", "companion.checkup.probe", *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return ProbeResult(1, "it did not end within 60 s")
    if done.returncode:
        return ProbeResult(done.returncode, why_ended(done.returncode, done.stderr))
    lines = (done.stdout + done.stderr).strip().splitlines()
    return ProbeResult(0, lines[-1] if lines else "")


def log_lines(command: Sequence[str] = JOURNAL) -> str:
    """Return the service's last lines in systemd's journal; empty if the journal is missing or may not be read."""
    try:
        return subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=JOURNAL_S, check=True
        ).stdout.decode(errors="replace")
    except (OSError, subprocess.SubprocessError):
        return ""


def free_bytes(path: Path) -> int:
    """Return the free bytes of the file system of a path, which need not exist yet."""
    existing = next(each for each in (path, *path.parents) if each.exists())
    return shutil.disk_usage(existing).free


@dataclass(frozen=True)
class Machine:
    """A root folder of files, and functions for facts that no file holds."""

    root: Path = Path("/")
    architecture: str = platform.machine()
    python: tuple[int, int] = sys.version_info[:2]
    user: str = ""
    now: Callable[[], float] = time.time
    probe: Callable[..., ProbeResult] = run_probe
    log_lines: Callable[[], str] = log_lines
    free_bytes: Callable[[Path], int] = free_bytes
    buttons_down: Callable[[Pins], tuple[Button, ...]] = buttons_down
    chip_labels: Callable[[], Mapping[int, str]] = chip_labels

    def text(self, name: str | Path) -> str:
        """Return a file's text, stripped of zeroes and blanks; empty if it is missing or may not be read.

        Args:
            name: The path without the leading slash, or one that `find` has returned.
        """
        try:
            return (self.root / name).read_text(encoding="utf-8", errors="replace").strip("\0 \n")
        except OSError:
            return ""

    def find(self, pattern: str) -> list[Path]:
        """Return the files whose path matches a pattern without the leading slash."""
        return sorted(self.root.glob(pattern))

    @property
    def model(self) -> str:
        """The model in the device tree; empty without a device tree."""
        return self.text(raspberry_pi.MODEL_FILE)

    @property
    def family(self) -> raspberry_pi.Family | None:
        """The family of the Pi; None for another machine."""
        return raspberry_pi.family_of(self.model)

    @property
    def release(self) -> Mapping[str, str]:
        """The fields of /etc/os-release."""
        lines = (line.partition("=") for line in self.text("etc/os-release").splitlines() if "=" in line)
        return {key: value.strip('"') for key, _, value in lines}

    @property
    def table_user(self) -> str:
        """The user that the table runs as: the service's user if it exists, else the current user."""
        if any(line.startswith(f"{SERVICE_USER}:") for line in self.text("etc/passwd").splitlines()):
            return SERVICE_USER
        return self.user

    def groups(self, user: str) -> frozenset[str]:
        """Return the groups of a user in /etc/group."""
        rows = (line.split(":") for line in self.text("etc/group").splitlines())
        return frozenset(row[0] for row in rows if len(row) == 4 and user in row[3].split(","))

    def holders(self, patterns: tuple[str, ...]) -> Iterator[tuple[int, str]]:
        """Yield the id and name of each process that has a device open whose path matches a pattern."""
        for process in self.find("proc/[0-9]*"):
            try:
                targets = [str(each.readlink()) for each in (process / "fd").iterdir()]
            except OSError:
                continue  # the process has ended, or belongs to another user
            if any(fnmatchcase(target, pattern) for target in targets for pattern in patterns):
                yield int(process.name), self.text(f"proc/{process.name}/comm")


def this_machine() -> Machine:
    """Return the machine that this program runs on."""
    try:
        return Machine(user=getpass.getuser())
    except (KeyError, OSError):  # a user without a name
        return Machine(user=str(os.getuid()))
