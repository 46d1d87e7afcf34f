"""Layouts loaded from TOML files.

A layout file gives, for each lane, the start hole, the runs of holes (straight rows of evenly spaced LEDs) and the
farkle lights; for the board the game hole that all lanes share, the shelf lights and the status light. All errors of a
file are reported together.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from pegboard.errors import LayoutError
from pegboard.layouts.layout import Lamp, Lane, Layout, misplaced, spans
from pegboard.pegs import FARKLE_LIGHTS, SHELF_LIGHTS
from pegboard.track import GAME_SPOT, GROUP, LAP

DEFAULT = "long-board-4"

BOARD_KEYS = ("name", "about", "leds", "size_mm", "pitch_mm", "game", "status", "shelf", "lane")
LANE_KEYS = ("start", "farkle", "run", "walked")
RUN_KEYS = ("holes", "led", "at_mm", "step_mm", "gap_leds")
LAMP_KEYS = ("led", "at_mm")
NOWHERE = Lamp(-1, 0.0, 0.0)

Table = Mapping[str, Any]


def layout_names() -> tuple[str, ...]:
    """Return the names of the packaged layouts."""
    names = (entry.name for entry in files("pegboard.layouts").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def load_layout(name: str = DEFAULT) -> Layout:
    """Return the packaged layout of this name, or the layout of a file if the name ends in `.toml`.

    Raises `LayoutError` for an unknown name, a file that cannot be read, or an invalid layout.
    """
    return parse_layout(layout_text(name), name)


def layout_text(name: str) -> str:
    """Return the TOML text of the packaged layout of this name, or of a file.

    Raises:
        LayoutError: if there is no such layout, or the file cannot be read.
    """
    if name.endswith(".toml"):
        try:
            return Path(name).read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise LayoutError(f"expected TOML in layout {name!r}, got: {error}") from error
        except OSError as error:
            raise LayoutError(f"expected a layout file at {name!r}, got: {error.strerror}") from error
    if name in layout_names():
        return files("pegboard.layouts").joinpath(f"{name}.toml").read_text(encoding="utf-8")
    raise LayoutError(f"expected a .toml file or one of the layouts {', '.join(layout_names())}; got {name!r}")


def parse_layout(text: str, name: str) -> Layout:
    """Return the layout of a TOML text; `name` is its name in errors.

    Raises:
        LayoutError: if the layout is invalid, with all its errors.
    """
    layout, wrong = read_layout(text, name)
    if layout is None:
        raise LayoutError(f"layout {name!r}: {'; '.join(wrong)}")
    return layout


def read_layout(text: str, name: str) -> tuple[Layout | None, tuple[str, ...]]:
    """Return the layout of a TOML text, or None, and a line for each of its errors."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return None, (f"expected TOML, got: {error}",)
    return layout_from(table, name)


def layout_from(table: Table, name: str) -> tuple[Layout | None, tuple[str, ...]]:
    """Return the layout of a TOML document, or None, and a line for each of its errors."""
    reader = _Reader()
    fields = _board(reader, table, name)
    reader.wrong += misplaced(reader.places, fields["leds"], fields["size_mm"])
    if reader.wrong:
        return None, tuple(reader.wrong)
    try:
        return Layout(**fields), ()
    except LayoutError as error:
        return None, (str(error),)


class _Reader:
    """The errors so far, and each place that could be read."""

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.places: list[Lamp] = []

    def check_keys(self, table: Table, keys: tuple[str, ...], where: str) -> None:
        """Report keys that are not among these."""
        wrong = [key for key in table if key not in keys]
        self.wrong += [f"expected the keys {', '.join(keys)} {where}, got {key!r}" for key in wrong]

    def value(self, table: Table, key: str, where: str, of: Callable[[Any], Any], what: str, default: Any) -> Any:
        """Return the value of a key as `of` converts it; report a missing or invalid value and return the default."""
        if key not in table:
            self.wrong.append(f"expected the key {key!r} {where}, got none")
            return default
        try:
            return of(table[key])
        except (TypeError, ValueError, KeyError, AttributeError):
            self.wrong.append(f"expected {what} as {key!r} {where}, got {table[key]!r}")
            return default

    def lamp(self, table: Any, where: str) -> Lamp:
        """Return one LED with its place."""
        if not isinstance(table, Mapping):
            self.wrong.append(f"expected {{ led = 1, at_mm = [10, 20] }} {where}, got {table!r}")
            return NOWHERE
        self.check_keys(table, LAMP_KEYS, where)
        so_far = len(self.wrong)
        led = self.value(table, "led", where, _whole, "a whole number", -1)
        x, y = self.value(table, "at_mm", where, _pair, "two numbers", (0.0, 0.0))
        lamp = Lamp(led, x, y)
        if len(self.wrong) == so_far:
            self.places.append(lamp)
        return lamp

    def one(self, table: Table, key: str, where: str) -> Lamp:
        """Return the LED of a key."""
        if key in table:
            return self.lamp(table[key], f"as {key} {where}")
        self.wrong.append(f"expected the key {key!r} {where}, got none")
        return NOWHERE

    def lamps(self, table: Table, key: str, where: str, count: int) -> tuple[Lamp, ...]:
        """Return the LEDs of a list of this length."""
        listed = self.value(table, key, where, _list, f"a list of {count} LEDs", ())
        if listed and len(listed) != count:
            self.wrong.append(f"expected {count} LEDs as {key!r} {where}, got {len(listed)}")
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


