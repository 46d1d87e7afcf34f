"""What the coach of a table may do unasked: its parts, which the whole table switches on."""

from collections.abc import Iterable
from enum import StrEnum


class CoachPart(StrEnum):
    """One thing that the coach does for the whole table."""

    ASK = "ask"  # answers when BANK is held
    ODDS = "odds"  # a quiet line on the pages
    LAMPS = "lamps"  # the better of BANK and ROLL breathes
    AFTER = "after"  # says after a turn what was given away


def parts_named(names: Iterable[str]) -> tuple[CoachPart, ...]:
    """Return the parts of these names, each once, in the order of `CoachPart`; an unknown name raises `ValueError`."""
    wanted = set(map(CoachPart, names))
    return tuple(part for part in CoachPart if part in wanted)
