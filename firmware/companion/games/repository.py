"""The games that the journal keeps: the story of each, and the summaries of all, which are made ahead of the pages."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from companion.errors import NoGameError, RefusedError
from companion.games.joined_names import check_joined, people_of, person_of, read_aliases, with_people
from companion.games.statistics import GameStatistics, summarize
from companion.games.stores import GameStore, HostGames
from companion.games.story import Story, story_of
from companion.games.summary_file import SummaryFile
from companion.games.throw_images import ThrowImages
from companion.nothing import nothing
from companion.runtime.guard import Guard, Worker
from companion.runtime.host import Host
from companion.storage.rows import NewestRow, newest_of
from companion.table.state.inputs import Fault
from companion.words import message
from farkle.game.names import name_key

NewestRows = Mapping[int, NewestRow]
"""The newest row of each game, by its number."""

BATCH = 50
"""The games whose summaries are read from the file together."""

REST_S = 600.0
"""Seconds after which the maker looks for missing summaries without being asked."""


@dataclass
class GameRepository:
    """The kept games: their summaries and stories.

    A summary is kept until its game has a newer row, and so is the newest story: a game's pages share it.
    """

    store: GameStore
    images: ThrowImages
    summary_file: SummaryFile
    _known: dict[int, tuple[NewestRow, GameStatistics]] = field(default_factory=dict)
    _kept: frozenset[int] | None = None
    _story: tuple[int, NewestRow, Story] | None = None
    _making: threading.Lock = field(default_factory=threading.Lock)

    def summaries(self, page: slice = slice(None)) -> tuple[GameStatistics, ...]:
        """Return the summaries of the games on a page, or of all games; the newest game comes first."""
        games = self._games()
        return tuple(self._summaries(sorted(games, reverse=True)[page], games, self.at_table()))

    def newest_first(self) -> Iterator[GameStatistics]:
        """Yield the summaries of all games in the order of their newest acts, the newest first; they are read late.

        The names are those of people (`joined_names`).
        """
        aliases = self.aliases()
        for summary in self._as_played():
            yield with_people(summary, aliases) if aliases else summary

    def _as_played(self) -> Iterator[GameStatistics]:
        games = self._games()
        numbers = sorted(games, key=games.__getitem__, reverse=True)
        for first in range(0, len(numbers), BATCH):
            yield from self._summaries(numbers[first : first + BATCH], games, numbers[0])

    def at_table(self) -> int:
        """Return the number of the game at the table, the one with the newest row; 0 if no game is kept."""
        games = self.store.games()
        return max(games, key=games.__getitem__, default=0)

    def aliases(self) -> dict[str, str]:
        """Return the name of the person by each other name under which that person played."""
        return read_aliases(self.images.data)

    def missing(self) -> list[int]:
        """Return the past games that have no summary, those with the newest acts last."""
        games, at_table = self._games(), self.at_table()
        unknown = {n: row.hash for n, row in games.items() if n != at_table and self._summary(n, row) is None}
        kept = set(self.summary_file.kept(unknown)) if unknown else set()
        return sorted(unknown.keys() - kept, key=games.__getitem__)

    def make(self, number: int) -> GameStatistics | None:
        """Make the summary of a game and keep it; return None if the game was deleted meanwhile."""
        with self._making:
            newest = self.store.games().get(number)
            if newest is not None and (made := self._summary(number, newest)):
                return made  # by another thread
            rows = self.store.rows(number)
            if not rows:
                return None
            summary, newest = summarize(story_of(rows)), newest_of(rows)
            past = number != self.at_table()  # the game at the table may go on
            if past:
                self.summary_file.write(summary, newest.hash)
            if past and number not in self.store.games():
                self.summary_file.delete(number)
                return None
            self._known[number] = (newest, summary)
            return summary

    def _summary(self, number: int, newest: NewestRow) -> GameStatistics | None:
        """Return the summary of a game with this newest row, or None if it must be read or made."""
        known = self._known.get(number)
        return known[1] if known is not None and known[0] == newest else None

    def _summaries(self, numbers: Sequence[int], games: NewestRows, at_table: int) -> Iterator[GameStatistics]:
        """Yield the summaries of these games, without games that were deleted meanwhile."""
        unread = {n: games[n].hash for n in numbers if n != at_table and self._summary(n, games[n]) is None}
        for read in self.summary_file.read(unread) if unread else ():
            self._known[read.number] = (games[read.number], read)
        for number in numbers:
            if made := self._summary(number, games[number]) or self.make(number):
                yield made

    def _games(self) -> NewestRows:
        """Return the games, and forget the summaries of all others."""
        games = self.store.games()
        if self._kept != (kept := frozenset(games)):
            self._kept = kept
            for gone in set(self._known) - games.keys():
                self._known.pop(gone, None)
            self.summary_file.keep_only(games)
        return games

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
        self._story = (number, newest_of(rows), story)
        return story

    def delete(self, number: int) -> None:
        """Delete a game and its images; an unknown game, and the game on the table, are refused."""
        self.story(number)
        self.store.delete(number)
        if aliases := self.aliases():
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
        aliases = self.aliases()
        if name:
            alias, name = check_joined(self._as_played(), alias, name, aliases)
        elif person_of(aliases, alias) == alias:
            raise RefusedError(message("names.not_joined", name=alias))
        self.store.join_names(alias, name)


class SummaryMaker(Worker):
    """Makes the missing summaries of past games, the newest first, on a thread of its own.

    It rests as long as it works, because the table shares the interpreter.
    """

    def __init__(self, games: GameRepository, report: Callable[[Fault], object] = nothing) -> None:
        super().__init__("summaries", Guard("summaries", message("fault.summaries"), report))
        self._games = games
        self._missing: list[int] = []

    def close(self) -> None:
        """End the thread."""
        self._end()

    def _work(self) -> float:
        began_s = time.monotonic()
        self._missing = self._missing or self._games.missing()
        self._guard.works()
        if not self._missing:
            return REST_S
        self._games.make(self._missing.pop())
        return time.monotonic() - began_s


def open_games(data: Path, host: Host, images: ThrowImages | None = None) -> GameRepository:
    """Return the games of a running table, with the throw images and summaries of its data folder."""
    images = images or ThrowImages(data)
    return GameRepository(HostGames(host, images), images, SummaryFile(data))
