"""The journal's codec: events as canonical JSON and back, by kind and schema; old schemas are upcast when read."""

import json
import typing
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, get_args

from companion.errors import JournalError
from companion.table.state.events import Event, TableEvent
from farkle.game import events as game

SCHEMA = 2
"""The schema of new rows."""

_KINDS: Mapping[str, type[Event]] = {kind.__name__: kind for kind in (*game.EVENT_KINDS, *get_args(TableEvent))}

_TYPES: Mapping[str, dict[str, Any]] = {name: typing.get_type_hints(kind) for name, kind in _KINDS.items()}

_UPCASTS: Mapping[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {
    ("GameStarted", 1): lambda body: {**body, "teams": [], "definition": ""},
    ("GameEnded", 1): lambda body: {**body, "loser": None},
}
"""How the body of a kind becomes that of the next schema; a kind that is missing stays as it was."""


def encode(event: Event) -> tuple[str, int, str]:
    """Return the kind, schema and body of an event: JSON with sorted keys and no spaces, always the same bytes."""
    body = {field.name: getattr(event, field.name) for field in fields(event)}
    return type(event).__name__, SCHEMA, json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def unknown(kind: str, schema: int) -> str | None:
    """Return what this program does not know about a kind of event in a schema, None if it knows both."""
    if kind not in _KINDS:
        return f"an event of the kind {kind!r}"
    return f"schema {schema} of {kind}" if schema > SCHEMA else None


def readable_events() -> str:
    """Return as JSON what this program can read, for a newer one that must know: the newest schema, and all kinds."""
    return json.dumps({"schema": SCHEMA, "kinds": sorted(_KINDS)})


def decode(kind: str, schema: int, body: str) -> Event:
    """Return the event of a row.

    Raises:
        JournalError: if this program does not know the kind, schema or body.
    """
    if kind not in _KINDS:
        raise JournalError(f"expected an event of a known kind, got {kind!r}")
    if not 1 <= schema <= SCHEMA:
        raise JournalError(f"expected schema 1 to {SCHEMA} of {kind}, got {schema!r}")
    try:
        plain = json.loads(body)
        for older in range(schema, SCHEMA):
            plain = _UPCASTS.get((kind, older), dict)(plain)
        types = _TYPES[kind]
        if not isinstance(plain, dict) or plain.keys() != types.keys():
            raise JournalError(f"expected {kind} with {', '.join(types)}, got {body!r}")
        return _KINDS[kind](**{name: _typed(value, types[name]) for name, value in plain.items()})
    except (ValueError, TypeError, KeyError) as error:
        raise JournalError(f"expected the body of {kind}, got {body!r}: {error}") from error


def _typed(value: Any, wanted: Any) -> Any:
    """Return a JSON value with lists turned into the tuples of the event's type.

    Raises:
        JournalError: if the value has another type than `wanted`.
    """
    if typing.get_origin(wanted) is tuple:
        parts = get_args(wanted)
        if not isinstance(value, list):
            raise JournalError(f"expected a list, got {value!r}")
        if len(parts) == 2 and parts[1] is Ellipsis:
            return tuple(_typed(each, parts[0]) for each in value)
        return tuple(_typed(each, part) for each, part in zip(value, parts, strict=True))
    kinds = get_args(wanted) or (wanted,)
    if type(value) not in kinds:
        names = " or ".join("null" if kind is type(None) else kind.__name__ for kind in kinds)
        raise JournalError(f"expected {names}, got {value!r}")
    return value
