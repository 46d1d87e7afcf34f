"""The chart of a game over its course, as SVG draws it: a line for each side, of its scores or its chances to win."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.games.story import Place, Story
from companion.words import Message, message
from pegboard.palette import mark

WIDTH, HEIGHT = 640, 380
LEFT, RIGHT, TOP, BOTTOM = 80, 178, 16, 34
LEAST_BETWEEN_NAMES = 24
MOST_TICKS = 6


@dataclass(frozen=True)
class ChartLine:
    """One side's line.

    `points` is SVG's attribute of a polyline, `end` the last point, and `name_y` the height of the side's name.
    """

    name: str
    color: str
    shape: str
    dash: str
    points: str
    end: tuple[float, float]
    name_y: float
    value: float


@dataclass(frozen=True)
class AxisTick:
    """A tick of an axis: its coordinate in pixels, and its number."""

    at: float
    value: int


@dataclass(frozen=True)
class ChartHighlight:
    """A marked point of the chart, with the number by which a list names it."""

    number: int
    x: float
    y: float


@dataclass(frozen=True)
class GameChart:
    """The chart, in a box of `WIDTH` by `HEIGHT` pixels, drawn from `left` to `right` over `steps` steps.

    `label` says where each side stands at the end, and `target` is the y of the goal's line, or None without one.
    """

    lines: tuple[ChartLine, ...]
    across: tuple[AxisTick, ...]
    up: tuple[AxisTick, ...]
    highlights: tuple[ChartHighlight, ...]
    target: float | None
    label: Message
    steps: int
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


@dataclass(frozen=True)
class ChartScale:
    """The pixels of steps from 0 to `steps`, and of values from `low` to `high`."""

    steps: int
    low: float
    high: float

    def x(self, step: float) -> float:
        """Return the x of a step."""
        return round(LEFT + (WIDTH - LEFT - RIGHT) * step / self.steps, 1)

    def y(self, value: float) -> float:
        """Return the y of a value."""
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - self.low) / (self.high - self.low), 1)


def race_of(story: Story) -> GameChart | None:
    """Return the chart of the scores over the turns, or None before the first turn has ended."""
    turns = len(story.race) - 1
    if turns < 1:
        return None
    low = min(0, min(map(min, story.race)))
    high = max(max(map(max, story.race)), 1)
    if story.target and high >= story.target / 2:
        high = max(high, story.target)
    scale = ChartScale(turns, low, high)
    return GameChart(
        lines=tuple(lines_of(story.places, dict(enumerate(story.race)), scale)),
        across=across_of(scale),
        up=tuple(AxisTick(scale.y(score), score) for score in round_steps(low, high)),
        highlights=(),
        target=scale.y(story.target) if story.target and story.target <= high else None,
        label=message(
            "race_chart.label",
            sides=[message("terminal.score", name=place.name, score=place.score) for place in story.places],
        ),
        steps=turns,
    )


def lines_of(places: Sequence[Place], rows: Mapping[int, Sequence[float]], scale: ChartScale) -> Iterator[ChartLine]:
    """Yield the lines of the sides.

    Args:
        places: all sides.
        rows: the values of the sides at each step; a side beyond the end of a row has none.
        scale: the scale of the chart.
    """
    sides = sorted(places, key=lambda place: place.side)
    known = [[(step, row[place.side]) for step, row in rows.items() if place.side < len(row)] for place in sides]
    names = apart([scale.y(values[-1][1]) if values else float(HEIGHT) for values in known])
    for place, values, name_y in zip(sides, known, names, strict=True):
        if not values:
            continue
        look, (step, value) = mark(place.side), values[-1]
        yield ChartLine(
            name=place.name,
            color=look.colour.hex,
            shape=look.shape.value,
            dash="" if place.side < 6 else "7 4",
            points=" ".join(f"{scale.x(step)},{scale.y(value)}" for step, value in values),
            end=(scale.x(step), scale.y(value)),
            name_y=round(name_y, 1),
            value=value,
        )


def across_of(scale: ChartScale) -> tuple[AxisTick, ...]:
    """Return the ticks of the steps."""
    return tuple(AxisTick(scale.x(step), step) for step in round_steps(0, scale.steps))


def apart(heights: Sequence[float]) -> list[float]:
    """Return the y of each name: as near to its line's end as fits, without overlap and inside the chart."""
    order = sorted(range(len(heights)), key=lambda index: heights[index])
    placed = [0.0] * len(heights)
    above = -math.inf
    for index in order:
        placed[index] = above = max(heights[index], above + LEAST_BETWEEN_NAMES, TOP)
    below = HEIGHT - BOTTOM + 6.0
    for index in reversed(order):
        placed[index] = below = min(placed[index], below)
        below -= LEAST_BETWEEN_NAMES
    return placed


def round_steps(low: int, high: int) -> list[int]:
    """Return round numbers from `low` to `high`, at most `MOST_TICKS` + 1."""
    raw = (high - low) / MOST_TICKS
    unit = 10 ** math.floor(math.log10(raw)) if raw > 1 else 1
    step = next((unit * factor for factor in (1, 2, 5, 10) if unit * factor >= raw), unit * 10)
    return list(range(math.ceil(low / step) * step, high + 1, step))
