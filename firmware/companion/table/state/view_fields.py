"""Fields of the view: each says beside its name, its type and its line of explanation how it is made."""

from collections.abc import Callable
from dataclasses import field, fields
from typing import Any, TypeVar

from companion.table.state.state import TableState

T = TypeVar("T")


def shows(make: Callable[[TableState], T]) -> T:
    """Return a field of the view that a function makes from the state of the table."""
    return shows_from(make, of_state=True)


def shows_from(make: Callable[[Any], T], *, of_state: bool = False) -> T:
    """Return a field of the view that a function makes from what is derived from the state, or from the state alone."""
    made: T = field(metadata={"make": make, "of_state": of_state})
    return made


def makers_of(part: type) -> tuple[tuple[str, Callable[[Any], object], bool], ...]:
    """Return the name of each field of a part of the view, what makes it, and whether that takes the state alone."""
    return tuple((each.name, each.metadata["make"], each.metadata["of_state"]) for each in fields(part))