def _board(reader: _Reader, table: Table, name: str) -> dict[str, Any]:
    here = "in the layout"
    reader.check_keys(table, BOARD_KEYS, here)
    game = reader.one(table, "game", here)
    lanes = reader.value(table, "lane", here, _list, "tables [[lane]]", [])
    if not lanes and "lane" in table:
        reader.wrong.append("expected one [[lane]] or more, got none")
    return {
        "name": str(table.get("name", Path(name).stem)),
        "leds": reader.value(table, "leds", here, _whole, "a whole number", 0),
        "size_mm": reader.value(table, "size_mm", here, _pair, "two numbers", (0.0, 0.0)),
        "pitch_mm": reader.value(table, "pitch_mm", here, _number, "a number", 1.0),
        "lanes": tuple(_lane(reader, each, game, f"in lane {number}") for number, each in enumerate(lanes, 1)),
        "shelf": reader.lamps(table, "shelf", here, SHELF_LIGHTS),
        "status": reader.one(table, "status", here),
    }


def _lane(reader: _Reader, table: Any, game: Lamp, where: str) -> Lane | None:
    if not isinstance(table, Mapping):
        reader.wrong.append(f"expected a table [[lane]] {where}, got {table!r}")
        return None
    reader.check_keys(table, LANE_KEYS, where)
    start = reader.one(table, "start", where)
    walked = table.get("walked", 1)
    if walked not in (1, 2):
        reader.wrong.append(f"expected walked = 1, or 2 where 60 holes are walked twice, {where}, got {walked!r}")
        walked = 1
    walk = LAP // walked
    holes: dict[int, Lamp] = {0: start, GAME_SPOT: game}
    for number, run in enumerate(reader.value(table, "run", where, _list, "tables [[lane.run]]", []), 1):
        for hole, lamp in _run(reader, run, f"in run {number} {where}"):
            if not 1 <= hole <= walk:
                reader.wrong.append(f"expected the holes 1 to {walk} {where}, got hole {hole}")
            elif hole in holes:
                reader.wrong.append(f"expected each hole once {where}, got hole {hole} twice")
            else:
                holes[hole] = lamp
                reader.places.append(lamp)
    missing = [hole for hole in range(1, walk + 1) if hole not in holes]
    if missing:
        reader.wrong.append(f"expected an LED for each of the holes 1 to {walk} {where}, got none for {spans(missing)}")
    farkles = reader.lamps(table, "farkle", where, FARKLE_LIGHTS)
    if missing or len(farkles) != FARKLE_LIGHTS:
        return None
    again = [0, *((hole - 1) % walk + 1 for hole in range(1, LAP + 1)), GAME_SPOT]
    return Lane(tuple(holes[hole] for hole in again), farkles, walk)


def _run(reader: _Reader, table: Any, where: str) -> Iterator[tuple[int, Lamp]]:
    if not isinstance(table, Mapping):
        reader.wrong.append(f"expected a table [[lane.run]] {where}, got {table!r}")
        return
    reader.check_keys(table, RUN_KEYS, where)
    first, last = reader.value(table, "holes", where, _pair, "two numbers", (1.0, 0.0))
    led = reader.value(table, "led", where, _whole, "a whole number", -1)
    x, y = reader.value(table, "at_mm", where, _pair, "two numbers", (0.0, 0.0))
    step_x, step_y = reader.value(table, "step_mm", where, _pair, "two numbers", (0.0, 0.0))
    gap = reader.value({"gap_leds": 0, **table}, "gap_leds", where, _whole, "a whole number", 0)
    if not 0 <= gap <= LAP:
        reader.wrong.append(f"expected 0 or more gap_leds {where}, got {gap!r}")
        gap = 0
    for number, hole in enumerate(range(int(first), min(int(last), 2 * LAP) + 1)):
        slot = number + number // GROUP * gap
        yield hole, Lamp(led + slot, round(x + slot * step_x, 3), round(y + slot * step_y, 3))
