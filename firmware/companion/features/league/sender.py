"""Send the acts of the journal to a league, in order, with one message at a time under way.

The league's answer names the last act that it has stored. The next message begins after that act, also after a restart
of the table, the broker or the league. So no act is lost, and the league knows one that comes again.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.metadata import version
from itertools import groupby
from threading import RLock
from typing import Any

from companion.errors import CompanionError
from companion.features.league.membership import FILE, LeagueError, Membership
from companion.features.league.sent_acts import FoldedGame
from companion.log import logger_of
from companion.named_events.record import id_of
from companion.nothing import nothing
from companion.runtime.broker import Connection
from companion.runtime.feed import Update
from companion.runtime.guard import Guard, Worker
from companion.storage.codec import SCHEMA
from companion.storage.journal import Journal
from companion.storage.rows import JournalRow, acts_of
from companion.web.feature import TableParts
from companion.words import NOTHING, Text, message
from farkle.league import acts_topic, canonical, seen_of, stored_topic

MOST_ACTS, MOST_BYTES = 100, 100_000
"""The most acts of a message, and the bytes after which no further act is added."""

HELLO_S = 10.0
"""Seconds between the messages of a table that no league has answered yet."""

ANSWER_S, MOST_WAIT_S = 5.0, 80.0
"""Seconds after which a message is sent again: the first time, and the most after doubling."""

LOOK_S = 10.0
"""The interval in seconds at which deleted games are looked for."""

PROBLEMS = {"cloned": message("league_page.cloned")}
"""The problems of a league that the table has words for."""

_log = logger_of("league")


@dataclass(frozen=True)
class Flight:
    """A message that the league has not answered yet; `kept` says which games the journal has."""

    payload: bytes
    has_acts: bool
    kept: object


class League(Worker):
    """A thread that sends to a league. Pages read `own` and `waiting` without waiting for it."""

    def __init__(self, table: TableParts) -> None:
        super().__init__("league", Guard("league", message("fault.league"), table.host.submit), table.speed)
        self._table, self._file = table, table.data / FILE
        self.own: Membership | None = None
        """The membership, None until it has been read."""
        self._trouble: Text = NOTHING  # what is wrong, though the broker can be used
        self._reported: Text | None = None  # the trouble that the guard has, None before the first pass of a connection
        self._changing = RLock()  # the worker's while it works: a new membership waits until a pass has ended
        self._written: Membership | None = None
        self._connection: Connection | None = None
        self._flight: Flight | None = None
        self._again_s = self._wait_s = 0.0
        self._told: object = None  # the games that the journal had when the league last heard of them
        self._fold: tuple[int, FoldedGame] | None = None  # the game of the act that was folded last, and its number
        self._seq = 0
        self._leave: Callable[[], object] = nothing

    @property
    def waiting(self) -> int:
        """The number of acts that the league does not have yet."""
        own, flight = self.own, self._flight
        return max(0, self._table.host.state.seq - own.place) if own and flight and flight.has_acts else 0

    def start(self) -> None:
        """Begin to connect."""
        self._leave = self._table.host.feed.subscribe(self._on_update, "league")
        super().start()

    def close(self) -> None:
        """End the thread, and save the place."""
        self._leave()
        if self._end():
            if self._connection is not None:
                self._connection.leave()
            self._save()

    def renew(self) -> None:
        """Leave the league: take a new key, and with it a new code.

        If the key cannot be saved, a `CompanionError` reaches the caller, and the old key stays.
        """
        with self._changing:
            self._disconnect()  # first, as it may save the old membership
            made = Membership.new(self._table.host.state.seq)
            made.write(self._file)
            self.own = self._written = made
            self._trouble, self._flight, self._told = NOTHING, None, None
        self._wake()

    def _on_update(self, update: Update) -> None:
        if update.view.seq != self._seq:
            self._seq = update.view.seq
            self._wake()

    def _work(self) -> float:
        with self._changing:
            try:
                self.own = self.own or self._begun()
                return self._exchange(self._connection or self._connect(self.own), self.own)
            except BaseException:
                self._disconnect()
                raise

    def _begun(self) -> Membership:
        """Return the membership in the file, or a new one at the first start."""
        if not self._file.exists():
            self.renew()
        self._written = Membership.read(self._file)
        return self._written

    def _connect(self, own: Membership) -> Connection:
        config = self._table.config.league
        self._connection = Connection(config, (stored_topic(own.code),), self._wake)
        _log.info("connected with the broker at %s:%d as %s", config.host, config.port, own.code)
        self._again_s, self._wait_s, self._reported = 0.0, ANSWER_S, None
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = self._fold = None
        self._save()

    def _exchange(self, connection: Connection, own: Membership) -> float:
        """Exchange messages with the league, and return the seconds until the next pass."""
        connection.acknowledged()
        known = own.league
        while not connection.came.empty():
            self.own = own = self._answered(own, bytes(connection.came.get().payload))
        if own.league != known:
            self._save()
        now_s = time.monotonic()
        if self._flight is None:
            self._flight, self._again_s, self._wait_s = self._next(own), now_s, ANSWER_S
        if self._flight is not None and now_s >= self._again_s:
            connection.track("", connection.publish(acts_topic(own.code), self._flight.payload))
            self._again_s = now_s + (self._wait_s if own.league else HELLO_S)
            self._wait_s = min(2 * self._wait_s, MOST_WAIT_S)
        if self._trouble != self._reported:
            self._reported = self._trouble
            self._guard.works()  # a guard reports no other reason while a part fails
        if self._trouble:
            self._guard.fail(LeagueError(self._trouble))
        return min(LOOK_S, self._again_s - now_s) if self._flight else LOOK_S

    def _answered(self, own: Membership, payload: bytes) -> Membership:
        """Return the membership after an answer, which may acknowledge the message under way."""
        try:
            answer = own.answer_in(payload)
        except ValueError as error:  # anybody at the broker may send such messages, so the log's level is low
            _log.debug("ignored a message of the broker: %s", error)
            return own
        if own.league and answer.league != own.league:
            self._trouble = message("league_page.other_league")
            return own
        own = replace(own, league=answer.league, name=answer.name)
        self._trouble = PROBLEMS.get(answer.problem, answer.problem)
        if not self._holds(answer.act):
            self._trouble = self._trouble or message("league_page.foreign")
            return own  # the message under way shows the league that there are two tables
        moved = (answer.act, answer.hash) != (own.act, own.hash)
        if self._flight is not None and answer.seen == seen_of(self._flight.payload):
            self._told = self._flight.kept
            moved = moved or not self._flight.has_acts
        self._flight = None if moved else self._flight
        return replace(own, act=answer.act, hash=answer.hash)

    def _holds(self, act_id: str) -> bool:
        """Return whether an act is one of this journal, or may have been one of a game that is deleted."""
        number = int(act_id.partition("-")[0] or 0)
        row = self._table.events.asked(lambda journal: journal.end_of(number))
        return number <= self._table.host.state.seq and (row is None or row.act != number or id_of(row) == act_id)

    def _next(self, own: Membership) -> Flight | None:
        """Return the next message, None if the league has everything."""
        if own.act and not self._holds(own.act):
            self._trouble = self._trouble or message("league_page.foreign")
            return None
        acts = self._acts(own) if own.league else []  # a league that knows the table gets them
        games = self._table.events.asked(Journal.games)  # later, so they are those of the acts, too
        newest = max(games, default=0)
        kept = {"deleted": [game for game in range(1, newest) if game not in games], "newest": newest}
        if own.league and not acts and kept == self._told:
            return None
        body = {"program": version("farklecrib"), "schema": SCHEMA, "after": own.hash, "acts": acts, **kept}
        return Flight(own.signed(body), bool(acts), kept)

    def _acts(self, own: Membership) -> list[dict[str, Any]]:
        """Return the acts after the place, as many as a message holds."""
        before, found, size = own.place, list[dict[str, Any]](), 0
        rows = self._table.events.asked(lambda journal: journal.after(journal.end_of(own.place)))
        for number, group in groupby(rows, key=lambda each: each.act):
            *_, last = of_act = list(group)
            game = self._folded(own, last, before)
            found.append(game.send(acts_of(of_act)[0], id_of(last), last.at))
            self._fold, before, size = (number, game), number, size + len(canonical(found[-1]))
            if len(found) == MOST_ACTS or size > MOST_BYTES:
                break
        return found

    def _folded(self, own: Membership, row: JournalRow, before: int) -> FoldedGame:
        """Return the game of an act as it was before; `before` is the number of the act before it of all games."""
        if self._fold is not None and self._fold[0] == before and self._fold[1].number == row.game:
            return self._fold[1]
        game = FoldedGame(row.game)
        for act in acts_of(each for each in self._table.events.rows_of(row.game) if each.act < row.act):
            game.add(act, sent=act.number > own.since)
        return game

    def _save(self) -> None:
        """Write the membership if it has changed; after a power cut the league's answer has a place not written."""
        if self.own is not None and self.own != self._written:
            with suppress(CompanionError):  # the disk may be full
                self.own.write(self._file)
                self._written = self.own
