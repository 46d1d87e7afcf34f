"""Papers, and the places of parts on them: a large part as tiles that overlap, small parts packed together."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

Size = tuple[float, float]

MARGIN_MM = 8.0
"""The border of a page that stays white: laser printers leave up to 6.4 mm."""

HEAD_MM = 12.0
FOOT_MM = 13.0
OVERLAP_MM = 10.0
AROUND_MM = 5.0
"""Space around a part, for the words at its edge."""

LINE_MM = 1.0
"""How far from its middle a line may be seen on a tile."""

SIDES = {"left": (0, -1), "right": (0, 1), "top": (-1, 0), "bottom": (1, 0)}
"""The rows and columns from a tile to its neighbour at each side."""


@dataclass(frozen=True)
class Paper:
    """A paper size, upright."""

    name: str
    wide: float
    high: float

    def turned(self) -> "Paper":
        """Return the paper in landscape."""
        return Paper(self.name, self.high, self.wide)

    @property
    def window(self) -> Size:
        """Return the width and height that a tile may have."""
        return self.wide - 2 * MARGIN_MM, self.high - 2 * MARGIN_MM - HEAD_MM - FOOT_MM


PAPERS = (Paper("A4", 210.0, 297.0), Paper("Letter", 215.9, 279.4))


@dataclass(frozen=True)
class Tile:
    """A part of a drawing on a page: its row and column from 0, and its box in the drawing's millimetres."""

    row: int
    column: int
    rows: int
    columns: int
    left: float
    top: float
    wide: float
    high: float

    @property
    def place(self) -> str:
        """Return the tile's place in words."""
        return _place(self.row, self.column)

    def shows(self, box: tuple[float, float, float, float]) -> bool:
        """Return whether any part of the lines around a box (left, top, right, bottom) is on the tile."""
        left, top, right, bottom = box
        in_width = self.left - LINE_MM < right and left < self.left + self.wide + LINE_MM
        return in_width and self.top - LINE_MM < bottom and top < self.top + self.high + LINE_MM

    def holds(self, box: tuple[float, float, float, float]) -> bool:
        """Return whether the whole of a box (left, top, right, bottom) is on the tile."""
        left, top, right, bottom = box
        in_width = self.left <= left and right <= self.left + self.wide
        return in_width and self.top <= top and bottom <= self.top + self.high

    def neighbours(self) -> dict[str, str]:
        """Return the place of the neighbour at each side that has one."""
        places = {side: (self.row + down, self.column + right) for side, (down, right) in SIDES.items()}
        return {
            side: _place(row, column)
            for side, (row, column) in places.items()
            if 0 <= row < self.rows and 0 <= column < self.columns
        }


def _place(row: int, column: int) -> str:
    return f"row {row + 1}, column {column + 1}"


def tiles(size: Size, window: Size) -> Sequence[Tile]:
    """Return the tiles of a part of this size with the space around it, row by row.

    Args:
        size: width and height of the part in millimetres; its upper left corner is the drawing's 0, 0.
        window: the largest width and height of a tile.
    """
    columns, rows = (_spans(length, most) for length, most in zip(size, window, strict=True))
    return [
        Tile(row, column, len(rows), len(columns), left, top, wide, high)
        for row, (top, high) in enumerate(rows)
        for column, (left, wide) in enumerate(columns)
    ]


def _spans(length: float, most: float) -> list[tuple[float, float]]:
    """Return start and length of equal spans that cover a length with the space around it, with overlaps."""
    whole = length + 2 * AROUND_MM
    count = max(1, math.ceil((whole - OVERLAP_MM) / (most - OVERLAP_MM)))
    span = (whole + (count - 1) * OVERLAP_MM) / count
    return [(n * (span - OVERLAP_MM) - AROUND_MM, span) for n in range(count)]


def best_turn(size: Size, paper: Paper) -> Paper:
    """Return the paper in portrait or landscape, whichever needs fewer pages."""
    return min((paper, paper.turned()), key=lambda way: len(tiles(size, way.window)))


@dataclass(frozen=True)
class PackedPlace:
    """Where a box lies: its page from 0, and its upper left corner on that page."""

    page: int
    x: float
    y: float


@dataclass
class _Shelf:
    """A row of boxes on a page: its upper edge, its height, and the place of the next box."""

    page: int
    y: float
    high: float
    x: float = 0.0


def packed(sizes: Sequence[Size], window: Size, gap: float) -> list[PackedPlace]:
    """Return a place for each box, in the order of `sizes`; no two boxes are nearer than `gap`.

    The highest boxes are placed first, each in the first row that has space for it.

    Raises:
        ValueError: if a box is larger than the window.
    """
    wide, high = window
    places: dict[int, PackedPlace] = {}
    shelves: list[_Shelf] = []
    ends: list[float] = []
    for number in sorted(range(len(sizes)), key=lambda n: (-sizes[n][1], -sizes[n][0], n)):
        long, tall = sizes[number]
        if long > wide or tall > high:
            raise ValueError(f"expected boxes within {wide:g} x {high:g} mm, got {long:g} x {tall:g}")
        shelf = next((row for row in shelves if tall <= row.high and row.x + long <= wide), None)
        if shelf is None:
            page = next((n for n, end in enumerate(ends) if end + tall <= high), len(ends))
            if page == len(ends):
                ends.append(0.0)
            shelf = _Shelf(page, ends[page], tall)
            ends[page] += tall + gap
            shelves.append(shelf)
        places[number] = PackedPlace(shelf.page, shelf.x, shelf.y)
        shelf.x += long + gap
    return [places[number] for number in range(len(sizes))]
