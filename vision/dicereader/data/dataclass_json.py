"""Read dataclasses from the values of JSON and TOML, with their types checked; `dataclasses.asdict` writes them."""

import math
import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Final, Union, get_args, get_origin

from dicereader.errors import DiceReaderError, FormatError

MOST: Final = 1 << 63
"""The largest whole number that is accepted: it fits into 64 bits."""


def from_plain(kind: Any, plain: Any, *, defaults: bool = False) -> Any:
    """Return a value of the type `kind` from what JSON or TOML kept of it by `dataclasses.asdict`.

    Args:
        kind: a dataclass, a StrEnum, int, float, str, bool, or a tuple or optional type of these.
        plain: the value as JSON or TOML gives it.
        defaults: whether an object may lack keys that have a default.

    Raises:
        FormatError: if the value has another type, is a number that is infinite or beyond 64 bits or a text that is not
            Unicode, or the dataclass refuses it. The message names the key, also a nested one: "tray: die_mm: ...".
    """
    if is_dataclass(kind) and isinstance(kind, type):
        return _object(kind, plain, defaults)
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        if plain is None:
            return None
        (only,) = (part for part in get_args(kind) if part is not type(None))
        return from_plain(only, plain, defaults=defaults)
    if origin is tuple and isinstance(plain, list):
        parts = get_args(kind)
        if parts[1:] == (Ellipsis,):
            parts = parts[:1] * len(plain)
        if len(parts) != len(plain):
            raise FormatError(f"expected an array of {len(parts)}, got {len(plain)}")
        return tuple(from_plain(part, item, defaults=defaults) for part, item in zip(parts, plain, strict=True))
    if type(plain) is int and abs(plain) > MOST:
        raise FormatError(f"expected a number of 64 bits, got one of {plain.bit_length()}")
    if kind is float and type(plain) is int:
        return float(plain)
    if isinstance(kind, type) and issubclass(kind, StrEnum) and plain in list(kind):
        return kind(plain)
    if type(plain) is kind and kind in (int, float, str, bool) and _is_sound(plain):
        return plain
    raise FormatError(f"expected {getattr(kind, '__name__', kind)}, got {plain!r:.80}")


def _is_sound(plain: Any) -> bool:
    """Return whether a float is finite and a text is Unicode without lone surrogates, which no file can hold."""
    if isinstance(plain, float):
        return math.isfinite(plain)
    return not (isinstance(plain, str) and any("\ud800" <= character <= "\udfff" for character in plain))


def _object(kind: type, plain: Any, defaults: bool) -> Any:
    known, needed = _fields_of(kind)
    needed = needed if defaults else known.keys()
    if not isinstance(plain, dict) or not needed <= plain.keys() <= known.keys():
        raise FormatError(f"expected {kind.__name__} with {', '.join(known) or 'nothing'}, got {plain!r:.80}")
    values = {}
    for name, value in plain.items():
        try:
            values[name] = from_plain(known[name], value, defaults=defaults)
        except FormatError as error:
            raise FormatError(f"{name}: {error}") from error
    try:
        return kind(**values)
    except DiceReaderError as error:
        raise FormatError(f"expected a valid {kind.__name__}: {error}") from error


@cache
def _fields_of(kind: type) -> tuple[Mapping[str, Any], typing.AbstractSet[str]]:
    """Return the types of a dataclass's fields by name, and the names of the fields without a default."""
    hints = typing.get_type_hints(kind)
    needed = {f.name for f in fields(kind) if f.default is MISSING and f.default_factory is MISSING}
    return {f.name: hints[f.name] for f in fields(kind)}, needed
