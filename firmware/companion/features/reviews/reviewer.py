"""The reviews of a table's games: made one at a time in a process of their own, so that no game waits, and kept.

A finished game is reviewed by itself if its odds are at hand; one whose odds must be solved first only when somebody
opens its page, because that may take an hour.
"""

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from companion.errors import CompanionError
from companion.games.repository import GameRepository
from companion.log import logger_of
from companion.nothing import nothing
from companion.odds.kept_tables import is_at_hand, table_of
from companion.odds.live_odds import IDLE_PRIORITY, ODDS
from companion.runtime.feed import Feed, Update
from companion.runtime.guard import Guard, Worker
from companion.storage.rows import NewestRow
from companion.table.state.inputs import Fault
from companion.words import message
from farkle.errors import FarkleError
from farkle.game.events import Event
from farkle.game.evolve import fold
from farkle.odds.game.answers import GameOdds
from farkle.review.game_review import GameReview, PlayerReview, review_of

RESTING = frozenset({"lobby", "over"})
"""The phases in which games are reviewed without being asked for: nobody plays."""

BREATH_S = 0.1
"""Seconds between two games."""

REST_S = 600.0
"""Seconds after which the table looks for games to review without being woken."""

SOLVING = 0.9
"""The share of the work that solving a game counts for, where it must be solved."""

_log = logger_of("reviews")


@dataclass(frozen=True)
class Reviewed:
    """The result: a review, or the reason why there is none."""

    review: GameReview | None = None
    reason: str = ""


REVIEWED = TypeAdapter(Reviewed)


def review_beside(events: tuple[Event, ...], folder: Path, may_solve: bool, said: Connection) -> None:
    """Review a game in a process of its own, with the lowest priority; send shares of the work, then the result."""
    os.nice(IDLE_PRIORITY)
    said.send(reviewed(events, folder, may_solve, said.send))


def reviewed(
    events: tuple[Event, ...], folder: Path, may_solve: bool, tell: Callable[[float], object]
) -> Reviewed | None:
    """Return the review of a game, or the reason why it has none; None if its odds would have to be solved first.

    Args:
        events: the effective events of the game.
        folder: where solved games are kept.
        may_solve: whether the odds may be solved now.
        tell: is told the share of the work that is done, from 0 to 1.
    """
    solved = is_at_hand(fold(events[:1]).rules, folder)
    if not solved and not may_solve:
        return None
    begins = 0.0 if solved else SOLVING
    try:
        review = review_of(
            events,
            lambda rules: GameOdds(table_of(rules, folder, lambda share: tell(SOLVING * share))),
            lambda share: tell(begins + (1 - begins) * share),
        )
    except FarkleError as error:
        return Reviewed(reason=str(error))
    return Reviewed(review)


@dataclass(frozen=True)
class ReviewStatus:
    """A review that is ready, or the share of it that is done, from 0 to 1."""

    ready: Reviewed | None = None
    share: float = 0.0


class Reviewer(Worker):
    """Reviews games on a thread that waits for its process; any thread may ask."""

    closing_s = 10.0

    def __init__(
        self, folder: Path, games: GameRepository, feed: Feed, report: Callable[[Fault], object] = nothing
    ) -> None:
        """Prepare the thread.

        Args:
            folder: the data folder.
            games: the games of the table.
            feed: wakes the reviewer at the end of a game.
            report: gets the faults.
        """
        super().__init__("reviews", Guard("reviews", message("fault.reviews"), report))
        self._folder = folder
        self._games = games
        self._feed = feed
        self._lock = threading.Lock()
        self._asked: list[int] = []
        self._known: dict[int, tuple[NewestRow, Reviewed | None]] = {}  # by game: its newest row when it was looked at
        self._shares: dict[int, float] = {}
        self._process: BaseProcess | None = None

    def start(self) -> None:
        """Start to review games."""
        self._feed.subscribe(self._on_update)
        super().start()

    def close(self) -> None:
        """Stop; a review under way is made again another time."""
        self._ending.set()
        with self._lock:
            if self._process is not None:
                self._process.kill()
        self._end()

    def look(self, number: int) -> ReviewStatus:
        """Return the review of a finished game, or how far it is; it is made next if it is not there."""
        newest = self._games.store.games().get(number)
        with self._lock:
            known = self._known.get(number)
            if known is not None and known[0] == newest and known[1] is not None:
                return ReviewStatus(known[1])
            if number not in self._asked:
                self._asked.append(number)
            share = self._shares.get(number, 0.0)
        self._wake()
        return ReviewStatus(share=share)

    def players(self) -> dict[int, tuple[PlayerReview, ...]]:
        """Return the players' reviews of all games that were reviewed, by the number of the game, the newest first."""
        games = self._games.store.games()
        with self._lock:
            known = dict(self._known)
        return {
            number: found.review.players
            for number, (newest, found) in sorted(known.items(), reverse=True)
            if games.get(number) == newest and found is not None and found.review is not None
        }

    def _on_update(self, update: Update) -> None:
        if update.view.phase in RESTING:
            self._wake()

    def _work(self) -> float:
        """Review one game; return how long to rest."""
        following = self._next()
        self._guard.works()
        if following is None:
            return REST_S
        number, newest, asked = following
        try:
            found = self._found(number, newest, may_solve=asked)
        except CompanionError as error:
            _log.warning("game %d is not reviewed: %s", number, error)
            found = Reviewed(reason=str(error))
        if self._ending.is_set():
            return 0.0
        with self._lock:
            self._shares.pop(number, None)
            if number in self._asked:
                self._asked.remove(number)
            self._known[number] = (newest, found)
        return BREATH_S

    def _next(self) -> tuple[int, NewestRow, bool] | None:
        """Return the next game to review with its newest row, and whether somebody asked for it; None without one."""
        games = self._games.store.games()
        with self._lock:
            self._asked = [number for number in self._asked if number in games]
            self._known = {number: known for number, known in self._known.items() if number in games}
            waiting = [number for number, newest in games.items() if self._known.get(number, (None,))[0] != newest]
            if self._asked:
                return self._asked[0], games[self._asked[0]], True
        if not waiting or self._feed.latest.view.phase not in RESTING:
            return None
        return max(waiting), games[max(waiting)], False

    def _found(self, number: int, newest: NewestRow, *, may_solve: bool) -> Reviewed | None:
        """Return the kept review of a game, or make and keep it; None for a game that is not over or was put off."""
        body = self._games.summary_file.read_review(number, newest.hash)
        if body is not None:
            with suppress(ValidationError):
                return REVIEWED.validate_json(body)
        story = self._games.story(number)
        if not story.over:
            return None
        made = self._made(number, story.events, may_solve)
        if made is not None:
            self._games.summary_file.write_review(number, newest.hash, REVIEWED.dump_json(made).decode())
        return made

    def _made(self, number: int, events: tuple[Event, ...], may_solve: bool) -> Reviewed | None:
        """Let a process review a game.

        Raises:
            CompanionError: if the process ends without a result.
        """
        context = get_context("spawn")
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(
            target=review_beside, args=(events, self._folder / ODDS, may_solve, theirs), name="review", daemon=True
        )
        with self._lock:
            if self._ending.is_set():
                return None
            process.start()
            self._process = process
        theirs.close()
        try:
            while isinstance(said := ours.recv(), float):
                with self._lock:
                    self._shares[number] = said
            result: Reviewed | None = said
            return result
        except EOFError:
            if self._ending.is_set():
                return None
            raise CompanionError(f"the review of game {number} ended without a result") from None
        finally:
            process.kill()
            process.join()
            ours.close()
            with self._lock:
                self._process = None
