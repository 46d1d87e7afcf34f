"""A real PostgreSQL for tests, on this machine alone. Without its programs the tests are skipped."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest

PATIENCE_S = 60

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
"""Debian keeps the programs of each version apart."""

LEAST_VERSION = 15
"""The version of Debian 12, the first with NULLS NOT DISTINCT."""

USER = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
"""PostgreSQL refuses to run as root."""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return found.getsockname()[1]


@dataclass
class Postgres:
    """PostgreSQL on one port; it can be killed and started again."""

    folder: Path
    settings: tuple[str, ...] = ()
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def database(self) -> str:
        return f"host=127.0.0.1 port={self.port} user=league dbname=postgres"

    def start(self) -> "Postgres":
        deadline = time.monotonic() + PATIENCE_S
        self._begin()
        while True:
            try:
                psycopg.connect(self.database, connect_timeout=5).close()
            except psycopg.OperationalError:
                assert time.monotonic() < deadline, (self.folder / "log").read_text(errors="replace")
                time.sleep(0.05)
                if self.process.poll() is not None:  # a process of the killed server has not ended yet
                    self._begin()
            else:
                return self

    def _begin(self) -> None:
        options = [f"port={self.port}", "listen_addresses=127.0.0.1", "unix_socket_directories=", *self.settings]
        command = [str(PROGRAMS[-1]), "-D", str(self.folder / "data")]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [*command, *(part for each in options for part in ("-c", each))],
                stdout=log,
                stderr=log,
                start_new_session=True,
                **USER,
            )

    def kill(self) -> None:
        """Kill the server; its other processes end as soon as they notice."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@contextmanager
def postgres(*settings: str) -> Iterator[Postgres]:
    """Run PostgreSQL with an empty database; `settings` are of the form NAME=VALUE."""
    if not PROGRAMS or int(PROGRAMS[-1].parts[4]) < LEAST_VERSION:
        pytest.skip(f"needs PostgreSQL {LEAST_VERSION} or newer: apt install postgresql")
    folder = Path(tempfile.mkdtemp(prefix="farkleague-"))
    try:
        if USER:
            shutil.chown(folder, "postgres", "postgres")
        initdb = [
            str(PROGRAMS[-1].with_name("initdb")),
            "-D",
            str(folder / "data"),
            "-U",
            "league",
            "-A",
            "trust",
            "-N",
        ]
        made = subprocess.run([*initdb, "-E", "UTF8", "--locale=C"], capture_output=True, text=True, **USER)
        assert made.returncode == 0, made.stderr
        running = Postgres(folder, settings).start()
        try:
            yield running
        finally:
            running.kill()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
