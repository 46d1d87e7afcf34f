"""A board as built: its LEDs with their places, its lanes, and the checks of both.

Places are in millimetres, x to the right and y down, from the board's top left corner as the players see it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pegboard.errors import LayoutError
from pegboard.pegs import FARKLE_LIGHTS, SHELF_LIGHTS
from pegboard.track import GAME_SPOT, LAP

WALKS = (LAP, LAP // 2)
"""The numbers of holes that a lane may have: 120, or 60 that are walked twice."""


@dataclass(frozen=True)
class Lamp:
    """One LED of the chain and its place in millimetres."""

    led: int
    x: float
    y: float


@dataclass(frozen=True)
class Lane:
    """One row of holes and its farkle lights.

    `spots` are 122 places: the start, the holes 1 to 120, and the game hole. `walk` is the number of holes before the
    LEDs repeat: 120, or 60, where hole 61 is hole 1's LED.
    """

    spots: tuple[Lamp, ...]
    farkles: tuple[Lamp, ...]
    walk: int = LAP

    def __post_init__(self) -> None:
        if len(self.spots) != GAME_SPOT + 1:
            raise LayoutError(f"expected {GAME_SPOT + 1} places in a lane, got {len(self.spots)!r}")
        if len(self.farkles) != FARKLE_LIGHTS:
            raise LayoutError(f"expected {FARKLE_LIGHTS} farkle lights in a lane, got {len(self.farkles)!r}")
        if self.walk not in WALKS:
            raise LayoutError(f"expected a lane of 120 holes or of 60 walked twice, got {self.walk!r}")
        if any(self.spots[hole] != self.spots[hole + self.walk] for hole in range(1, LAP + 1 - self.walk)):
            raise LayoutError(f"expected a lane of {self.walk} holes to come back to the same LEDs, got others")

    def lamps(self) -> Iterator[Lamp]:
        """Yield each LED of the lane once: the start, the holes, the farkle lights. The game hole is the board's."""
        yield from self.spots[: self.walk + 1]
        yield from self.farkles


@dataclass(frozen=True)
class Layout:
    """A whole board. `leds` is the length of the chain, with the sacrificial first LED."""

    name: str
    leds: int
    size_mm: tuple[float, float]
    pitch_mm: float
    lanes: tuple[Lane, ...]
    shelf: tuple[Lamp, ...]
    status: Lamp

    def __post_init__(self) -> None:
        if not self.lanes:
            raise LayoutError(f"expected one lane or more in layout {self.name!r}, got none")
        if len(self.shelf) != SHELF_LIGHTS:
            raise LayoutError(f"expected {SHELF_LIGHTS} shelf lights, got {len(self.shelf)!r}")
        if not self.pitch_mm > 0:
            raise LayoutError(f"expected a pitch above 0 mm in layout {self.name!r}, got {self.pitch_mm!r}")
        wrong = misplaced(self.lamps(), self.leds, self.size_mm)
        if wrong:
            raise LayoutError(f"layout {self.name!r}: {'; '.join(wrong)}")

    def lamps(self) -> tuple[Lamp, ...]:
        """Return each LED that has a place once; the game hole, which all lanes share, is the first."""
        own = (lamp for lane in self.lanes for lamp in lane.lamps())
        return (self.lanes[0].spots[GAME_SPOT], *own, *self.shelf, self.status)

    def unused(self) -> tuple[int, ...]:
        """Return the LEDs without a place, which stay dark: the sacrificial first one, and those in the gaps."""
        return tuple(sorted(set(range(self.leds)) - {lamp.led for lamp in self.lamps()}))

    def lane_of(self, side: int) -> Lane:
        """Return the lane of a side; if there are more sides than lanes, sides share lanes."""
        return self.lanes[side % len(self.lanes)]


def misplaced(lamps: Sequence[Lamp], leds: int, size_mm: tuple[float, float]) -> list[str]:
    """Return the errors in these places, a line each, on a chain of `leds` LEDs and a board of this size."""
    found: list[str] = []
    beyond = sorted({lamp.led for lamp in lamps if not 0 <= lamp.led < leds})
    if beyond:
        found.append(f"expected LEDs from 0 to {leds - 1}, got {spans(beyond)}")
    used = Counter(lamp.led for lamp in lamps)
    twice = sorted(led for led, times in used.items() if times > 1)
    if twice:
        found.append(f"expected each LED once, got twice: {spans(twice)}")
    wide, high = size_mm
    off = sorted({lamp.led for lamp in lamps if not (0 <= lamp.x <= wide and 0 <= lamp.y <= high)})
    if off:
        found.append(f"expected every LED on the wood of {wide:g} x {high:g} mm, got beside it: {spans(off)}")
    return found


def spans(numbers: Sequence[int]) -> str:
    """Return ascending numbers as text, such as `3, 7 to 9`."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][-1] + 1:
            found[-1][1:] = [number]
        else:
            found.append([number])
    return ", ".join(" to ".join(map(str, span)) for span in found)
