"""Layouts read from TOML: which LED is which hole, and where it is on the wood.

A layout file gives, for each lane, the start hole, the runs of holes (straight rows of evenly spaced LEDs) and the
farkle lights; for the board the game hole that all lanes share, the shelf lights and the status light. Everything that
is wrong with a file is told at once.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from pegboard.errors import LayoutError
from pegboard.pegs import FARKLE_LIGHTS, SHELF_LIGHTS
from pegboard.track import GAME_SPOT, GROUP, LAP
from pegboard.wood import Lamp, Lane, Layout, misplaced, spans

__all__ = ["DEFAULT", "Lamp", "Lane", "Layout", "layout_names", "load_layout", "parse_layout", "read_layout"]

DEFAULT = "long-board-4"

BOARD_KEYS = ("name", "about", "leds", "size_mm", "pitch_mm", "game", "status", "shelf", "lane")
LANE_KEYS = ("start", "farkle", "run", "walked")
RUN_KEYS = ("holes", "led", "at_mm", "step_mm", "gap_leds")
LAMP_KEYS = ("led", "at_mm")
NOWHERE = Lamp(-1, 0.0, 0.0)

Table = Mapping[str, Any]


def layout_names() -> tuple[str, ...]:
    """The layouts that come with the package."""
    folder = files("pegboard").joinpath("layouts")
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")))


def load_layout(name: str = DEFAULT) -> Layout:
    """The layout of that name, or the one in that file where the name ends in `.toml`.

    Raises LayoutError for an unknown name (with the known ones), a file that cannot be read, or a board that cannot be.
    """
    return parse_layout(layout_text(name), name)


def layout_text(name: str) -> str:
    """The TOML of the layout of that name, or of that file."""
    if name.endswith(".toml"):
        try:
            return Path(name).read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise LayoutError(f"expected TOML in layout {name!r}, got: {error}") from error
        except OSError as error:
            raise LayoutError(f"expected a layout file at {name!r}, got: {error.strerror}") from error
    if name in layout_names():
        return files("pegboard").joinpath("layouts", f"{name}.toml").read_text(encoding="utf-8")
    raise LayoutError(f"expected a .toml file or one of the layouts {', '.join(layout_names())}; got {name!r}")


def parse_layout(text: str, name: str) -> Layout:
    """The layout written in `text`; `name` is what errors call it. Raises LayoutError with all that is wrong."""
    layout, wrong = read_layout(text, name)
    if layout is None:
        raise LayoutError(f"layout {name!r}: {'; '.join(wrong)}")
    return layout


def read_layout(text: str, name: str) -> tuple[Layout | None, tuple[str, ...]]:
    """The layout written in `text`, or None and a line for each thing that is wrong with it."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return None, (f"expected TOML, got: {error}",)
    return layout_from(table, name)


def layout_from(table: Table, name: str) -> tuple[Layout | None, tuple[str, ...]]:
    """The layout of a TOML document, or None and a line for each thing that is wrong with it."""
    reading = _Reading()
    fields = _board(reading, table, name)
    reading.wrong += misplaced(reading.places, fields["leds"], fields["size_mm"])
    if reading.wrong:
        return None, tuple(reading.wrong)
    try:
        return Layout(**fields), ()
    except LayoutError as error:
        return None, (str(error),)


class _Reading:
    """What is wrong so far, and each place that could be read."""

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.places: list[Lamp] = []

    def said(self, line: str) -> None:
        """One thing more that is wrong."""
        self.wrong.append(line)

    def known(self, table: Table, keys: tuple[str, ...], where: str) -> None:
        """Every key must be one of these."""
        for key in table:
            if key not in keys:
                self.said(f"expected the keys {', '.join(keys)} {where}, got {key!r}")

    def value(self, table: Table, key: str, where: str, of: Callable[[Any], Any], what: str, default: Any) -> Any:
        """The value of a key as `of` makes it; its absence and what `of` refuses are told."""
        if key not in table:
            self.said(f"expected the key {key!r} {where}, got none")
            return default
        try:
            return of(table[key])
        except (TypeError, ValueError, KeyError, AttributeError):
            self.said(f"expected {what} as {key!r} {where}, got {table[key]!r}")
            return default

    def lamp(self, table: Any, where: str) -> Lamp:
        """One LED with its place."""
        if not isinstance(table, Mapping):
            self.said(f"expected {{ led = 1, at_mm = [10, 20] }} {where}, got {table!r}")
            return NOWHERE
        self.known(table, LAMP_KEYS, where)
        so_far = len(self.wrong)
        led = self.value(table, "led", where, _whole, "a whole number", -1)
        x, y = self.value(table, "at_mm", where, _pair, "two numbers", (0.0, 0.0))
        lamp = Lamp(led, x, y)
        if len(self.wrong) == so_far:
            self.places.append(lamp)
        return lamp

    def one(self, table: Table, key: str, where: str) -> Lamp:
        """The LED of a key."""
        if key in table:
            return self.lamp(table[key], f"as {key} {where}")
        self.said(f"expected the key {key!r} {where}, got none")
        return NOWHERE

    def lamps(self, table: Table, key: str, where: str, count: int) -> tuple[Lamp, ...]:
        """A list of so many LEDs."""
        listed = self.value(table, key, where, _list, f"a list of {count} LEDs", ())
        if listed and len(listed) != count:
            self.said(f"expected {count} LEDs as {key!r} {where}, got {len(listed)}")
        return tuple(self.lamp(each, f"in {key} {number} {where}") for number, each in enumerate(listed, 1))


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError
    return value


