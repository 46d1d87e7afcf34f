"""Which LED is which hole, and where it is on the wood: layouts read from TOML.

A layout file gives, for each lane, the start hole, the runs of holes (straight rows of evenly spaced LEDs) and the
farkle lights; for the board the game hole that all lanes share, the shelf lights and the status light. Millimetres,
x to the right and y down, from the board's top left corner as the players see it.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from pegboard.errors import LayoutError
from pegboard.pegs import FARKLE_LIGHTS, SHELF_LIGHTS
from pegboard.track import GAME_SPOT, GROUP, LAP

DEFAULT = "long-board-4"


@dataclass(frozen=True)
class Lamp:
    """One LED and its place in millimetres."""

    led: int
    x: float
    y: float


@dataclass(frozen=True)
class Lane:
    """One row of holes: `spots[0]` the start, 1 to 120 the holes, 121 the game hole; and its farkle lights."""

    spots: tuple[Lamp, ...]
    farkles: tuple[Lamp, ...]

    def __post_init__(self) -> None:
        if len(self.spots) != GAME_SPOT + 1:
            raise LayoutError(f"expected {GAME_SPOT + 1} places in a lane, got {len(self.spots)!r}")
        if len(self.farkles) != FARKLE_LIGHTS:
            raise LayoutError(f"expected {FARKLE_LIGHTS} farkle lights in a lane, got {len(self.farkles)!r}")


@dataclass(frozen=True)
class Layout:
    """A whole board. `leds` is the length of the chain, the sacrificial first pixel included."""

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
        for lamp in self.lamps():
            if not 0 <= lamp.led < self.leds:
                raise LayoutError(f"expected LEDs from 0 to {self.leds - 1} in layout {self.name!r}, got {lamp.led!r}")
        used = Counter(lamp.led for lamp in self.lamps())
        twice = sorted(led for led, times in used.items() if times > 1)
        if twice:
            raise LayoutError(f"expected each LED of layout {self.name!r} once, got twice: {twice!r}")

    def lamps(self) -> Iterator[Lamp]:
        """Each place of the board once; the game hole, which all lanes share, comes once too."""
        yield self.lanes[0].spots[GAME_SPOT]
        for lane in self.lanes:
            yield from lane.spots[:GAME_SPOT]
            yield from lane.farkles
        yield from self.shelf
        yield self.status

    def lane_of(self, side: int) -> Lane:
        """The lane of a side; where there are more sides than lanes, they share."""
        return self.lanes[side % len(self.lanes)]


def layout_names() -> tuple[str, ...]:
    """The layouts that come with the package."""
    folder = files("pegboard").joinpath("layouts")
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")))


def load_layout(name: str = DEFAULT) -> Layout:
    """The layout of that name, or the one in that file where the name ends in `.toml`.

    Raises LayoutError for an unknown name (with the known ones), a file that cannot be read, or a board that cannot be.
    """
    if name.endswith(".toml"):
        try:
            text = Path(name).read_text(encoding="utf-8")
        except OSError as error:
            raise LayoutError(f"expected a layout file at {name!r}, got: {error.strerror}") from error
    elif name in layout_names():
        text = files("pegboard").joinpath("layouts", f"{name}.toml").read_text(encoding="utf-8")
    else:
        raise LayoutError(f"expected a .toml file or one of the layouts {', '.join(layout_names())}; got {name!r}")
    return parse_layout(text, name)


def parse_layout(text: str, name: str) -> Layout:
    """The layout written in `text`; `name` is what errors call it."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LayoutError(f"expected TOML in layout {name!r}, got: {error}") from error
    try:
        width, height = (float(side) for side in table["size_mm"])
        game = _lamp(table["game"])
        return Layout(
            name=str(table["name"]),
            leds=int(table["leds"]),
            size_mm=(width, height),
            pitch_mm=float(table["pitch_mm"]),
            lanes=tuple(_lane(lane, game) for lane in table["lane"]),
            shelf=tuple(_lamp(lamp) for lamp in table["shelf"]),
            status=_lamp(table["status"]),
        )
    except KeyError as error:
        raise LayoutError(f"expected the key {error.args[0]!r} in layout {name!r}, got none") from error
    except (TypeError, AttributeError) as error:
        raise LayoutError(f"expected numbers and tables as in the shipped layouts in {name!r}, got: {error}") from error


def _lamp(table: Mapping[str, Any]) -> Lamp:
    x, y = (float(value) for value in table["at_mm"])
    return Lamp(int(table["led"]), x, y)


def _lane(table: Mapping[str, Any], game: Lamp) -> Lane:
    holes = {0: _lamp(table["start"]), GAME_SPOT: game}
    for run in table["run"]:
        for hole, lamp in _run(run):
            if hole in holes:
                raise LayoutError(f"expected each hole once in a lane, got hole {hole!r} twice")
            holes[hole] = lamp
    missing = [hole for hole in range(GAME_SPOT + 1) if hole not in holes]
    if missing:
        raise LayoutError(f"expected the holes 1 to {LAP} in a lane, got none for {missing!r}")
    if len(holes) > GAME_SPOT + 1:
        raise LayoutError(f"expected the holes 1 to {LAP} in a lane, got hole {max(holes)!r}")
    return Lane(tuple(holes[hole] for hole in range(GAME_SPOT + 1)), tuple(_lamp(lamp) for lamp in table["farkle"]))


def _run(table: Mapping[str, Any]) -> Iterator[tuple[int, Lamp]]:
    first, last = (int(hole) for hole in table["holes"])
    led = int(table["led"])
    x, y = (float(value) for value in table["at_mm"])
    step_x, step_y = (float(value) for value in table["step_mm"])
    gap = int(table.get("gap_leds", 0))
    for number, hole in enumerate(range(first, last + 1)):
        slot = number + number // GROUP * gap
        yield hole, Lamp(led + slot, round(x + slot * step_x, 3), round(y + slot * step_y, 3))
