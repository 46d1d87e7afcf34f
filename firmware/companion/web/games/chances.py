"""The chart of a review: every side's chance to win after each act, with the moments of the game."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from companion.games.story import Story
from companion.reviews.game_review import GameReview
from companion.web.games.race import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, AxisTick, RaceLine, apart, round_steps
from companion.words import Message, message
from pegboard.palette import mark

QUARTERS = (0, 25, 50, 75, 100)
"""The chances of the axis, in per cent."""


@dataclass(frozen=True)
class ChartMoment:
    """A marked point of the chart, with the number by which the list below names it."""

    number: int
    x: float
    y: float


@dataclass(frozen=True)
class ChanceChart:
    """The chart, in a box of `width` by `height` pixels; `label` says the chances at the end of the game."""

    lines: tuple[RaceLine, ...]
    across: tuple[AxisTick, ...]
    up: tuple[AxisTick, ...]
    moments: tuple[ChartMoment, ...]
    label: Message
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


def chart_of(story: Story, review: GameReview, moments: Mapping[int, int]) -> ChanceChart:
    """Return the chart of a review.

    Args:
        story: the game.
        review: its review, of at least one act.
        moments: the numbers of the moments, by their acts.
    """
    rows = [(0, review.start), *((act.act, act.chances) for act in review.acts)]
    last = rows[-1][0]

    def x(act: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * act / last, 1)

    def y(chance: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * chance, 1)

    places = sorted(story.places, key=lambda place: place.side)
    known = {place.side: [(act, row[place.side]) for act, row in rows if place.side < len(row)] for place in places}
    names = apart([y(known[place.side][-1][1]) if known[place.side] else float(HEIGHT) for place in places])
    lines = []
    for place, name_y in zip(places, names, strict=True):
        if not known[place.side]:
            continue
        act, chance = known[place.side][-1]
        look, dash = mark(place.side), "" if place.side < 6 else "7 4"
        points = " ".join(f"{x(act)},{y(chance)}" for act, chance in known[place.side])
        end = (x(act), y(chance))
        lines.append(
            RaceLine(
                place.name, look.colour.hex, look.shape.value, dash, points, end, round(name_y, 1), round(100 * chance)
            )
        )
    sides = {player: place.side for place in story.places for player in place.players}
    return ChanceChart(
        lines=tuple(lines),
        across=tuple(AxisTick(x(act), act) for act in round_steps(0, last)),
        up=tuple(AxisTick(y(chance / 100), chance) for chance in QUARTERS),
        moments=tuple(_marked(review, moments, sides, x, y)),
        label=message(
            "review.chart",
            sides=[message("review.chance", name=line.name, percent=float(line.score)) for line in lines],
        ),
    )


def _marked(
    review: GameReview,
    moments: Mapping[int, int],
    sides: Mapping[str, int],
    x: Callable[[int], float],
    y: Callable[[float], float],
) -> Iterator[ChartMoment]:
    """Yield the marked points, each on the line of the player's side."""
    for number, act in ((number, review.acts[act - 1]) for act, number in moments.items()):
        side = sides[act.player]
        if side < len(act.chances):
            yield ChartMoment(number, x(act.act), y(act.chances[side]))
