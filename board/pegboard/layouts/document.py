"""A layout's TOML document: its tables as pydantic models, and the check of its holes and LEDs.

For each lane the document lists the start hole, the runs of holes (straight rows or arcs of evenly spaced LEDs) and the
farkle lights; for the board the game hole that all lanes share, the shelf lights and the status light. The texts below
the keys are the reference in docs/extending.md.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from pegboard.layouts.layout import STRIP_MM, Arc, Lamp, Lane, Layout, spans
from pegboard.pegs import FARKLE_LIGHTS, SHELF_LIGHTS
from pegboard.track import FEWEST_HOLES, GROUP, HOLES, MOST_HOLES

Hole = Annotated[int, Field(ge=1, le=MOST_HOLES - 1)]
MOST_LEDS = 10_000
MOST_MM = 10_000
Line = Annotated[str, Field(max_length=200, pattern=r"^\P{Cc}*$")]
"""A text that a drawing may hold: no control characters, which SVG does not allow."""

Length = Annotated[float, Field(ge=1, le=MOST_MM)]
Pair = Annotated[list[float], Field(min_length=2, max_length=2)]
Degrees = Annotated[float, Field(ge=-360, le=360)]


class StrictTable(BaseModel):
    """A TOML table that refuses unknown keys and values of a wrong type."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)


class LedTable(StrictTable):
    """One LED and its place."""

    led: int
    """The LED's number in the chain, from 0."""
    at_mm: Pair
    """The LED's place `[x, y]`: millimetres from the board's left and upper edge."""

    def lamp(self) -> Lamp:
        """Return the LED with its place."""
        return Lamp(self.led, *self.at_mm)


class ArcTable(StrictTable):
    """The circle of a run, and the angles of its LEDs."""

    middle_mm: Pair
    """The middle of the circle."""
    radius_mm: Annotated[float, Field(gt=0)]
    """The distance from the middle to each LED."""
    step_deg: Degrees
    """The angle from each LED to the next one; negative anticlockwise."""
    first_deg: Degrees = 0.0
    """The angle of the run's first LED: 0 is up, 90 is right."""

    def at(self, slot: int) -> tuple[float, float]:
        """Return the place of an LED, `slot` LEDs after the first."""
        angle = math.radians(self.first_deg + slot * self.step_deg)
        x, y = self.middle_mm
        return x + self.radius_mm * math.sin(angle), y - self.radius_mm * math.cos(angle)


class RunTable(StrictTable):
    """A row of holes whose LEDs follow each other in the chain: straight with `at_mm` and `step_mm`, or an `arc`."""

    holes: Annotated[list[Hole], Field(min_length=2, max_length=2)]
    """The run's first and last hole, such as `[1, 30]`."""
    led: int
    """The number of the first hole's LED; each further hole has the next LED of the chain."""
    at_mm: Pair | None = None
    """The place of the first hole in a straight run."""
    step_mm: Pair | None = None
    """The way from each LED to the next one in a straight run: `[6.944, 0.0]` goes to the right."""
    arc: ArcTable | None = None
    """The circle of a bent run, in place of `at_mm` and `step_mm`."""
    gap_leds: Annotated[int, Field(ge=0, le=MOST_HOLES)] = 0
    """The number of LEDs that stay dark after every five holes, so that the fives show."""

    @model_validator(mode="after")
    def check_shape(self) -> Self:
        """Check that the run is either straight or an arc.

        Raises:
            ValueError: if it has the keys of both, or of neither.
        """
        shape = [key for key in ("at_mm", "step_mm", "arc") if getattr(self, key) is not None]
        if shape not in (["at_mm", "step_mm"], ["arc"]):
            raise ValueError(" and ".join(shape) or "none of them")
        return self

    def lamps(self) -> Iterator[tuple[int, Lamp]]:
        """Yield each hole and its LED; `gap_leds` LEDs after each group of holes have none."""
        first, last = self.holes
        for number, hole in enumerate(range(first, last + 1)):
            slot = number + number // GROUP * self.gap_leds
            if self.arc:
                x, y = self.arc.at(slot)
            else:  # `check_shape` has found both
                x, y = (at + slot * step for at, step in zip(self.at_mm or (), self.step_mm or (), strict=True))
            yield hole, Lamp(self.led + slot, round(x, 3), round(y, 3))

    def bent(self) -> Iterator[Arc]:
        """Yield the run as an arc, unless it is straight."""
        leds = [lamp.led for _, lamp in self.lamps()]
        if self.arc and leds:
            x, y = self.arc.middle_mm
            yield Arc(leds[0], leds[-1], (x, y), self.arc.radius_mm)


