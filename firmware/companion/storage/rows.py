"""The rows of the journal: one event each, chained by hashes within a game, and the codec of their bodies.

A body is canonical JSON, by kind and schema; old schemas are upcast when read.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from typing import Any, NamedTuple, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from companion.errors import JournalError
from companion.table.state.events import Aside, Event, GameResumed, Gone, TableEvent
from companion.table.state.history import Act
from farkle.game.events import EVENT_KINDS

SCHEMA = 2
"""The schema of new rows."""

_KINDS: Mapping[str, type[Event]] = {
    kind.__name__: kind for kind in (*EVENT_KINDS, *get_args(TableEvent)) if kind is not Aside
}

PLAYED = frozenset({*_KINDS, GameResumed.journal_kind})
"""The kinds of rows that are play."""

GONE: Mapping[str, Callable[[dict[str, Any]], bool]] = {
    "DailyBegan": lambda _: True,
    "TournamentStands": lambda body: body["form"] == "losers_out",
}
"""What the journal may hold and the table no longer has: a kind of event, and which of its bodies. These are the daily
challenge, and the tournament in which the loser of each game was out."""

OF_FEATURES = frozenset({"CoachChosen", "TournamentStands"})
"""Kinds of events that belong to features but have no dot in their names, because they are older than features."""


def kinds_beside() -> dict[str, type[Aside]]:
    """Return the types of events beside the game, the table's and those of loaded features, by the names of kinds."""
    return {kind.journal_kind: kind for kind in Aside.__subclasses__() if kind is not Gone}


def _kind_named(name: str) -> type[Event] | None:
    """Return the type of a kind of event; None if neither the table nor a loaded feature has it."""
    return _KINDS.get(name) or kinds_beside().get(name)


@cache
def _body(kind: type[Event]) -> type[BaseModel]:
    """Return the model of an event's body: each field must be there with its type, and no other field may be."""
    types: dict[str, Any] = {field.name: (get_type_hints(kind)[field.name], ...) for field in fields(kind)}
    return create_model(kind.__name__, __config__=ConfigDict(extra="forbid", strict=True), **types)


_UPCASTS: Mapping[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {
    ("GameStarted", 1): lambda body: {**body, "teams": [], "definition": ""},
    ("GameEnded", 1): lambda body: {**body, "loser": None},
}
"""The function that turns a kind's body into that of the next schema; a missing kind keeps its body."""


def encode(event: Event) -> tuple[str, int, str]:
    """Return the kind, schema and body of an event: JSON with sorted keys and no spaces, always the same bytes."""
    if isinstance(event, Gone):
        return event.kind, event.schema, event.body
    body = {field.name: getattr(event, field.name) for field in fields(event)}
    kind = event.journal_kind if isinstance(event, Aside) else type(event).__name__
    return kind, SCHEMA, json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def unknown(kind: str, schema: int) -> str | None:
    """Return what this program does not know about a kind of event in a schema, None if it knows both."""
    of_feature = "." in kind or kind in OF_FEATURES
    if kind not in GONE and not of_feature and _kind_named(kind) is None:
        return f"an event of the kind {kind!r}"
    return f"schema {schema} of {kind}" if schema > SCHEMA else None


def decode(kind: str, schema: int, body: str) -> Event:
    """Return the event of a row: `Gone` if it belongs to a feature that is not loaded.

    Raises:
        JournalError: if this program does not know the kind, schema or body.
    """
    if unknown(kind, 1) is not None:
        raise JournalError(f"expected an event of a known kind, got {kind!r}")
    if not 1 <= schema <= SCHEMA:
        raise JournalError(f"expected schema 1 to {SCHEMA} of {kind}, got {schema!r}")
    known: Any = _kind_named(kind)
    try:
        if known is None or (kind in GONE and GONE[kind](json.loads(body))):
            return Gone(kind, schema, body)
        for older in range(schema, SCHEMA):
            if (kind, older) in _UPCASTS:
                body = json.dumps(_UPCASTS[kind, older](json.loads(body)))
        made: Event = known(**vars(_body(known).model_validate_json(body)))
        return made
    except ValidationError as error:
        wrong = error.errors()[0]
        where = "".join(f"{part}: " for part in wrong["loc"])
        raise JournalError(f"expected the body of {kind}, got {body!r}: {where}{wrong['msg']}") from error
    except (ValueError, TypeError, KeyError) as error:
        raise JournalError(f"expected the body of {kind}, got {body!r}: {error}") from error


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
