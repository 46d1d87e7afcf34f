"""`farklecrib update`: install a package that can be taken back, or take it back."""

import fcntl
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.options import agreed, tell
from companion.errors import CompanionError

if TYPE_CHECKING:
    from companion.doctor.versions import Versions
    from companion.update.machine import Machine

PATIENCE_S = 180
"""How long a started service may take to answer: its unit's TimeoutStartSec of 120 s, and a minute."""


def update(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="The new package, a .deb file.")] = None,
    back: Annotated[bool, typer.Option("--back", help="Return to the former version.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --back: do not ask if acts would be lost.")] = False,
    wait: Annotated[int, typer.Option(metavar="S", help="Seconds that the service may take to answer.")] = PATIENCE_S,
) -> int:
    """Install a newer package, try it, and return to the version in use if it does not answer."""
    from companion.update.machine import Machine

    found = _usable(file, back, wait)
    with alone(found.home):
        if file is None:
            return go_back(Machine(), found, wait, yes=yes)
        return install(Machine(), found, file.resolve(), wait)


def _usable(file: Path | None, back: bool, wait: int) -> "Versions":
    """Return the versions of this machine, which the command may change.

    Raises:
        CompanionError: if it may not, or the options do not fit.
    """
    from companion.doctor.versions import versions

    if (file is None) is not back:
        raise CompanionError("expected either a package's FILE or --back, got " + ("both" if back else "neither"))
    if wait < 1:
        raise CompanionError(f"expected --wait of at least 1 second, got {wait}")
    found = versions()
    if found is None:
        raise CompanionError(
            f"expected the program of the Debian package in /usr/lib/farklecrib, got that in {sys.prefix!r}; "
            "update a checkout by git pull and make install"
        )
    if os.geteuid() != 0:
        raise CompanionError("expected root, got another user; run: sudo farklecrib update ...")
    return found


def install(machine: "Machine", found: "Versions", file: Path, wait_s: float) -> int:
    """Install a package; return 1 if the version in use goes on instead."""
    from companion.config import load_config
    from companion.doctor.versions import KEPT
    from companion.update.package import read_package
    from companion.update.updating import Update

    package = read_package(machine, found, file)
    work = Update(machine, found, load_config(None), _say, wait_s)
    work.keep()
    if not Path(sys.prefix).is_relative_to(
        found.home / KEPT
    ):  # dpkg will remove this program's files: go on in the copy
        program = found.home / found.current / "bin/farklecrib"
        os.execv(program, [str(program), *sys.argv[1:]])  # noqa: S606 - the same command in the kept version
    return 0 if work.install(package) else 1


def go_back(machine: "Machine", found: "Versions", wait_s: float, *, yes: bool) -> int:
    """Return to the former version; return 1 if nobody agrees to a loss, or it does not answer.

    Raises:
        CompanionError: if a loss needs an agreement and there is no terminal to ask.
    """
    from companion.config import load_config
    from companion.doctor.versions import number
    from companion.update.going_back import Return
    from companion.update.updating import Update

    back = Return(Update(machine, found, load_config(None), _say, wait_s))
    former = number(back.former)
    loss = back.loss()
    if loss is not None and not yes:
        if not sys.stdin.isatty():
            raise CompanionError(f"expected --yes or a terminal: {former} cannot read {loss}; got neither")
        _say(f"{former} cannot read {loss}; they would be kept aside, in a journal that only a newer version reads")
        if not agreed(f"Return to {former} without them?"):
            _say("nothing was changed")
            return 1
    wrong = back.go(loss)
    _say(f"{former} runs" if wrong is None else f"{former} is in use, but {wrong}; see systemctl status farklecrib")
    return 0 if wrong is None else 1


def _say(words: str) -> None:
    with suppress(OSError):  # the terminal may be gone: the update goes on
        tell(f"farklecrib: {words}")


@contextmanager
def alone(home: Path, mounts: Path = Path("/proc/mounts")) -> Iterator[None]:
    """Keep a second update out, and go on when the terminal is closed.

    Raises:
        CompanionError: if another update runs, or the versions cannot be written.
    """
    if any(line.startswith("overlayroot / ") for line in mounts.read_text(encoding="utf-8").splitlines()):
        raise CompanionError("expected a system that keeps what is written, got one in memory; see docs/read-only.md")
    if not os.access(home, os.W_OK):
        raise CompanionError(f"expected {str(home)!r} to be writable, got a read-only system; see docs/read-only.md")
    opened = os.open(home, os.O_RDONLY | os.O_DIRECTORY)  # closed by exec, whose program locks it again
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        yield
    except BlockingIOError as error:
        raise CompanionError("expected to be the only update, got another one that runs") from error
    finally:
        os.close(opened)
