"""The local socket in the data folder over which commands ask the table that runs there.

A request is one line of JSON, and so is its answer; then the connection ends. Only the owner of the data folder can
reach the socket.
"""

import json
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from companion.errors import CompanionError, JournalError, RefusedError
from companion.games.repository import GameRepository
from companion.games.stores import FileGames, GameStore
from companion.games.summary_file import SummaryFile
from companion.games.throw_images import ThrowImages
from companion.nothing import nothing
from companion.runtime.guard import Guard, Worker
from companion.storage.journal import Wall
from companion.storage.rows import JournalRow, NewestRow
from companion.table.state.inputs import Fault
from companion.words import message

SOCKET = "table.sock"
PATIENCE_S = 15.0
LONGEST_REQUEST = 1000


class ControlSocket(Worker):
    """Answers commands on a thread, one after another, from `start` until `close`."""

    closing_s = 2.0

    def __init__(
        self,
        folder: Path,
        store: GameStore,
        report: Callable[[Fault], object] = nothing,
        pair: Callable[[bool], str] | None = None,
    ) -> None:
        """Prepare the thread.

        Args:
            folder: The data folder.
            store: The games that the table keeps.
            report: Gets the faults of the socket.
            pair: Lets a phone in that answers with the six digits that it returns, and set the table up if it gets
                True; None where no phone is let in.
        """
        guard = Guard("control socket", message("fault.control_socket"), report)
        super().__init__("control socket", guard)
        self._store, self._pair = store, pair
        self._file = folder / SOCKET
        self._listening: socket.socket | None = None

    @property
    def alive(self) -> bool:
        """Whether the thread runs, if it was started."""
        return self._listening is None or super().alive

    def start(self) -> None:
        """Start to answer. If the folder takes no socket, commands say that a table runs."""
        with suppress(OSError), ExitStack() as undo:
            listening = undo.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
            self._file.unlink(missing_ok=True)  # left by a killed table; the folder's lock shows that it is gone
            with _reachable(self._file) as address:
                listening.bind(address)
            self._file.chmod(0o600)
            listening.listen(4)
            self._listening = listening
            super().start()
            undo.pop_all()

    def close(self) -> None:
        """Stop answering."""
        if self._listening is not None:
            self._ending.set()
            with suppress(OSError):
                self._listening.shutdown(socket.SHUT_RDWR)
            self._end()
            self._listening.close()
            self._file.unlink(missing_ok=True)
            self._listening = None

    def _work(self) -> float:
        """Answer one command. A client that hangs up, or sends an invalid request, affects no other client."""
        assert self._listening is not None
        asked, _ = self._listening.accept()
        with suppress(OSError), asked, asked.makefile("rb") as lines:
            asked.settimeout(PATIENCE_S)
            asked.sendall(_REPLY.dump_json(self._answer(lines.readline(LONGEST_REQUEST))) + b"\n")
        self._guard.works()
        return 0.0

    def _answer(self, line: bytes) -> "SocketReply":
        try:
            match json.loads(line):
                case {"ask": "games"}:
                    return SocketReply(games=list(self._store.games().items()))
                case {"ask": "rows", "game": int(game)}:
                    return SocketReply(rows=self._store.rows(game))
                case {"ask": "pair", "set_up": bool(set_up)} if self._pair is not None:
                    return SocketReply(digits=self._pair(set_up))
                case {"ask": "delete", "game": int(game)}:
                    self._store.delete(game)
                    return SocketReply(deleted=game)
                case {"ask": "join_names", "alias": str(alias), "name": str(name)}:
                    self._store.join_names(alias, name)
                    return SocketReply(joined=alias)
            known = "games, rows, delete, join_names or pair"
            return SocketReply(error=f"expected {known}, got {line.decode('utf-8', 'replace')!r}")
        except RefusedError as error:
            return SocketReply(refused=str(error))
        except (CompanionError, ValueError) as error:
            return SocketReply(error=str(error))
        except Exception as error:  # noqa: BLE001 - one failed request must not end the socket
            return SocketReply(error=f"{type(error).__name__}: {error}")


@dataclass(frozen=True)
class SocketReply:
    """The answer to a command; the fields that do not belong to it are None."""

    games: list[tuple[int, NewestRow]] | None = None
    rows: list[JournalRow] | None = None
    deleted: int | None = None
    joined: str | None = None
    digits: str | None = None
    refused: str | None = None
    error: str | None = None


_REPLY = TypeAdapter(SocketReply)


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

    def games(self) -> dict[int, NewestRow]:
        """See `GameStore`."""
        return dict(self._ask({"ask": "games"}).games or ())

    def rows(self, game: int) -> list[JournalRow]:
        """See `GameStore`."""
        return self._ask({"ask": "rows", "game": game}).rows or []

    def delete(self, game: int) -> None:
        """See `GameStore`."""
        self._ask({"ask": "delete", "game": game})

    def join_names(self, alias: str, name: str) -> None:
        """See `GameStore`."""
        self._ask({"ask": "join_names", "alias": alias, "name": name})

    def pair(self, *, set_up: bool) -> str:
        """Return the six digits with which a phone gets in within a minute. Raises what `_ask` does."""
        return self._ask({"ask": "pair", "set_up": set_up}).digits or ""

    def _ask(self, question: dict[str, Any]) -> SocketReply:
        """Ask the table.

        Raises:
            RefusedError: if the table refuses.
            JournalError: if it answers with an error, or not at all.
        """
        try:
            with self._connected() as asked, asked.makefile("rb") as lines:
                asked.sendall(json.dumps(question).encode() + b"\n")
                answer = _REPLY.validate_json(lines.readline())
        except OSError as error:
            raise JournalError(f"the table that runs did not answer: {error}") from error
        except ValidationError as error:
            raise JournalError(f"expected an answer of the table that runs, got {error.errors()[0]['msg']}") from error
        if answer.refused is not None:
            raise RefusedError(answer.refused)
        if answer.error is not None or answer == SocketReply():
            raise JournalError(answer.error or "expected an answer of the table that runs, got nothing")
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
    """Yield the address of a socket file. It has 107 bytes at most; a longer path goes through its open folder."""
    if len(os.fsencode(file)) <= 100:
        yield str(file)
        return
    folder = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{file.name}"
    finally:
        os.close(folder)
