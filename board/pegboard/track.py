"""The track of a cribbage board: holes and laps over the places of the wood.

Hole 0 is the start, holes 1 to 120 lie in four streets of 30 in groups of five, the last hole is the game hole. A
track of 241 is the same wood walked twice: hole 121 lies where hole 1 lies.
"""

from dataclasses import dataclass
from typing import NewType

from pegboard.errors import TrackError

Hole = NewType("Hole", int)

LAP = 120
GROUP = 5
START = Hole(0)


@dataclass(frozen=True)
class Spot:
    """A place in the wood: 0 the start, 1 to 120 the lane, 121 the game hole; `lap` counts from 0."""

    number: int
    lap: int


GAME_SPOT = LAP + 1


@dataclass(frozen=True)
class Track:
    """A track of 121 holes, or of 241, which is the same wood walked twice."""

    holes: int = 121

    def __post_init__(self) -> None:
        if self.holes not in (121, 241):
            raise TrackError(f"expected a track of 121 or 241 holes, got {self.holes!r}")

    def hole_at(self, position: int) -> Hole:
        """Where a peg at `position` stands: a position behind the start or past the end stays on the board."""
        return Hole(min(max(position, START), self.holes))

    def spot(self, hole: int) -> Spot:
        """Which place in the wood is this hole, and in which lap."""
        if not 0 <= hole <= self.holes:
            raise TrackError(f"expected a hole from 0 to {self.holes}, got {hole!r}")
        if hole == self.holes:
            return Spot(GAME_SPOT, self.holes // LAP - 1)
        if hole == START:
            return Spot(START, 0)
        lap, before = divmod(hole - 1, LAP)
        return Spot(before + 1, lap)
