"""Where the kept games are read and deleted: the journal of the running table, or the file if no table runs."""

import itertools
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

from companion.errors import JournalError, RefusedError
from companion.games.joined_names import join_alias
from companion.games.story import closings_of
from companion.games.summary_file import SummaryFile
from companion.games.throw_images import ThrowImages
from companion.runtime.host import Host, in_time
from companion.storage.data_folder import locked, open_copy, open_storage
from companion.storage.files import FILE
from companion.storage.journal import Journal, Wall
from companion.storage.rows import JournalRow, NewestRow, acts_of
from companion.storage.whole_file import is_full
from companion.table.state.events import EveningClosed
from companion.table.state.inputs import CloseEvening
from companion.words import message


class GameStore(Protocol):
    """Where the games are kept. All methods raise `CompanionError`."""

    def games(self) -> dict[int, NewestRow]:
        """Return the numbers of the games, each with its newest row."""

    def rows(self, game: int) -> list[JournalRow]:
        """Return the rows of one game in order; an empty list if there is no such game."""

    def delete(self, game: int) -> None:
        """Delete a game and its images; the game on the table is refused."""

    def join_names(self, alias: str, name: str) -> None:
        """Keep one more alias of a name; with an empty name none for this one."""


class HostGames:
    """The games of the table in this process: every query goes through its host."""

    def __init__(self, host: Host, images: ThrowImages) -> None:
        self._host = host
        self._images = images
        self._games: tuple[int, dict[int, NewestRow]] = (-1, {})  # as of an act: only acts and deletions change them

    def games(self) -> dict[int, NewestRow]:
        """See `GameStore`."""
        seq, (asked_at, games) = self._host.state.seq, self._games
        if asked_at != seq:
            games = in_time(self._host.consult(Journal.games))
            self._games = (seq, games)
        return games

    def rows(self, game: int) -> list[JournalRow]:
        """See `GameStore`."""
        return in_time(self._host.consult(lambda journal: journal.rows(game)))

    def delete(self, game: int) -> None:
        """See `GameStore`; where the deleted game closed an evening, the game at the table says so in its place."""

        def close(after: int) -> None:
            in_time(self._host.submit(CloseEvening(after)))

        def deleting(journal: Journal) -> None:
            if self._host.state.game_number == game:
                raise RefusedError(message("refused.game_is_played", game=game))
            self._images.delete({row.act for row in journal.rows(game)})  # first: a full disk needs their room
            journal.delete(game)

        played = self._host.state.game_number == game
        with _carrying(() if played else closings_of(acts_of(self.rows(game))), close):
            in_time(self._host.consult(deleting))
        self._games = (-1, {})
        SummaryFile(self._images.data).delete(game)

    def join_names(self, alias: str, name: str) -> None:
        """See `GameStore`."""
        join_alias(self._images.data, alias, name)


class FileGames:
    """The games of a data folder without a running table. Reading works on a copy and changes nothing."""

    def __init__(self, folder: Path, wall: Wall) -> None:
        self._folder = folder
        self._wall = wall
        self._copy = open_copy(folder, wall) if any(folder.glob(f"{FILE}*")) else None
        self.loss = self._copy.loaded.loss if self._copy else None

    def games(self) -> dict[int, NewestRow]:
        """See `GameStore`."""
        return self._copy.journal.games() if self._copy else {}

    def rows(self, game: int) -> list[JournalRow]:
        """See `GameStore`."""
        return self._copy.journal.rows(game) if self._copy else []

    def delete(self, game: int) -> None:
        """See `GameStore`; without a table any game may be deleted.

        Raises:
            JournalError: if the data folder cannot be written.
        """
        with locked(self._folder):  # first: a full disk needs their room
            ThrowImages(self._folder).delete({row.act for row in self.rows(game)})
            SummaryFile(self._folder).delete(game)
        storage = open_storage(self._folder, self._wall)
        try:
            if not storage.saved:
                raise JournalError(f"expected a data folder that can be written, got {str(self._folder)!r}")
            journal, act = storage.journal, itertools.count(storage.loaded.seq + 1)
            others = {number: newest for number, newest in journal.games().items() if number != game}

            def close(after: int) -> None:
                newest = max(others, key=others.__getitem__)
                journal.append(newest, next(act), self._wall(), (EveningClosed(after),))

            with _carrying(closings_of(acts_of(journal.rows(game))) if others else (), close):
                journal.delete(game)
        finally:
            storage.close()
        if self._copy:
            self._copy.journal.delete(game)

    def join_names(self, alias: str, name: str) -> None:
        """See `GameStore`."""
        with locked(self._folder):
            join_alias(self._folder, alias, name)

    def close(self) -> None:
        """Remove the copy."""
        if self._copy:
            self._copy.close()


@contextmanager
def _carrying(closings: Iterable[int], close: Callable[[int], object]) -> Iterator[None]:
    """Note in another game where a game that is deleted closed an evening: before it is gone, or after on a full disk.

    Args:
        closings: the acts with which evenings ended.
        close: notes one of them.

    Raises:
        JournalError: if the journal refuses for another reason; then nothing is deleted.
    """
    waiting = list(closings)
    try:
        while waiting:
            close(waiting[0])
            del waiting[0]
    except JournalError as error:
        if not is_full(error):
            raise
    yield
    for after in waiting:
        with suppress(JournalError):  # the disk is still full: two evenings are listed as one
            close(after)
