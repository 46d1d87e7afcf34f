"""What the table shows to whoever stands before it, and a phone must answer: three lit holes, or six digits."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

HOLES = 3
NEAR = 1
"""How far a guessed hole may lie beside the lit one. Holes are counted by eye, in groups of five."""

FEWEST_HOLES = 60
"""The fewest holes that hide a secret: of 60 holes there are 34,220 triples, and 27 at most fit a guess."""

DIGITS = 6

_random = secrets.SystemRandom()


class Shows(StrEnum):
    """What the table shows to whoever stands before it, and a phone must answer."""

    HOLES = "holes"
    DIGITS = "digits"
    NOTHING = "nothing"  # a desk that listens to itself alone: one click pairs


@dataclass(frozen=True)
class LitHoles:
    """Three holes of the track, in ascending order. They go to the strip alone, so a representation shows none."""

    numbers: tuple[int, ...]
    kind = Shows.HOLES

    def __repr__(self) -> str:
        return "LitHoles(...)"

    def fits(self, guess: Iterable[int]) -> bool:
        """Return whether a guess names these holes, each of them or one beside it, in any order."""
        guessed = sorted(guess)
        return len(guessed) == len(self.numbers) and all(
            abs(one - other) <= NEAR for one, other in zip(guessed, self.numbers, strict=True)
        )


@dataclass(frozen=True)
class ShownDigits:
    """Six digits, for a table whose strip cannot show holes to the room alone."""

    text: str
    kind = Shows.DIGITS

    def __repr__(self) -> str:
        return "ShownDigits(...)"

    def fits(self, guess: str) -> bool:
        """Return whether a guess has these digits; spaces between them do not count."""
        return secrets.compare_digest("".join(guess.split()).encode(), self.text.encode())


Secret = LitHoles | ShownDigits


def draw_holes(holes: int) -> LitHoles:
    """Return three by chance of the holes from 1 to `holes`."""
    return LitHoles(tuple(sorted(_random.sample(range(1, holes + 1), HOLES))))


def draw_digits() -> ShownDigits:
    """Return six digits by chance."""
    return ShownDigits("".join(_random.choices("0123456789", k=DIGITS)))
