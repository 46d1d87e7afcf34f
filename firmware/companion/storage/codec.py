"""The journal's own codec: events as canonical JSON and back, by kind and schema; old schemas are upcast when read."""

import json
import typing
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, get_args

from companion.errors import JournalError
from companion.table.events import Event, TableEvent
from farkle.game import events as game

SCHEMA = 2
"""The schema that is written now."""

_KINDS: Mapping[str, type[Event]] = {kind.__name__: kind for kind in (*game.EVENT_KINDS, *get_args(TableEvent))}

_TYPES: Mapping[str, dict[str, Any]] = {name: typing.get_type_hints(kind) for name, kind in _KINDS.items()}

_UPCASTS: Mapping[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {
    ("GameStarted", 1): lambda body: {**body, "teams": [], "definition": ""},
    ("GameEnded", 1): lambda body: {**body, "loser": None},
}
"""How the body of a kind, written with an older schema, becomes that of the next one; as it was where none is named."""


def encode(event: Event) -> tuple[str, int, str]:
    """An event as its kind, its schema and its body: JSON with sorted keys and no spaces, always the same bytes."""
    body = {field.name: getattr(event, field.name) for field in fields(event)}
    return type(event).__name__, SCHEMA, json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def decode(kind: str, schema: int, body: str) -> Event:
    """The event of a row; raises `JournalError` on a kind, schema or body that this program does not know."""
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
    """JSON's lists as the tuples that the event's type names; anything of another type is refused."""
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
