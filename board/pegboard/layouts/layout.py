"""A board as built: its LEDs with their places, and its lanes.

Places are in millimetres, x to the right and y down, from the board's top left corner as the players see it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pegboard.track import MOST_HOLES

STRIP_MM = 10.0
"""The width in millimetres of a WS2812B strip with 144 LEDs a metre (BTF-LIGHTING's drawing, read in November 2026)."""


@dataclass(frozen=True)
class Lamp:
    """One LED of the chain and its place in millimetres."""

    led: int
    x: float
    y: float


@dataclass(frozen=True)
class Lane:
    """One row of holes and its farkle lights.

    `spots` are the places of one lap: the start, the holes (120 on the usual track), and the game hole. `walk` is the
    number of holes before the LEDs repeat: all of them, or half, where hole 61 is hole 1's LED.
    """

    spots: tuple[Lamp, ...]
    farkles: tuple[Lamp, ...]
    walk: int

    @property
    def lap(self) -> int:
        """The number of holes of one lap, without the game hole."""
        return len(self.spots) - 2

    def lamps(self) -> Iterator[Lamp]:
        """Yield each LED of the lane once: the start, the holes, the farkle lights. The game hole is the board's."""
        yield from self.spots[: self.walk + 1]
        yield from self.farkles


@dataclass(frozen=True)
class Arc:
    """A row of LEDs on a circle: its first and last LED, and the circle's middle and radius in millimetres."""

    first: int
    last: int
    middle: tuple[float, float]
    radius: float


@dataclass(frozen=True)
class Layout:
    """A whole board.

    `leds` is the length of the chain, with the sacrificial first LED; `strip_mm` is the width of its strip. `arcs` are
    the rows that are not straight.
    """

    name: str
    leds: int
    size_mm: tuple[float, float]
    pitch_mm: float
    lanes: tuple[Lane, ...]
    shelf: tuple[Lamp, ...]
    status: Lamp
    strip_mm: float = STRIP_MM
    arcs: tuple[Arc, ...] = ()

    @property
    def lap(self) -> int:
        """The number of holes of one lap, without the game hole."""
        return self.lanes[0].lap

    @property
    def countable(self) -> int:
        """The number of holes that a person can count in every lane."""
        return min(lane.walk for lane in self.lanes)

    @property
    def tracks(self) -> tuple[int, ...]:
        """The tracks that can be played on this board: once over its holes, one lap, and two laps."""
        once = max(lane.walk for lane in self.lanes)
        return tuple(sorted(holes + 1 for holes in {once, self.lap, 2 * self.lap} if holes < MOST_HOLES))

    def lamps(self) -> tuple[Lamp, ...]:
        """Return each LED that has a place once; the game hole, which all lanes share, is the first."""
        own = (lamp for lane in self.lanes for lamp in lane.lamps())
        return (self.lanes[0].spots[-1], *own, *self.shelf, self.status)

    def unused(self) -> tuple[int, ...]:
        """Return the LEDs without a place, which stay dark: the sacrificial first one, and those in the gaps."""
        return tuple(sorted(set(range(self.leds)) - {lamp.led for lamp in self.lamps()}))

    def lane_of(self, side: int) -> Lane:
        """Return the lane of a side; if there are more sides than lanes, sides share lanes."""
        return self.lanes[side % len(self.lanes)]


def spans(numbers: Sequence[int]) -> str:
    """Return ascending numbers as text, such as `3, 7 to 9`."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][-1] + 1:
            found[-1][1:] = [number]
        else:
            found.append([number])
    return ", ".join(" to ".join(map(str, span)) for span in found)
