"""The paths on a page of a PDF, in millimetres from its upper left corner, read from its content stream."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from pypdf import PageObject
from pypdf.generic import ContentStream

POINT_MM = 25.4 / 72
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


@dataclass(frozen=True)
class Drawn:
    """A stroked or filled path: its points with the curves' control points, its stroke's width, and the visible box."""

    points: tuple[tuple[float, float], ...]
    curves: int
    wide: float
    dashed: bool
    box: Box
    clip: Box

    @property
    def seen(self) -> Box:
        """Return the part of the box that is not clipped."""
        left, top, right, bottom = (
            max(self.box[0], self.clip[0]),
            max(self.box[1], self.clip[1]),
            min(self.box[2], self.clip[2]),
            min(self.box[3], self.clip[3]),
        )
        return left, top, right, bottom

    @property
    def size(self) -> tuple[float, float]:
        return self.box[2] - self.box[0], self.box[3] - self.box[1]

    @property
    def middle(self) -> tuple[float, float]:
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2

    def is_circle(self) -> bool:
        wide, high = self.size
        return self.curves == 4 and abs(wide - high) < 0.02 and len(self.points) in (13, 14)


@dataclass(frozen=True)
class State:
    """The state that the operator `q` saves."""

    matrix: tuple[float, float, float, float, float, float] = (1, 0, 0, 1, 0, 0)
    wide: float = 1.0
    dashed: bool = False
    clip: Box = (-math.inf, -math.inf, math.inf, math.inf)


@dataclass
class Path:
    """The path under construction. `start` is the place of the last move, if no line has been drawn from it."""

    start: list[tuple[float, float]] = field(default_factory=list)
    points: list[tuple[float, float]] = field(default_factory=list)
    curves: int = 0


@dataclass(frozen=True)
class Page:
    """A page with its size in millimetres, its text and its paths, each read once."""

    pdf: PageObject

    @property
    def size_mm(self) -> tuple[float, float]:
        return float(self.pdf.mediabox.width) * POINT_MM, float(self.pdf.mediabox.height) * POINT_MM

    @cached_property
    def text(self) -> str:
        return self.pdf.extract_text()

    @cached_property
    def drawn(self) -> tuple[Drawn, ...]:
        return tuple(drawn(self.pdf))


def drawn(page: PageObject) -> Iterator[Drawn]:
    """Yield each path of the page that is painted."""
    state, saved, path, clipping = State(), [], Path(), False
    high = float(page.mediabox.height)
    for operands, operator in ContentStream(page.get_contents(), page.pdf).operations:
        name = operator.decode()
        numbers = [float(each) for each in operands if isinstance(each, int | float)]
        if name == "q":
            saved.append(state)
        elif name == "Q":
            state = saved.pop()
        elif name == "cm":
            state = replace(state, matrix=_times(numbers, state.matrix))
        elif name == "w":
            state = replace(state, wide=numbers[0] * POINT_MM)
        elif name == "d":
            state = replace(state, dashed=bool(operands[0]))
        elif name == "m":
            path.start = [_place(*numbers, state, high)]
        elif name in ("l", "c"):
            pairs = zip(numbers[::2], numbers[1::2], strict=True)
            path.points += path.start + [_place(x, y, state, high) for x, y in pairs]
            path.start = []
            path.curves += name == "c"
        elif name == "re":
            x, y, wide, tall = numbers
            corners = ((x, y), (x + wide, y), (x + wide, y + tall), (x, y + tall))
            path.points += [_place(*corner, state, high) for corner in corners]
        elif name in ("W", "W*"):
            clipping = True
        elif name in ("S", "s", "B", "b", "f", "f*", "B*", "n"):
            if clipping:
                state = replace(state, clip=_box(path.points))
            elif path.points and name != "n":
                yield Drawn(tuple(path.points), path.curves, state.wide, state.dashed, _box(path.points), state.clip)
            path, clipping = Path(), False


def _times(by: list[float], matrix: tuple[float, ...]) -> tuple[float, float, float, float, float, float]:
    a, b, c, d, e, f = by
    p, q, r, s, t, u = matrix
    return a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u


def _place(x: float, y: float, state: State, high: float) -> tuple[float, float]:
    a, b, c, d, e, f = state.matrix
    return (a * x + c * y + e) * POINT_MM, (high - (b * x + d * y + f)) * POINT_MM


def _box(points: list[tuple[float, float]]) -> Box:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)
