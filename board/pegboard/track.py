"""The track of a cribbage board: its holes, streets and laps.

Hole 0 is the start, holes 1 to 120 are in four streets of 30 in groups of five, and the last hole is the game hole. A
track of 241 holes is the same board walked twice: hole 121 is at the place of hole 1.
"""

from dataclasses import dataclass
from typing import NewType

from pegboard.errors import TrackError

Hole = NewType("Hole", int)

LAP = 120
GROUP = 5
GAME_SPOT = LAP + 1
"""The index of the game hole, the last of a lane's places, after the start and the holes 1 to 120."""


SKUNK, DOUBLE_SKUNK, SKUNK_TRACK = 91, 61, 121
"""In a game of 121 holes a loser before hole 91 is skunked, and before hole 61 double skunked (American Cribbage
Congress)."""


@dataclass(frozen=True)
class Track:
    """A track of 121 holes, or of 241 on the same board walked twice."""

    holes: int = 121

    def __post_init__(self) -> None:
        if self.holes not in (121, 241):
            raise TrackError(f"expected a track of 121 or 241 holes, got {self.holes!r}")


def spot_of(hole: int, track: int) -> int:
    """Return the index of a hole in a lane's places; on a track of 241 each place is walked twice.

    Args:
        hole: a hole from 0 to `track`.
        track: the number of holes of the track.
    """
    if hole >= track:
        return GAME_SPOT
    return 0 if hole <= 0 else (hole - 1) % LAP + 1


def skunk_holes(finish: int) -> tuple[int, int]:
    """Return the first holes in which a loser is not skunked, and not double skunked.

    They are 91/121 and 61/121 of the way to the finish, rounded up: 91 and 61 of 121 holes, 182 and 122 of 241.

    Args:
        finish: the hole in which the game ends.
    """
    return -(-SKUNK * finish // SKUNK_TRACK), -(-DOUBLE_SKUNK * finish // SKUNK_TRACK)
