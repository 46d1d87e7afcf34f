"""The table of combinations: every group of dice that scores together, with its name and its points."""

from collections.abc import Mapping
from dataclasses import dataclass

from farkle.errors import RuleSetError
from farkle.rules.dice import Faces


@dataclass(frozen=True)
class Combination:
    """Dice that score together: all or nothing, and all of the same throw. `dice` are in ascending order."""

    name: str
    dice: Faces
    points: int

    def __post_init__(self) -> None:
        if not self.dice or self.dice != tuple(sorted(self.dice)):
            raise RuleSetError(f"expected dice in ascending order in {self.name!r}, got {self.dice!r}")
        if self.points < 0:
            raise RuleSetError(f"expected points of 0 or more for {self.name!r}, got {self.points!r}")


KINDS: Mapping[str, int] = {
    "single": 1,
    "three_of_a_kind": 3,
}
"""The kinds of combination a rule set's file may list a face for, and how many equal dice each takes."""


def spoken_kind(kind: str) -> str:
    """A kind's name as players say it: `three of a kind`."""
    return kind.replace("_", " ")


def of_equal_dice(kind: str, points: Mapping[int, int]) -> tuple[Combination, ...]:
    """The combinations of one kind, one for each face that has points."""
    size = KINDS[kind]
    return tuple(Combination(spoken_kind(kind), (face,) * size, points[face]) for face in sorted(points))
