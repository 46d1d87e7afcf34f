"""What a rule in plain words is made of: a sentence or two, its section, and the switches it tells."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from companion.web.rules.words import number
from farkle.rules.ruleset import RuleSet


class Section(StrEnum):
    """The sections of a rule card, in their order."""

    SCORING = "What scores"
    TURN = "A turn"
    FARKLES = "Farkles"
    EXTRAS = "Besides"
    END = "How it ends"


@dataclass(frozen=True)
class Told:
    """One rule in plain words. `switches` are those it tells, `name` what players call it, empty where it has none."""

    section: Section
    text: str
    switches: tuple[str, ...] = ()
    name: str = ""


Teller = Callable[[RuleSet], Told | None]
"""Tells one rule of a rule set as its switches are played, or None where it is off."""


def points(amount: int) -> str:
    """An amount with its unit."""
    return f"{number(amount)} {'point' if amount == 1 else 'points'}"


def to_end(rules: RuleSet) -> bool:
    """Whether the game goes to the end of whichever track it is played on."""
    return rules.to_track_end and rules.switches.target == rules.sheet.target
