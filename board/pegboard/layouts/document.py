"""A layout's TOML document: its tables as pydantic models, and the check of its holes and LEDs.

For each lane the document lists the start hole, the runs of holes (straight rows of evenly spaced LEDs) and the farkle
lights; for the board the game hole that all lanes share, the shelf lights and the status light.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pegboard.layouts.layout import STRIP_MM, Lamp, Lane, Layout, spans
from pegboard.pegs import FARKLE_LIGHTS, SHELF_LIGHTS
from pegboard.track import GROUP, LAP

Hole = Annotated[int, Field(ge=1, le=LAP)]
MOST_LEDS = 10_000
Line = Annotated[str, Field(max_length=200)]
Pair = Annotated[list[float], Field(min_length=2, max_length=2)]


class StrictTable(BaseModel):
    """A TOML table that refuses unknown keys and values of a wrong type."""

    model_config = ConfigDict(strict=True, extra="forbid")


class LedTable(StrictTable):
    """One LED and its place."""

    led: int
    at_mm: Pair

    def lamp(self) -> Lamp:
        """Return the LED with its place."""
        return Lamp(self.led, *self.at_mm)


class RunTable(StrictTable):
    """A straight row of holes: the first and the last one, the first one's LED and place, and the step to the next."""

    holes: Annotated[list[Hole], Field(min_length=2, max_length=2)]
    led: int
    at_mm: Pair
    step_mm: Pair
    gap_leds: Annotated[int, Field(ge=0, le=LAP)] = 0

    def lamps(self) -> Iterator[tuple[int, Lamp]]:
        """Yield each hole and its LED; `gap_leds` LEDs after each group of holes have none."""
        (first, last), (x, y), (step_x, step_y) = self.holes, self.at_mm, self.step_mm
        for number, hole in enumerate(range(first, last + 1)):
            slot = number + number // GROUP * self.gap_leds
            yield hole, Lamp(self.led + slot, round(x + slot * step_x, 3), round(y + slot * step_y, 3))


