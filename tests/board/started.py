"""The processes and sockets that a driver makes, noted as the standard library makes them."""

import socket
import subprocess
from dataclasses import dataclass, field
from typing import Any

import pytest


@dataclass
class Started:
    """What was made since `note`: the processes, and of each pair of sockets the end that stays with the driver."""

    processes: list["subprocess.Popen[bytes]"] = field(default_factory=list)
    feeds: list[socket.socket] = field(default_factory=list)

    def note(self, monkeypatch: pytest.MonkeyPatch) -> "Started":
        noted, pair = self, socket.socketpair

        class Noted(subprocess.Popen):
            def __init__(self, *given: Any, **named: Any) -> None:
                super().__init__(*given, **named)
                noted.processes.append(self)

        def paired(*given: Any) -> tuple[socket.socket, socket.socket]:
            ours, theirs = pair(*given)
            noted.feeds.append(ours)
            return ours, theirs

        monkeypatch.setattr(subprocess, "Popen", Noted)
        monkeypatch.setattr(socket, "socketpair", paired)
        return self
