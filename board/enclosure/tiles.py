"""Cut a drawing that is larger than a sheet of paper into tiles that overlap."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

MARGIN_MM = 8.0
"""The border of a page that stays white: laser printers leave up to 6.4 mm."""

HEAD_MM = 12.0
FOOT_MM = 13.0
OVERLAP_MM = 10.0
AROUND_MM = 5.0
"""Space around a part, for the words at its edge."""


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
    def window(self) -> tuple[float, float]:
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
        return f"row {self.row + 1}, column {self.column + 1}"

    def shows(self, box: tuple[float, float, float, float]) -> bool:
        """Return whether any part of a box (left, top, right, bottom) is on the tile."""
        left, top, right, bottom = box
        return left < self.left + self.wide and right > self.left and top < self.top + self.high and bottom > self.top

    def holds(self, box: tuple[float, float, float, float]) -> bool:
        """Return whether the whole of a box (left, top, right, bottom) is on the tile."""
        left, top, right, bottom = box
        in_width = self.left <= left and right <= self.left + self.wide
        return in_width and self.top <= top and bottom <= self.top + self.high

    def neighbours(self) -> dict[str, str]:
        """Return the place of the neighbour at each side that has one."""
        found = {}
        sides = {"left": (0, -1), "right": (0, 1), "top": (-1, 0), "bottom": (1, 0)}
        for side, (down, right) in sides.items():
            row, column = self.row + down, self.column + right
            if 0 <= row < self.rows and 0 <= column < self.columns:
                found[side] = f"row {row + 1}, column {column + 1}"
        return found


def tiles(size: tuple[float, float], window: tuple[float, float]) -> Sequence[Tile]:
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


def best_turn(size: tuple[float, float], paper: Paper) -> Paper:
    """Return the paper in portrait or landscape, whichever needs fewer pages."""
    return min((paper, paper.turned()), key=lambda way: len(tiles(size, way.window)))
