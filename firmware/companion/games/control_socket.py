"""The local socket in the data folder over which commands ask the table that runs there.

A request is one line of JSON, and so is its answer; then the connection ends. Only the owner of the data folder can
reach the socket.
"""

import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import astuple
from pathlib import Path
from typing import Any

from companion.errors import CompanionError, JournalError, RefusedError
from companion.games.repository import FileGames, GameRepository, GameStore
from companion.games.summary_file import SummaryFile
from companion.games.throw_images import ThrowImages
from companion.storage.data_folder import Wall
from companion.storage.journal import Row

SOCKET = "table.sock"
PATIENCE_S = 15.0
LONGEST_REQUEST = 1000


class ControlSocket:
    """Answers commands on a thread, one after another, from `open` until `close`."""

    def __init__(self, folder: Path, store: GameStore) -> None:
        self._store = store
        self._file = folder / SOCKET
        self._listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._thread = threading.Thread(target=self._run, name="control socket", daemon=True)
        self._open = False

    def open(self) -> None:
        """Start to answer. If the folder takes no socket, `OSError` reaches the caller, and commands read the file."""
        self._file.unlink(missing_ok=True)  # left by a killed table; the folder's lock shows that it is gone
        with _reachable(self._file) as address:
            self._listening.bind(address)
        self._file.chmod(0o600)
        self._listening.listen(4)
        self._open = True
        self._thread.start()

    def close(self) -> None:
        """Stop answering."""
        if self._open:
            self._open = False
            with suppress(OSError):
                self._listening.shutdown(socket.SHUT_RDWR)
            self._thread.join(2.0)
            self._file.unlink(missing_ok=True)
        self._listening.close()

    def _run(self) -> None:
        while self._open:
            try:
                asked, _ = self._listening.accept()
            except OSError:
                return
            with asked, asked.makefile("rb") as lines, suppress(OSError):
                asked.settimeout(PATIENCE_S)
                asked.sendall(json.dumps(self._answer(lines.readline(LONGEST_REQUEST))).encode() + b"\n")

    def _answer(self, line: bytes) -> dict[str, Any]:
        try:
            match json.loads(line):
                case {"ask": "games"}:
                    return {"games": list(self._store.games().items())}
                case {"ask": "rows", "game": int(game)}:
                    return {"rows": [astuple(row) for row in self._store.rows(game)]}
                case {"ask": "delete", "game": int(game)}:
                    self._store.delete(game)
                    return {"deleted": game}
            return {"error": f"expected games, rows or delete, got {line.decode('utf-8', 'replace')!r}"}
        except RefusedError as error:
            return {"refused": str(error)}
        except (CompanionError, ValueError) as error:
            return {"error": str(error)}


class SocketGames:
    """The games of the table that runs on a data folder, over its control socket."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / SOCKET

    def runs(self) -> bool:
        """Return whether a table answers."""
        try:
            with self._connected():
                return True
        except OSError:
            return False

    def games(self) -> dict[int, int]:
        """See `GameStore`."""
        return dict(self._ask({"ask": "games"})["games"])

    def rows(self, game: int) -> list[Row]:
        """See `GameStore`."""
        return [Row(*row) for row in self._ask({"ask": "rows", "game": game})["rows"]]

    def delete(self, game: int) -> None:
        """See `GameStore`."""
        self._ask({"ask": "delete", "game": game})

    def _ask(self, question: dict[str, Any]) -> dict[str, Any]:
        try:
            with self._connected() as asked, asked.makefile("rb") as lines:
                asked.sendall(json.dumps(question).encode() + b"\n")
                answer: dict[str, Any] = json.loads(lines.readline())
        except (OSError, ValueError) as error:
            raise JournalError(f"the table that runs did not answer: {error}") from error
        if "refused" in answer:
            raise RefusedError(answer["refused"])
        if "error" in answer:
            raise JournalError(answer["error"])
        return answer

    @contextmanager
    def _connected(self) -> Iterator[socket.socket]:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asked, _reachable(self._file) as address:
            asked.settimeout(PATIENCE_S)
            asked.connect(address)
            yield asked


@contextmanager
def open_games(folder: Path, wall: Wall) -> Iterator[tuple[GameRepository, str | None]]:
    """Open the games of a data folder, from its running table or its file; yield them, and any loss in words."""
    asked, summaries = SocketGames(folder), SummaryFile(folder, writes=False)
    if asked.runs():
        yield GameRepository(asked, ThrowImages(folder), summaries), None
        return
    read = FileGames(folder, wall)
    try:
        yield GameRepository(read, ThrowImages(folder), summaries), read.loss
    finally:
        read.close()


@contextmanager
def _reachable(file: Path) -> Iterator[str]:
    """Yield the address of a socket file. It may have 107 bytes, so a longer path goes through its open folder."""
    if len(os.fsencode(file)) <= 100:
        yield str(file)
        return
    folder = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{file.name}"
    finally:
        os.close(folder)