class LaneTable(StrictTable):
    """A lane: the places of the pegs of one side."""

    start: LedTable
    """The start hole, in which the pegs stand before the game."""
    farkle: Annotated[list[LedTable], Field(min_length=FARKLE_LIGHTS, max_length=FARKLE_LIGHTS)]
    """The two lights that count farkles in a row, the first one first."""
    run: list[RunTable]
    """The runs; together they have each hole once."""
    walked: Literal[1, 2] = 1
    """2 if pegs walk the lane's holes twice for one lap, so that it has half as many holes."""

    def holes(self) -> list[tuple[int, Lamp]]:
        """Return each hole of each run and its LED."""
        return [each for run in self.run for each in run.lamps()]

    def lane(self, game: Lamp, lap: int) -> Lane:
        """Return the lane. `wrong` must be empty; `game` is the game hole's LED, `lap` the number of other holes."""
        walk, lamps = lap // self.walked, dict(self.holes())
        holes = (lamps[(hole - 1) % walk + 1] for hole in range(1, lap + 1))
        return Lane((self.start.lamp(), *holes, game), tuple(led.lamp() for led in self.farkle), walk)

    def wrong(self, where: str, lap: int) -> list[str]:
        """Return a line for each error in the numbers of the holes."""
        if lap % self.walked:
            return [f"expected an even number of holes before the game hole {where}, which is walked twice, got {lap}"]
        found = Counter(hole for hole, _ in self.holes())
        wanted = set(range(1, lap // self.walked + 1))
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
    """The board's name; without it the name of the file."""
    about: Line = ""
    """A line about the board, for people who read the file."""
    track: Annotated[int, Field(ge=FEWEST_HOLES, le=MOST_HOLES)] = HOLES
    """The number of holes of one lap, the game hole included."""
    leds: Annotated[int, Field(ge=1, le=MOST_LEDS)]
    """The number of LEDs in the chain, those that stay dark included."""
    size_mm: Annotated[list[Length], Field(min_length=2, max_length=2)]
    """The board's width and depth `[x, y]`."""
    pitch_mm: Length
    """The distance between the strip's LEDs: 6.944 for 144 LEDs a metre."""
    strip_mm: Length = STRIP_MM
    """The width of the strip; the grooves are cut to it."""
    game: LedTable
    """The game hole, which all lanes share."""
    status: LedTable
    """The status light."""
    shelf: Annotated[list[LedTable], Field(min_length=SHELF_LIGHTS, max_length=SHELF_LIGHTS)]
    """The six lights of the shelf, from the left."""
    lane: Annotated[list[LaneTable], Field(min_length=1)]
    """The lanes, the first player's first; if more play, they share lanes."""

    def layout(self, name: str) -> Layout:
        """Return the layout. `wrong` must be empty; `name` is used if the file does not set one."""
        wide, high = self.size_mm
        return Layout(
            name=self.name or name,
            leds=self.leds,
            size_mm=(wide, high),
            pitch_mm=self.pitch_mm,
            lanes=tuple(lane.lane(self.game.lamp(), self.track - 1) for lane in self.lane),
            shelf=tuple(led.lamp() for led in self.shelf),
            status=self.status.lamp(),
            strip_mm=self.strip_mm,
            arcs=tuple(arc for lane in self.lane for run in lane.run for arc in run.bent()),
        )

    def wrong(self) -> list[str]:
        """Return a line for each error in the numbers of holes and LEDs, and in their places."""
        lines: list[str] = []
        lamps = [led.lamp() for led in (self.game, self.status, *self.shelf)]
        for number, lane in enumerate(self.lane, 1):
            lines += lane.wrong(f"in lane {number}", self.track - 1)
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
    "finite_number": "a number",
    "float_type": "a number",
    "greater_than": "a number above {gt:g}",
    "greater_than_equal": "at least {ge:g}",
    "int_type": "a whole number",
    "less_than_equal": "at most {le:g}",
    "list_type": "a list",
    "literal_error": "{expected}",
    "model_type": "a table",
    "string_pattern_mismatch": "a text without control characters",
    "string_too_long": "at most {max_length} characters",
    "string_type": "a text",
    "too_long": "at most {max_length} values",
    "too_short": "{min_length} or more values",
}
"""The expected value, by the name of pydantic's error; the braces hold values that the error carries."""

TABLES: Mapping[str, type[StrictTable]] = {"layout": Document, "lane": LaneTable, "run": RunTable, "arc": ArcTable}
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
    if error["type"] == "value_error":
        return f"expected at_mm and step_mm, or arc in {' '.join(path)}, got {values['error']}"
    got = values.get("actual_length", error["input"])
    expected = KINDS[error["type"]].format(**values) if error["type"] in KINDS else "another value"
    return f"expected {expected} in {' '.join(path)}, got {got!r:.80}"
