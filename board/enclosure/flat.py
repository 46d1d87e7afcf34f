"""A flat part: its outline, its holes with the rows for drilling them, and the lines drawn on it, in millimetres.

The origin is the upper left corner of the part's box, y goes down. Outlines and openings are rectangles, with or
without round corners, and circles, because both can be widened by a cut without a geometry library.
"""

import math
import tomllib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from string import ascii_uppercase

SAME_MM = 0.05
WIDE_MM = 10.0
"""From this diameter on a hole is made by a spade bit or a hole saw, which come in whole millimetres."""


@dataclass(frozen=True)
class Circle:
    """A round hole by its middle and diameter."""

    x: float
    y: float
    d: float

    def grown(self, by: float) -> "Circle":
        """Return the circle with its edge moved outwards by `by`."""
        return replace(self, d=self.d + 2 * by)


@dataclass(frozen=True)
class Rect:
    """A rectangle by its upper left corner and size; `r` is the radius of its corners."""

    x: float
    y: float
    wide: float
    high: float
    r: float = 0.0

    def grown(self, by: float) -> "Rect":
        """Return the rectangle with its edges moved outwards by `by`; sharp corners stay sharp."""
        r = max(0.0, self.r + by) if self.r else 0.0
        return Rect(self.x - by, self.y - by, self.wide + 2 * by, self.high + 2 * by, r)


Shape = Circle | Rect
Line = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Label:
    """A word beside a mark; it is printed on paper and never cut."""

    x: float
    y: float
    text: str


@dataclass(frozen=True)
class Flat:
    """A flat part. `material` is its material and thickness, in words.

    `outline` and `openings` are cut. `marks` show where other parts or seams go: they are drawn and never cut.
    `engraved` are strokes for a laser or a pen. `on_paper` is False for a part that is sawn by its length alone and
    drilled through another one, so it needs no page.
    """

    name: str
    title: str
    material: str
    outline: Rect
    openings: Sequence[Shape] = ()
    marks: Sequence[Shape | Line] = ()
    engraved: Sequence[Line] = ()
    labels: Sequence[Label] = ()
    count: int = 1
    on_paper: bool = True

    def __post_init__(self) -> None:
        outside = [each for each in self.openings if not _within(each, self.outline)]
        if outside:
            raise ValueError(f"expected openings within the outline of {self.name!r}, got {outside[0]!r}")

    @property
    def size(self) -> tuple[float, float]:
        """Return the width and height."""
        return self.outline.wide, self.outline.high

    @property
    def circles(self) -> tuple[Circle, ...]:
        """Return the round holes."""
        return tuple(each for each in self.openings if isinstance(each, Circle))

    def with_kerf(self, kerf_mm: float) -> "Flat":
        """Return the part for a cut of this width: the outline grows and the openings shrink by half of it.

        Raises:
            ValueError: if the cut is negative, or as wide as an opening.
        """
        narrowest = min((_narrow(each) for each in self.openings), default=kerf_mm + 1)
        if not 0 <= kerf_mm < narrowest:
            raise ValueError(f"expected a cut of 0 to less than {narrowest:g} mm for {self.name!r}, got {kerf_mm:g}")
        openings = tuple(each.grown(-kerf_mm / 2) for each in self.openings)
        return replace(self, outline=self.outline.grown(kerf_mm / 2), openings=openings)


FLATS = tomllib.loads(Path(__file__).with_name("flats.toml").read_text(encoding="utf-8"))


def flat_part(
    name: str,
    outline: Rect,
    openings: Sequence[Shape] = (),
    marks: Sequence[Shape | Line] = (),
    *,
    engraved: Sequence[Line] = (),
    labels: Sequence[Label] = (),
    **words: object,
) -> Flat:
    """Return a part of flats.toml, which has its title, its material and its number; `words` are what they name."""
    listed = FLATS[name]
    texts = {key: listed[key].format(**words) for key in ("title", "material")}
    count, on_paper = listed.get("count", 1), listed.get("on_paper", True)
    return Flat(
        name,
        **texts,
        outline=outline,
        openings=openings,
        marks=marks,
        engraved=engraved,
        labels=labels,
        count=count,
        on_paper=on_paper,
    )


def middle_rect(x: float, y: float, wide: float, high: float, r: float = 0.0) -> Rect:
    """Return the rectangle of this size around this middle."""
    return Rect(x - wide / 2, y - high / 2, wide, high, r)


def box_of(shape: Shape | Line) -> tuple[float, float, float, float]:
    """Return the box of a shape or line: left, top, right, bottom."""
    if isinstance(shape, Circle):
        half = shape.d / 2
        return shape.x - half, shape.y - half, shape.x + half, shape.y + half
    if isinstance(shape, Rect):
        return shape.x, shape.y, shape.x + shape.wide, shape.y + shape.high
    xs, ys = [x for x, _ in shape], [y for _, y in shape]
    return min(xs), min(ys), max(xs), max(ys)


def _narrow(shape: Shape) -> float:
    return shape.d if isinstance(shape, Circle) else min(shape.wide, shape.high)


def _within(shape: Shape, outer: Rect) -> bool:
    (left, top, right, bottom), (x, y, x2, y2) = box_of(shape), box_of(outer)
    return x < left and y < top and right < x2 and bottom < y2


def bit_mm(d: float) -> float:
    """Return the drill bit for a hole in wood: the next larger half millimetre, or for wide holes the whole one below.

    A template's diameter is a laser's; screws have some play.
    """
    return float(math.floor(d)) if d >= WIDE_MM else math.ceil(2 * d - SAME_MM) / 2


@dataclass(frozen=True)
class DrillRow:
    """Holes of one diameter at one height, by their middles in millimetres from the part's upper left corner."""

    letter: str
    d: float
    y: float
    xs: tuple[float, ...]


def rows_of(flat: Flat) -> tuple[DrillRow, ...]:
    """Return the rows from top to bottom, and their holes from left to right."""
    found: dict[tuple[float, float], list[float]] = defaultdict(list)
    for hole in flat.circles:
        found[round(hole.y / SAME_MM) * SAME_MM, hole.d].append(hole.x)
    rows = sorted(found.items())
    return tuple(DrillRow(_letter(n), d, y, tuple(sorted(xs))) for n, ((y, d), xs) in enumerate(rows))


def _letter(number: int) -> str:
    """Return A to Z, then AA, AB and so on."""
    tens, ones = divmod(number, len(ascii_uppercase))
    return (ascii_uppercase[tens - 1] if tens else "") + ascii_uppercase[ones]
