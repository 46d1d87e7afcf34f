"""Record the named events of a table: new ones in memory, missed ones read from the journal."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, TypeVar

from companion.errors import JournalError
from companion.named_events import kinds
from companion.named_events.of_acts import GameFold, standing_of
from companion.nothing import nothing
from companion.runtime.guard import Guard, Worker
from companion.runtime.host import Host, in_time
from companion.storage.journal import Journal
from companion.storage.rows import JournalRow, acts_of
from companion.table.state.inputs import Fault
from companion.table.state.questions import Question
from companion.words import Text, message
from farkle.errors import FarkleError

T = TypeVar("T")

KEPT = 256
"""The number of entries kept in memory. A reader that is further behind reads the journal."""

MOST_MISSED = 10_000
"""The most missed acts that a reader may ask for."""

LATE_S = 5.0
"""Seconds after which an event is late."""

REST_S = 60.0
"""The longest pause in seconds between two looks for new acts."""


@dataclass(frozen=True)
class Entry:
    """The events of one act, or one fault or question.

    Args:
        events: the events, in order.
        row: the last row of the act; for a fault or question, the last row of the act before it.
        acted: whether the events belong to an act.
        seen_s: the time of the events on the monotonic clock; None if they were read from the journal later.
    """

    events: tuple[kinds.AnyEvent, ...]
    row: JournalRow | None
    acted: bool = True
    seen_s: float | None = None

    @property
    def id(self) -> str:
        """The id of the act; empty for a fault or question."""
        return id_of(self.row) if self.acted else ""

    def sent_at(self, now_s: float) -> tuple[kinds.AnyEvent, ...]:
        """Return the events to send at `now_s` on the monotonic clock; old ones have `late` set."""
        late = self.seen_s is None or now_s - self.seen_s > LATE_S
        return tuple(replace(event, late=True) for event in self.events) if late else self.events


def id_of(row: JournalRow | None) -> str:
    """Return the id of the act that ends with a row; empty before the first act."""
    return f"{row.act}-{row.hash}" if row else ""


class PlaceLostError(JournalError):
    """The journal no longer holds the place of a reader, or the reader has missed too many acts.

    `nearest` is the id of the last kept act before that place; None means: continue with new events.
    """

    def __init__(self, text: str, nearest: str | None = None) -> None:
        super().__init__(text)
        self.nearest = nearest


def entries(
    rows: Sequence[JournalRow], before: str, fold: GameFold | None, of_game: Callable[[int], Sequence[JournalRow]]
) -> tuple[list[Entry], GameFold]:
    """Return the entries of the acts of some rows, and the fold of their last game.

    Args:
        rows: at least one row; each act of them is whole.
        before: the id of the act before them.
        fold: the fold of the game of the act before them, if it is known.
        of_game: returns the rows of a game.

    Raises:
        PlaceLostError: if the acts cannot be folded.
    """
    found: list[Entry] = []
    try:
        for number, group in groupby(rows, key=lambda row: row.act):
            *_, last = of_act = list(group)
            if fold is None or fold.number != last.game or fold.folded >= number:
                fold = GameFold(last.game)
                for earlier in acts_of(row for row in of_game(last.game) if row.act < number):
                    fold.add(earlier, 0.0, ("", ""))
            events = fold.add(acts_of(of_act)[0], last.at, (id_of(last), before))
            found.append(Entry(events, last))
            before = id_of(last)
    except FarkleError as error:
        raise PlaceLostError(f"the journal cannot be folded: {error}") from error
    assert fold is not None
    return found, fold


class EventRecord(Worker):
    """A thread that follows a table once the first reader exists. Any thread may call its methods."""

    def __init__(self, host: Host, report: Callable[[Fault], object] = nothing) -> None:
        super().__init__("events", Guard("events", message("fault.events"), report))
        self._host = host
        self._changing, self._reading = threading.Lock(), threading.Lock()
        self._entries: list[Entry] = []
        self._dropped = 0  # entries that are not kept any more
        self._row: JournalRow | None = None  # the row of the newest entry
        self._fold: GameFold | None = None
        self._readers: dict[EventReader, Callable[[], object]] = {}
        self._faults: dict[str, Text] = {}
        self._question: Question | None = None
        self._leave: Callable[[], None] = nothing

    def close(self) -> None:
        """End the thread."""
        self._leave()
        self._end()

    def reader(self, wake: Callable[[], object], after: str | None = None) -> "EventReader":
        """Return a reader of new events, or of all events after an act. Blocks until the journal answers.

        Args:
            wake: called by another thread when new events exist; it must return at once.
            after: the id of an act; an empty text means the beginning of the journal, None only new events.
                `PlaceLostError` reaches the caller if the journal lacks that act, or holds too many acts after it.
        """
        with self._changing:
            if self._leave is nothing:  # nobody has asked before
                self._row = self.asked(Journal.newest)
                self._faults, self._question = dict(self._host.state.faults), self._host.state.question
                self._leave = self._host.feed.subscribe(lambda _: self._wake(), "events")
        self._read_on()
        with self._changing:
            place: tuple[JournalRow | None, int | None] = self._row, self._dropped + len(self._entries)
        if after is not None and after != id_of(place[0]):
            place = self._found(after) if after else None, None
        reader = EventReader(self, *place)
        with self._changing:
            self._readers[reader] = wake
        return reader

    def leave(self, reader: "EventReader") -> None:
        """Stop waking a reader."""
        with self._changing:
            self._readers.pop(reader, None)

    def asked(self, query: Callable[[Journal], T]) -> T:
        """Run a query on the journal; `JournalError` reaches the caller if the answer is late."""
        return in_time(self._host.consult(query))

    def rows_of(self, game: int) -> list[JournalRow]:
        """Return the rows of a game."""
        return self.asked(lambda journal: journal.rows(game))

    def since(self, index: int) -> list[Entry] | None:
        """Return the entries from an index on, or None if memory no longer holds them."""
        with self._changing:
            return None if index < self._dropped else self._entries[index - self._dropped :]

    def index_after(self, row: JournalRow | None) -> int | None:
        """Return the index of the entry after an act's last row, or None if memory does not hold that entry."""
        with self._changing:
            for place, entry in enumerate(self._entries):
                if entry.acted and entry.events[0].before == id_of(row):
                    return self._dropped + place
            return self._dropped + len(self._entries) if self._row == row else None

    def _found(self, after: str) -> JournalRow:
        """Return the last row of the act with an id.

        Raises:
            PlaceLostError: if the journal does not hold that act, or holds too many after it.
        """
        act = after.partition("-")[0]
        if not act.isdecimal():
            raise PlaceLostError(f"expected the id of an act that the journal holds, got {after!r}")
        row = self.asked(lambda journal: journal.end_of(int(act)))
        missed = self._host.state.seq - int(act)
        if missed > MOST_MISSED:
            raise PlaceLostError(f"expected at most {MOST_MISSED} missed acts, got {missed}")
        if row is None or id_of(row) != after:
            raise PlaceLostError(f"expected the id of an act that the journal holds, got {after!r}", id_of(row))
        return row

    def _work(self) -> float:
        if self._leave is nothing:
            return REST_S
        self._read_on()
        self._add(*[Entry((event,), self._row, False, time.monotonic()) for event in self._asides()])
        self._guard.works()
        return REST_S

    def _read_on(self) -> None:
        """Read the acts after the newest entry, whose game may have been deleted meanwhile."""
        with self._reading:
            while rows := self.asked(lambda journal: journal.after(self._row)):
                made, self._fold = entries(rows, id_of(self._row), self._fold, self.rows_of)
                self._add(*[replace(each, seen_s=time.monotonic()) for each in made])

    def _add(self, *entries: Entry) -> None:
        with self._changing:
            self._entries += entries
            self._row = self._entries[-1].row if self._entries else self._row
            self._dropped += len(self._entries[:-KEPT])
            del self._entries[:-KEPT]
            wakes = tuple(self._readers.values())
        for wake in wakes:
            wake()

    def _asides(self) -> Iterator[kinds.AnyEvent]:
        """Yield an event for each fault that began or ended, and for a new question."""
        state = self._host.state
        common: dict[str, Any] = {"game": state.game_number, "act": state.seq, "at": self._host.wall()}
        common["standing"] = standing_of(state.play) if state.play else None
        faults, before = dict(state.faults), self._faults
        for part in sorted(faults.keys() ^ before.keys()):
            over = part not in faults
            yield kinds.Fault(part=part, over=over, text=before[part] if over else faults[part], **common)
        if state.question is not None and state.question != self._question:
            answers = tuple(answer.words for answer in state.question.answers)
            yield kinds.Question(answers=answers, text=state.question.asks.text, **common)
        self._faults, self._question = faults, state.question


