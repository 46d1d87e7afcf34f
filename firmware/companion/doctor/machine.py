"""The machine as the doctor sees it: files below a root, and a few questions that no file answers.

Everything comes in, so that a tree of files recorded from another machine can be looked at in its place.
"""

import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from companion.config import ButtonsConfig
from companion.doctor import pi_model
from pegboard.buttons.port import Button

SERVICE_USER = "farklecrib"


@dataclass(frozen=True)
class Try:
    """How a piece of Python ended in a process of its own: its status, and the last line that it said."""

    status: int
    said: str


def try_python(code: str) -> Try:
    """Run code with this program's own Python, for a minute at most."""
    command = [sys.executable, "-c", code]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return Try(1, "it did not end within 60 s")
    lines = (done.stdout + done.stderr).strip().splitlines()
    return Try(done.returncode, lines[-1] if lines else "")


def free_bytes(path: Path) -> int:
    """The bytes that are free for anyone where a path is, or will be."""
    there = next(each for each in (path, *path.parents) if each.exists())
    stat = os.statvfs(there)
    return stat.f_bavail * stat.f_frsize


def buttons_down(config: ButtonsConfig) -> tuple[Button, ...]:
    """The buttons that are pressed now; raises `PegboardError` where the pins cannot be read."""
    from pegboard.buttons.gpio_buttons import levels

    return tuple(button for button, down in levels(config).items() if down)


@dataclass(frozen=True)
class Machine:
    """A root of files and what else is asked of a machine."""

    root: Path = Path("/")
    architecture: str = platform.machine()
    python: tuple[int, int] = sys.version_info[:2]
    user: str = ""
    now: Callable[[], float] = time.time
    try_python: Callable[[str], Try] = try_python
    free_bytes: Callable[[Path], int] = free_bytes
    buttons_down: Callable[[ButtonsConfig], tuple[Button, ...]] = buttons_down

    def path(self, name: str) -> Path:
        """A file by its name without the leading slash."""
        return self.root / name

    def there(self, name: str) -> bool:
        """Whether a file is there."""
        return self.path(name).exists()

    def text(self, name: str) -> str:
        """What a file says, without zeroes and blanks at its end; empty where it is not there or may not be read."""
        try:
            return self.path(name).read_text(encoding="utf-8", errors="replace").strip("\0 \n")
        except OSError:
            return ""

    def found(self, pattern: str) -> list[Path]:
        """The files that fit a pattern."""
        return sorted(self.root.glob(pattern))

    @property
    def model(self) -> str:
        """What the machine calls itself; empty where it is no board with a device tree."""
        return self.text(pi_model.MODEL_FILE)

    @property
    def family(self) -> pi_model.Family | None:
        """Which Pi it is."""
        return pi_model.family_of(self.model)

    @property
    def release(self) -> Mapping[str, str]:
        """What /etc/os-release says."""
        lines = (line.partition("=") for line in self.text("etc/os-release").splitlines() if "=" in line)
        return {key: value.strip('"') for key, _, value in lines}

    @property
    def player(self) -> str:
        """The user that the table runs as: the service's where there is one, else who asks."""
        if any(line.startswith(f"{SERVICE_USER}:") for line in self.text("etc/passwd").splitlines()):
            return SERVICE_USER
        return self.user

    def groups(self, user: str) -> frozenset[str]:
        """The groups that a user is in by /etc/group."""
        rows = (line.split(":") for line in self.text("etc/group").splitlines())
        return frozenset(row[0] for row in rows if len(row) == 4 and user in row[3].split(","))

    def holders(self, patterns: tuple[str, ...]) -> Iterator[tuple[int, str]]:
        """Processes that hold a device open whose path fits a pattern: their numbers and names, each once."""
        for process in self.found("proc/[0-9]*"):
            try:
                targets = [str(each.readlink()) for each in (process / "fd").iterdir()]
            except OSError:
                continue  # it has ended, or is somebody else's
            if any(fnmatchcase(target, pattern) for target in targets for pattern in patterns):
                yield int(process.name), self.text(f"proc/{process.name}/comm")


def this_machine() -> Machine:
    """The machine that we run on."""
    import getpass

    try:
        return Machine(user=getpass.getuser())
    except (KeyError, OSError):  # a user without a name
        return Machine(user=str(os.getuid()))
