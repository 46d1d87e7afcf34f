"""The codec of events: a body is canonical JSON, by kind and schema; old schemas are upcast when read."""

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from companion.errors import JournalError
from companion.table.state.events import Aside, Event, GameResumed, Gone, TableEvent
from farkle.game.events import EVENT_KINDS

SCHEMA = 2
"""The schema of new rows."""

_TYPES: tuple[type[Event], ...] = (*EVENT_KINDS, *TableEvent.__subclasses__())
_KINDS = {kind.__name__: kind for kind in _TYPES if kind is not Aside}

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