class EventReader:
    """Reads the record from a place on: first missed events, then new ones. Not thread-safe.

    Args:
        record: the record.
        row: the last row of the act that was read last.
        index: the index of the next entry in memory; None while the reader reads the journal.
    """

    def __init__(self, record: EventRecord, row: JournalRow | None, index: int | None) -> None:
        self.row, self.index = row, index
        self._record = record
        self._fold: GameFold | None = None

    @property
    def id(self) -> str:
        """The id of the last act that was read; empty before the first."""
        return id_of(self.row)

    @property
    def behind(self) -> bool:
        """Whether the next entries must be read from the journal, which takes longer."""
        return self.index is None or self._record.since(self.index) is None

    def read(self) -> list[Entry]:
        """Return the next entries, or an empty list if there are none. Blocks while it reads the journal.

        Raises:
            PlaceLostError: if the journal no longer holds the reader's place.
        """
        if self.index is None:
            self.index = self._record.index_after(self.row)
        found = None if self.index is None else self._record.since(self.index)
        if self.index is not None and found is not None:
            self.index, self._fold = self.index + len(found), None
        else:
            self.index, row = None, self.row
            if row is not None and not self._record.asked(lambda journal: journal.holds(row)):
                nearest = id_of(self._record.asked(lambda journal: journal.end_of(row.act)))
                raise PlaceLostError("the journal does not hold the act that was read last", nearest)
            rows = self._record.asked(lambda journal: journal.after(row))
            if not rows:
                return []
            found, self._fold = entries(rows, id_of(row), self._fold, self._record.rows_of)
        self.row = found[-1].row if found else self.row
        return found

    def close(self) -> None:
        """Stop waking this reader."""
        self._record.leave(self)
