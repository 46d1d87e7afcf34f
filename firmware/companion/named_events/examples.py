"""Examples of the named events, for the documentation and `farklecrib selftest hooks`."""

from functools import cache
from pathlib import Path

from pydantic import TypeAdapter

from companion.named_events.kinds import AnyEvent


@cache
def examples() -> tuple[AnyEvent, ...]:
    """Return one event of each kind, in the order of `KINDS`."""
    read: TypeAdapter[tuple[AnyEvent, ...]] = TypeAdapter(tuple[AnyEvent, ...])
    return read.validate_json(Path(__file__).with_suffix(".json").read_bytes())
