"""Records of the processes and sockets that a driver makes by the standard library."""

import socket
import subprocess
from dataclasses import dataclass, field
from typing import Any

import pytest


@dataclass
class Started:
    """The processes made since `note`, and the driver's end of each pair of sockets."""

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
