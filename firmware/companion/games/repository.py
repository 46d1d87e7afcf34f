"""The games that the journal keeps, read from the running table, or from the file if no table runs."""

import tempfile
import threading
from concurrent.futures import Future
from concurrent.futures import TimeoutError as LateError
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

from companion.errors import JournalError, NoGameError, RefusedError
from companion.games.report import GameReport, report_of
from companion.games.statistics import GameStatistics, summarize
from companion.games.throw_images import ThrowImages
from companion.runtime.host import Host
from companion.storage.data_folder import copied, open_storage
from companion.storage.files import FILE
from companion.storage.journal import Journal, Wall
from companion.storage.rows import Row

ANSWER_S = 10.0
T = TypeVar("T")


class GameStore(Protocol):
    """Where the games are kept. All methods raise `CompanionError`."""

    def games(self) -> dict[int, int]:
        """Return the numbers of the games, each with the seq of its newest row."""

    def rows(self, game: int) -> list[Row]:
        """Return the rows of one game in order; none if there is no such game."""

    def delete(self, game: int) -> None:
        """Delete a game and its images; the game on the table is refused."""


class HostGames:
    """The games of the table in this process: every query goes through its host."""

    def __init__(self, host: Host, images: ThrowImages) -> None:
        self._host = host
        self._images = images
        self.patience_s = ANSWER_S

    def games(self) -> dict[int, int]:
        """See `GameStore`."""
        return self._asked(self._host.consult(Journal.games))

    def rows(self, game: int) -> list[Row]:
        """See `GameStore`."""
        return self._asked(self._host.consult(lambda journal: journal.rows(game)))

    def delete(self, game: int) -> None:
        """See `GameStore`."""

        def deleting(journal: Journal) -> tuple[int, ...]:
            if self._host.state.game_number == game:
                raise RefusedError(f"game {game} lies on the table; start another, or end the table, to delete it")
            return journal.delete(game)

        self._images.delete(self._asked(self._host.consult(deleting)))

    def _asked(self, answer: Future[T]) -> T:
        try:
            return answer.result(self.patience_s)
        except LateError as error:
            raise JournalError(f"the journal did not answer within {self.patience_s:g} s") from error


class FileGames:
    """The games of a data folder without a running table. Reading works on a copy and changes nothing."""

    def __init__(self, folder: Path, wall: Wall) -> None:
        self._folder = folder
        self._wall = wall
        self._copy = tempfile.TemporaryDirectory(prefix="farklecrib-")
        self._journal: Journal | None = None
        self.loss: str | None = None
        if any(folder.glob(f"{FILE}*")):
            self._journal = copied(folder, Path(self._copy.name), wall)
            self.loss = self._journal.loaded.loss

    def games(self) -> dict[int, int]:
        """See `GameStore`."""
        return self._journal.games() if self._journal else {}

    def rows(self, game: int) -> list[Row]:
        """See `GameStore`."""
        return self._journal.rows(game) if self._journal else []

    def delete(self, game: int) -> None:
        """See `GameStore`; without a table any game may be deleted.

        Raises:
            JournalError: if the data folder cannot be written.
        """
        storage = open_storage(self._folder, self._wall)
        try:
            if not storage.saved:
                raise JournalError(f"expected a data folder that can be written, got {str(self._folder)!r}")
            ThrowImages(self._folder).delete(storage.journal.delete(game))
        finally:
            storage.close()
        if self._journal:
            self._journal.delete(game)

    def close(self) -> None:
        """Remove the copy."""
        if self._journal:
            self._journal.close()
        self._copy.cleanup()


@dataclass
class GameRepository:
    """The kept games: their summaries and reports. A summary is cached until its game has a newer row."""

    store: GameStore
    images: ThrowImages
    _known: dict[int, tuple[int, GameStatistics]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def summaries(self) -> tuple[GameStatistics, ...]:
        """Return every game in short, the newest first."""
        games = self.store.games()
        with self._lock:
            for gone in self._known.keys() - games.keys():
                del self._known[gone]
            for number, newest in games.items():
                if self._known.get(number, (0,))[0] != newest:
                    self._known[number] = (newest, summarize(report_of(self.store.rows(number))))
            return tuple(self._known[number][1] for number in sorted(games, reverse=True))

    def report(self, number: int | None) -> GameReport:
        """Return the report of a game, or of the newest for None.

        Raises:
            NoGameError: if no such game is kept.
        """
        if number is None:
            number = max(self.store.games(), default=0)
        rows = self.store.rows(number) if number in self.store.games() else []
        if not rows:
            kept = ", ".join(map(str, self.store.games())) or "none"
            raise NoGameError(f"expected the number of a game that is kept ({kept}), got {number}")
        return report_of(rows)

    def delete(self, number: int) -> None:
        """Delete a game and its images; an unknown game, and the game on the table, are refused."""
        self.report(number)
        self.store.delete(number)
