"""The games that the journal keeps, read from the running table, or from the file if no table runs."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as LateError
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

from companion.errors import JournalError, NoGameError, RefusedError
from companion.games.joined_names import JoinedNames, check_joined, people_of, person_of, with_people
from companion.games.statistics import GameStatistics, summarize
from companion.games.story import Story, closings_of, story_of
from companion.games.summary_file import SummaryFile
from companion.games.throw_images import ThrowImages
from companion.runtime.host import Host
from companion.storage.data_folder import locked, open_copy, open_storage
from companion.storage.files import FILE
from companion.storage.journal import Journal, Wall
from companion.storage.rows import JournalRow, acts_of
from companion.storage.whole_file import is_full
from companion.table.state.events import EveningClosed
from companion.table.state.inputs import CloseEvening
from companion.words import message
from farkle.game.names import name_key

ANSWER_S = 10.0
T = TypeVar("T")


class GameStore(Protocol):
    """Where the games are kept. All methods raise `CompanionError`."""

    def games(self) -> dict[int, int]:
        """Return the numbers of the games, each with the seq of its newest row."""

    def rows(self, game: int) -> list[JournalRow]:
        """Return the rows of one game in order; an empty list if there is no such game."""

    def delete(self, game: int) -> None:
        """Delete a game and its images; the game on the table is refused."""

    def aliases(self) -> dict[str, str]:
        """Return the name of the person by each other name under which that person played."""

    def join_names(self, alias: str, name: str) -> None:
        """Keep one more alias of a name; with an empty name none for this one."""


class HostGames:
    """The games of the table in this process: every query goes through its host."""

    def __init__(self, host: Host, images: ThrowImages, summaries: SummaryFile | None = None) -> None:
        self._host = host
        self._images = images
        self._summaries = summaries
        self._games: tuple[int, dict[int, int]] = (-1, {})  # as of an act: only acts and deletions change them
        self.patience_s = ANSWER_S

    def games(self) -> dict[int, int]:
        """See `GameStore`."""
        seq, (asked_at, games) = self._host.state.seq, self._games
        if asked_at != seq:
            games = self._asked(self._host.consult(Journal.games))
            self._games = (seq, games)
        return games

    def rows(self, game: int) -> list[JournalRow]:
        """See `GameStore`."""
        return self._asked(self._host.consult(lambda journal: journal.rows(game)))

    def delete(self, game: int) -> None:
        """See `GameStore`; where the deleted game closed an evening, the game at the table says so in its place."""

        def close(after: int) -> None:
            self._asked(self._host.submit(CloseEvening(after)))

        def deleting(journal: Journal) -> None:
            if self._host.state.game_number == game:
                raise RefusedError(message("refused.game_is_played", game=game))
            self._images.delete({row.act for row in journal.rows(game)})  # first: a full disk needs their room
            journal.delete(game)

        played = self._host.state.game_number == game
        with _carrying(() if played else closings_of(acts_of(self.rows(game))), close):
            self._asked(self._host.consult(deleting))
        self._games = (-1, {})
        if self._summaries is not None:
            self._summaries.delete(game)

    def aliases(self) -> dict[str, str]:
        """See `GameStore`."""
        return JoinedNames(self._images.data).read()

    def join_names(self, alias: str, name: str) -> None:
        """See `GameStore`."""
        JoinedNames(self._images.data).join(alias, name)

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
        self._held = ExitStack()
        self._journal: Journal | None = None
        self.loss: str | None = None
        if any(folder.glob(f"{FILE}*")):
            self._journal, self._held = open_copy(folder, wall)
            self.loss = self._journal.loaded.loss

    def games(self) -> dict[int, int]:
        """See `GameStore`."""
        return self._journal.games() if self._journal else {}

    def rows(self, game: int) -> list[JournalRow]:
        """See `GameStore`."""
        return self._journal.rows(game) if self._journal else []

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
            others = {number: seq for number, seq in journal.games().items() if number != game}

            def close(after: int) -> None:
                newest = max(others, key=others.__getitem__)
                journal.append(newest, next(act), self._wall(), (EveningClosed(after),))

            with _carrying(closings_of(acts_of(journal.rows(game))) if others else (), close):
                journal.delete(game)
        finally:
            storage.close()
        if self._journal:
            self._journal.delete(game)

    def aliases(self) -> dict[str, str]:
        """See `GameStore`."""
        return JoinedNames(self._folder).read()

    def join_names(self, alias: str, name: str) -> None:
        """See `GameStore`."""
        with locked(self._folder):
            JoinedNames(self._folder).join(alias, name)

    def close(self) -> None:
        """Remove the copy."""
        if self._journal:
            self._journal.close()
        self._held.close()


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


@dataclass
class GameRepository:
    """The kept games: their summaries and stories.

    A summary is kept until its game has a newer row, and so is the newest story: a game's pages share it.
    """

    store: GameStore
    images: ThrowImages
    summary_file: SummaryFile | None = None
    _known: dict[int, tuple[int, GameStatistics]] = field(default_factory=dict)
    _kept: frozenset[int] | None = None
    _story: tuple[int, int, Story] | None = None

    def summaries(self, page: slice = slice(None)) -> tuple[GameStatistics, ...]:
        """Return the summaries of the games on a page, or of all games; the newest game comes first."""
        games = self.store.games()
        self._forget_all_but(games)
        newest = self.at_table()
        found = (self._summary(number, games[number], newest) for number in sorted(games, reverse=True)[page])
        return tuple(each for each in found if each is not None)

    def newest_first(self) -> Iterator[GameStatistics]:
        """Yield the summaries of all games in the order of their newest acts, the newest first; each is made late.

        The names are those of people (`joined_names`).
        """
        aliases = self.store.aliases()
        for summary in self._as_played():
            yield with_people(summary, aliases)

    def _as_played(self) -> Iterator[GameStatistics]:
        games = self.store.games()
        self._forget_all_but(games)
        newest = self.at_table()
        for number in sorted(games, key=games.__getitem__, reverse=True):
            if (summary := self._summary(number, games[number], newest)) is not None:
                yield summary

    def at_table(self) -> int:
        """Return the number of the game at the table, the one with the newest row; 0 if no game is kept."""
        games = self.store.games()
        return max(games, key=lambda game: games[game], default=0)

    def count(self) -> int:
        """Return how many games are kept."""
        return len(self.store.games())

    def _summary(self, number: int, newest: int, at_table: int) -> GameStatistics | None:
        """Return the summary of a game with the row `newest`; None if the game was deleted meanwhile."""
        known = self._known.get(number)
        if known is not None and known[0] == newest:
            return known[1]
        rows = self.store.rows(number)
        if not rows:
            return None
        file = self.summary_file if number != at_table else None  # the game at the table may go on
        summary = file.read(number, rows[-1].hash) if file is not None else None
        if summary is None:
            summary = summarize(story_of(rows))
            if file is not None:
                file.write(summary, rows[-1].hash)
        self._known[number] = (rows[-1].seq, summary)
        return summary

    def _forget_all_but(self, games: Mapping[int, int]) -> None:
        if self._kept != (kept := frozenset(games)):
            self._kept = kept
            for gone in set(self._known) - games.keys():
                self._known.pop(gone, None)
            if self.summary_file is not None:
                self.summary_file.keep_only(games)

    def story(self, number: int | None) -> Story:
        """Return the story of a game; None means the game at the table.

        Raises:
            NoGameError: if no such game is kept.
        """
        games = self.store.games()
        if number is None:
            number = self.at_table()
        known = self._story
        if known is not None and known[:2] == (number, games.get(number)):
            return known[2]
        rows = self.store.rows(number) if number in games else []
        if not rows:
            kept = ", ".join(map(str, games)) or "none"
            raise NoGameError(f"expected the number of a game that is kept ({kept}), got {number}")
        story = story_of(rows)
        self._story = (number, rows[-1].seq, story)
        return story

    def newest_hash(self, number: int) -> str | None:
        """Return the hash of a game's newest row, None if there is no such game."""
        rows = self.store.rows(number)
        return rows[-1].hash if rows else None

    def delete(self, number: int) -> None:
        """Delete a game and its images; an unknown game, and the game on the table, are refused."""
        self.story(number)
        self.store.delete(number)
        if aliases := self.store.aliases():
            known = self.people()
            for alias, name in aliases.items():
                if not {name_key(alias), name_key(name)} <= known.keys():  # a deleted name must not stay
                    self.store.join_names(alias, "")

    def people(self) -> dict[str, str]:
        """Return the names of the people who played the kept games, by their keys."""
        return people_of(self._as_played())

    def join_names(self, alias: str, name: str) -> None:
        """Count the games of one name as those of another; with an empty name as its own again.

        Raises:
            RefusedError: if both cannot be one person's, or there is no such alias.
        """
        aliases = self.store.aliases()
        if name:
            alias, name = check_joined(self._as_played(), alias, name, aliases)
        elif person_of(aliases, alias) == alias:
            raise RefusedError(message("names.not_joined", name=alias))
        self.store.join_names(alias, name)


def open_games(data: Path, host: Host, images: ThrowImages) -> GameRepository:
    """Return the games of a running table, with the throw images and summaries of its data folder."""
    summaries = SummaryFile(data)
    return GameRepository(HostGames(host, images, summaries), images, summaries)