def _number(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError
    return float(value)


def _pair(value: Any) -> tuple[float, float]:
    x, y = value
    return _number(x), _number(y)


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError
    return value


def _board(reading: _Reading, table: Table, name: str) -> dict[str, Any]:
    here = "in the layout"
    reading.known(table, BOARD_KEYS, here)
    game = reading.one(table, "game", here)
    lanes = reading.value(table, "lane", here, _list, "tables [[lane]]", [])
    if not lanes and "lane" in table:
        reading.said("expected one [[lane]] or more, got none")
    return {
        "name": str(table.get("name", Path(name).stem)),
        "leds": reading.value(table, "leds", here, _whole, "a whole number", 0),
        "size_mm": reading.value(table, "size_mm", here, _pair, "two numbers", (0.0, 0.0)),
        "pitch_mm": reading.value(table, "pitch_mm", here, _number, "a number", 1.0),
        "lanes": tuple(_lane(reading, each, game, f"in lane {number}") for number, each in enumerate(lanes, 1)),
        "shelf": reading.lamps(table, "shelf", here, SHELF_LIGHTS),
        "status": reading.one(table, "status", here),
    }


def _lane(reading: _Reading, table: Any, game: Lamp, where: str) -> Any:
    if not isinstance(table, Mapping):
        reading.said(f"expected a table [[lane]] {where}, got {table!r}")
        return None
    reading.known(table, LANE_KEYS, where)
    start = reading.one(table, "start", where)
    walked = table.get("walked", 1)
    if walked not in (1, 2):
        reading.said(f"expected walked = 1, or 2 where 60 holes are walked twice, {where}, got {walked!r}")
        walked = 1
    walk = LAP // walked
    holes: dict[int, Lamp] = {0: start, GAME_SPOT: game}
    for number, run in enumerate(reading.value(table, "run", where, _list, "tables [[lane.run]]", []), 1):
        for hole, lamp in _run(reading, run, f"in run {number} {where}"):
            if not 1 <= hole <= walk:
                reading.said(f"expected the holes 1 to {walk} {where}, got hole {hole}")
            elif hole in holes:
                reading.said(f"expected each hole once {where}, got hole {hole} twice")
            else:
                holes[hole] = lamp
                reading.places.append(lamp)
    missing = [hole for hole in range(1, walk + 1) if hole not in holes]
    if missing:
        reading.said(f"expected an LED for each of the holes 1 to {walk} {where}, got none for {spans(missing)}")
    farkles = reading.lamps(table, "farkle", where, FARKLE_LIGHTS)
    if missing or len(farkles) != FARKLE_LIGHTS:
        return None
    again = [0, *((hole - 1) % walk + 1 for hole in range(1, LAP + 1)), GAME_SPOT]
    return Lane(tuple(holes[hole] for hole in again), farkles, walk)


def _run(reading: _Reading, table: Any, where: str) -> Iterator[tuple[int, Lamp]]:
    if not isinstance(table, Mapping):
        reading.said(f"expected a table [[lane.run]] {where}, got {table!r}")
        return
    reading.known(table, RUN_KEYS, where)
    first, last = reading.value(table, "holes", where, _pair, "two numbers", (1.0, 0.0))
    led = reading.value(table, "led", where, _whole, "a whole number", -1)
    x, y = reading.value(table, "at_mm", where, _pair, "two numbers", (0.0, 0.0))
    step_x, step_y = reading.value(table, "step_mm", where, _pair, "two numbers", (0.0, 0.0))
    gap = _gap(reading, table, where)
    for number, hole in enumerate(range(int(first), min(int(last), 2 * LAP) + 1)):
        slot = number + number // GROUP * gap
        yield hole, Lamp(led + slot, round(x + slot * step_x, 3), round(y + slot * step_y, 3))


def _gap(reading: _Reading, table: Table, where: str) -> int:
    gap: int = reading.value({"gap_leds": 0, **table}, "gap_leds", where, _whole, "a whole number", 0)
    if not 0 <= gap <= LAP:
        reading.said(f"expected 0 or more gap_leds {where}, got {gap!r}")
        return 0
    return gap
