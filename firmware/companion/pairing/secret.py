"""The secret that the table shows to people in the room, and that a phone must repeat: lit holes or digits."""

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
    """The kinds of secret that the table shows to people in the room."""

    HOLES = "holes"
    DIGITS = "digits"
    NOTHING = "nothing"  # a desk that listens to itself alone: one click pairs


@dataclass(frozen=True)
class LitHoles:
    """Three holes of the track, in ascending order. `repr` hides them, because only the strip may show them."""

    numbers: tuple[int, ...]
    kind = Shows.HOLES

    def __repr__(self) -> str:
        return "LitHoles(...)"

    def fits(self, guess: Iterable[int]) -> bool:
        """Return whether a guess names each hole or a hole next to it, in any order."""
        guessed = sorted(guess)
        return len(guessed) == len(self.numbers) and all(
            abs(one - other) <= NEAR for one, other in zip(guessed, self.numbers, strict=True)
        )


@dataclass(frozen=True)
class ShownDigits:
    """Six digits, for a table without a private LED strip. `repr` hides them."""

    text: str
    kind = Shows.DIGITS

    def __repr__(self) -> str:
        return "ShownDigits(...)"

    def fits(self, guess: str) -> bool:
        """Return whether a guess has these digits; spaces between them do not count."""
        return secrets.compare_digest("".join(guess.split()).encode(), self.text.encode())


Secret = LitHoles | ShownDigits


def draw_holes(holes: int) -> LitHoles:
    """Return three random holes from 1 to `holes`."""
    return LitHoles(tuple(sorted(_random.sample(range(1, holes + 1), HOLES))))


def draw_digits() -> ShownDigits:
    """Return six random digits."""
    return ShownDigits("".join(_random.choices("0123456789", k=DIGITS)))
