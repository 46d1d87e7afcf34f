"""The rows of the journal: one event each, chained by hashes within a game."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from companion.storage.codec import decode, encode
from companion.table.state.events import Event
from companion.table.state.history import Act


class JournalRow(NamedTuple):
    """One event as stored; `at` is wall-clock time in seconds since 1970, for people only."""

    seq: int
    game: int
    act: int
    kind: str
    schema: int
    at: float
    body: str
    hash: str

    def expected_hash(self, before: str) -> str:
        """Return the hash that this row must have after a row with the hash `before`."""
        text = f"{before}|{self.seq}|{self.game}|{self.act}|{self.kind}|{self.schema}|{self.at!r}|{self.body}"
        return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


class NewestRow(NamedTuple):
    """The newest row of a game: it names all rows of the game, because its hash chains them."""

    seq: int
    hash: str


def newest_of(rows: Sequence[JournalRow]) -> NewestRow:
    """Return the newest of all rows of a game."""
    return NewestRow(rows[-1].seq, rows[-1].hash)


def rows_of(game: int, act: int, at: float, events: Iterable[Event], last: int, before: str) -> list[JournalRow]:
    """Return the rows of a new act, after the journal's row `last` and the hash `before` of the game's last row."""
    rows: list[JournalRow] = []
    for seq, event in enumerate(events, start=last + 1):
        kind, schema, body = encode(event)
        row = JournalRow(seq, game, act, kind, schema, at, body, "")
        before = row.expected_hash(before)
        rows.append(row._replace(hash=before))
    return rows


def game_at_table(rows: Iterable[JournalRow]) -> int:
    """Return the number of the game at the table, that of the newest row; 0 without rows."""
    return max(((row.seq, row.game) for row in rows), default=(0, 0))[1]


def sound_rows(rows: Iterable[JournalRow]) -> tuple[list[JournalRow], str | None]:
    """Return the rows that continue the chain of their game, and what is wrong with the first that does not.

    The rows may come from several copies of a journal: a row that is damaged in one copy is taken from another. A game
    whose chain breaks keeps the acts before the break.
    """
    good: list[JournalRow] = []
    last: dict[int, JournalRow] = {}
    rejected: list[tuple[JournalRow, JournalRow | None]] = []
    for row in sorted(rows, key=lambda row: row.seq):
        if good and row.seq == good[-1].seq:
            continue
        before = last.get(row.game)
        if row.hash == row.expected_hash(before.hash if before else ""):
            good.append(row)
            last[row.game] = row
        else:
            rejected.append((row, good[-1] if good else None))
    known = {row.seq for row in good}
    wrong = [(row, before) for row, before in rejected if row.seq not in known]
    breaks: dict[int, JournalRow] = {}
    for row, before in wrong:
        # The number of the game may be damaged, too: then the row belongs to the one before it.
        games = {row.game, before.game} if before and before.seq + 1 == row.seq else {row.game}
        for game in games & last.keys():
            if last[game].seq < row.seq:
                breaks.setdefault(game, row)
    cut = {(game, last[game].act) for game, row in breaks.items() if not _begins_after(last[game], row)}
    good = [row for row in good if (row.game, row.act) not in cut]
    return good, f"row {wrong[0][0].seq} is not as it was written" if wrong else None


def _begins_after(last: JournalRow, broken: JournalRow) -> bool:
    """Return whether the broken row certainly begins another act, so that the act of `last` is complete."""
    same_act = broken._replace(act=last.act).expected_hash(last.hash) == broken.hash
    return not same_act and (broken.seq, broken.act) == (last.seq + 1, last.act + 1)


def acts_of(rows: Iterable[JournalRow]) -> tuple[Act, ...]:
    """Return the acts of these rows of one game; `JournalError` for an event that this program does not know."""
    events: dict[int, list[Event]] = {}
    for row in rows:
        events.setdefault(row.act, []).append(decode(row.kind, row.schema, row.body))
    return tuple(Act(number, tuple(made)) for number, made in events.items())
