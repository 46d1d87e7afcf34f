"""The track of a cribbage board: its holes, its streets, and the places that they have on a board.

Hole 0 is the start, and the last hole is the game hole. The holes between them are in streets of 30, in groups of five.
A board has a place for each hole of one lap; on a longer track pegs walk round again, over the same places.
"""

from dataclasses import dataclass
from typing import NewType

from pegboard.errors import TrackError

Hole = NewType("Hole", int)

GROUP = 5
STREET = 30
HOLES = 121
"""The number of holes of the usual track: four streets and the game hole."""

FEWEST_HOLES, MOST_HOLES = 11, 1001
"""The shortest and the longest track."""

SKUNK, DOUBLE_SKUNK, SKUNK_TRACK = 91, 61, 121
"""In a game of 121 holes a loser before hole 91 is skunked, and before hole 61 double skunked (American Cribbage
Congress)."""


@dataclass(frozen=True)
class Track:
    """A track of so many holes, the game hole included."""

    holes: int = HOLES

    def __post_init__(self) -> None:
        if type(self.holes) is not int or not FEWEST_HOLES <= self.holes <= MOST_HOLES:
            raise TrackError(f"expected a track of {FEWEST_HOLES} to {MOST_HOLES} holes, got {self.holes!r}")


def walks(track: int, lap: int) -> int:
    """Return how often a peg walks round a board.

    Args:
        track: the number of holes of the track.
        lap: the number of holes of one lap, without the game hole.
    """
    return -(-(track - 1) // lap)


def spot_of(hole: int, track: int, lap: int) -> int:
    """Return the index of a hole in a lane's places: 0 is the start, `lap + 1` the game hole.

    Args:
        hole: a hole from 0 to `track`.
        track: the number of holes of the track.
        lap: the number of holes of one lap, without the game hole.
    """
    if hole >= track:
        return lap + 1
    return 0 if hole <= 0 else (hole - 1) % lap + 1


def skunk_holes(finish: int) -> tuple[int, int]:
    """Return the first holes in which a loser is not skunked, and not double skunked.

    They are 91/121 and 61/121 of the way to the finish, rounded up: 91 and 61 of 121 holes, 182 and 122 of 241, 46 and
    31 of 61.

    Args:
        finish: the hole in which the game ends.
    """
    return -(-SKUNK * finish // SKUNK_TRACK), -(-DOUBLE_SKUNK * finish // SKUNK_TRACK)
