"""The race: a chart of every side's score over the turns."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.story import Story
from companion.words import Message, message
from pegboard.palette import mark

WIDTH, HEIGHT = 640, 380
LEFT, RIGHT, TOP, BOTTOM = 80, 178, 16, 34
LEAST_BETWEEN_NAMES = 24
MOST_TICKS = 6


@dataclass(frozen=True)
class RaceLine:
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
    score: int


@dataclass(frozen=True)
class AxisTick:
    """A tick of an axis: its coordinate in pixels, and its number."""

    at: float
    value: int


@dataclass(frozen=True)
class Race:
    """The chart, in a box of `WIDTH` by `HEIGHT` pixels.

    `target` is the y of the goal's line, or None without one; `turns` are drawn from `left` to `right`. `label` says
    the score of each side.
    """

    lines: tuple[RaceLine, ...]
    across: tuple[AxisTick, ...]
    up: tuple[AxisTick, ...]
    target: float | None
    label: Message
    turns: int
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


def race_of(story: Story) -> Race | None:
    """Return the chart of a game, or None before the first turn has ended."""
    turns = len(story.race) - 1
    if turns < 1:
        return None
    low = min(0, min(map(min, story.race)))
    high = max(max(map(max, story.race)), 1)
    if story.target and high >= story.target / 2:
        high = max(high, story.target)
    places = sorted(story.places, key=lambda place: place.side)

    def x(turn: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * turn / turns

    def y(score: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (score - low) / (high - low)

    ends = [y(score) for score in story.race[-1]]
    names = apart(ends)
    lines = []
    for place in places:
        look = mark(place.side)
        scores = [row[place.side] for row in story.race]
        points = " ".join(f"{x(turn):.1f},{y(score):.1f}" for turn, score in enumerate(scores))
        dash = "" if place.side < 6 else "7 4"
        end = (round(x(turns), 1), round(ends[place.side], 1))
        name_y = round(names[place.side], 1)
        lines.append(RaceLine(place.name, look.colour.hex, look.shape.value, dash, points, end, name_y, scores[-1]))
    return Race(
        lines=tuple(lines),
        across=tuple(AxisTick(round(x(turn), 1), turn) for turn in round_steps(0, turns)),
        up=tuple(AxisTick(round(y(score), 1), score) for score in round_steps(low, high)),
        target=round(y(story.target), 1) if story.target and story.target <= high else None,
        label=message(
            "race_chart.label",
            sides=[message("terminal.score", name=place.name, score=place.score) for place in story.places],
        ),
        turns=turns,
    )


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
