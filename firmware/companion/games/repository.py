"""The archive: the games that the journal keeps, asked of the table that runs, or of the file where none does."""

import tempfile
import threading
from concurrent.futures import Future
from concurrent.futures import TimeoutError as LateError
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

from companion.errors import JournalError, NoGameError, RefusedError
from companion.games.report import Record, record_of
from companion.games.statistics import Summary, summary_of
from companion.games.throw_images import Stills
from companion.runtime.host import Host
from companion.storage.data_folder import Wall, copied, open_storage
from companion.storage.journal import FILE, Journal, Row

ANSWER_S = 10.0
T = TypeVar("T")


class Archive(Protocol):
    """Where the games are. All raise `CompanionError`."""

    def games(self) -> dict[int, int]:
        """The numbers of the games, each with the seq of its newest row."""

    def rows(self, game: int) -> list[Row]:
        """The rows of one game, in order; none where there is no such game."""

    def delete(self, game: int) -> None:
        """Take a game and its stills away. Raises `RefusedError` for the game that lies on the table."""


class TableArchive:
    """The games of the table that runs in this process: every question goes through its host."""

    def __init__(self, host: Host, stills: Stills) -> None:
        self._host = host
        self._stills = stills
        self.patience_s = ANSWER_S

    def games(self) -> dict[int, int]:
        """As the port says."""
        return self._asked(self._host.consult(Journal.games))

    def rows(self, game: int) -> list[Row]:
        """As the port says."""
        return self._asked(self._host.consult(lambda journal: journal.rows(game)))

    def delete(self, game: int) -> None:
        """As the port says."""

        def deleting(journal: Journal) -> tuple[int, ...]:
            if self._host.state.game_number == game:
                raise RefusedError(f"game {game} lies on the table; start another, or end the table, to delete it")
            return journal.delete(game)

        self._stills.delete(self._asked(self._host.consult(deleting)))

    def _asked(self, answer: Future[T]) -> T:
        try:
            return answer.result(self.patience_s)
        except LateError as error:
            raise JournalError(f"the journal did not answer within {self.patience_s:g} s") from error


class FileArchive:
    """The games of a data folder on which no table runs. Reading looks at a copy, and changes nothing."""

    def __init__(self, folder: Path, wall: Wall) -> None:
        self._folder = folder
        self._wall = wall
        self._copy = tempfile.TemporaryDirectory(prefix="farklecrib-")
        self._journal: Journal | None = None
        self.loss: str | None = None
        if (folder / FILE).exists():
            self._journal, loaded = copied(folder, Path(self._copy.name), wall)
            self.loss = loaded.loss

    def games(self) -> dict[int, int]:
        """As the port says."""
        return self._journal.games() if self._journal else {}

    def rows(self, game: int) -> list[Row]:
        """As the port says."""
        return self._journal.rows(game) if self._journal else []

    def delete(self, game: int) -> None:
        """As the port says; without a table any game may go."""
        storage = open_storage(self._folder, self._wall)
        try:
            if not storage.saved:
                raise JournalError(f"expected a data folder that can be written, got {str(self._folder)!r}")
            Stills(self._folder).delete(storage.journal.delete(game))
        finally:
            storage.close()
        if self._journal:
            self._journal.delete(game)

    def close(self) -> None:
        """Let go of the copy."""
        if self._journal:
            self._journal.close()
        self._copy.cleanup()


@dataclass
class Games:
    """The games as people ask for them. Summaries are remembered until the game's newest row is another."""

    archive: Archive
    stills: Stills
    _known: dict[int, tuple[int, Summary]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def summaries(self) -> tuple[Summary, ...]:
        """Every game in short, the newest first."""
        games = self.archive.games()
        with self._lock:
            for gone in self._known.keys() - games.keys():
                del self._known[gone]
            for number, newest in games.items():
                if self._known.get(number, (0,))[0] != newest:
                    self._known[number] = (newest, summary_of(record_of(self.archive.rows(number))))
            return tuple(self._known[number][1] for number in sorted(games, reverse=True))

    def record(self, number: int | None) -> Record:
        """The record of a game, None for the newest. Raises `NoGameError`."""
        if number is None:
            number = max(self.archive.games(), default=0)
        rows = self.archive.rows(number)
        if not rows:
            kept = ", ".join(map(str, self.archive.games())) or "none"
            raise NoGameError(f"expected the number of a game that is kept ({kept}), got {number}")
        return record_of(rows)

    def delete(self, number: int) -> None:
        """Take a game and its stills away. Raises `NoGameError`, or `RefusedError` for the game on the table."""
        self.record(number)
        self.archive.delete(number)