class LaneTable(StrictTable):
    """A lane: 120 holes, or 60 if it is `walked` twice."""

    start: LedTable
    farkle: Annotated[list[LedTable], Field(min_length=FARKLE_LIGHTS, max_length=FARKLE_LIGHTS)]
    run: list[RunTable]
    walked: Literal[1, 2] = 1

    def holes(self) -> list[tuple[int, Lamp]]:
        """Return each hole of each run and its LED."""
        return [each for run in self.run for each in run.lamps()]

    def lane(self, game: Lamp) -> Lane:
        """Return the lane. `wrong` must be empty; `game` is the game hole's LED."""
        walk, lamps = LAP // self.walked, dict(self.holes())
        holes = (lamps[(hole - 1) % walk + 1] for hole in range(1, LAP + 1))
        return Lane((self.start.lamp(), *holes, game), tuple(led.lamp() for led in self.farkle), walk)

    def wrong(self, where: str) -> list[str]:
        """Return a line for each error in the numbers of the holes."""
        found = Counter(hole for hole, _ in self.holes())
        wanted = set(range(1, LAP // self.walked + 1))
        return _lines(
            {
                f"an LED for each of the holes 1 to {len(wanted)} {where}, got none for": wanted - found.keys(),
                f"the holes 1 to {len(wanted)} {where}, got": found.keys() - wanted,
                f"each hole once {where}, got twice:": {hole for hole, times in found.items() if times > 1},
            }
        )


class Document(StrictTable):
    """A whole file."""

    name: Line = ""
    about: Line = ""
    leds: Annotated[int, Field(ge=1, le=MOST_LEDS)]
    size_mm: Pair
    pitch_mm: Annotated[float, Field(gt=0)]
    strip_mm: Annotated[float, Field(gt=0)] = STRIP_MM
    game: LedTable
    status: LedTable
    shelf: Annotated[list[LedTable], Field(min_length=SHELF_LIGHTS, max_length=SHELF_LIGHTS)]
    lane: Annotated[list[LaneTable], Field(min_length=1)]

    def layout(self, name: str) -> Layout:
        """Return the layout. `wrong` must be empty; `name` is used if the file does not set one."""
        wide, high = self.size_mm
        lanes = tuple(lane.lane(self.game.lamp()) for lane in self.lane)
        shelf, status = tuple(led.lamp() for led in self.shelf), self.status.lamp()
        return Layout(self.name or name, self.leds, (wide, high), self.pitch_mm, lanes, shelf, status, self.strip_mm)

    def wrong(self) -> list[str]:
        """Return a line for each error in the numbers of holes and LEDs, and in their places."""
        lines: list[str] = []
        lamps = [led.lamp() for led in (self.game, self.status, *self.shelf)]
        for number, lane in enumerate(self.lane, 1):
            lines += lane.wrong(f"in lane {number}")
            lamps += [lane.start.lamp(), *(led.lamp() for led in lane.farkle), *(lamp for _, lamp in lane.holes())]
        used = Counter(lamp.led for lamp in lamps)
        wide, high = self.size_mm
        off = {lamp.led for lamp in lamps if not (0 <= lamp.x <= wide and 0 <= lamp.y <= high)}
        return lines + _lines(
            {
                f"LEDs from 0 to {self.leds - 1}, got": {led for led in used if not 0 <= led < self.leds},
                "each LED once, got twice:": {led for led, times in used.items() if times > 1},
                f"every LED on the wood of {wide:g} x {high:g} mm, got outside it:": off,
            }
        )


def _lines(found: Mapping[str, Collection[int]]) -> list[str]:
    """Return a line for each text whose numbers are not empty."""
    return [f"expected {text} {spans(sorted(numbers))}" for text, numbers in found.items() if numbers]


def layout_from(table: Mapping[str, Any], name: str) -> tuple[Layout | None, tuple[str, ...]]:
    """Return the layout of a TOML document, or None, and a line for each of its errors.

    The numbers of holes and LEDs are checked once every table has its keys, with values of their types.
    """
    try:
        document = Document.model_validate(table)
    except ValidationError as error:
        return None, tuple(_line(each) for each in error.errors())
    wrong = document.wrong()
    return (None, tuple(wrong)) if wrong else (document.layout(Path(name).stem), ())


KINDS = {
    "float_type": "a number",
    "greater_than": "a number above {gt:g}",
    "greater_than_equal": "at least {ge}",
    "int_type": "a whole number",
    "less_than_equal": "at most {le}",
    "list_type": "a list",
    "literal_error": "{expected}",
    "model_type": "a table",
    "string_too_long": "at most {max_length} characters",
    "string_type": "a text",
    "too_long": "at most {max_length} values",
    "too_short": "{min_length} or more values",
}
"""The expected value, by the name of pydantic's error; the braces hold values that the error carries."""

TABLES: Mapping[str, type[StrictTable]] = {"layout": Document, "lane": LaneTable, "run": RunTable}
"""The model of a table by its name; any other table is an LED."""


def _line(error: Mapping[str, Any]) -> str:
    """Return a line for an error of pydantic."""
    values = error.get("ctx", {})
    path = [part if isinstance(part, str) else str(part + 1) for part in error["loc"]]
    place = " ".join(path[:-1]) or "the layout"
    if error["type"] == "missing":
        return f"expected the key {path[-1]!r} in {place}, got none"
    if error["type"] == "extra_forbidden":
        keys = TABLES.get(place.rstrip(" 0123456789").split(" ")[-1], LedTable).model_fields
        return f"expected the keys {', '.join(keys)} in {place}, got {path[-1]!r}"
    got = values.get("actual_length", error["input"])
    expected = KINDS[error["type"]].format(**values) if error["type"] in KINDS else "another value"
    return f"expected {expected} in {' '.join(path)}, got {got!r:.80}"
