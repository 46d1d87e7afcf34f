"""What the table shows to whoever stands before it, and a phone must answer: three lit holes, or six digits."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass

HOLES = 3
NEAR = 1
"""How far a guessed hole may lie beside the lit one. Holes are counted by eye, in groups of five."""

LEAST_TRACK = 61
"""The shortest track whose holes are a secret: of its 60 holes there are 34,220 triples, and 27 at most fit a guess."""

DIGITS = 6

_random = secrets.SystemRandom()


@dataclass(frozen=True)
class LitHoles:
    """Three holes of the track, in ascending order. They go to the strip alone, so a representation shows none."""

    numbers: tuple[int, ...]

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

    def __repr__(self) -> str:
        return "ShownDigits(...)"

    def fits(self, guess: str) -> bool:
        """Return whether a guess has these digits; spaces between them do not count."""
        return secrets.compare_digest("".join(guess.split()).encode(), self.text.encode())


Secret = LitHoles | ShownDigits


def draw_holes(track: int) -> LitHoles:
    """Return three holes by chance of a track with so many holes, its game hole left out."""
    return LitHoles(tuple(sorted(_random.sample(range(1, track), HOLES))))


def draw_digits() -> ShownDigits:
    """Return six digits by chance."""
    return ShownDigits("".join(_random.choices("0123456789", k=DIGITS)))
