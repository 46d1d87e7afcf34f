"""The machine to update: runs commands as root or as the service's user, and waits for the service to answer."""

import json
import os
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from companion.config import Config
from companion.doctor.machine import SERVICE_USER

SERVICE = "farklecrib.service"
TRIAL = f"run/systemd/system/{SERVICE}.d/trial.conf"
"""The drop-in by which the service starts the version that is tried. It is in memory: a power cut ends the trial."""

SETTLE_S = 10.0
"""A version that answers must still run after this time."""


class Done(NamedTuple):
    """What a command did: its exit status, and what it printed on standard output and standard error."""

    status: int
    out: str
    err: str

    @property
    def reason(self) -> str:
        """The last line about what went wrong, ours if there is one."""
        lines = [line.strip() for line in f"{self.out}\n{self.err}".splitlines() if line.strip()]
        ours = [line.removeprefix("farklecrib: error: ") for line in lines if line.startswith("farklecrib: error: ")]
        return (ours or lines or [f"status {self.status}"])[-1]


def run(command: Sequence[str], limit_s: float, extra: Mapping[str, str]) -> Done:
    """Run a command to its end, away from the terminal's signals, for `limit_s` seconds at most."""
    environment = {**os.environ, "LG_WD": "/tmp", **extra}  # noqa: S108 - lgpio writes pipes into it
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=limit_s,
            check=False,
            env=environment,
            cwd="/",
            start_new_session=True,
        )
    except subprocess.TimeoutExpired:
        return Done(124, "", f"it did not end within {limit_s:.0f} s")
    except OSError as error:
        return Done(127, "", f"expected the command {command[0]}, got: {error.strerror}")
    return Done(done.returncode, done.stdout, done.stderr)


def page_status(url: str) -> int:
    """Return the HTTP status of a page of this machine, 0 without an answer."""
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:  # noqa: S310 - the table's own page
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


@dataclass(frozen=True)
class Machine:
    """A root folder, and functions for all that no file holds; times in seconds."""

    root: Path = Path("/")
    run: Callable[[Sequence[str], float, Mapping[str, str]], Done] = run
    page_status: Callable[[str], int] = page_status
    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep

    def root_runs(self, *command: str, limit_s: float = 600, **extra: str) -> Done:
        """Run a command as root."""
        return self.run(command, limit_s, extra)

    def table_runs(self, *command: str, limit_s: float = 600) -> Done:
        """Run a command as the service's user, in whose folder the games are."""
        user = ("runuser", "--user", SERVICE_USER, "--", "env", "HOME=/var/lib/farklecrib", "PYTHONDONTWRITEBYTECODE=1")
        return self.run((*user, *command), limit_s, {})

    @property
    def has_service(self) -> bool:
        """Whether systemd runs and starts the table with the machine."""
        running = (self.root / "run/systemd/system").is_dir()
        return running and self.root_runs("systemctl", "is-enabled", "--quiet", SERVICE, limit_s=60).status == 0

    def start(self, config: Config, patience_s: float, trial: str | None = None) -> str | None:
        """Start the service anew, and wait until its page answers and it has run on for `SETTLE_S`.

        Args:
            config: names the address of the page.
            patience_s: how long it may take.
            trial: the folder of the version to start; else it is the one that `current` names.

        Returns:
            What went wrong, None if it answers.
        """
        end = self.now() + patience_s
        self._set_trial(trial)
        self.root_runs("systemctl", "reset-failed", SERVICE, limit_s=60)
        started = self.root_runs("systemctl", "restart", SERVICE, limit_s=patience_s)
        if started.status:
            return f"the service did not start: {started.reason}"
        host = "127.0.0.1" if config.web.host in {"0.0.0.0", "::"} else config.web.host  # noqa: S104 - compared
        url = f"http://{f'[{host}]' if ':' in host else host}:{config.web.port}/api/v1/state"
        while (status := self.page_status(url)) != 200:
            if self.now() >= end:
                said = f"it answered with {status}" if status else "there was no answer"
                return f"its page did not answer within {patience_s:.0f} s: {said}"
            self.sleep(1.0)
        first = self._process()
        self.sleep(SETTLE_S)
        if first == "0" or self._process() != first:
            return f"it did not run on for {SETTLE_S:.0f} s"
        if trial is not None and trial not in self._command(first):
            return f"expected the service to run {trial}, got {self._command(first)!r}"
        return None

    def end_trial(self) -> None:
        """Let the service start the version that `current` names from its next start on."""
        self._set_trial(None)

    def stop(self) -> None:
        """Stop the service."""
        self.root_runs("systemctl", "stop", SERVICE)

    def _set_trial(self, trial: str | None) -> None:
        file = self.root / TRIAL
        if trial is None and not file.exists():
            return
        if trial is None:
            file.unlink()
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"[Service]\nExecStart=\nExecStart={trial}/bin/farklecrib play\n", encoding="utf-8")
        self.root_runs("systemctl", "daemon-reload", limit_s=60)

    def _process(self) -> str:
        return self.root_runs("systemctl", "show", "--property=MainPID", "--value", SERVICE).out.strip()

    def _command(self, process: str) -> str:
        try:
            return (self.root / "proc" / process / "cmdline").read_text(encoding="utf-8").replace("\0", " ")
        except OSError:
            return ""


def findings(done: Done) -> dict[str, str] | None:
    """Return the level of each of the doctor's checks, the worst of several; None if it did not print them."""
    try:
        rows = [(row["name"], row["level"]) for row in json.loads(done.out)]
    except (ValueError, KeyError, TypeError):
        return None
    return {name: "FAIL" if (name, "FAIL") in rows else level for name, level in rows}
