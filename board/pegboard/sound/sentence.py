"""The two processes of one spoken sentence: one writes its sound, the other one plays it."""

import fcntl
import os
import re
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from pegboard.errors import DriverError
from pegboard.signals import signal_name

MOST_COMPLAINTS = 1 << 16
"""The bytes of standard error that are kept of a process: the first ones; no more is written, and it goes on."""


class _Process:
    """A process, and what it writes to standard error."""

    def __init__(self, command: Sequence[str], source: "IO[bytes] | int", target: int) -> None:
        self._name = Path(command[0]).name
        self._complaints = _complaints(self._name)
        try:
            self._popen = subprocess.Popen(
                command, stdin=source, stdout=target, stderr=self._complaints, start_new_session=True
            )
        except OSError as error:
            os.close(self._complaints)
            raise DriverError(f"expected to start {self._name}, got: {error}") from error

    @property
    def output(self) -> "IO[bytes]":
        """The pipe that the process writes to."""
        assert self._popen.stdout is not None
        return self._popen.stdout

    @property
    def status(self) -> int | None:
        """The exit status, negative for a signal; None while the process runs."""
        return self._popen.poll()

    def kill(self) -> None:
        """End the process."""
        self._popen.kill()

    def wait(self, timeout_s: float) -> None:
        """Wait for the end of the process, for `timeout_s` at most."""
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(timeout_s)

    def failure(self) -> str:
        """Return the last line on standard error, without the program's name and line; else how the process ended."""
        written = os.pread(self._complaints, MOST_COMPLAINTS, 0).rstrip(b"\0")
        last = next((line for line in reversed(written.decode(errors="replace").splitlines()) if line.strip()), "")
        status = self.status or 0
        ended = signal_name(-status) if status < 0 else f"status {status}"
        return f"{self._name}: {re.sub(rf'^({self._name}: )?([a-z_]+:[0-9]+: )?', '', last.strip()) or ended}"

    def close(self) -> None:
        """Forget what the process wrote."""
        os.close(self._complaints)


def _complaints(name: str) -> int:
    """Return a file in memory that cannot grow. A pipe could fill up, and a file needs a disk."""
    file = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(file, MOST_COMPLAINTS)
    fcntl.fcntl(file, fcntl.F_ADD_SEALS, fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK)
    return file


class SpokenSentence:
    """A sentence that is spoken now, or was. Close it after its end."""

    def __init__(self, speech: Sequence[str], player: Sequence[str], due_at_s: float, hangs_at_s: float) -> None:
        """Start both processes.

        Args:
            speech: The command that writes the sound to standard output.
            player: The command that plays standard input.
            due_at_s: When its words should have been spoken.
            hangs_at_s: When the sentence counts as hanging.

        Raises:
            DriverError: if a program cannot be started.
        """
        self.due_at_s = due_at_s
        self.hangs_at_s = hangs_at_s
        self._speech = _Process(speech, subprocess.DEVNULL, subprocess.PIPE)
        with self._speech.output as sound:  # the player alone holds it then, so its end ends the speech, too
            try:
                self._player = _Process(player, sound, subprocess.DEVNULL)
            except DriverError:
                self._speech.kill()
                self._speech.wait(0.5)
                self._speech.close()
                raise

    @property
    def ended(self) -> bool:
        """Whether both processes have ended."""
        return self._player.status is not None and self._speech.status is not None

    def cut(self) -> None:
        """End both processes."""
        self._player.kill()
        self._speech.kill()

    def wait(self, timeout_s: float) -> None:
        """Wait for the end of each process, for `timeout_s` at most."""
        self._player.wait(timeout_s)
        self._speech.wait(timeout_s)

    def failure(self) -> str:
        """Return why the sentence was not heard; empty if it was. A speech whose player has ended gets a SIGPIPE."""
        if self._speech.status not in (0, -signal.SIGPIPE):
            return self._speech.failure()
        return self._player.failure() if self._player.status != 0 else ""

    def close(self) -> None:
        """Forget what the processes wrote."""
        self._speech.close()
        self._player.close()
